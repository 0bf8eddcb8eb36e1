package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/asm"
)

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// warn tells the user something that is no result.
func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "arcasm: "+format+"\n", args...)
}

// Exit statuses; the help of the root command lists them for users.
const (
	statusFailed = 1 // the input has errors
	statusUsage  = 2 // the command line is wrong
	statusHost   = 3 // a file cannot be read or written
)

// exitError ends a command with a status; err, if any, is told to the user.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func hostError(err error) error   { return &exitError{status: statusHost, err: err} }
func usageError(err error) error  { return &exitError{status: statusUsage, err: err} }
func failedError(err error) error { return &exitError{status: statusFailed, err: err} }

// Main runs arcasm with the given arguments and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := streams{in: stdin, out: stdout, err: stderr}
	defer func() {
		if r := recover(); r != nil {
			s.warn("internal error in version %s, please report it: %v\n%s", version(), r, debug.Stack())
			status = statusHost
		}
	}()
	var err error
	if len(args) > 0 && isCommand(args[0]) {
		root := newRoot(s)
		root.SetArgs(args)
		err = root.Execute()
	} else {
		// The GNU options -mcpu=NAME, -als=FILE, -Idir are not of the form that flag libraries read.
		err = runAssemble(args, s)
	}
	var e *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		if e.err != nil {
			s.warn("%v", e.err)
		}
		return e.status
	}
	s.warn("%v", err)
	return statusUsage
}

// isCommand tells a command from the options and files of an assembly.
func isCommand(arg string) bool {
	switch arg {
	case "link", "build", "disasm", "completion", "help", "--help", "-h", "--version", cobra.ShellCompRequestCmd,
		cobra.ShellCompNoDescRequestCmd:
		return true
	}
	return false
}

// newRoot returns the command that holds all others.
func newRoot(s streams) *cobra.Command {
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
				fmt.Fprintln(s.out, "arcasm "+version())
				return nil
			}
			return cmd.Help()
		},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(
		newLinkCmd(s),
		newBuildCmd(s),
		newDisasmCmd(s),
	)
	return root
}

// version is what the build knows of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			v += " " + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return v + " " + info.GoVersion
}
