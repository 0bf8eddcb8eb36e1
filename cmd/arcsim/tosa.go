package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	render "arcv2dsp/internal/report"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/internal/tosacheck"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/golden/tosa"
	"arcv2dsp/nn/lower"
	files "arcv2dsp/nn/tosa"
)

// Exit statuses of arcsim tosa run beyond those of every command.
const (
	statusTOSAError         = 4
	statusTOSAUnpredictable = 5
)

func newTOSACmd(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tosa",
		Short: "Run TOSA graphs, check compliance, explain outcomes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Hint(args[0], []string{"run", "check", "ops", "explain", "lower"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newTOSARunCmd(s), newTOSACheckCmd(s), newTOSAOpsCmd(s), newTOSAExplainCmd(s), newTOSALowerCmd(s))
	return cmd
}

// caseLimit ends a kernel that does not return, in cycles: many times what the largest case needs.
const caseLimit = 200_000_000

// tosaOptions are the flags that say how graphs are judged and run.
type tosaOptions struct {
	level      string
	extensions string
	inputs     []string
	timeout    time.Duration
	core       string
	fuse       bool
}

// levelOfTags is the level that takes what the tags of a test directory say.
const levelOfTags = "tags"

func (o *tosaOptions) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.level, "level", levelOfTags, "judge for the `LEVEL` none or 8K; tags: the level a test directory names, else 8K")
	f.StringVar(&o.extensions, "extensions", "all", "judge with these `EXTENSIONS`: all, none, or names with commas")
	f.DurationVar(&o.timeout, "timeout", time.Minute, "give up a graph after this time")
}

func (o *tosaOptions) addCore(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.core, "core", "", "compute with kernels on the simulated `CORE` where there are any, not with the golden functions")
}

// executor computes the calls: by the golden functions, or kernels on a core.
func (o *tosaOptions) executor() (exec nn.Executor, sim *mlikernels.Executor, err error) {
	if o.core == "" {
		return nn.GoldenExecutor{}, nil, nil
	}
	if sim, err = mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: o.core, Host: true, Outcomes: true, Limit: caseLimit}); err != nil {
		return nil, nil, cli.UsageError(fmt.Errorf("--core: %w", err))
	}
	return sim, sim, nil
}

func (o *tosaOptions) addInputs(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&o.inputs, "input", nil, "`NAME=FILE.npy`: the elements of an input of a .tosa file (repeatable)")
}

// options reads the flags.
func (o *tosaOptions) options() (tosacheck.Options, error) {
	opts := tosacheck.Options{Target: tosa.Target{Level: tosa.Level8K}, Tags: o.level == levelOfTags, Timeout: o.timeout}
	var err error
	if !opts.Tags {
		if opts.Target.Level, err = tosa.ParseLevel(o.level); err != nil {
			return opts, cli.UsageError(fmt.Errorf("--level: %w", err))
		}
	}
	if opts.Target.Extensions, err = tosa.ParseExtensions(o.extensions); err != nil {
		return opts, cli.UsageError(fmt.Errorf("--extensions: %w", err))
	}
	return opts, nil
}

// open reads a test directory, or a file with the inputs of the flags.
func (o *tosaOptions) open(path string) (*files.Test, *tosacheck.Case, tosacheck.Options, error) {
	opts, err := o.options()
	if err != nil {
		return nil, nil, opts, err
	}
	inputs := map[string]string{}
	for _, text := range o.inputs {
		name, file, ok := strings.Cut(text, "=")
		if !ok {
			return nil, nil, opts, cli.UsageError(fmt.Errorf("--input %s: write NAME=FILE.npy", text))
		}
		inputs[name] = file
	}
	var test *files.Test
	if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() && filepath.Base(path) != files.DescriptionFile {
		test, err = files.OpenFile(path, inputs)
	} else {
		test, err = files.ReadTest(path)
	}
	if err != nil {
		return nil, nil, opts, cli.HostError(err)
	}
	c, err := tosacheck.FromTest(test, opts.Target, opts.Tags)
	if err != nil {
		return nil, nil, opts, cli.HostError(err)
	}
	return test, c, opts, nil
}

