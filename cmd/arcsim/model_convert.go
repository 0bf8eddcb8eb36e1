//go:build !programs

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/network/lower"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	files "arcv2dsp/nn/tosa"
)

// convertOptions are the flags of model convert.
type convertOptions struct {
	output, revision, rounding, stats string
	passes                            []string
	candidates                        []int
}

func newModelConvertCmd(s cli.Streams) *cobra.Command {
	var o convertOptions
	return pages.Command("model_convert", func(cmd *cobra.Command, args []string) {
		kind := kindOf(args[0])
		if kind == mlirModel || args[0] == "-" {
			o.rewrite(cmd.Context(), args[0], s)
			return
		}
		cli.Refuse(kind == gemmModel, "%s: a matrix product has one form", args[0])
		cli.Refuse(len(o.passes) > 0 || o.stats != "", "--pass and --stats are for models in MLIR's text (.mlir)")
		cli.Refuse(o.output == "-", "-o FILE.tosa or FILE.json gives the graph its place")
		o.toTOSA(cmd.Context(), args[0], s)
	}, cli.Vars{"output": &o.output, "revision": &o.revision, "rounding": &o.rounding, "pass": &o.passes, "stats": &o.stats, "widths": &o.candidates})
}

// toTOSA writes a network as a TOSA graph; a TOSA graph gets another revision or form.
func (o *convertOptions) toTOSA(ctx context.Context, path string, s cli.Streams) {
	revision := cli.Parse("--revision", o.revision, files.ParseRevision)
	rounding := parseBuild(o.rounding)
	var from, to *nn.Graph
	if kindOf(path) == tosaModel {
		from = loadModel(path, o.rounding)
		to = from
	} else {
		var err error
		from = steps.Must(model.Load(path, golden.Operators(), rounding))
		to, err = lower.ToTOSA(from)
		steps.Check(cli.FailedError(steps.In(path, err)))
	}
	steps.Check(ctx.Err())
	file, err := files.FromGraph(to, revision)
	steps.Check(cli.FailedError(steps.In(path, err)))
	write := file.Encode
	if filepath.Ext(o.output) == ".json" {
		write = file.EncodeJSON
	}
	steps.Check(writeFile(o.output, steps.Must(write()), s))
	fmt.Fprintf(s.Out, "%d operators became %d of TOSA\n", len(from.Nodes), len(to.Nodes))
}

// rewrite runs passes on a model in MLIR's text.
func (o *convertOptions) rewrite(ctx context.Context, path string, s cli.Streams) {
	for _, name := range o.passes {
		cli.Parse("--pass", name, mlir.ParsePass)
	}
	options := mlir.Options{Candidates: o.candidates}
	if o.stats != "" {
		steps.Check(steps.In(o.stats, json.Unmarshal(steps.Must(readFile(o.stats)), &options.Stats)))
	}
	name, text := readText(path, s)
	m := steps.Must(mlir.Parse(name, text))
	steps.Check(steps.In(name, mlir.Run(m, o.passes, options)))
	steps.Check(ctx.Err())
	steps.Check(writeFile(o.output, []byte(m.String()), s))
}

// readText reads a file, or standard input for "-".
func readText(path string, s cli.Streams) (name, text string) {
	if path == "-" {
		return "<stdin>", string(steps.Must(io.ReadAll(s.In)))
	}
	return path, string(steps.Must(readFile(path)))
}
