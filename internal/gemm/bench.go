package gemm

import (
	"context"
	"errors"
	"fmt"
	"io"

	"arcv2dsp"
	"arcv2dsp/internal/report"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/gemmlowp"
)

// Row is the cost of one size on one core, in one way.
type Row struct {
	Rows, Columns, Depth int
	*Result
	// Plain are the cycles of the same product without offsets: signed bytes, so that nothing is to be
	// corrected.
	Plain uint64
}

// Offsets is the part of the cycles that offsets take, 0 to 1.
func (r *Row) Offsets() float64 {
	return (float64(r.Cycles) - float64(r.Plain)) / float64(r.Cycles)
}

// Bench measures products of unsigned bytes with offsets: both ways, on cores, of sizes rows x columns x depth. The
// result is bytes, by a bias for every row and a fixed-point factor.
func Bench(ctx context.Context, cores []string, sizes [][3]int) ([]Row, error) {
	var all []Row
	for _, core := range cores {
		for _, size := range sizes {
			rows, err := measure(ctx, core, size)
			if err != nil {
				return all, fmt.Errorf("%dx%dx%d on %s: %w", size[0], size[1], size[2], core, err)
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
		Stages: []gemmlowp.Stage{gemmlowp.BiasAddition{Shape: gemmlowp.Col, Bias: bias},
			gemmlowp.QuantizeDownByFixedPoint{Multiplier: 1518500250, Shift: 9, Offset: 128}, gemmlowp.Cast{To: nn.U8}}}
}

// measure runs one size on one core: without offsets, then both ways.
func measure(ctx context.Context, core string, size [3]int) ([]Row, error) {
	spec := benchSpec(size)
	withOffsets, err := spec.Call()
	if err != nil {
		return nil, err
	}
	spec.Type, spec.LhsOffset, spec.RhsOffset = nn.I8, nil, nil
	without, err := spec.Call()
	if err != nil {
		return nil, err
	}
	plain, err := runOnce(ctx, core, RankOne, without, false)
	if err != nil {
		return nil, err
	}
	var all []Row
	for _, method := range []Method{RankOne, Naive} {
		r, err := runOnce(ctx, core, method, withOffsets, true)
		if err != nil {
			return nil, err
		}
		all = append(all, Row{Rows: size[0], Columns: size[1], Depth: size[2], Result: r, Plain: plain.Cycles})
	}
	return all, nil
}

// runOnce runs a product on a core of its own. A wrong result is an error.
func runOnce(ctx context.Context, core string, method Method, c *nn.Call, parts bool) (r *Result, err error) {
	m, err := NewMachine(core, method, arcv2dsp.EngineAuto)
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

// WriteTable prints measurements for people.
func WriteTable(w io.Writer, rows []Row) error { return table(rows).Text(w) }

// WriteMarkdown prints them for a document.
func WriteMarkdown(w io.Writer, rows []Row) error { return table(rows).Markdown(w) }

func table(rows []Row) *report.Table {
	t := report.Table{Columns: []report.Column{{Name: "core"}, {Name: "size"}, {Name: "offsets"}}}
	for _, name := range []string{"cycles", "cycles/MAC", string(Pack), string(Compute), string(Unpack), "for offsets"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Align: report.Right})
	}
	for _, r := range rows {
		t.Add(r.Core, fmt.Sprintf("%dx%dx%d", r.Rows, r.Columns, r.Depth), string(r.Method), report.Thousands(r.Cycles),
			fmt.Sprintf("%.3f", r.PerMAC()), percent(r.Share(Pack)), percent(r.Share(Compute)), percent(r.Share(Unpack)), percent(r.Offsets()))
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
