package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/farm"
	"arcv2dsp/internal/regress"
	render "arcv2dsp/internal/report"
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
	cmd, _ := regressCommand(s)
	return cmd
}

// regressCommand returns the command with what its flags set.
func regressCommand(s cli.Streams) (*cobra.Command, *regressOptions) {
	var o regressOptions
	cmd := &cobra.Command{
		Use:   "regress [flags] [VECTORS...]",
		Short: "Check all kernels against the golden model and recorded outputs",
		Long: `Run every kernel on the simulator and compare its outputs, bit for bit, with the golden model: all
shapes of the standard grid, both rounding modes, a core with AGU and one without. Kernels must also give the
outputs recorded of MLI itself. TOSA's operators are checked by cases made by rule, and whole networks layer by
layer: two networks of MLI's layers in all its types, and the quantized networks that arcsim model measures.

With --vectors only the given files and folders are run: calls recorded of MLI, TOSA, gemmlowp and TensorFlow
Lite for Microcontrollers, one JSON record per line, and folders of networks with a manifest.json. Their
contents tell them apart. Both the golden model and the kernel must give the outputs in the file.
docs/formats.md describes the records.

` + libraryHelp + ` Networks and the functions of other libraries are left out then.

Cases are named KERNEL/POINT/ROUNDING/CORE. The same seed gives the same cases. The exit status is 0
when everything passed, 1 when not.`,
		Example: `  arcsim regress
  arcsim regress --short
  arcsim regress -run 'conv2d_hwc_fx8/.*/up/em9d'
  arcsim regress -run pictures
  arcsim regress --rerun-failed --minimize=small
  arcsim regress --library libmli.a --convention dsp_ctrl=0x1f --convention unaligned=yes
  arcsim regress --vectors mine.jsonl other.jsonl.gz --junit result.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRegress(cmd.Context(), &o, args, s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.run, "run", "", "only cases whose name matches the regular expression `RE`")
	f.StringSliceVar(&o.cores, "core", nil, kernelCoresHelp())
	o.settings.flags(f)
	f.StringArrayVar(&o.vectors, "vectors", nil, "run the recorded cases of files and folders `PATH` instead")
	f.Uint64Var(&o.seed, "seed", regress.DefaultSeed, "seed of the generated data")
	f.BoolVar(&o.short, "short", false, "a sample of the grid, the recorded vectors, three small networks")
	f.BoolVar(&o.failFast, "failfast", false, "stop at the first failure")
	f.BoolVar(&o.rerunFailed, "rerun-failed", false, "only the cases that failed last time")
	f.StringVar(&o.minimize, "minimize", "", "write a smaller version of the first failing case of each kernel, here or to --minimize=`DIR`")
	f.StringVar(&o.junit, "junit", "", "write all cases as JUnit XML to `FILE`")
	f.StringVar(&o.junitTimes, "junit-times", string(regress.HostTimes), "times in the JUnit file: host, or core, its cycles at 100 MHz, the same in every run")
	f.BoolVar(&o.json, "json", false, "print the summary as JSON")
	f.IntVarP(&o.workers, "jobs", "j", runtime.NumCPU(), "run `N` cases at the same time")
	f.DurationVar(&o.timeout, "timeout", 0, "stop after this time, such as 10m; what did not run fails")
	f.StringVar(&o.engine, "engine", "auto", "what executes instructions: auto, fast, ref or jit")
	f.BoolVar(&o.list, "list", false, "print the names of the cases, run nothing")
	o.library.addTo(cmd)
	o.shard.addTo(cmd)
	f.Lookup("minimize").NoOptDefVal = "."
	f.Lookup("jobs").DefValue = "processors"
	f.Lookup("core").DefValue = strings.Join(regress.DefaultCores, ",")
	return cmd, &o
}

// plan is the suite that the options ask for.
func (o *regressOptions) plan(args []string) (*regress.Suite, error) {
	if len(args) > 0 && len(o.vectors) == 0 {
		return nil, cli.UsageError(fmt.Errorf("unexpected argument %q; vector files come after --vectors", args[0]))
	}
	if o.workers < 1 {
		return nil, cli.UsageError(fmt.Errorf("-j %d: at least one case runs at a time", o.workers))
	}
	ro := regress.Options{Cores: o.cores, Settings: o.settings.list(), Seed: o.seed, Short: o.short, Vectors: append(o.vectors, args...)}
	var err error
	if ro.Library, err = o.library.open(); err != nil {
		return nil, err
	}
	if ro.Engine, err = arcv2dsp.ParseEngine(o.engine); err != nil {
		return nil, cli.UsageError(err)
	}
	if o.run != "" {
		if ro.Match, err = regexp.Compile(o.run); err != nil {
			return nil, cli.UsageError(fmt.Errorf("-run: %w", err))
		}
	}
	if o.rerunFailed {
		path, err := regress.StatePath()
		if err != nil {
			return nil, cli.HostError(err)
		}
		st, err := regress.ReadState(path)
		if err != nil {
			return nil, cli.HostError(err)
		}
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
	if err != nil {
		return nil, configError(err)
	}
	return suite, nil
}

// part is the suite of the shard that was asked for, or all of it.
func (o *regressOptions) part(suite *regress.Suite) (*regress.Suite, error) {
	pieces, err := o.shard.take(farm.Regress{Suite: suite})
	if err != nil || pieces == nil {
		return suite, err
	}
	return suite.Part(pieces), nil
}

// farmed is the regression as work that can be divided.
func (o *regressOptions) farmed(args []string, s cli.Streams) (*farmed, error) {
	for flag, given := range map[string]bool{"--rerun-failed": o.rerunFailed, "--minimize": o.minimize != "", "--failfast": o.failFast,
		"--timeout": o.timeout != 0, "--list": o.list, "--shard": o.shard.given()} {
		if given {
			return nil, noPlan(flag)
		}
	}
	suite, err := o.plan(args)
	if err != nil {
		return nil, err
	}
	work := farm.Regress{Suite: suite}
	return &farmed{work: work, inputs: slices.Concat(suite.Vectors, o.library.files, o.settings.paths()), finish: func(m *farm.Merged) error {
		results, err := work.Results(m.Pieces)
		if err != nil {
			return cli.HostError(err)
		}
		return o.finish(suite, suite.Summarize(results, m.Elapsed, 1), s)
	}}, nil
}

func runRegress(ctx context.Context, o *regressOptions, args []string, s cli.Streams) error {
	start := time.Now()
	if o.minimize != "" {
		if info, err := os.Stat(o.minimize); err != nil || !info.IsDir() {
			return cli.UsageError(fmt.Errorf("--minimize %s is not a directory", o.minimize))
		}
	}
	suite, err := o.plan(args)
	if err != nil {
		return err
	}
	if suite, err = o.part(suite); err != nil {
		return err
	}
	cases := suite.Cases()
	if o.list {
		for _, c := range cases {
			fmt.Fprintln(s.Out, c.Name)
		}
		return nil
	}
	if len(cases) == 0 && len(suite.Missing) == 0 {
		if o.rerunFailed {
			fmt.Fprintln(s.Out, "no case failed last time\nSummary Status: PASSED")
			return nil
		}
		return cli.UsageError(errors.New("no case has such a name; --list prints all"))
	}
	limited := ctx
	if o.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	results, err := suite.Run(limited, regress.RunOptions{Workers: o.workers, FailFast: o.failFast,
		Progress: render.NewProgress(s.Err), Minimize: o.minimize})
	if err != nil {
		return cli.HostError(err)
	}
	sum := suite.Summarize(results, time.Since(start), o.workers)
	if err := o.finish(suite, sum, s); ctx.Err() == nil || err == nil {
		return err
	}
	return &cli.ExitError{Status: statusInterrupted}
}

// remember keeps which cases failed for --rerun-failed.
func remember(suite *regress.Suite, sum *regress.Summary) error {
	path, err := regress.StatePath()
	if err != nil {
		return err
	}
	before, err := regress.ReadState(path)
	if err != nil {
		return err
	}
	return suite.After(before, sum.Results).Write(path)
}

// finish writes what the run came to.
func (o *regressOptions) finish(suite *regress.Suite, sum *regress.Summary, s cli.Streams) error {
	if err := remember(suite, sum); err != nil {
		s.Warn("failed cases are not remembered: %v", err)
	}
	if o.junit != "" {
		var b strings.Builder
		if err := errors.Join(sum.JUnit(&b, regress.Times(o.junitTimes)), writeFile(o.junit, []byte(b.String()), s)); err != nil {
			return cli.HostError(err)
		}
	}
	print := func(w io.Writer) error { return sum.Text(w) }
	if o.json {
		print = sum.JSON
	}
	if err := print(s.Out); err != nil {
		return cli.HostError(err)
	}
	if !sum.Good() {
		return &cli.ExitError{Status: cli.Failed}
	}
	return nil
}
