//go:build !programs

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/check/tosacheck"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	files "arcv2dsp/nn/tosa"
)

func newKernelsCmd(s cli.Streams) *cobra.Command {
	return pages.Group("kernels", newKernelsListCmd(s), newKernelsRunCmd(s), newKernelsShowCmd(s), newKernelsExportCmd(s))
}

func newKernelsListCmd(s cli.Streams) *cobra.Command {
	var asJSON, functions, tosa, lite bool
	return pages.Command("kernels_list", func(_ *cobra.Command, args []string) {
		switch {
		case tosa:
			listTOSA(args, asJSON, s)
		case len(args) > 0:
			listCases(args, asJSON, s)
		case lite:
			rows := steps.Must(model.ListedOperators())
			show(s, asJSON, render.Document{JSON: rows, Text: func(w io.Writer) error { return model.WriteOperators(w, rows) }})
		case functions && asJSON:
			steps.Check(regress.FunctionsJSON(s.Out))
		case functions:
			steps.Check(regress.ListFunctions(s.Out))
		case asJSON:
			steps.Check(regress.ListJSON(s.Out, steps.Must(regress.Catalog())))
		default:
			steps.Check(regress.ListText(s.Out, steps.Must(regress.Catalog())))
		}
	}, cli.Vars{"json": &asJSON, "functions": &functions, "tosa": &tosa, "tflite": &lite})
}

// listCases prints the cases of a kernel, the typical one first.
func listCases(args []string, asJSON bool, s cli.Streams) {
	cli.Refuse(len(args) > 1, "unexpected argument %q; with --tosa it is an operator", args[len(args)-1])
	k := cli.Valid(mlikernels.Lookup(args[0]))
	if asJSON {
		steps.Check(regress.CasesJSON(s.Out, k))
		return
	}
	for _, name := range regress.CaseNames(k) {
		fmt.Fprintln(s.Out, name)
	}
}

// listTOSA prints TOSA's operators, or the conditions of some.
func listTOSA(names []string, asJSON bool, s cli.Streams) {
	cli.Refuse(len(names) > 0 && asJSON, "--json is for the list of all operators")
	for _, name := range names {
		spec, ok := files.Lookup(strings.ToUpper(name))
		cli.Refuse(!ok, "there is no operator %s", name)
		tosacheck.WriteOperator(s.Out, spec)
	}
	if len(names) > 0 {
		return
	}
	rows := steps.Must(tosacheck.KernelRows())
	show(s, asJSON, render.Document{JSON: rows, Text: func(w io.Writer) error { return tosacheck.WriteKernels(w, rows) }})
}

// kernelsRunOptions are the flags of kernels run.
type kernelsRunOptions struct {
	file     string
	id       int
	first    bool // no id was given
	source   string
	symbol   string
	core     string
	engine   string
	npy      string
	tensors  []string
	profile  bool
	json     bool
	debug    bool
	saveELF  string
	like     string
	round    string
	save     string
	library  libraryOptions
	settings settingFlags
}

func newKernelsRunCmd(s cli.Streams) *cobra.Command {
	var o kernelsRunOptions
	return pages.Command("kernels_run", func(cmd *cobra.Command, args []string) {
		o.first = !cmd.Flags().Changed("id")
		runKernel(cmd.Context(), &o, args, s)
	}, cli.Vars{"case": &o.file, "save-case": &o.save, "round": &o.round, "id": &o.id, "source": &o.source, "symbol": &o.symbol,
		"like": &o.like, "debug": &o.debug, "save-elf": &o.saveELF, "core": &o.core, "engine": &o.engine, "npy": &o.npy, "tensor": &o.tensors,
		"profile": &o.profile, "json": &o.json}, o.settings.vars(), o.library.vars())
}

// asked finds the call that the options name.
func (o *kernelsRunOptions) asked(args []string, s cli.Streams) *regress.Asked {

	name := strings.Join(args, "")
	cli.Refuse(o.file == "" && name == "", "which call? NAME, NAME/CASE or --case FILE")
	library := len(o.library.files) > 0
	cli.Refuse(o.symbol != "" && o.source == "" && !library, "--symbol is a function of --source or --library")
	cli.Refuse(o.source != "" && library, "either --source or --library")
	a := openAsked(name, o.round, o.file, o.id, o.first, o.like)
	for _, text := range o.tensors {
		role, file, ok := strings.Cut(text, "=")
		cli.Refuse(!ok, "--tensor %s: write ROLE=FILE.npy", text)
		cli.Refuse(a.Job.Inputs()[role] == nil, "--tensor %s: %s has no input %q", text, a.Job.Op, role)
		steps.Check(a.Replace(role, file))
	}
	if o.save != "" {
		steps.Check(writeText(o.save, s, a.Save))
	}
	return a
}

// openAsked finds a call by its name, or in a file. A name beside a file is that of the kernel that the file is for.
func openAsked(name, round, file string, id int, first bool, like string) *regress.Asked {
	if file == "" {
		return cli.Valid(regress.Ask(name, round))
	}
	r := steps.Must(regress.First(file, id, first))
	a, err := regress.AskRecord(r, like)
	steps.Check(cli.UsageError(steps.In(file, err)))
	if name != "" {
		k := cli.Valid(mlikernels.Lookup(name))
		cli.Refuse(k != a.Kernel, "the case is for %s, not for %s", a.Kernel.Name(), k.Name())
	}
	a.Name += " of " + file
	return a
}