func newTOSARunCmd(s cli.Streams) *cobra.Command {
	var o tosaOptions
	var output string
	cmd := &cobra.Command{
		Use:   "run [flags] DIR|FILE",
		Short: "Run a TOSA graph and write its outputs",
		Long: `Run the graph of a test directory (desc.json) or of a .tosa or JSON file whose inputs --input gives. The
outputs are written as NumPy files with -o; expected outputs of the directory are compared.

The exit status is 0 for a valid graph, 1 when its outputs are not the expected ones, 4 for an error in TOSA's
sense, 5 for an unpredictable graph, 3 for a file that cannot be read.`,
		Example: `  arcsim tosa run cases/conv2d-0007
  arcsim tosa run model.tosa --input input-0=picture.npy -o out`,
		Args: oneArgument("a directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTOSA(cmd.Context(), &o, args[0], output, s)
		},
	}
	o.add(cmd)
	o.addCore(cmd)
	o.addInputs(cmd)
	cmd.Flags().BoolVar(&o.fuse, "fuse", false, "with --core: one kernel for what TensorFlow Lite has as one operator, such as CONV2D, RESCALE and CLAMP")
	cmd.Flags().StringVarP(&output, "output", "o", "", "write the outputs into `DIR`")
	return cmd
}

// oneArgument wants exactly one argument.
func oneArgument(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return cli.UsageError(fmt.Errorf("%d arguments, give %s", len(args), what))
		}
		return nil
	}
}

func runTOSA(ctx context.Context, o *tosaOptions, path, output string, s cli.Streams) error {
	test, c, opts, err := o.open(path)
	if err != nil {
		return err
	}
	if o.fuse && o.core == "" {
		return cli.UsageError(errors.New("--fuse is about kernels: say on which --core"))
	}
	exec, sim, err := o.executor()
	if err != nil {
		return err
	}
	if sim != nil {
		defer sim.Close()
	}
	ctx, stop := context.WithTimeout(ctx, opts.Timeout)
	defer stop()
	if o.fuse {
		exec = nn.GoldenExecutor{} // the outcome is that of the operators one by one
	}
	r := c.Run(ctx, exec)
	fmt.Fprintln(s.Out, r.Outcome)
	if o.fuse && r.Outcome == nn.Valid {
		if err := runFused(ctx, c, r.Outputs, sim); err != nil {
			return cli.FailedError(err)
		}
	}
	if sim != nil {
		fmt.Fprintln(s.Out, sim.Summary())
	}
	switch r.Outcome {
	case nn.Error:
		return &cli.ExitError{Status: statusTOSAError, Err: r.Err}
	case nn.Unpredictable:
		return &cli.ExitError{Status: statusTOSAUnpredictable, Err: r.Err}
	}
	if output != "" {
		if err := test.WriteOutputs(output, r.Outputs); err != nil {
			return cli.HostError(err)
		}
	}
	if c.Expect == nn.Error || test.Want != nil {
		if err := c.Judge(r); err != nil {
			return cli.FailedError(err)
		}
	}
	return nil
}

// runFused computes a valid graph with fused operators, which must give the same outputs.
func runFused(ctx context.Context, c *tosacheck.Case, want []*nn.Tensor, exec nn.Executor) error {
	fused, err := lower.Fuse(c.Graph, golden.Operators())
	if err != nil {
		return err
	}
	got, err := nn.NewSession(fused, exec).Run(ctx, c.Inputs)
	if err != nil {
		return err
	}
	for i := range want {
		if err := nn.Difference(got[i], want[i]); err != nil {
			return fmt.Errorf("fused, output %d: %w", i, err)
		}
	}
	return nil
}

