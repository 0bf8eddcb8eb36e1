package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/check/farm"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
)

// farmed is the work of a command line, which can be divided.
type farmed struct {
	work   farm.Work
	inputs []string // files and folders it reads
	finish func(*farm.Merged) error
}

// noPlan is the error of a flag that divided work cannot have.
func noPlan(flag string) error {
	return cli.UsageError(fmt.Errorf("%s does not go with a plan", flag))
}

// divisible are the commands whose work a plan divides. One that finds a dividing in its context describes its work there
// instead of doing it.
var divisible = []string{"regress", "bench", "model bench"}

// dividing is the key of a *farmed in a context.
type dividing struct{}

// divide takes the work of a command, if it is asked for.
func divide(ctx context.Context, work func() (*farmed, error)) (asked bool, err error) {
	to, asked := ctx.Value(dividing{}).(*farmed)
	if !asked {
		return false, nil
	}
	f, err := work()
	if err == nil {
		*to = *f
	}
	return true, err
}

// openWork reads a command line that a plan divides.
func openWork(ctx context.Context, command []string, s cli.Streams) (*farmed, error) {
	root := newRoot(s)
	root.SetOut(s.Err)
	var f farmed
	if cmd, _, err := root.Find(command); err == nil && slices.Contains(divisible, strings.TrimPrefix(cmd.CommandPath(), "arcsim ")) {
		root.SetArgs(cli.SingleDash(root, command))
		if err := root.ExecuteContext(context.WithValue(ctx, dividing{}, &f)); err != nil {
			return nil, err
		}
	}
	if f.work == nil {
		return nil, cli.UsageError(fmt.Errorf("arcsim %s is no work to divide: there are regress, bench and model bench", strings.Join(command, " ")))
	}
	return &f, nil
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
func (o *shardOptions) take(w farm.Work) ([]int, error) {
	if o.shard == "" {
		if o.balance != "" {
			return nil, cli.UsageError(errors.New("--balance is for --shard and for arcsim farm plan"))
		}
		return nil, nil
	}
	selection, err := farm.ParseSelection(o.shard)
	if err != nil {
		return nil, cli.UsageError(fmt.Errorf("--shard: %w", err))
	}
	costs, err := readCosts(o.balance)
	if err != nil {
		return nil, err
	}
	pieces, err := selection.Take(w.Pieces(costs))
	if err != nil {
		return nil, cli.UsageError(fmt.Errorf("--shard: %w", err))
	}
	return pieces, nil
}

// readCosts reads the costs that balance shards, from a file or from the table in this program.
func readCosts(path string) (*farm.Costs, error) {
	if path == "" {
		return farm.Recorded(), nil
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return farm.ReadCosts(path, data)
}

func newFarmCmd(s cli.Streams) *cobra.Command {
	return pages.Group("farm", newFarmPlanCmd(s), newFarmRunCmd(s), newFarmMergeCmd(s), newFarmSubmitCmd(s))
}

func newFarmPlanCmd(s cli.Streams) *cobra.Command {
	var out, balance string
	var shards int
	cmd := pages.Command("farm_plan", func(cmd *cobra.Command, command []string) error {
		if out == "" || len(command) == 0 {
			return cli.UsageError(errors.New("farm plan needs -o PLAN and the command to divide"))
		}
		work, err := openWork(cmd.Context(), command, s)
		if err != nil {
			return err
		}
		costs, err := readCosts(balance)
		if err != nil {
			return err
		}
		p, err := farm.NewPlan(command, work.work, shards, costs, work.inputs)
		if err != nil {
			return cli.UsageError(err)
		}
		if err := p.Write(out); err != nil {
			return err
		}
		return printPlan(p, s)
	}, cli.Vars{"output": &out, "shards": &shards, "balance": &balance})
	cli.EndAtProgram(cmd)
	return cmd
}

// printPlan lists the shards of a plan.
func printPlan(p *farm.Plan, s cli.Streams) error {
	t := &render.Table{Columns: []render.Column{{Name: "shard", Align: render.Right}, {Name: "cases", Align: render.Right},
		{Name: "cost in cycles", Align: render.Right}}}
	for i, shard := range p.Shards {
		t.Add(i+1, len(shard.Cases), shard.Cost)
	}
	if err := t.Text(s.Out); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "balanced by %s\n", p.Balance)
	return nil
}

// openPlan reads the plan that a command names, and its work.
func openPlan(ctx context.Context, args []string, s cli.Streams) (*farm.Plan, *farmed, error) {
	if len(args) != 1 {
		return nil, nil, cli.UsageError(errors.New("which plan? one file that farm plan wrote"))
	}
	p, err := farm.ReadPlan(args[0])
	if err != nil {
		return nil, nil, err
	}
	if err := p.Check(); err != nil {
		return nil, nil, err
	}
	work, err := openWork(ctx, p.Command, s)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", args[0], err)
	}
	return p, work, nil
}

