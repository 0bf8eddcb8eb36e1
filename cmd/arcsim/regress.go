//go:build !programs

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/check/farm"
	"arcv2dsp/internal/check/regress"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// regressOptions are the flags of regress.
type regressOptions struct {
	run         string
	cores       []string
	vectors     []string
	seed        uint64
	short       bool
	failFast    bool
	rerunFailed bool
	minimize    string
	junit       string
	junitTimes  string
	json        bool
	workers     int
	timeout     time.Duration
	engine      string
	list        bool
	library     libraryOptions
	settings    settingFlags
	shard       shardOptions
}

func newRegressCmd(s cli.Streams) *cobra.Command {
	var o regressOptions
	cmd := pages.Command("regress", func(cmd *cobra.Command, args []string) {
		if divide(cmd.Context(), func() *farmed { return o.farmed(args, s) }) {
			return
		}
		runRegress(cmd.Context(), &o, args, s)
	}, cli.Vars{"run": &o.run, "core": &o.cores, "vectors": &o.vectors, "seed": &o.seed, "short": &o.short, "failfast": &o.failFast,
		"rerun-failed": &o.rerunFailed, "minimize": &o.minimize, "junit": &o.junit, "junit-times": &o.junitTimes, "json": &o.json,
		"jobs": &o.workers, "timeout": &o.timeout, "engine": &o.engine, "list": &o.list}, o.settings.vars(), o.library.vars(), o.shard.vars())
	cmd.Flags().Lookup("core").DefValue = strings.Join(regress.DefaultCores, ",") // or the core that files describe
	return cmd
}

// plan is the suite that the options ask for.
func (o *regressOptions) plan(args []string) *regress.Suite {
	var calls []string
	if len(o.vectors) == 0 {
		for _, name := range args {
			cli.Refuse(len(o.library.files) > 0, "unexpected argument %q: the functions of --library are checked by their grids", name)
			_, err := os.Stat(name)
			cli.Refuse(err == nil, "%s is no kernel; vector files come after --vectors", name)
		}
		calls, args = args, nil
	}
	cli.Refuse(o.workers < 1, "-j %d: at least one case runs at a time", o.workers)
	ro := regress.Options{Cores: o.cores, Settings: o.settings.list(), Seed: o.seed, Short: o.short, Vectors: append(o.vectors, args...), Calls: calls}
	ro.Library = o.library.open()
	ro.Engine = cli.Valid(arcv2dsp.ParseEngine(o.engine))
	if o.run != "" {
		ro.Match = cli.Parse("-run", o.run, regexp.Compile)
	}
	if o.rerunFailed {
		_, st, err := lastState()
		steps.Check(err)
		ro.Only = map[string]bool{}
		for _, name := range st.Failed {
			ro.Only[name] = true
		}
		if st.Seed != 0 {
			ro.Seed = st.Seed
		}
		if len(ro.Vectors) == 0 {
			ro.Vectors = st.Vectors
		}
	}
	suite, err := regress.Plan(ro)
	steps.Check(configError(err))
	return suite
}

// part is the suite of the shard that was asked for, or all of it.
func (o *regressOptions) part(suite *regress.Suite) *regress.Suite {
	if pieces := o.shard.take(farm.Regress{Suite: suite}); pieces != nil {
		return suite.Part(pieces)
	}
	return suite
}

// farmed is the regression as work that can be divided.
func (o *regressOptions) farmed(args []string, s cli.Streams) *farmed {
	noPlan(map[string]bool{"--rerun-failed": o.rerunFailed, "--minimize": o.minimize != "", "--failfast": o.failFast,
		"--timeout": o.timeout != 0, "--list": o.list, "--shard": o.shard.given()})
	suite := o.plan(args)
	work := farm.Regress{Suite: suite}
	return &farmed{work: work, inputs: slices.Concat(suite.Vectors, o.library.files, o.settings.paths()), finish: func(m *farm.Merged) {
		results := steps.Must(work.Results(m.Pieces))
		o.finish(suite, suite.Summarize(results, m.Elapsed, 1), s)
	}}
}

func runRegress(ctx context.Context, o *regressOptions, args []string, s cli.Streams) {
	start := time.Now()
	if o.minimize != "" {
		info, err := os.Stat(o.minimize)
		cli.Refuse(err != nil || !info.IsDir(), "--minimize %s is not a directory", o.minimize)
	}
	suite := o.part(o.plan(args))
	cases := suite.Cases()
	if o.list {
		for _, c := range cases {
			fmt.Fprintln(s.Out, c.Name)
		}
		return
	}
	if len(cases) == 0 && len(suite.Missing) == 0 {
		cli.Refuse(!o.rerunFailed, "no case has such a name; --list prints all")
		fmt.Fprintln(s.Out, "no case failed last time\nSummary Status: PASSED")
		return
	}
	limited := ctx
	if o.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	results := steps.Must(suite.Run(limited, regress.RunOptions{Workers: o.workers, FailFast: o.failFast,
		Progress: render.NewProgress(s.Err), Minimize: o.minimize}))
	sum := suite.Summarize(results, time.Since(start), o.workers)
	err := steps.Run(func() { o.finish(suite, sum, s) })
	if err != nil && ctx.Err() != nil {
		err = &cli.ExitError{Status: statusInterrupted}
	}
	steps.Check(err)
}

// lastState reads what the last run left, and where that is.
func lastState() (path string, st regress.State, err error) {
	if path, err = regress.StatePath(); err == nil {
		st, err = regress.ReadState(path)
	}
	return path, st, err
}

// remember keeps which cases failed for --rerun-failed.
func remember(suite *regress.Suite, sum *regress.Summary) error {
	path, before, err := lastState()
	if err != nil {
		return err
	}
	return suite.After(before, sum.Results).Write(path)
}

// finish writes what the run came to.
func (o *regressOptions) finish(suite *regress.Suite, sum *regress.Summary, s cli.Streams) {
	if err := remember(suite, sum); err != nil {
		s.Warn("failed cases are not remembered: %v", err)
	}
	if o.junit != "" {
		steps.Check(writeText(o.junit, s, func(w io.Writer) error { return sum.JUnit(w, regress.Times(o.junitTimes)) }))
	}
	print := sum.Text
	if o.json {
		print = sum.JSON
	}
	steps.Check(print(s.Out))
	if !sum.Good() {
		steps.Check(&cli.ExitError{Status: cli.Failed})
	}
}
