package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
	"arcv2dsp/internal/gemm"
	"arcv2dsp/internal/model"
	"arcv2dsp/internal/regress"
	render "arcv2dsp/internal/report"
	"arcv2dsp/internal/spelling"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/gemmlowp"
	"arcv2dsp/nn/npy"
)

func newGemmCmd(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gemm",
		Short: "Run gemmlowp's matrix products on a core, measure the cost of offsets",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return cli.UsageError(fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), spelling.Hint(args[0], []string{"run", "bench"})))
		},
		DisableFlagsInUseLine: true,
	}
	cmd.AddCommand(newGemmRunCmd(s), newGemmBenchCmd(s))
	return cmd
}

// gemmOptions are the flags of gemm run.
type gemmOptions struct {
	spec                 gemm.Spec
	size                 string
	typ                  string
	lhs, rhs             string
	lhsOffset, rhsOffset string
	orders               [3]string
	strides              [3]int
	stages               []string
	pipeline             string
	factor               float64
	core, engine, output string
	naive, parts, json   bool
}

// gemmSides are the matrices of a product, in the order of flags.
var gemmSides = [3]string{"lhs", "rhs", "out"}

func newGemmRunCmd(s cli.Streams) *cobra.Command {
	var o gemmOptions
	cmd := &cobra.Command{
		Use:   "run [flags]",
		Short: "Compute a matrix product with offsets and output stages",
		Long: `Compute a product on a simulated core and compare it with the golden model. The operands are matrices of NumPy files
of uint8 or int8, or are made from --seed; orders and strides say how they lie in memory. Offsets are added: they are
zero points with the other sign. One number is for the whole matrix; a file has one for every row of lhs or
column of rhs.

Stages follow in the order given, NAME:KEY=VALUE,...:

  legacy:offset=,multiplier=,shift=             legacy-pc: the same with vectors, shape=row|col
  fixed-point:multiplier=,shift=,offset=        exponent:multiplier=,exponent=,offset=
  exponent-pc: the same with vectors, shape=    bias:shape=,bias=
  clamp:min=,max=                               tanh:zero=,amplitude=
  u8, i8, i16, truncate-u8                      none: the result is int32

A vector is a NumPy file. Shape row is a value for every column, col one for every row, as in gemmlowp. The exit
status is 1 when the result is not the golden model's.`,
		Example: `  arcsim gemm run --size 64x32x100 --lhs-offset -120 --stage fixed-point:multiplier=1518500250,shift=8,offset=128 --stage u8
  arcsim gemm run --lhs a.npy --rhs b.npy --rhs-order col --stage bias:shape=col,bias=b.npy -o c.npy --parts
  arcsim gemm run --size 8x8x8 --float 0.0123 --core em7d --naive`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("float") {
				o.spec.Factor = &o.factor
			}
			return runGemm(cmd.Context(), &o, s)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.size, "size", "64x64x64", "`ROWSxCOLUMNSxDEPTH` of operands that are made")
	f.StringVar(&o.typ, "type", "u8", "type of operands that are made, u8 or i8")
	f.Uint64Var(&o.spec.Seed, "seed", 1, "seed of the elements of operands that are made")
	f.StringVar(&o.lhs, "lhs", "", "left matrix, `FILE.npy`")
	f.StringVar(&o.rhs, "rhs", "", "right matrix, `FILE.npy`")
	f.StringVar(&o.lhsOffset, "lhs-offset", "0", "`N`, or a file with one for every row")
	f.StringVar(&o.rhsOffset, "rhs-offset", "0", "`N`, or a file with one for every column")
	for i, side := range gemmSides {
		f.StringVar(&o.orders[i], side+"-order", "row", "order of "+side+" in memory, row or col")
		f.IntVar(&o.strides[i], side+"-stride", 0, "distance of its rows or columns in elements, 0 without gaps")
	}
	f.StringArrayVar(&o.stages, "stage", nil, "add an output `STAGE` (repeatable)")
	f.StringVar(&o.pipeline, "pipeline", "", "the stages as a JSON list in `FILE`, with gemmlowp's names")
	f.Float64Var(&o.factor, "float", 0, "the result is the sums times `FACTOR` in float32")
	f.StringVar(&o.core, "core", regress.DefaultCores[0], templateHelp())
	f.StringVar(&o.engine, "engine", "auto", "what executes instructions: auto, fast, ref or jit")
	f.StringVarP(&o.output, "output", "o", "", "write the result to `FILE.npy`")
	f.BoolVar(&o.naive, "naive", false, "add offsets inside the loop")
	f.BoolVar(&o.parts, "parts", false, "print the cycles of packing, products and stages")
	f.BoolVar(&o.json, "json", false, "print the counts as JSON")
	return cmd
}

