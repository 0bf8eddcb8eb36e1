package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// reportOptions are the flags of report.
type reportOptions struct {
	page     string
	cores    []string
	baseline string
	pattern  string
	jobs     int
	title    string
	run      runOptions
	settings settingFlags

	sourceDirs []string
	watch      bool
}

// place makes the folder of a page and sees that the page can be written.
func place(file string) {
	steps.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	writable(file)
}

func newReportCmd(s cli.Streams) *cobra.Command {
	var o reportOptions
	run := o.run.vars() // flags that only pages about a run have
	run["directory"], run["watch"] = &o.sourceDirs, &o.watch
	measure := cli.Vars{"jobs": &o.jobs, "run": &o.pattern}
	cmd := pages.Command("report", func(cmd *cobra.Command, args []string) {
		program, ok := programOf(args, cmd.ArgsLenAtDash())
		if !ok {
			steps.Check(cli.UsageError(checkFlags(cmd, run, "kernels and programs that are measured")))
			runReport(cmd.Context(), &o, args, s)
			return
		}
		steps.Check(cli.UsageError(checkFlags(cmd, measure, "a run")))
		if cmd.Flags().Changed("core") {
			if len(o.cores) != 1 {
				steps.Check(cli.UsageError(fmt.Errorf("--core %s: a run has one core; bench compares a program on several", strings.Join(o.cores, ","))))
			}
			o.run.core = o.cores[0]
		}
		o.run.settings = o.settings.list()
		o.reportRun(cmd.Context(), program, s)
	}, cli.Vars{"html": &o.page, "core": &o.cores, "title": &o.title, "baseline": &o.baseline}, run, measure, o.settings.vars())
	cmd.AddCommand(newTimelineCmd(s))
	return cmd
}
