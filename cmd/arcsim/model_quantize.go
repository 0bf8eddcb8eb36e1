//go:build !programs

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// quantizeOptions are the flags of model quantize.
type quantizeOptions struct {
	calibrate []string
	evaluate  []string
	labels    string
	output    string
	ways      []string
	stats     string
	core      string
	settings  settingFlags
	equalize  bool
	correct   bool
	advise    bool
	json      bool
	timeout   time.Duration
}

// sampleInputs is how many inputs the networks of the project's own get.
const sampleInputs = 8

func newModelQuantizeCmd(s cli.Streams) *cobra.Command {
	var o quantizeOptions
	return pages.Command("model_quantize", func(cmd *cobra.Command, args []string) { quantizeNetwork(cmd.Context(), &o, args[0], s) },
		cli.Vars{"calibrate": &o.calibrate, "eval": &o.evaluate, "labels": &o.labels, "output": &o.output, "as": &o.ways, "stats": &o.stats, "core": &o.core, "equalize": &o.equalize, "correct-bias": &o.correct, "advise": &o.advise, "json": &o.json, "timeout": &o.timeout},
		o.settings.vars())
}

func quantizeNetwork(ctx context.Context, o *quantizeOptions, path string, s cli.Streams) {
	var ways []*quantnet.Way
	for _, name := range o.ways {
		ways = append(ways, cli.Parse("--as", name, quantnet.ParseWay))
	}
	cli.Refuse(len(ways) == 0, "--as: no way")
	cli.Refuse(o.advise && len(ways) != 2, "--advise: two ways with --as, not %d", len(ways))
	cli.Refuse(o.output != "" && !o.advise && len(ways) != 1, "-o %s: one way with --as, not %d", o.output, len(ways))
	cli.Refuse(o.output != "" && !slices.Contains(quantnet.FileTypes(), filepath.Ext(o.output)),
		"-o %s: a network is written as %s", o.output, strings.Join(quantnet.FileTypes(), ", "))
	cli.Refuse(o.advise && (o.equalize || o.correct), "--advise: without --equalize and --correct-bias")
	cli.Refuse(o.labels != "" && len(o.evaluate) == 0, "--labels: they belong to the inputs of --eval")
	cli.Refuse(!slices.Contains(quantnet.Observers(), o.stats), "--stats %s: there are %s", o.stats, strings.Join(quantnet.Observers(), ", "))
	target := quantnet.Target{Core: o.core, Settings: o.settings.list()}
	if describeCore(target.Settings) {
		target.Core = ""
	}
	_, err := mlikernels.CheckBoard(target.Core, target.Settings...)
	steps.Check(configError(err))
	job, whole := o.load(path)
	if whole != nil {
		o.handOn(path, whole, s)
		return
	}
	job.Target = target
	ctx, stop := context.WithTimeout(ctx, o.timeout)
	defer stop()
	if o.advise {
		o.mix(ctx, job, ways[0], ways[1], s)
		return
	}
	var reports []map[string]any
	for _, way := range ways {
		net, r, err := job.Run(ctx, way)
		steps.Check(steps.In(path, err))
		o.write(net, s)
		if o.json {
			reports = append(reports, r.JSON())
			reports[len(reports)-1]["way"] = way.Name
			continue
		}
		fmt.Fprintf(s.Out, "%s as %s (%s): %d inputs%s, ranges by %s, %s\n\n", r.Name, way, way.Doc, r.Inputs, o.apart(job), o.stats, o.core)
		steps.Check(r.Text(s.Out))
		fmt.Fprintln(s.Out)
	}
	if o.json {
		steps.Check(render.JSON(s.Out, map[string]any{"schema": 1, "core": o.core, "statistics": o.stats, "networks": reports}))
	}
}

// apart says in a headline where the ranges come from.
func (o *quantizeOptions) apart(j *quantnet.Job) string {
	if len(o.evaluate) > 0 {
		return fmt.Sprintf(" apart from the %d that give the ranges", len(j.Calibrate))
	}
	return ", the same that give the ranges"
}

