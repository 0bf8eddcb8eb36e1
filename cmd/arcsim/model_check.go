//go:build !programs

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	files "arcv2dsp/nn/tosa"
)

// modelCheckOptions are the flags of model check.
type modelCheckOptions struct {
	exec           modelExecutor
	tosa           tosaOptions
	reports        tosaReports
	rounding       string
	cases          []string
	only           int
	endToEnd, grid bool
}

func newModelCheckCmd(s cli.Streams) *cobra.Command {
	var o modelCheckOptions
	vars := append(o.exec.vars(), o.tosa.vars(), cli.Vars{"rounding": &o.rounding, "case": &o.cases, "op": &o.only, "end-to-end": &o.endToEnd,
		"grid": &o.grid, "json": &o.reports.json, "junit": &o.reports.junit, "html": &o.reports.html})
	return pages.Command("model_check", func(cmd *cobra.Command, args []string) {
		dirs, err := testDirectories(args)
		switch {
		case err != nil:
			steps.Check(err)
		case len(dirs) > 0 || o.grid:
			checkTOSA(cmd.Context(), &o.tosa, dirs, o.grid, &o.exec, o.reports, s)
			return
		case len(args) != 1:
			steps.Check(cli.UsageError(errors.New("which network? one MODEL, a directory with a manifest.json, or test directories of TOSA (desc.json)")))
		}
		cli.Refuse(o.reports.junit+o.reports.html != "", "--junit and --html are for test directories of TOSA")
		if isCall(args[0]) {
			run := kernelsRunOptions{core: cmp.Or(o.exec.core, "em9d"), engine: "auto", settings: o.exec.settings, json: o.reports.json}
			runKernel(cmd.Context(), &run, args, s)
			return
		}
		if kindOf(args[0]) == gemmModel { // is compared whenever it runs
			run := modelRunOptions{exec: o.exec, json: o.reports.json, engine: "auto"}
			run.product(cmd.Context(), args[0], s)
			return
		}
		o.network(cmd.Context(), args[0], s)
	}, vars...)
}

// isCall reports whether a name is that of a kernel or of one of its cases, and no file.
func isCall(name string) bool {
	if _, err := os.Stat(name); err == nil {
		return false
	}
	_, err := mlikernels.Find(name)
	return err == nil
}

// testDirectories are the test directories of TOSA at or below folders; files and folders of recorded networks have none.
func testDirectories(paths []string) ([]string, error) {
	var folders []string
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && (info.IsDir() || filepath.Base(path) == files.DescriptionFile) {
			if _, err := os.Stat(filepath.Join(path, model.ManifestFile)); err != nil {
				folders = append(folders, path)
			}
		}
	}
	return tosacheck.Directories(folders)
}

// network checks the cases of a network, or those of a manifest.
func (o *modelCheckOptions) network(ctx context.Context, path string, s cli.Streams) {
	mode := model.Operators
	if o.endToEnd {
		mode = model.EndToEnd
	}
	r := parseBuild(o.rounding)
	e := o.exec.open(false)
	c := modelChecker{Streams: s, exec: e, mode: mode, only: o.only, asJSON: o.reports.json}
	err := steps.Run(func() {
		if len(o.cases) == 0 {
			c.manifest(ctx, path, r)
		} else {
			c.cases(ctx, path, o.cases, r)
		}
	})
	err = errors.Join(err, o.exec.close(s, o.reports.json))
	if err == nil && c.failed {
		err = &cli.ExitError{Status: cli.Failed}
	}
	steps.Check(err)
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

func (c *modelChecker) cases(ctx context.Context, file string, cases []string, r nn.Rounding) {
	g := loadModel(file, r.String())
	for _, path := range cases {
		opened, done, err := model.OpenCase(path, 0)
		steps.Check(err)
		err = c.check(ctx, g, opened, fmt.Sprintf("arcsim model check %s --case %s", file, path))
		steps.Check(errors.Join(err, done()))
	}
}

// manifest checks all cases of all networks of a directory.
func (c *modelChecker) manifest(ctx context.Context, dir string, r nn.Rounding) {
	m, err := model.ReadManifest(dir)
	steps.Check(cli.UsageError(steps.In("no --case, no test directory of TOSA, and no manifest", err)))
	for _, network := range m.Models {
		g := loadModel(m.Path(network.File), r.String())
		for _, recorded := range network.Cases {
			opened, done, err := m.Open(network, recorded)
			steps.Check(err)
			repeat := fmt.Sprintf("arcsim model check %s --case %s/%scase_%d", m.Path(network.File), m.Path(network.Archive), network.Prefix, recorded.Index)
			err = c.check(ctx, g, opened, repeat)
			steps.Check(errors.Join(err, done()))
		}
	}
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
