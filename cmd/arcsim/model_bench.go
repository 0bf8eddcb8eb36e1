//go:build !programs

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/check/farm"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/gemm"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// modelBenchOptions are the flags of model bench.
type modelBenchOptions struct {
	file     modelFile
	cores    []string
	settings settingFlags
	inputs   modelInputs
	json     bool
	format   string
	placed   bool
	size     uint64 // of the memories outside the core, 0 for as many bytes as they have
	page     string
	baseline string
	shard    shardOptions
	energy   energyFlags
}

func newModelBenchCmd(s cli.Streams) *cobra.Command {
	var o modelBenchOptions
	return pages.Command("model_bench", func(cmd *cobra.Command, args []string) {
		o.cores = coresOf(cmd, o.cores, o.settings.list())
		if divide(cmd.Context(), func() *farmed { return o.farmed(cmd.Context(), args, s) }) {
			return
		}
		if !slices.ContainsFunc(args, func(path string) bool { return kindOf(path) != gemmModel }) {
			o.products(cmd.Context(), args, s)
			return
		}
		work := o.work(args)
		pieces := o.shard.take(work)
		var all []*model.Bench
		for i, job := range work {
			if pieces != nil && !slices.Contains(pieces, i) {
				continue
			}
			b, err := job.Measure(cmd.Context())
			steps.Check(modelFailed(err))
			all = append(all, b)
		}
		o.finish(cmd.Context(), all, s)
	}, o.file.vars(), cli.Vars{"core": &o.cores, "placed": &o.placed, "json": &o.json, "html": &o.page, "baseline": &o.baseline, "format": &o.format},
		o.settings.vars(), o.energy.vars(), o.inputs.vars(), o.shard.vars())
}

// takeSize takes --ram SIZE, which bounds the memories outside the core, from the settings; words are settings.
func (o *modelBenchOptions) takeSize() {
	if o.settings.ram == "" || strings.ContainsAny(o.settings.ram[:1], "abcdefghijklmnopqrstuvwxyz") {
		return
	}
	o.size = cli.Parse("--ram "+o.settings.ram, o.settings.ram, cli.ParseBytes)
	o.settings.ram, o.placed = "", true
}

// products measures matrix products, both ways of their offsets.
func (o *modelBenchOptions) products(ctx context.Context, paths []string, s cli.Streams) {
	var list []*gemm.Description
	for _, path := range paths {
		list = append(list, steps.Must(gemm.Read(path)))
	}
	rows := steps.Must(gemm.Bench(ctx, o.cores, o.settings.list(), list))
	if o.json {
		steps.Check(gemm.WriteJSON(s.Out, rows))
		return
	}
	t := gemm.Table(rows)
	write, ok := map[string]func(io.Writer) error{"text": t.Text, "markdown": t.Markdown, "tsv": t.TSV}[o.format]
	cli.Refuse(!ok, "--format %s is for networks, products are printed as text, markdown or tsv", o.format)
	steps.Check(write(s.Out))
}

// work is all networks on all cores.
func (o *modelBenchOptions) work(args []string) farm.Networks {
	o.takeSize()
	cli.Refuse(len(args) > 1 && len(o.inputs.files) > 0, "--input is for one network; several run on random inputs")
	per := o.energy.perCycle()
	var work farm.Networks
	for _, name := range args {
		g := o.file.load(name)
		d, err := model.Describe(g, nil)
		steps.Check(modelFailed(err))
		in := o.inputs.first(g)
		for _, core := range o.cores {
			work = append(work, farm.NetworkOnCore{Name: name, Network: g.Name, Core: core, MACs: d.MACs, Measure: func(ctx context.Context) (*model.Bench, error) {
				b, err := model.RunBench(ctx, g, in, model.BenchOptions{Core: core, Settings: o.settings.list(), Placed: o.placed, RAM: int(o.size), Energy: per})
				if err == nil {
					b.File, b.Version = filepath.Base(name), cli.Version()
				}
				return b, err
			}})
		}
	}
	return work
}

