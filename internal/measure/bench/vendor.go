package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
)

// vendorCore is the core the vendor's kernels were counted for.
const vendorCore = "em9d"

// Comparison is our cycles beside the vendor's instructions.
type Comparison struct {
	Core          string         `json:"core"`
	Configuration []string       `json:"configuration"` // properties of the core
	Placement     string         `json:"placement"`
	Rows          []Result       `json:"rows"`
	Geomean       float64        `json:"geomean"` // of cycles by instructions
	Elsewhere     Configurations `json:"elsewhere,omitempty"`
}

// Configurations are the calls of the comparison with other memories and on boards.
type Configurations []Configuration

// Configuration is one of them.
type Configuration struct {
	Name        string   `json:"name"`
	Memory      string   `json:"memory"`
	Rows        int      `json:"rows"`
	Geomean     float64  `json:"geomean"`
	WellRows    int      `json:"rows_well_compiled"` // without those the vendor compiled badly
	WellGeomean float64  `json:"geomean_well_compiled"`
	Unfit       []Result `json:"do_not_fit,omitempty"` // calls that the memories are too small for
	Reason      string   `json:"reason,omitempty"`     // why there are none
}

// badlyCompiled reports whether the vendor's function is one of those it compiled badly: HWC maps with 8-bit
// weights take several times the instructions of the same function in fx16.
func badlyCompiled(name string) bool { return strings.Contains(name, "_hwc_fx8") }

// Compare picks the results with a vendor count.
func Compare(results []Result) Comparison {
	c := Comparison{Core: vendorCore, Configuration: mlikernels.Properties(mlikernels.AGUOf(vendorCore)),
		Placement: "code in ICCM, input in X, weights in Y, output in DCCM"}
	var mean geomean
	for _, r := range results {
		if r.Vendor != 0 && r.Counted() {
			c.Rows = append(c.Rows, r)
			mean.add(r.Ratio())
		}
	}
	c.Geomean = mean.value()
	return c
}

// geomean is a geometric mean.
type geomean struct {
	sum  float64
	rows int
}

func (g *geomean) add(v float64) { g.sum, g.rows = g.sum+math.Log(v), g.rows+1 }

func (g *geomean) value() float64 {
	if g.rows == 0 {
		return 0
	}
	return math.Exp(g.sum / float64(g.rows))
}

// Elsewhere measures the rows with X and Y memory that is not interleaved, and on the boards with DSP instructions and
// closely coupled memories, of which each has those that it has.
func (r *Runner) Elsewhere(ctx context.Context, subjects []Subject, c *Comparison) error {
	points := []Point{{Core: vendorCore, Label: vendorCore}, {Core: vendorCore, Label: vendorCore + " not interleaved", Settings: []string{"xy_interleave=0"}}}
	for _, name := range mlikernels.Boards() {
		b, err := mlikernels.NewBoard(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(b.Memories, func(m mlikernels.BoardMemory) bool { return m.Coupled() && m.Size > 0 }) {
			points = append(points, Point{Core: name, Label: name, Board: b})
		}
	}
	vendor := map[string]uint64{}
	var of []Subject
	for _, s := range subjects {
		if s.Vendor != 0 {
			vendor[s.Name] = s.Vendor
			of = append(of, s)
		}
	}
	for _, p := range points {
		if p.Board != nil && !p.Board.Even {
			c.Elsewhere = append(c.Elsewhere, Configuration{Name: p.Label,
				Reason: "the core does not round to even (dsp_accshift_option is not 2) as the functions of the comparison do"})
			continue
		}
		results, err := r.Run(ctx, Tasks(of, []Point{p}))
		if err != nil {
			return err
		}
		e := Configuration{Name: p.Label}
		var all, well geomean
		for _, res := range results {
			e.Memory = res.Memory
			if res.Failure != "" {
				return fmt.Errorf("%s on %s: %s", res.Name, p.Label, res.Failure)
			}
			if res.Skipped != "" {
				e.Unfit = append(e.Unfit, res)
				continue
			}
			ratio := float64(res.Cycles) / float64(vendor[res.Name])
			all.add(ratio)
			if !badlyCompiled(res.Name) {
				well.add(ratio)
			}
		}
		e.Rows, e.Geomean, e.WellRows, e.WellGeomean = all.rows, all.value(), well.rows, well.value()
		c.Elsewhere = append(c.Elsewhere, e)
	}
	return nil
}
