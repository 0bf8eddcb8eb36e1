//go:build !programs

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/check/farm"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// farmed is the work of a command line, which can be divided.
type farmed struct {
	work   farm.Work
	inputs []string // files and folders it reads
	finish func(*farm.Merged)
}

// noPlan refuses flags, if they are given, that divided work cannot have.
func noPlan(flags map[string]bool) {
	for flag, given := range flags {
		cli.Refuse(given, "%s does not go with a plan", flag)
	}
}

// divisible are the commands whose work a plan divides. One that finds a dividing in its context describes its work there
// instead of doing it.
var divisible = []string{"regress", "bench", "model bench"}

// dividing is the key of a *farmed in a context.
type dividing struct{}

// divide takes the work of a command, if it is asked for.
func divide(ctx context.Context, work func() *farmed) (asked bool) {
	to, asked := ctx.Value(dividing{}).(*farmed)
	if asked {
		*to = *work()
	}
	return asked
}

// openWork reads a command line that a plan divides.
func openWork(ctx context.Context, command []string, s cli.Streams) *farmed {
	root := newRoot(s)
	root.SetOut(s.Err)
	var f farmed
	if cmd, _, err := root.Find(command); err == nil && slices.Contains(divisible, strings.TrimPrefix(cmd.CommandPath(), "arcsim ")) {
		root.SetArgs(cli.SingleDash(root, command))
		steps.Check(root.ExecuteContext(context.WithValue(ctx, dividing{}, &f)))
	}
	cli.Refuse(f.work == nil, "arcsim %s is no work to divide: there are regress, bench and model bench", strings.Join(command, " "))
	return &f
}

// shardOptions are the flags of commands whose work can be divided.
type shardOptions struct {
	shard, balance string
}

func (o *shardOptions) vars() cli.Vars {
	return cli.Vars{"shard": &o.shard, "balance": &o.balance}
}

func (o *shardOptions) given() bool { return o.shard != "" }

// take returns the pieces of the shard that was asked for, nil without one.
func (o *shardOptions) take(w farm.Work) []int {
	if o.shard == "" {
		cli.Refuse(o.balance != "", "--balance is for --shard and for arcsim farm plan")
		return nil
	}
	selection := cli.Parse("--shard", o.shard, farm.ParseSelection)
	return cli.Parse("--shard", w.Pieces(readCosts(o.balance)), selection.Take)
}

// readCosts reads the costs that balance shards, from a file or from the table in this program.
func readCosts(path string) *farm.Costs {
	if path == "" {
		return farm.Recorded()
	}
	return steps.Must(farm.ReadCosts(path, steps.Must(readFile(path))))
}

func newFarmCmd(s cli.Streams) *cobra.Command {
	return pages.Group("farm", newFarmPlanCmd(s), newFarmRunCmd(s), newFarmMergeCmd(s), newFarmSubmitCmd(s))
}

func newFarmPlanCmd(s cli.Streams) *cobra.Command {
	var out, balance string
	var shards int
	cmd := pages.Command("farm_plan", func(cmd *cobra.Command, command []string) {
		cli.Refuse(out == "" || len(command) == 0, "farm plan needs -o PLAN and the command to divide")
		work := openWork(cmd.Context(), command, s)
		p := cli.Valid(farm.NewPlan(command, work.work, shards, readCosts(balance), work.inputs))
		steps.Check(p.Write(out))
		printPlan(p, s)
	}, cli.Vars{"output": &out, "shards": &shards, "balance": &balance})
	cli.EndAtProgram(cmd)
	return cmd
}

// printPlan lists the shards of a plan.
func printPlan(p *farm.Plan, s cli.Streams) {
	t := &render.Table{Columns: []render.Column{{Name: "shard", Align: render.Right}, {Name: "cases", Align: render.Right},
		{Name: "cost in cycles", Align: render.Right}}}
	for i, shard := range p.Shards {
		t.Add(i+1, len(shard.Cases), shard.Cost)
	}
	steps.Check(t.Text(s.Out))
	fmt.Fprintf(s.Out, "balanced by %s\n", p.Balance)
}

// openPlan reads the plan that a command names, and its work.
func openPlan(ctx context.Context, args []string, s cli.Streams) (*farm.Plan, *farmed) {
	cli.Refuse(len(args) != 1, "which plan? one file that farm plan wrote")
	p := steps.Must(farm.ReadPlan(args[0]))
	var work *farmed
	err := steps.Run(func() {
		steps.Check(p.Check())
		work = openWork(ctx, p.Command, s)
	})
	if e := (*cli.ExitError)(nil); errors.As(err, &e) {
		err = &cli.ExitError{Status: e.Status, Err: fmt.Errorf("%s: %w", args[0], e.Err)}
	}
	steps.Check(err)
	return p, work
}