// finish prints what was measured.
func (o *modelBenchOptions) finish(ctx context.Context, all []*model.Bench, s cli.Streams) {
	wrong := 0
	for _, b := range all {
		wrong += b.Wrong()
	}
	before := o.before()
	switch {
	case o.json:
		steps.Check(render.JSON(s.Out, all))
	case o.format == "go":
		for _, b := range all {
			steps.Check(b.GoBench(s.Out))
		}
	case o.format == "text":
		for _, b := range all {
			steps.Check(b.Text(s.Out))
		}
		if len(before) > 0 {
			fmt.Fprintln(s.Out)
			steps.Check(model.Comparison(before, all).Text(s.Out))
		}
	default:
		steps.Check(cli.UsageError(fmt.Errorf("--format %s is for matrix products, networks are printed as text or go", o.format)))
	}
	if o.page != "" {
		links := o.sources(ctx, all, s)
		steps.Check(writeText(o.page, s, func(w io.Writer) error { return model.WritePage(w, append(before, all...), cli.Version(), links) }))
	}
	if wrong > 0 {
		steps.Check(cli.FailedError(fmt.Errorf("%d layers differ from the golden functions", wrong)))
	}
}

// sources writes the annotated sources of the kernels beside the page, each with the cycles of its typical case on the core of the
// first run, and returns their addresses by kernel.
func (o *modelBenchOptions) sources(ctx context.Context, all []*model.Bench, s cli.Streams) map[string]string {
	if o.page == "-" || len(all) == 0 {
		return nil
	}
	links, files := map[string]string{}, map[string][]byte{}
	dir := strings.TrimSuffix(o.page, filepath.Ext(o.page)) + "_kernels"
	for _, b := range all {
		for _, l := range b.Layers {
			if _, done := links[l.Kernel]; done || l.Kernel == "" {
				continue
			}
			var text bytes.Buffer
			k := kernelsRunOptions{engine: "ref", first: true, core: o.settings.orCore(all[0].Core), settings: o.settings}
			err := steps.Run(func() {
				runKernelsShow(ctx, &k, []string{l.Kernel}, cli.Streams{Out: &text, Err: io.Discard})
			})
			steps.Check(ctx.Err())
			if err != nil {
				s.Warn("the source of %s has no cycles: %v", l.Kernel, err)
				links[l.Kernel] = ""
				continue
			}
			name := strings.ReplaceAll(l.Kernel, ":", "_") + ".txt"
			files[name] = text.Bytes()
			links[l.Kernel] = url.PathEscape(filepath.Base(dir)) + "/" + url.PathEscape(name)
		}
	}
	writeFolder(ctx, dir, files)
	return links
}

// before are the runs of --baseline, none without it.
func (o *modelBenchOptions) before() (all []*model.Bench) {
	if o.baseline == "" {
		return nil
	}
	err := json.Unmarshal(steps.Must(readFile(o.baseline)), &all)
	cli.Refuse(err != nil || len(all) == 0 || all[0] == nil || len(all[0].Layers) == 0, "--baseline %s: this is no output of model bench --json", o.baseline)
	for _, b := range all {
		cli.Refuse(b == nil, "--baseline %s: a run is missing", o.baseline)
		b.Before = true
	}
	return all
}

// farmed is the networks as work that can be divided.
func (o *modelBenchOptions) farmed(ctx context.Context, args []string, s cli.Streams) *farmed {
	noPlan(map[string]bool{"--shard": o.shard.given()})
	work := o.work(args)
	inputs := slices.Concat(o.inputs.files, o.settings.paths())
	for _, name := range args {
		if _, err := benchmarks.LookupNetwork(name); err != nil { // a file, for it was loaded
			inputs = append(inputs, name)
		}
	}
	return &farmed{work: work, inputs: inputs, finish: func(m *farm.Merged) {
		o.finish(ctx, steps.Must(work.Results(m.Pieces)), s)
	}}
}
