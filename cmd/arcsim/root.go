package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/internal/term/steps"
)

// Main runs arcsim with the given arguments and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := cli.Streams{Name: "arcsim", In: stdin, Out: stdout, Err: stderr}
	return s.Run(func(s cli.Streams) error {
		// A command that is told to end writes what it has.
		ctx, stop := signal.NotifyContext(context.Background(), hostfile.EndSignals...)
		defer stop()
		for _, line := range obvious(args) {
			root := rootFor(line, s)
			root.SetArgs(cli.SingleDash(root, line))
			if err := root.ExecuteContext(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

//go:embed pages
var pageFiles embed.FS

// pages describe the commands.
var pages = func() *cli.Pages {
	files, err := fs.Sub(pageFiles, "pages")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return &cli.Pages{Files: files, Words: pageWords, Unknown: unknownCommand}
}()

// subcommand is a command below the root.
type subcommand struct {
	name, group string // without a group it is hidden
	make        func(cli.Streams) *cobra.Command
}

// groups are the titles of groups of commands, in the order of the list that arcsim alone prints.
var groups = []*cobra.Group{{ID: "programs", Title: "Programs:"}, {ID: "networks", Title: "Kernels and networks:"},
	{ID: "measure", Title: "Regressions and measurements:"}}

// subcommands lists the commands, each group in the order of that list.
func subcommands() []subcommand {
	return append([]subcommand{{"new", "programs", newNewCmd}, {"run", "programs", newRunCmd}, {"debug", "programs", newDebugCmd},
		{"report", "programs", newReportCmd}, {"cores", "programs", newCoresCmd},
		{"lsp", "", newLSPCmd}, {nsimName, "", newNsimCmd}, {"version", "", newVersionCmd}}, others()...)
}

// newRoot returns the command that holds all others.
func newRoot(s cli.Streams) *cobra.Command { return rootOf(subcommands(), s) }

// rootFor returns a root for a command line: with the command that it names alone, since to make all takes longer than a short program.
func rootFor(line []string, s cli.Streams) *cobra.Command {
	list := subcommands()
	if i := slices.IndexFunc(list, func(c subcommand) bool { return len(line) > 0 && c.name == line[0] }); i >= 0 {
		list = list[i : i+1]
	}
	return rootOf(list, s)
}

// rootOf returns a root with some commands.
func rootOf(list []subcommand, s cli.Streams) *cobra.Command {
	root := pages.Command("arcsim", func(cmd *cobra.Command, args []string) {
		if len(args) == 0 {
			steps.Check(cmd.Help())
			return
		}
		steps.Check(cli.UsageError(unknownCommand(cmd, args)))
	})
	root.Version, root.SilenceErrors, root.SilenceUsage, root.CompletionOptions.HiddenDefaultCmd = cli.Version(), true, true, true
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddGroup(groups...)
	for _, c := range list {
		cmd := c.make(s)
		cmd.GroupID, cmd.Hidden = c.group, c.group == ""
		root.AddCommand(cmd)
	}
	cli.AddMan(root, s, help())
	cli.AddCompletion(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return cli.UsageError(cli.FlagError(cmd, err)) })
	cli.FlagValues(root, flagValues())
	completeArguments(root)
	help().Add(root)
	return root
}

func newVersionCmd(s cli.Streams) *cobra.Command {
	return pages.Command("version", func(*cobra.Command, []string) {
		_, err := fmt.Fprintf(s.Out, "arcsim %s %s/%s\n", cli.Version(), runtime.GOOS, runtime.GOARCH)
		steps.Check(err)
	})
}

// Kinds of files by the ends of their names.
var (
	programFiles = []string{".elf", ".hex", ".out", ".axf"}
	sourceFiles  = []string{".s", ".asm"}
	networkFiles = []string{".tflite", ".tosa", ".mlir", ".gemm"}
)

// hasKind reports whether the name of a file ends as those of a kind.
func hasKind(path string, kind []string) bool {
	return slices.Contains(kind, strings.ToLower(filepath.Ext(path)))
}

// obvious returns the command lines for the arguments. A file without a command gets those that one would begin with: a program
// or a source runs, a network is shown and measured.
func obvious(args []string) [][]string {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return [][]string{args}
	}
	if args[0] == "run" && len(args) > 1 && strings.TrimLeft(args[1], "-") == "nsim" && args[1] != "nsim" {
		return [][]string{append([]string{nsimName}, args[2:]...)}
	}
	info, err := os.Stat(args[0])
	there := err == nil && info.Mode().IsRegular()
	switch {
	case !strings.ContainsAny(args[0], "./"): // a word is a command, whatever files there are
	case hasKind(args[0], networkFiles):
		return [][]string{append([]string{"model", "show"}, args...), append([]string{"model", "bench"}, args...)}
	case there, hasKind(args[0], programFiles), hasKind(args[0], sourceFiles):
		return [][]string{append([]string{"run"}, args...)}
	}
	return [][]string{args}
}

// moved has the commands of earlier versions and of other tools, with what stands for them.
var moved = map[string]string{
	"timeline": "report timeline", "gdb": "debug --gdb", "dap": "debug --dap", "nsim": "run --nsim",
	"gemm": "model run", "gemm run": "model run", "gemm bench": "model bench", "tosa": "model", "tosa run": "model run", "tosa check": "model check",
	"tosa lower": "model convert", "tosa explain": "model show", "tosa ops": "kernels list --tosa",
	"quant network": "model quantize", "quant opt": "model convert", "benchmark": "bench", "test": "regress", "network": "model",
	"disassemble": "debug", "profile": "run --profile", "trace": "run --trace", "assemble": "run",
}

// unknownCommand is the error of arguments that name no command.
func unknownCommand(cmd *cobra.Command, args []string) error {
	path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())+" ", " ")
	for n := min(2, len(args)); n > 0; n-- {
		if now := moved[path+strings.Join(args[:n], " ")]; now != "" {
			return fmt.Errorf("unknown command %q, arcsim %s does that", path+strings.Join(args[:n], " "), now)
		}
	}
	if _, err := fs.Stat(pageFiles, "pages/"+args[0]+".txt"); programsAlone && err == nil {
		return fmt.Errorf("%s is not in this build, which is for programs alone", args[0])
	}
	var known []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			known = append(known, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Hint(args[0], known))
}
