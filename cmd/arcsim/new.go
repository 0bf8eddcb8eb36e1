package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"arcv2dsp/examples"
	"arcv2dsp/internal/cli"
)

func newNewCmd(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "new DIR",
		Short: "Write a first C program with all that builds and runs it",
		Long: `Write a C program into a new or empty folder, with start code, linker script and Makefile: it prints through
the host, calls a function in assembly and a kernel of the library, and takes interrupts of a timer. The
compiler is Debian's gcc-arc-linux-gnu. docs/first_program.md explains it.`,
		Example: `  arcsim new hello
  make -C hello run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.UsageError(fmt.Errorf("one folder is expected: %s", cmd.UseLine()))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return writeExample(args[0], s) },
	}
}

// writeExample writes the first program into an empty or new folder.
func writeExample(dir string, s cli.Streams) error {
	switch list, err := os.ReadDir(dir); {
	case err == nil && len(list) > 0:
		return cli.HostError(fmt.Errorf("%s is not empty", dir))
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return cli.HostError(err)
	}
	if err := os.CopyFS(dir, examples.First()); err != nil {
		return cli.HostError(err)
	}
	fmt.Fprintf(s.Out, "%s has a program; make -C %s run builds and runs it\n", dir, dir)
	return nil
}