// parseSize reads ROWSxCOLUMNSxDEPTH.
func parseSize(text string) (size [3]int, err error) {
	fields := strings.Split(text, "x")
	if len(fields) != len(size) {
		return size, fmt.Errorf("%q is not ROWSxCOLUMNSxDEPTH", text)
	}
	for i, field := range fields {
		if size[i], err = strconv.Atoi(field); err != nil || size[i] < 1 || size[i] > gemm.MaxSize {
			return size, fmt.Errorf("%q: %q is not 1 to %d", text, field, gemm.MaxSize)
		}
	}
	return size, nil
}

// vectorOf reads integers of a file.
func vectorOf(file string) ([]int64, error) {
	t, err := model.ReadNPY(file)
	if err != nil {
		return nil, err
	}
	if t.Ints == nil {
		return nil, fmt.Errorf("%s holds %s, not integers", file, t.Type)
	}
	return t.Ints, nil
}

// offsetsOf is a number, or the integers of a file.
func offsetsOf(text string) ([]int64, error) {
	if n, err := strconv.ParseInt(text, 0, 32); err == nil {
		return []int64{n}, nil
	}
	return vectorOf(text)
}

// prepare reads the flags into the product.
func (o *gemmOptions) prepare() (*nn.Call, error) {
	size, err := parseSize(o.size)
	if err != nil {
		return nil, fmt.Errorf("--size: %w", err)
	}
	sp := &o.spec
	sp.Rows, sp.Columns, sp.Depth = size[0], size[1], size[2]
	if sp.Type, err = nn.ParseType(o.typ); err != nil || sp.Type != nn.U8 && sp.Type != nn.I8 {
		return nil, fmt.Errorf("--type %s: u8 or i8", o.typ)
	}
	for _, m := range []struct {
		file string
		to   **nn.Tensor
	}{{file: o.lhs, to: &sp.Lhs}, {file: o.rhs, to: &sp.Rhs}} {
		if m.file != "" {
			if *m.to, err = model.ReadNPY(m.file); err != nil {
				return nil, err
			}
		}
	}
	// One matrix alone says what the other one's depth is.
	switch {
	case sp.Lhs != nil && sp.Rhs == nil && len(sp.Lhs.Shape) == 2:
		sp.Depth = sp.Lhs.Shape[1]
	case sp.Rhs != nil && sp.Lhs == nil && len(sp.Rhs.Shape) == 2:
		sp.Depth = sp.Rhs.Shape[0]
	}
	if sp.LhsOffset, err = offsetsOf(o.lhsOffset); err != nil {
		return nil, fmt.Errorf("--lhs-offset: %w", err)
	}
	if sp.RhsOffset, err = offsetsOf(o.rhsOffset); err != nil {
		return nil, fmt.Errorf("--rhs-offset: %w", err)
	}
	sp.Layout = nn.Attrs{}
	for i, side := range gemmSides {
		sp.Layout[side+"_order"], sp.Layout[side+"_stride"] = o.orders[i], o.strides[i]
	}
	if o.pipeline != "" {
		if len(o.stages) > 0 {
			return nil, errors.New("--stage and --pipeline: give one of them")
		}
		text, err := readFile(o.pipeline)
		if err != nil {
			return nil, err
		}
		if sp.Stages, err = gemmlowp.ParsePipeline(text); err != nil {
			return nil, fmt.Errorf("%s: %w", o.pipeline, err)
		}
	}
	for _, text := range o.stages {
		stage, err := gemm.ParseStage(text, vectorOf)
		if err != nil {
			return nil, fmt.Errorf("--stage: %w", err)
		}
		sp.Stages = append(sp.Stages, stage)
	}
	return sp.Call()
}

