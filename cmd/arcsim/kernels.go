package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/elfarc"
	"arcv2dsp/internal/regress"
	render "arcv2dsp/internal/report"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
)

func newKernelsCmd(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kernels",
		Short: "List, run, show and export the neural-network kernels",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Hint(args[0], []string{"list", "run", "show", "export"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newKernelsListCmd(s), newKernelsRunCmd(s), newKernelsShowCmd(s), newKernelsExportCmd(s))
	return cmd
}

func newKernelsListCmd(s cli.Streams) *cobra.Command {
	var asJSON, functions bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List operators, types and the cores they have versions for",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			entries, err := regress.Catalog()
			if err != nil {
				return cli.HostError(err)
			}
			switch {
			case asJSON:
				return regress.ListJSON(s.Out, entries)
			case functions:
				return regress.ListFunctions(s.Out, entries)
			}
			return regress.ListText(s.Out, entries)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the functions as JSON")
	cmd.Flags().BoolVar(&functions, "functions", false, "print the names of the functions and the operators they compute")
	return cmd
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.UsageError(fmt.Errorf("unexpected argument %q", args[0]))
	}
	return nil
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
	library  libraryOptions
	settings settingFlags
}

func newKernelsRunCmd(s cli.Streams) *cobra.Command {
	var o kernelsRunOptions
	cmd := &cobra.Command{
		Use:   "run [flags] [NAME]",
		Short: "Run a kernel, or one of your own, on one case",
		Long: `Run one function on the inputs of a record and compare what it writes with the outputs in the record,
or with the golden model where the record has none. The record is a line of a vector file or a file of
its own; docs/formats.md describes it.

Without NAME the kernel is the one the record is for. With --source the function is taken from your own
assembly file; it gets the arguments of the kernel that the record is for. A function of another name is compared with
the outputs in the record alone, unless --like says whose golden function it has.

--debug opens the debugger on the call, stopped at the first instruction of the function; tensors and the
configuration have their names there. --save-elf writes the call as an executable for any debugger.

` + libraryHelp,
		Example: `  arcsim kernels run mli_krn_conv2d_hwc_fx8 --case case.json
  arcsim kernels run --case vectors.jsonl.gz --id 12 --npy=out --core em7d
  arcsim kernels run --source my.s --symbol my_conv --case case.json --profile
  arcsim kernels run --source my.s --symbol my_conv --like conv2d_hwc_fx8 --case case.json --debug
  arcsim kernels run --case case.json --tensor in=picture.npy`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.first = !cmd.Flags().Changed("id")
			return runKernel(cmd.Context(), &o, args, s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.file, "case", "", "`FILE` with the record, .json, .jsonl or .jsonl.gz")
	f.IntVar(&o.id, "id", 0, "the record with this id, the first one by default")
	f.StringVar(&o.source, "source", "", "assembly `FILE` with a function of your own")
	f.StringVar(&o.symbol, "symbol", "", "`NAME` of the function, that of the kernel by default")
	f.StringVar(&o.like, "like", "", "the function has arguments and golden function of the kernel `NAME`")
	f.BoolVar(&o.debug, "debug", false, "open the debugger at the first instruction of the function")
	f.StringVar(&o.saveELF, "save-elf", "", "write the call as an executable to `FILE`, and run it as well")
	f.StringVar(&o.core, "core", "", kernelCoreHelp()+" (default "+regress.DefaultCores[0]+")")
	o.settings.flags(f)
	f.StringVar(&o.engine, "engine", "auto", "what executes instructions: auto, fast, ref or jit")
	f.StringVar(&o.npy, "npy", "", "write inputs and outputs as NumPy files, here or to --npy=`DIR`")
	f.StringArrayVar(&o.tensors, "tensor", nil, "`ROLE=FILE.npy`: take the elements of an input from a NumPy file (repeatable)")
	f.BoolVar(&o.profile, "profile", false, "print the source with the cycles of each line")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	o.library.addTo(cmd)
	f.Lookup("npy").NoOptDefVal = "."
	return cmd
}

// record reads the case that the options name.
func (o *kernelsRunOptions) record(args []string) (*regress.Record, error) {
	if o.file == "" {
		return nil, cli.UsageError(errors.New("no case: --case FILE"))
	}
	if len(args) > 1 {
		return nil, cli.UsageError(fmt.Errorf("unexpected argument %q", args[1]))
	}
	switch library := len(o.library.files) > 0; {
	case o.symbol != "" && o.source == "" && !library:
		return nil, cli.UsageError(errors.New("--symbol is a function of --source or --library"))
	case o.source != "" && library:
		return nil, cli.UsageError(errors.New("either --source or --library"))
	}
	c, err := regress.First(o.file, o.id, o.first)
	if err != nil {
		return nil, cli.HostError(err)
	}
	if len(args) == 1 {
		k, err := mlikernels.Lookup(args[0])
		if err != nil {
			return nil, cli.UsageError(err)
		}
		if k.Symbol != c.Kernel {
			return nil, cli.UsageError(fmt.Errorf("the record is for %s, not for %s", c.Kernel, k.Symbol))
		}
	}
	for _, text := range o.tensors {
		role, file, ok := strings.Cut(text, "=")
		t := c.Tensors[role]
		switch {
		case !ok:
			return nil, cli.UsageError(fmt.Errorf("--tensor %s: write ROLE=FILE.npy", text))
		case t == nil:
			return nil, cli.UsageError(fmt.Errorf("--tensor %s: the record has no tensor %q", text, role))
		}
		if err := regress.ReadNPY(file, t); err != nil {
			return nil, cli.HostError(err)
		}
		regress.ForgetResults(c) // they belong to other inputs
	}
	return c, nil
}

func runKernel(ctx context.Context, o *kernelsRunOptions, args []string, s cli.Streams) error {
	c, err := o.record(args)
	if err != nil {
		return err
	}
	so := regress.SingleOptions{Core: o.core, Settings: o.settings.list(), Symbol: o.symbol, Profile: o.profile, Like: o.like, Lines: kernel.Lines{On: o.debug || o.saveELF != ""}}
	if so.Engine, err = arcv2dsp.ParseEngine(o.engine); err != nil {
		return cli.UsageError(err)
	}
	if so.Library, err = o.library.open(); err != nil {
		return err
	}
	if o.source != "" {
		if err := assemblySource(o.source); err != nil {
			return err
		}
		so.Tree, so.Source = os.DirFS(filepath.Dir(o.source)), filepath.Base(o.source)
	}
	if o.debug || o.saveELF != "" {
		call, err := regress.OpenCall(c, so)
		if err != nil {
			return cli.UsageError(err)
		}
		defer func() { _ = call.Close() }() // nothing is left to lose
		if o.saveELF != "" {
			err = saveProgram(o, call, s)
		}
		if o.debug && err == nil {
			return debugCall(ctx, o, call, s)
		}
		if err != nil {
			return err
		}
	}
	r, err := regress.RunSingle(ctx, c, so)
	if err != nil {
		return cli.UsageError(err)
	}
	if o.npy != "" {
		if _, err := regress.WriteNPY(o.npy, r.Tensors()); err != nil {
			return cli.HostError(err)
		}
	}
	if o.json {
		err = r.JSON(s.Out)
	} else if err = r.Text(s.Out); err == nil && o.profile {
		err = showLines(s, so.Tree, r)
	}
	if err != nil {
		return cli.HostError(err)
	}
	if r.Failure != nil {
		return &cli.ExitError{Status: cli.Failed}
	}
	return nil
}

// assemblySource fails for a file that is there but already assembled.
func assemblySource(name string) error {
	data, err := readFile(name)
	if err != nil {
		return cli.HostError(err)
	}
	if what := kernel.Built(data); what != "" {
		return cli.UsageError(fmt.Errorf("%s is %s, not assembly source: --library %[1]s takes it", name, what))
	}
	return nil
}

func newKernelsShowCmd(s cli.Streams) *cobra.Command {
	o := kernelsRunOptions{engine: "ref", first: true}
	var round string
	cmd := &cobra.Command{
		Use:   "show [flags] NAME",
		Short: "Print the source of a kernel with the cycles of each line",
		Long: `Print the source of a kernel and of what it includes, each line with the instructions executed and
the cycles they took in one call, and the reason for most of the lost cycles. The call is a
typical one, or that of --case.`,
		Example: `  arcsim kernels show mli_krn_conv2d_hwc_fx8
  arcsim kernels show mli_krn_relu_fx16 --core em7d`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.UsageError(errors.New("which kernel? arcsim kernels show NAME; arcsim kernels list has them"))
			}
			return runKernelsShow(cmd.Context(), &o, round, args[0], s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.file, "case", "", "`FILE` with the record of the call")
	f.StringVar(&o.core, "core", "", kernelCoreHelp()+" (default "+regress.DefaultCores[0]+")")
	o.settings.flags(f)
	f.StringVar(&round, "round", "convergent", "rounding of the typical call: convergent or up")
	return cmd
}

func runKernelsShow(ctx context.Context, o *kernelsRunOptions, round, name string, s cli.Streams) error {
	k, err := mlikernels.Lookup(name)
	if err != nil {
		return cli.UsageError(err)
	}
	c, what, err := regress.Typical(k, round)
	if err != nil {
		return cli.UsageError(err)
	}
	if o.file != "" {
		if c, err = o.record([]string{name}); err != nil {
			return err
		}
		what = o.file
	}
	one, err := regress.RunSingle(ctx, c, regress.SingleOptions{Core: o.core, Settings: o.settings.list(), Profile: true})
	if err != nil {
		return cli.UsageError(err)
	}
	fmt.Fprintf(s.Out, "Case: %s\n", what)
	return errors.Join(one.Text(s.Out), showLines(s, one.Kernel.Of.Tree, one))
}

// showLines prints all files that have costs, each line with its own.
func showLines(s cli.Streams, tree fs.FS, r *regress.Single) error {
	ours := r.Kernel.Of.Files()
	if tree == nil {
		tree = ours
	}
	costs := map[string]map[int]regress.Line{}
	for _, l := range r.Lines {
		file := path.Clean(l.File)
		if costs[file] == nil {
			costs[file] = map[int]regress.Line{}
		}
		costs[file][l.Line] = l
	}
	for _, file := range slices.Sorted(maps.Keys(costs)) {
		text, err := fs.ReadFile(tree, file)
		if errors.Is(err, fs.ErrNotExist) {
			text, err = fs.ReadFile(ours, file)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "\n%s\n%12s %12s  %-13s line\n", file, "cycles", "instructions", "lost for")
		for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			l, ran := costs[file][i+1]
			if !ran {
				fmt.Fprintf(s.Out, "%12s %12s  %-13s %4d  %s\n", "", "", "", i+1, line)
				continue
			}
			fmt.Fprintf(s.Out, "%12s %12s  %-13s %4d  %s\n", render.Thousands(l.Cycles), render.Thousands(l.Insts), l.Reason, i+1, line)
		}
	}
	return nil
}

