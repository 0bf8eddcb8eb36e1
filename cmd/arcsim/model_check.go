package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/model"
	"arcv2dsp/nn"
)

func newModelCheckCmd(s cli.Streams) *cobra.Command {
	var exec modelExecutor
	var rounding string
	var cases []string
	var only int
	var endToEnd, asJSON bool
	cmd := &cobra.Command{
		Use:   "check [flags] MODEL",
		Short: "Compare every operator of a network with recorded outputs",
		Long: `Run a network on recorded inputs and compare every output of every operator, bit for bit. Operator by operator, each
gets the recorded outputs of those before it, so that a fault shows where it is; --end-to-end feeds what was
computed. A difference is shown with the elements around it and a line that repeats it.

A case is a directory of NumPy files, or ARCHIVE.npz/DIR: input<i>, op_<index>_<OPERATOR>_out<k>, and
op_<index>_<OPERATOR>_state_in<j> for variables after the operator; docs/formats.md describes it. MODEL may also be a
directory with a manifest.json that lists networks and their cases.`,
		Example: `  arcsim model check kws.tflite --case case
  arcsim model check kws.tflite --case kws.npz/kws/case_0 --end-to-end
  arcsim model check recorded/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.UsageError(errors.New("which network? one .tflite file, or a directory with a manifest.json"))
			}
			mode := model.Operators
			if endToEnd {
				mode = model.EndToEnd
			}
			r, err := parseBuild(rounding)
			if err != nil {
				return err
			}
			e, err := exec.open()
			if err != nil {
				return err
			}
			c := modelChecker{Streams: s, exec: e, mode: mode, only: only, asJSON: asJSON}
			if len(cases) == 0 {
				err = c.manifest(cmd.Context(), args[0], r)
			} else {
				err = c.cases(cmd.Context(), args[0], cases, r)
			}
			err = errors.Join(err, exec.close(s, asJSON))
			if err == nil && c.failed {
				err = &cli.ExitError{Status: cli.Failed}
			}
			return err
		},
	}
	roundingFlag(cmd, &rounding)
	exec.flag(cmd)
	cmd.Flags().StringArrayVar(&cases, "case", nil, "`DIR` with recorded tensors, or ARCHIVE.npz/DIR (repeatable)")
	cmd.Flags().IntVar(&only, "op", -1, "report faults of the operator with this `INDEX` only")
	cmd.Flags().BoolVar(&endToEnd, "end-to-end", false, "feed operators what those before them computed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per case")
	return cmd
}

// modelChecker checks cases one after the other.
type modelChecker struct {
	cli.Streams
	exec   nn.Executor
	mode   model.Mode
	only   int
	asJSON bool
	failed bool
}

func (c *modelChecker) cases(ctx context.Context, file string, cases []string, r nn.Rounding) error {
	g, err := loadModel([]string{file}, r.String())
	if err != nil {
		return err
	}
	for _, path := range cases {
		opened, done, err := model.OpenCase(path, 0)
		if err != nil {
			return cli.HostError(err)
		}
		err = c.check(ctx, g, opened, fmt.Sprintf("arcsim model check %s --case %s", file, path))
		if err = errors.Join(err, done()); err != nil {
			return err
		}
	}
	return nil
}

// manifest checks all cases of all networks of a directory.
func (c *modelChecker) manifest(ctx context.Context, dir string, r nn.Rounding) error {
	m, err := model.ReadManifest(dir)
	if err != nil {
		return cli.UsageError(fmt.Errorf("no --case, and no manifest: %w", err))
	}
	for _, network := range m.Models {
		g, err := loadModel([]string{m.Path(network.File)}, r.String())
		if err != nil {
			return err
		}
		for _, recorded := range network.Cases {
			opened, done, err := m.Open(network, recorded)
			if err != nil {
				return cli.HostError(err)
			}
			repeat := fmt.Sprintf("arcsim model check %s --case %s/%scase_%d", m.Path(network.File), m.Path(network.Archive), network.Prefix, recorded.Index)
			err = c.check(ctx, g, opened, repeat)
			if err = errors.Join(err, done()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *modelChecker) check(ctx context.Context, g *nn.Graph, recorded *model.Case, repeat string) error {
	k, err := model.Check(ctx, g, c.exec, recorded, c.mode)
	if err != nil {
		return modelFailed(err)
	}
	if c.only >= 0 {
		k.Faults = slices.DeleteFunc(k.Faults, func(f *model.Fault) bool { return f.Node != c.only })
	}
	c.failed = c.failed || len(k.Faults) > 0
	if c.asJSON {
		return json.NewEncoder(c.Out).Encode(k)
	}
	return k.Text(c.Out, func(f *model.Fault) string { return fmt.Sprintf("%s --op %d", repeat, f.Node) })
}