func newTOSACheckCmd(s cli.Streams) *cobra.Command {
	var o tosaOptions
	var asJSON, grid bool
	var junit, html string
	cmd := &cobra.Command{
		Use:   "check [flags] [DIRS...]",
		Short: "Check test directories and report compliance",
		Long: `Run every test directory at or below the given ones and judge it: a case that must fail passes when the graph
is an error, a valid one when every element of every output is equal, an unpredictable one whatever happens. The
table counts cases by operator, types and profile. With --grid the cases that arcsim makes by rule are checked as
well: every operator with its types, shapes and attributes, and every condition broken.

The exit status is 0 when nothing failed and everything could be read, else 1. Sums of products of floating-point
numbers, which TOSA judges by an error bound, are outside the integer profile.`,
		Example: `  arcsim tosa check cases
  arcsim tosa check cases --html report.html --junit result.xml
  arcsim tosa check --grid
  arcsim tosa check cases --core em9d`,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := o.options()
			if err != nil {
				return err
			}
			dirs, err := tosacheck.Directories(args)
			switch {
			case err != nil:
				return cli.HostError(err)
			case len(dirs) == 0 && !grid:
				return cli.UsageError(errors.New("there is no test directory (desc.json) in the arguments"))
			}
			exec, sim, err := o.executor()
			if err != nil {
				return err
			}
			opts.Executor = exec
			var records []tosacheck.Record
			for _, dir := range dirs {
				records = append(records, tosacheck.Check(cmd.Context(), dir, opts))
			}
			if grid {
				for c := range tosacheck.Grid(tosacheck.GridSeed) {
					records = append(records, tosacheck.CheckCase(cmd.Context(), c, opts))
				}
			}
			if err := cmd.Context().Err(); err != nil {
				return cli.HostError(err)
			}
			if err := writeReports(records, junit, html); err != nil {
				return cli.HostError(err)
			}
			if sim != nil {
				defer sim.Close()
				if !asJSON {
					fmt.Fprintln(s.Out, sim.Summary())
				}
			}
			return printCompliance(s, records, asJSON)
		},
	}
	o.add(cmd)
	o.addCore(cmd)
	f := cmd.Flags()
	f.BoolVar(&grid, "grid", false, "check the cases made by rule too")
	f.BoolVar(&asJSON, "json", false, "print summary, table and cases as JSON")
	f.StringVar(&junit, "junit", "", "write the cases as JUnit XML to `FILE`")
	f.StringVar(&html, "html", "", "write the report as HTML to `FILE`")
	return cmd
}

func writeReports(records []tosacheck.Record, junit, html string) error {
	write := func(name string, to func(io.Writer) error) error {
		if name == "" {
			return nil
		}
		var b strings.Builder
		if err := to(&b); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(b.String()), 0o644)
	}
	return errors.Join(
		write(junit, func(w io.Writer) error { return tosacheck.WriteJUnit(w, records) }),
		write(html, func(w io.Writer) error { return tosacheck.WriteHTML(w, records, time.Now()) }),
	)
}

func printCompliance(s cli.Streams, records []tosacheck.Record, asJSON bool) error {
	summary := tosacheck.Summarize(records)
	if asJSON {
		if err := tosacheck.WriteJSON(s.Out, records); err != nil {
			return err
		}
	} else {
		if err := tosacheck.WriteTable(s.Out, records); err != nil {
			return err
		}
		fmt.Fprintln(s.Out, summary)
		for _, r := range records {
			if r.Verdict == tosacheck.Fail || r.Verdict == tosacheck.Unreadable {
				fmt.Fprintf(s.Out, "%s: %s: %s\n", r.Verdict, r.Name, r.Detail)
			}
		}
	}
	if !summary.Good() {
		return &cli.ExitError{Status: cli.Failed}
	}
	return nil
}

func newTOSAOpsCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ops [flags] [OPERATOR...]",
		Short: "List TOSA's operators with their types, kernels and cycles, or the conditions of some",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTOSAKernels(s, asJSON)
			}
			if asJSON {
				return cli.UsageError(errors.New("--json is for the list of all operators"))
			}
			for _, name := range args {
				spec, ok := tosa.Lookup(strings.ToUpper(name))
				if !ok {
					return cli.UsageError(fmt.Errorf("there is no operator %s in the integer profile", name))
				}
				tosacheck.WriteOperator(s.Out, spec)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
}

// listTOSAKernels prints every operator with each combination of types.
func listTOSAKernels(s cli.Streams, asJSON bool) error {
	rows, err := tosacheck.KernelRows()
	if err != nil {
		return err
	}
	if asJSON {
		return render.JSON(s.Out, rows)
	}
	return tosacheck.WriteKernels(s.Out, rows)
}

func newTOSAExplainCmd(s cli.Streams) *cobra.Command {
	var o tosaOptions
	cmd := &cobra.Command{
		Use:   "explain [flags] DIR|FILE",
		Short: "Tell which conditions a TOSA graph breaks, and how near its sums come to their limits",
		Args:  oneArgument("a directory or file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, c, opts, err := o.open(args[0])
			if err != nil {
				return err
			}
			ctx, stop := context.WithTimeout(cmd.Context(), opts.Timeout)
			defer stop()
			return tosacheck.Explain(ctx, s.Out, c)
		},
	}
	o.add(cmd)
	o.addInputs(cmd)
	return cmd
}
