//go:build !programs

package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/check/tosacheck"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// parseMemories reads NAME=SIZE, sizes with K or M, as a memory for everything or NAME:CLASS,CLASS=SIZE.
func parseMemories(list []string) []nn.Memory {
	classes := map[string]nn.Class{}
	for _, c := range []nn.Class{nn.Activation, nn.Scratch, nn.State, nn.Weights} {
		classes[c.String()] = c
	}
	var memories []nn.Memory
	for _, text := range list {
		name, size, ok := strings.Cut(text, "=")
		cli.Refuse(!ok, "--memory %s: write NAME=SIZE", text)
		name, takes, limited := strings.Cut(name, ":")
		m := nn.Memory{Name: name}
		if limited {
			for class := range strings.SplitSeq(takes, ",") {
				c, ok := classes[class]
				cli.Refuse(!ok, "--memory %s: there is no %q; activation, scratch, state and weights", text, class)
				m.Takes = append(m.Takes, c)
			}
		}
		m.Bytes = int(cli.Parse("--memory "+text, size, cli.ParseBytes))
		memories = append(memories, m)
	}
	return memories
}

// modelShowOptions are the flags of model show.
type modelShowOptions struct {
	file     modelFile
	core     string
	settings settingFlags
	memories []string
	tosa     tosaOptions
	inputs   []string
	json     bool
}

func newModelShowCmd(s cli.Streams) *cobra.Command {
	var o modelShowOptions
	cmd := pages.Command("model_show", func(cmd *cobra.Command, args []string) { o.show(cmd.Context(), args[0], s) },
		o.file.vars(), cli.Vars{"core": &o.core, "memory": &o.memories, "json": &o.json, "input": &o.inputs}, o.settings.vars(), o.tosa.vars())
	cmd.MarkFlagsMutuallyExclusive("core", "memory")
	return cmd
}

func (o *modelShowOptions) show(ctx context.Context, path string, s cli.Streams) {
	placed := o.core != "" || len(o.settings.list()) > 0
	if kindOf(path) == tosaModel && !placed && len(o.memories) == 0 && !o.json {
		_, c := o.tosa.open(path, o.inputs)
		ctx, stop := context.WithTimeout(ctx, o.tosa.timeout)
		defer stop()
		steps.Check(tosacheck.Explain(ctx, s.Out, c))
		return
	}
	g := o.file.loadAny(path)
	list := parseMemories(o.memories)
	d, err := model.Describe(g, list)
	steps.Check(cli.FailedError(err))
	steps.Check(cli.FailedError(d.Kernels(g)))
	if placed {
		_, err := mlikernels.CheckBoard(o.core, o.settings.list()...)
		steps.Check(configError(err))
		steps.Check(cli.FailedError(d.Place(g, mlikernels.PlacedOptions{Core: o.core, Settings: o.settings.list()})))
	}
	write := d.Text
	if o.json {
		write = func(w io.Writer) error { return render.JSON(w, d) }
	}
	write(s.Out)
	if d.Verdict != nil && !d.Verdict.Fits {
		steps.Check(cli.FailedError(errors.New("the network does not fit")))
	}
}
