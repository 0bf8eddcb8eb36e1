package gemm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Row is the cost of one size on one core, in one way.
type Row struct {
	Rows, Columns, Depth int
	*Result
	// Plain are the cycles of the same product without offsets: signed bytes, so that nothing is to be
	// corrected. It is 0 where the operands are given.
	Plain uint64
}

// Offsets is the part of the cycles that offsets take, 0 to 1.
func (r *Row) Offsets() float64 {
	if r.Plain == 0 {
		return 0
	}
	return (float64(r.Cycles) - float64(r.Plain)) / float64(r.Cycles)
}

// Bench measures products both ways, on cores. Products that only a size describes are of unsigned bytes with offsets; the
// result is bytes, by a bias for every row and a fixed-point factor.
func Bench(ctx context.Context, cores []string, settings []arcv2dsp.Setting, products []*Description) ([]Row, error) {
	var all []Row
	for _, core := range cores {
		for _, d := range products {
			spec := &d.Spec
			if strings.HasPrefix(d.Name, SizePrefix) {
				spec = benchSpec([3]int{d.Rows, d.Columns, d.Depth})
			}
			rows, err := measure(ctx, Options{Core: core, Settings: settings}, *spec)
			if err != nil {
				return all, fmt.Errorf("%s on %s: %w", d.Name, core, err)
			}
			all = append(all, rows...)
		}
	}
	return all, nil
}

// The offsets of the measured products: zero points near the middle of a byte, as networks have them.
const (
	benchLhsOffset = -120
	benchRhsOffset = -131
)

func benchSpec(size [3]int) *Spec {
	bias := make([]int32, size[0])
	for i := range bias {
		bias[i] = int32(i*977%4096 - 2048)
	}
	return &Spec{Rows: size[0], Columns: size[1], Depth: size[2], Type: nn.U8, Seed: 1, LhsOffset: []int64{benchLhsOffset},
		RhsOffset: []int64{benchRhsOffset}, Layout: nn.Attrs{"rhs_order": "col", "out_order": "col"},
		Stages: []golden.GEMMStage{golden.GEMMBiasAddition{Shape: golden.GEMMCol, Bias: bias},
			golden.GEMMQuantizeDownByFixedPoint{Multiplier: 1518500250, Shift: 9, Offset: 128}, golden.GEMMCast{To: nn.U8}}}
}

// measure runs one product on one core: without offsets, where its operands are made, then both ways.
func measure(ctx context.Context, o Options, spec Spec) (_ []Row, err error) {
	defer steps.Return(&err)
	withOffsets := steps.Must(spec.Call())
	size := Row{Rows: withOffsets.In[0].Shape[0], Columns: withOffsets.In[1].Shape[1], Depth: withOffsets.In[0].Shape[1]}
	if spec.Lhs == nil && spec.Rhs == nil {
		spec.Type, spec.LhsOffset, spec.RhsOffset = nn.I8, nil, nil
		without := steps.Must(spec.Call())
		o.Method = RankOne
		plain := steps.Must(runOnce(ctx, o, without, false))
		size.Plain = plain.Cycles
	}
	var all []Row
	for _, method := range []Method{RankOne, Naive} {
		o.Method = method
		row := size
		row.Result = steps.Must(runOnce(ctx, o, withOffsets, true))
		all = append(all, row)
	}
	return all, nil
}

// runOnce runs a product on a core of its own. A wrong result is an error.
func runOnce(ctx context.Context, o Options, c *nn.Call, parts bool) (r *Result, err error) {
	m, err := NewMachine(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if r, err = m.Run(ctx, c, parts); err == nil {
		err = r.Difference
	}
	return r, err
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// Table has the measurements for people.
func Table(rows []Row) *report.Table {
	t := report.Table{Columns: []report.Column{{Name: "core"}, {Name: "size"}, {Name: "offsets"}}}
	for _, name := range []string{"cycles", "cycles/MAC", string(Pack), string(Compute), string(Unpack), "for offsets"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Align: report.Right})
	}
	for _, r := range rows {
		offsets := ""
		if r.Plain > 0 {
			offsets = percent(r.Offsets())
		}
		t.Add(r.Core, fmt.Sprintf("%dx%dx%d", r.Rows, r.Columns, r.Depth), string(r.Method), report.Thousands(r.Cycles),
			fmt.Sprintf("%.3f", r.PerMAC()), percent(r.Share(Pack)), percent(r.Share(Compute)), percent(r.Share(Unpack)), offsets)
	}
	return &t
}

// rowJSON is a measurement for other programs.
type rowJSON struct {
	Core          string          `json:"core"`
	Rows          int             `json:"rows"`
	Columns       int             `json:"columns"`
	Depth         int             `json:"depth"`
	Method        Method          `json:"method"`
	MACs          uint64          `json:"macs"`
	Cycles        uint64          `json:"cycles"`
	CyclesPerMAC  float64         `json:"cycles_per_mac"`
	Parts         map[Part]uint64 `json:"parts"`
	Plain         uint64          `json:"cycles_without_offsets"`
	OffsetPercent float64         `json:"offset_percent"`
}

// WriteJSON writes measurements for other programs.
func WriteJSON(w io.Writer, rows []Row) error {
	list := make([]rowJSON, 0, len(rows))
	for _, r := range rows {
		list = append(list, rowJSON{Core: r.Core, Rows: r.Rows, Columns: r.Columns, Depth: r.Depth, Method: r.Method, MACs: r.MACs,
			Cycles: r.Cycles, CyclesPerMAC: r.PerMAC(), Parts: r.Parts, Plain: r.Plain, OffsetPercent: 100 * r.Offsets()})
	}
	return report.JSON(w, map[string]any{"schema": 1, "results": list})
}