func newKernelsExportCmd(s cli.Streams) *cobra.Command {
	var dir, core string
	var lines bool
	cmd := &cobra.Command{
		Use:   "export -o DIR",
		Short: "Write objects, archives and C headers",
		Long: `Write the kernels as a C program links them: DIR/lib/libmli_arcv2.a rounds to nearest even,
DIR/lib/libmli_arcv2_up.a rounds ties up, DIR/obj has the objects of both, DIR/include the headers.
libmli2_arcv2.a and libmli2_arcv2_up.a are the same for MLI 2.0, with headers in DIR/include/mli2.
Objects are ordinary ELF that GNU ld takes. The core decides whether kernels use AGU ports. With -g
debuggers find the line of each instruction and its source, in DIR/src.`,
		Example: `  arcsim kernels export -o mli
  arc-linux-gnu-gcc -mcpu=em4_dmips -Imli/include -c net.c
  arc-linux-gnu-ld -o net.elf net.o mli/lib/libmli_arcv2.a`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return cli.UsageError(errors.New("where to? -o DIR"))
			}
			return runKernelsExport(dir, core, lines, s)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "`DIR` to write to")
	cmd.Flags().StringVar(&core, "core", regress.DefaultCores[0], templateHelp())
	cmd.Flags().BoolVarP(&lines, "lines", "g", false, "add line tables and the sources")
	return cmd
}

