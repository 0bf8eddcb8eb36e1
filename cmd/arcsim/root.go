package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
)

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// warn tells the user something that is no result.
func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "arcsim: "+format+"\n", args...)
}

// Main runs arcsim with the given arguments and returns its exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := streams{in: stdin, out: stdout, err: stderr}
	defer func() {
		if r := recover(); r != nil {
			s.warn("internal error in version %s, please report it: %v\n%s", version(), r, debug.Stack())
			status = statusHost
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(s)
	root.SetArgs(doubleDash(root, args))
	err := root.ExecuteContext(ctx)
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

// newRoot returns the command that holds all others.
func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "arcsim",
		Short:         "Simulator for ARCv2 DSP processors",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.AddCommand(
		newRunCmd(s),
		newNsimCmd(s),
		newDebugCmd(s),
		newGDBCmd(s),
		newRegressCmd(s),
		newKernelsCmd(s),
		newBenchCmd(s),
		newReportCmd(s),
		newTimelineCmd(s),
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