func runKernel(ctx context.Context, o *kernelsRunOptions, args []string, s cli.Streams) {
	c := o.asked(args, s)
	so := regress.SingleOptions{Core: o.core, Settings: o.settings.list(), Symbol: o.symbol, Profile: o.profile, Like: o.like != "", Lines: mlikernels.Lines{On: o.debug || o.saveELF != ""}}
	so.Engine = cli.Valid(arcv2dsp.ParseEngine(o.engine))
	so.Library = o.library.open()
	if o.source != "" {
		assemblySource(o.source)
		so.Tree, so.Source = hostfile.Tree{Dir: filepath.Dir(o.source), Limit: maxInput}, filepath.Base(o.source)
	}
	if o.debug || o.saveELF != "" {
		call := cli.Valid(regress.OpenCall(c, so))
		defer func() { _ = call.Close() }() // nothing is left to lose
		if o.saveELF != "" {
			saveProgram(o, call, s)
		}
		if o.debug {
			debugCall(ctx, o, call, debugSession{color: "auto"}, s)
			return
		}
	}
	r := cli.Valid(regress.RunSingle(ctx, c, so))
	if o.npy != "" {
		steps.Must(regress.WriteNPY(o.npy, r.Tensors()))
	}
	switch {
	case o.json:
		steps.Check(r.JSON(s.Out))
	default:
		steps.Check(r.Text(s.Out))
		if o.profile {
			steps.Check(r.Listing(s.Out, so.Tree))
		}
	}
	if r.Failure != nil {
		steps.Check(&cli.ExitError{Status: cli.Failed})
	}
}

// assemblySource fails for a file that is there but already assembled.
func assemblySource(name string) {
	what := mlikernels.Built(steps.Must(readFile(name)))
	cli.Refuse(what != "", "%s is %s, not assembly source: --library %[1]s takes it", name, what)
}

func newKernelsShowCmd(s cli.Streams) *cobra.Command {
	o := kernelsRunOptions{engine: "ref", first: true}
	return pages.Command("kernels_show", func(cmd *cobra.Command, args []string) {
		runKernelsShow(cmd.Context(), &o, args, s)
	}, cli.Vars{"case": &o.file, "save-case": &o.save, "core": &o.core, "round": &o.round}, o.settings.vars())
}

func runKernelsShow(ctx context.Context, o *kernelsRunOptions, args []string, s cli.Streams) {
	a := o.asked(args, s)
	one := cli.Valid(regress.RunSingle(ctx, a, regress.SingleOptions{Core: o.core, Settings: o.settings.list(), Profile: true}))
	fmt.Fprintf(s.Out, "Case: %s\n", a.Name)
	steps.Check(one.Text(s.Out))
	steps.Check(one.Listing(s.Out, one.Kernel.Of.Tree))
}

func newKernelsExportCmd(s cli.Streams) *cobra.Command {
	var dir, core, tflm string
	var lines bool
	var add []string
	var settings settingFlags
	return pages.Command("kernels_export", func(cmd *cobra.Command, _ []string) {
		cli.Refuse(dir == "" && tflm == "", "where to? -o DIR or --tflm DIR")
		board, err := mlikernels.CheckBoard(settings.orCore(core), settings.list()...)
		steps.Check(configError(err))
		if tflm != "" {
			exportTFLM(cmd.Context(), tflm, board, s)
		}
		if dir != "" {
			runKernelsExport(cmd.Context(), dir, board, lines, add, s)
		}
	}, cli.Vars{"output": &dir, "tflm": &tflm, "core": &core, "lines": &lines, "add": &add}, settings.vars())
}

func runKernelsExport(ctx context.Context, dir string, board *mlikernels.Board, lines bool, add []string, s cli.Streams) {
	at := steps.Must(filepath.Abs(dir))
	own := ownSources(add)
	files := map[string][]byte{}
	for _, c := range mlikernels.Collections() {
		steps.Check(ctx.Err())
		maps.Copy(files, steps.Must(c.Export(mlikernels.Export{AGU: board.AGU, Objects: true, Lines: lines, Dir: filepath.ToSlash(at), Own: own[c.Name]})))
	}
	writeFiles(ctx, dir, files, board, s)
}

// writeFiles writes exported files into a folder.
func writeFiles(ctx context.Context, dir string, files map[string][]byte, board *mlikernels.Board, s cli.Streams) {
	writeFolder(ctx, dir, files)
	fmt.Fprintf(s.Out, "%d files in %s, for %s\n", len(files), dir, board.Name)
}

// exportTFLM writes the kernel folder for TensorFlow Lite Micro, with the archive and the header that it needs.
func exportTFLM(ctx context.Context, dir string, board *mlikernels.Board, s cli.Streams) {
	files := steps.Must(mlikernels.TFLM())
	for name, data := range steps.Must(mlikernels.ARCQ().Export(mlikernels.Export{AGU: board.AGU})) {
		files[path.Base(name)] = data
	}
	writeFiles(ctx, dir, files, board, s)
}

// ownSources reads the values of --add: [LIBRARY:]FILE, with MLI 1.1 where no library is named. The result is by the
// name of the library.
func ownSources(names []string) map[string][]mlikernels.Own {
	all := map[string][]mlikernels.Own{}
	for _, name := range names {
		library := mlikernels.MLI11()
		if prefix, file, ok := strings.Cut(name, ":"); ok && len(prefix) > 1 { // one letter is a drive
			library = cli.Valid(mlikernels.LookupCollection(prefix))
			name = file
		}
		assemblySource(name)
		all[library.Name] = append(all[library.Name], mlikernels.Own{Tree: hostfile.Tree{Dir: filepath.Dir(name), Limit: maxInput}, File: filepath.Base(name)})
	}
	return all
}