// write writes the network of integers, where a file is asked for.
func (o *quantizeOptions) write(net *quantnet.Network, s cli.Streams) {
	if o.output == "" {
		return
	}
	data, err := net.File(filepath.Ext(o.output))
	steps.Check(cli.FailedError(steps.In(o.output, err)))
	steps.Check(writeFile(o.output, data, s))
}

// mix prints advice.
func (o *quantizeOptions) mix(ctx context.Context, j *quantnet.Job, coarse, fine *quantnet.Way, s cli.Streams) {
	advice := steps.Must(j.Advise(ctx, coarse, fine))
	o.write(advice.Network, s)
	document := advice.JSON()
	document["schema"], document["core"] = 1, o.core
	show(s, o.json, render.Document{JSON: document, Text: advice.Text})
}

// handOn says that a network has integers already, and writes it as it is where a file is asked for.
func (o *quantizeOptions) handOn(path string, whole *quantnet.Whole, s cli.Streams) {
	if o.output != "" {
		data := steps.Must(readFile(path))
		if ending := filepath.Ext(o.output); ending != filepath.Ext(path) {
			var err error
			data, err = whole.File(ending)
			steps.Check(cli.FailedError(steps.In(o.output, err)))
		}
		steps.Check(writeFile(o.output, data, s))
	}
	document := map[string]any{"schema": 1, "core": o.core, "networks": []any{}, "integers": whole.Error()}
	show(s, o.json, render.Document{JSON: document, Text: render.Lines(steps.In(path, whole))})
}

// load reads the network and its inputs, or gives a network of integers that stays as it is.
func (o *quantizeOptions) load(path string) (*quantnet.Job, *quantnet.Whole) {
	j := &quantnet.Job{Observer: o.stats, Equalize: o.equalize, Correct: o.correct}
	own := slices.Contains(quantnet.SampleNames(), path)
	var err error
	if own {
		j.Graph, j.Calibrate, err = quantnet.Sample(path, sampleInputs)
		steps.Check(err)
	} else {
		var whole *quantnet.Whole
		j.Graph, j.Fixed, err = quantnet.Load(path, steps.Must(readFile(path)))
		if errors.As(err, &whole) {
			return nil, whole
		}
		steps.Check(steps.In(path, err))
		j.Graph = titled(j.Graph, path)
	}
	if !own || len(o.calibrate) > 0 {
		j.Calibrate = readRuns(j.Graph, "--calibrate", o.calibrate)
	}
	j.Data.Inputs = j.Calibrate
	if len(o.evaluate) > 0 {
		j.Data.Inputs = readRuns(j.Graph, "--eval", o.evaluate)
	}
	if o.labels != "" {
		j.Data.Labels, err = quantnet.ReadLabels(steps.Must(readFile(o.labels)))
		steps.Check(steps.In(o.labels, err))
	}
	j.Graph = quantnet.Fuse(j.Graph)
	return j, nil
}

// readRuns reads the inputs of many inferences: a list of runs, each with a tensor for every input of the network.
func readRuns(g *nn.Graph, flag string, files []string) [][]*nn.Tensor {
	cli.Refuse(len(files) != len(g.Inputs), "%d files of representative inputs, the network has %d inputs (%s)", len(files), len(g.Inputs), flag)
	var runs [][]*nn.Tensor
	for i, file := range files {
		shape, values, err := model.ReadReals(file)
		steps.Check(err)
		list, err := quantnet.Split(g, i, shape, values)
		steps.Check(steps.In(file, err))
		if i == 0 {
			runs = make([][]*nn.Tensor, len(list))
		}
		steps.Refuse(len(list) != len(runs), "%s: %d inputs, the first file has %d", file, len(list), len(runs))
		for k, t := range list {
			runs[k] = append(runs[k], t)
		}
	}
	return runs
}
