package main

import (
	"cmp"
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
	return s.Run(func(s cli.Streams) error {
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
	addGroup(root, groupPrograms, "Programs:",
		newNewCmd(s), newRunCmd(s), newDebugCmd(s), newTimelineCmd(s), newReportCmd(s), newGDBCmd(s), newDAPCmd(s), newNsimCmd(s), newCoresCmd(s))
	addGroup(root, groupNetworks, "Kernels and networks:",
		newKernelsCmd(s), newModelCmd(s), newQuantCmd(s), newTOSACmd(s), newGemmCmd(s))
	addGroup(root, groupMeasure, "Regressions and measurements:",
		newRegressCmd(s), newBenchCmd(s), newFarmCmd(s))
	addGroup(root, groupItself, "The command itself:", newVersionCmd(s))
	root.SetFlagErrorFunc(cli.FlagError)
	cli.FlagValues(root, flagValues())
	completeArguments(root)
	cli.AddMan(root, s, help())
	cli.AddCompletion(root)
	help().Add(root)
	root.SetHelpCommandGroupID(groupItself)
	root.SetCompletionCommandGroupID(groupItself)
	for _, c := range root.Commands() {
		c.GroupID = cmp.Or(c.GroupID, groupItself)
	}
	return root
}
