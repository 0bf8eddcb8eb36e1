package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// Main runs arcasm with the given arguments and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := cli.Streams{Name: "arcasm", In: stdin, Out: stdout, Err: stderr}
	return s.Run(func(s cli.Streams) error {
		if len(args) > 0 && isCommand(args[0]) {
			root := newRoot(s)
			root.SetArgs(args)
			return root.Execute()
		}
		// The GNU options -mcpu=NAME, -als=FILE, -Idir are not of the form that flag libraries read.
		return cli.HostError(steps.Run(func() { runAssemble(args, s) }))
	})
}

// isCommand tells a command from the options and files of an assembly.
func isCommand(arg string) bool {
	switch arg {
	case "link", "build", "disasm", "completion", "man", "help", "--help", "-h", "--version", cobra.ShellCompRequestCmd,
		cobra.ShellCompNoDescRequestCmd:
		return true
	}
	return false
}

// newRoot returns the command that holds all others.
func newRoot(s cli.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "arcasm [option...] FILE.s...",
		Short: "Assembler, linker and disassembler for ARCv2 DSP processors",
		Long: `Without a command, arcasm assembles the files, one after the other, into one object. It takes the
options of the GNU assembler. Errors are printed as FILE:LINE:COLUMN with the source line, up to 20.

The exit status of all commands is 1 when the input has errors, 2 when the command line is wrong, and
3 when a file cannot be read or written.

Options:
` + optionHelp(assembleTable()) + "\n\nCores: " + strings.Join(asm.CPUs(), " "),
		Example: `  arcasm -o fir.o fir.s
  arcasm -mcpu=em4_dmips -g -I include --defsym TAPS=32 -o fir.o fir.s
  arcasm -mcpu=em9d -a=fir.lst -o fir.o fir.s
  arcasm build -o fir.elf main.s fir.s`,
		Args:               cobra.ArbitraryArgs,
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableFlagParsing: true,
		ValidArgsFunction:  completeOptions(assembleTable()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && args[0] == "--version" {
				fmt.Fprintln(s.Out, "arcasm "+cli.Version())
				return nil
			}
			return cmd.Help()
		},
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddCommand(
		newLinkCmd(s),
		newBuildCmd(s),
		newDisasmCmd(s),
	)
	cli.AddMan(root, s, &cli.Help{})
	cli.AddCompletion(root)
	return root
}