func runGemm(ctx context.Context, o *gemmOptions, s cli.Streams) (err error) {
	c, err := o.prepare()
	if err != nil {
		return cli.UsageError(err)
	}
	engine, err := arcv2dsp.ParseEngine(o.engine)
	if err != nil {
		return cli.UsageError(err)
	}
	method := gemm.RankOne
	if o.naive {
		method = gemm.Naive
	}
	m, err := gemm.NewMachine(o.core, method, engine)
	if err != nil {
		return cli.UsageError(err)
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	r, err := m.Run(ctx, c, o.parts)
	if err != nil {
		return cli.HostError(err)
	}
	if o.output != "" {
		data, err := npy.Format(r.Out)
		if err != nil {
			return cli.HostError(err)
		}
		if err := writeFile(o.output, data, s); err != nil {
			return cli.HostError(err)
		}
	}
	if o.json {
		err = printJSON(gemmJSON(r), s)
	} else {
		err = printGemm(r, s)
	}
	if err == nil && r.Difference != nil {
		return cli.FailedError(r.Difference)
	}
	return err
}

func printGemm(r *gemm.Result, s cli.Streams) error {
	fmt.Fprintf(s.Out, "%v on %s, offsets %s: %s cycles, %.3f per MAC, %s instructions\n", r.Out.Shape, r.Core, r.Method,
		render.Thousands(r.Cycles), r.PerMAC(), render.Thousands(r.Instructions))
	for _, p := range []gemm.Part{gemm.Pack, gemm.Compute, gemm.Unpack, gemm.Rest} {
		if r.Parts != nil {
			fmt.Fprintf(s.Out, "%14s  %s, %.1f %%\n", render.Thousands(r.Parts[p]), p, 100*r.Share(p))
		}
	}
	verdict := "equal to the golden model"
	if r.Difference != nil {
		verdict = "not what the golden model computes"
	}
	_, err := fmt.Fprintln(s.Out, verdict)
	return hostError(err)
}

func gemmJSON(r *gemm.Result) any {
	j := map[string]any{"schema": 1, "core": r.Core, "method": r.Method, "macs": r.MACs, "cycles": r.Cycles,
		"instructions": r.Instructions, "cycles_per_mac": r.PerMAC(), "shape": r.Out.Shape, "equal": r.Difference == nil}
	if r.Parts != nil {
		j["parts"] = r.Parts
	}
	return j
}

func newGemmBenchCmd(s cli.Streams) *cobra.Command {
	var sizes []string
	var cores []string
	var asJSON, markdown bool
	cmd := &cobra.Command{
		Use:   "bench [flags]",
		Short: "Measure matrix products by part, with offsets handled in two ways",
		Long: `Count the cycles of products of unsigned bytes with offsets, a bias for every row, a fixed-point factor and bytes as
results. Offsets are applied to the sums by updates of rank one, or added inside the loop (naive). Their share comes
from a comparison with the same product of signed bytes without offsets. Results are compared with the golden model.`,
		Example: `  arcsim gemm bench
  arcsim gemm bench --size 256x256x256 --core em9d --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list [][3]int
			for _, text := range sizes {
				size, err := parseSize(text)
				if err != nil {
					return cli.UsageError(fmt.Errorf("--size: %w", err))
				}
				list = append(list, size)
			}
			rows, err := gemm.Bench(cmd.Context(), cores, list)
			if err != nil {
				return cli.HostError(err)
			}
			switch {
			case asJSON:
				err = gemm.WriteJSON(s.Out, rows)
			case markdown:
				err = gemm.WriteMarkdown(s.Out, rows)
			default:
				err = gemm.WriteTable(s.Out, rows)
			}
			return hostError(err)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&sizes, "size", []string{"16x16x16", "64x64x64", "256x256x256"}, "`ROWSxCOLUMNSxDEPTH` (repeatable)")
	f.StringSliceVar(&cores, "core", regress.DefaultCores, coresHelp())
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&markdown, "markdown", false, "print a table for documents")
	return cmd
}
