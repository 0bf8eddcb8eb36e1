package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
)

// Main runs arcsim with the given arguments and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := cli.Streams{Name: "arcsim", In: stdin, Out: stdout, Err: stderr}
	return s.Run(func() error {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		root := newRoot(s)
		root.SetArgs(cli.SingleDash(root, args))
		return root.ExecuteContext(ctx)
	})
}

// newRoot returns the command that holds all others.
func newRoot(s cli.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "arcsim",
		Short:         "Simulator for ARCv2 DSP processors",
		Version:       cli.Version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.AddCommand(
		newRunCmd(s),
		newNewCmd(s),
		newNsimCmd(s),
		newDebugCmd(s),
		newGDBCmd(s),
		newDAPCmd(s),
		newRegressCmd(s),
		newFarmCmd(s),
		newKernelsCmd(s),
		newModelCmd(s),
		newBenchCmd(s),
		newReportCmd(s),
		newCoresCmd(s),
		newTimelineCmd(s),
		newTOSACmd(s),
		newQuantCmd(s),
		newGemmCmd(s),
		newVersionCmd(s),
	)
	root.SetFlagErrorFunc(cli.FlagError)
	cli.FlagValues(root, flagValues())
	completeArguments(root)
	cli.AddMan(root, s)
	cli.AddCompletion(root)
	return root
}