func newFarmRunCmd(s cli.Streams) *cobra.Command {
	var shard, jobs int
	var local bool
	return pages.Command("farm_run", func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("shard") == local {
			return cli.UsageError(errors.New("farm run needs either --shard I or --local"))
		}
		if jobs < 1 {
			return cli.UsageError(fmt.Errorf("-j %d: at least one at a time", jobs))
		}
		p, work, err := openPlan(cmd.Context(), args, s)
		if err != nil {
			return err
		}
		if local {
			return runLocal(cmd.Context(), p, work, jobs, s)
		}
		part, err := p.Shard(shard)
		if err != nil {
			return cli.UsageError(err)
		}
		done, err := p.Run(cmd.Context(), work.work, shard, jobs, render.NewProgress(s.Err))
		switch {
		case errors.Is(err, context.Canceled):
			return &cli.ExitError{Status: statusInterrupted, Err: fmt.Errorf("shard %d was interrupted and has no results", shard)}
		case err != nil:
			return err
		case !done:
			fmt.Fprintf(s.Out, "shard %d has results already\n", shard)
		default:
			fmt.Fprintf(s.Out, "shard %d of %d is done, %s cases\n", shard, len(p.Shards), render.Thousands(uint64(len(part.Cases))))
		}
		return nil
	}, cli.Vars{"shard": &shard, "local": &local, "jobs": &jobs})
}

// runLocal runs what is missing of a plan.
func runLocal(ctx context.Context, p *farm.Plan, work *farmed, jobs int, s cli.Streams) error {
	missing, err := p.Open(work.work)
	if err != nil {
		return err
	}
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
		return &cli.ExitError{Status: statusInterrupted, Err: errors.New("interrupted; shards that ended have their results")}
	case err != nil:
		return err
	case failed > 0:
		return cli.FailedError(fmt.Errorf("%d of %d shards failed; the same command does them again", failed, len(p.Shards)))
	}
	fmt.Fprintf(s.Out, "all %d shards have results\n", len(p.Shards))
	return nil
}

func newFarmMergeCmd(s cli.Streams) *cobra.Command {
	var partial bool
	return pages.Command("farm_merge", func(cmd *cobra.Command, args []string) error {
		p, work, err := openPlan(cmd.Context(), args, s)
		if err != nil {
			return err
		}
		m, err := p.Merge(work.work)
		if err != nil {
			return err
		}
		for _, missing := range m.Missing {
			s.Warn("%v", missing)
		}
		incomplete := fmt.Errorf("%d of %d shards are missing", len(m.Missing), len(p.Shards))
		if len(m.Missing) > 0 && !partial {
			return cli.FailedError(fmt.Errorf("%w, nothing is merged; farm run --local or farm submit does them, --partial merges without", incomplete))
		}
		if err := work.finish(m); err != nil || len(m.Missing) == 0 {
			return err
		}
		return cli.FailedError(incomplete)
	}, cli.Vars{"partial": &partial})
}

func newFarmSubmitCmd(s cli.Streams) *cobra.Command {
	var flags []string
	var dry bool
	var jobs int
	return pages.Command("farm_submit", func(cmd *cobra.Command, args []string) error {
		if jobs < 1 {
			return cli.UsageError(fmt.Errorf("-j %d: at least one at a time", jobs))
		}
		p, work, err := openPlan(cmd.Context(), args, s)
		if err != nil {
			return err
		}
		missing, err := p.Open(work.work)
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			fmt.Fprintln(s.Out, "all shards have results: arcsim farm merge "+args[0])
			return nil
		}
		slurm := farm.Slurm{Plan: p, Jobs: jobs, Flags: flags}
		if dry {
			array, merge, err := slurm.Scripts(missing)
			if err != nil {
				return err
			}
			fmt.Fprintf(s.Out, "# %s\n%s\n# %s, with --dependency=afterany: and the number of the array\n%s", array.Path, array.Text, merge.Path, merge.Text)
			return nil
		}
		array, merge, err := slurm.Submit(cmd.Context(), missing)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "job %s runs %d shards, job %s merges them\n", array, len(missing), merge)
		return nil
	}, cli.Vars{"sbatch": &flags, "jobs": &jobs, "dry-run": &dry})
}