// exportedSources is where sources go that debuggers look for.
const exportedSources = "src"

func runKernelsExport(dir, core string, lines bool, s cli.Streams) error {
	if !slices.Contains(coreNames(), core) {
		return cli.UsageError(fmt.Errorf("core %s is a board; kernels are built for templates: %s", core, strings.Join(coreNames(), ", ")))
	}
	at, err := filepath.Abs(filepath.Join(dir, exportedSources))
	if err != nil {
		return cli.HostError(err)
	}
	files := map[string][]byte{}
	for _, c := range mlikernels.Collections() {
		if err := exportCollection(c, files, core, kernel.Lines{On: lines, Dir: filepath.ToSlash(at)}); err != nil {
			return cli.HostError(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := cmp.Or(os.MkdirAll(filepath.Dir(to), 0o755), writeFile(to, files[name], s)); err != nil {
			return cli.HostError(err)
		}
	}
	fmt.Fprintf(s.Out, "%d files in %s, for %s\n", len(files), dir, core)
	return nil
}

// exportCollection adds what a C program links of a library: archives and the objects in them, headers, and
// with line tables the sources.
func exportCollection(c *kernel.Collection, files map[string][]byte, core string, lines kernel.Lines) error {
	sources := exportedSources
	if c.Qualifier != "" { // its sources may have names that others have, too
		sources, lines.Dir = path.Join(sources, c.Name), path.Join(lines.Dir, c.Name)
	}
	libs, err := c.BuildArchives(kernel.HasAGU(core), lines)
	if err != nil {
		return err
	}
	for name, lib := range libs {
		var ar elfarc.Archive
		dir := path.Join("obj", strings.TrimSuffix(name, ".a"))
		for _, o := range lib.Objects {
			ar.Members = append(ar.Members, &elfarc.Member{Name: o.Name, Data: o.Data})
			files[path.Join(dir, o.Name)] = o.Data
		}
		if files[path.Join("lib", name)], err = ar.Bytes(); err != nil {
			return err
		}
	}
	headers, err := c.Headers()
	if err != nil {
		return err
	}
	for name, text := range headers {
		files[path.Join("include", name)] = []byte(text)
	}
	if !lines.On {
		return nil
	}
	includes, err := c.Includes()
	if err != nil {
		return err
	}
	for _, name := range append(includes, c.Sources()...) {
		if files[path.Join(sources, name)], err = fs.ReadFile(c.Files(), name); err != nil {
			return err
		}
	}
	return nil
}