func newFarmRunCmd(s cli.Streams) *cobra.Command {
	var shard, jobs int
	var local bool
	return pages.Command("farm_run", func(cmd *cobra.Command, args []string) {
		cli.Refuse(cmd.Flags().Changed("shard") == local, "farm run needs either --shard I or --local")
		cli.Refuse(jobs < 1, "-j %d: at least one at a time", jobs)
		p, work := openPlan(cmd.Context(), args, s)
		if local {
			runLocal(cmd.Context(), p, work, jobs, s)
			return
		}
		part := cli.Valid(p.Shard(shard))
		done, err := p.Run(cmd.Context(), work.work, shard, jobs, render.NewProgress(s.Err))
		switch {
		case errors.Is(err, context.Canceled):
			steps.Check(&cli.ExitError{Status: statusInterrupted, Err: fmt.Errorf("shard %d was interrupted and has no results", shard)})
		case err != nil:
			steps.Check(err)
		case !done:
			fmt.Fprintf(s.Out, "shard %d has results already\n", shard)
		default:
			fmt.Fprintf(s.Out, "shard %d of %d is done, %s cases\n", shard, len(p.Shards), render.Thousands(uint64(len(part.Cases))))
		}
	}, cli.Vars{"shard": &shard, "local": &local, "jobs": &jobs})
}

// runLocal runs what is missing of a plan.
func runLocal(ctx context.Context, p *farm.Plan, work *farmed, jobs int, s cli.Streams) {
	missing := steps.Must(p.Open(work.work))
	local := farm.Local{Plan: p, Processes: jobs, Done: func(shard int, err error) {
		if err != nil {
			s.Warn("shard %d: %v", shard, err)
			return
		}
		fmt.Fprintf(s.Out, "shard %d is done\n", shard)
	}}
	failed, err := local.Run(ctx, missing)
	switch {
	case errors.Is(err, context.Canceled):
		steps.Check(&cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted; shards that ended have their results")})
	case err != nil:
		steps.Check(err)
	case failed > 0:
		steps.Check(cli.FailedError(fmt.Errorf("%d of %d shards failed; the same command does them again", failed, len(p.Shards))))
	}
	fmt.Fprintf(s.Out, "all %d shards have results\n", len(p.Shards))
}

func newFarmMergeCmd(s cli.Streams) *cobra.Command {
	var partial bool
	return pages.Command("farm_merge", func(cmd *cobra.Command, args []string) {
		p, work := openPlan(cmd.Context(), args, s)
		m := steps.Must(p.Merge(work.work))
		for _, missing := range m.Missing {
			s.Warn("%v", missing)
		}
		incomplete := fmt.Errorf("%d of %d shards are missing", len(m.Missing), len(p.Shards))
		if len(m.Missing) > 0 && !partial {
			steps.Check(cli.FailedError(fmt.Errorf("%w, nothing is merged; farm run --local or farm submit does them, --partial merges without", incomplete)))
		}
		err := steps.Run(func() { work.finish(m) })
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			err = fmt.Errorf("results of %s: %w", args[0], wrong)
		}
		steps.Check(err)
		if len(m.Missing) > 0 {
			steps.Check(cli.FailedError(incomplete))
		}
	}, cli.Vars{"partial": &partial})
}

func newFarmSubmitCmd(s cli.Streams) *cobra.Command {
	var flags []string
	var dry bool
	var jobs int
	return pages.Command("farm_submit", func(cmd *cobra.Command, args []string) {
		cli.Refuse(jobs < 1, "-j %d: at least one at a time", jobs)
		p, work := openPlan(cmd.Context(), args, s)
		missing := steps.Must(p.Open(work.work))
		if len(missing) == 0 {
			fmt.Fprintln(s.Out, "all shards have results: arcsim farm merge "+args[0])
			return
		}
		slurm := farm.Slurm{Plan: p, Jobs: jobs, Flags: flags}
		if dry {
			array, merge, err := slurm.Scripts(missing)
			steps.Check(err)
			fmt.Fprintf(s.Out, "# %s\n%s\n# %s, with --dependency=afterany: and the number of the array\n%s", array.Path, array.Text, merge.Path, merge.Text)
			return
		}
		array, merge, err := slurm.Submit(cmd.Context(), missing)
		steps.Check(err)
		fmt.Fprintf(s.Out, "job %s runs %d shards, job %s merges them\n", array, len(missing), merge)
	}, cli.Vars{"sbatch": &flags, "jobs": &jobs, "dry-run": &dry})
}
