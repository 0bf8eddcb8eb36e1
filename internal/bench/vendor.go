package bench

import (
	"math"

	"arcv2dsp/mlikernels/kernel"
)

// vendorCore is the core the vendor's kernels were counted for.
const vendorCore = "em9d"

// Comparison is our cycles beside the vendor's instructions.
type Comparison struct {
	Core          string   `json:"core"`
	Configuration []string `json:"configuration"` // properties of the core
	Placement     string   `json:"placement"`
	Rows          []Result `json:"rows"`
	Geomean       float64  `json:"geomean"` // of cycles by instructions
}

// Compare picks the results with a vendor count.
func Compare(results []Result) Comparison {
	c := Comparison{Core: vendorCore, Configuration: kernel.Properties(kernel.HasAGU(vendorCore)),
		Placement: "code in ICCM, input in X, weights in Y, output in DCCM"}
	sum := 0.0
	for _, r := range results {
		if r.Vendor != 0 && r.Counted() {
			c.Rows = append(c.Rows, r)
			sum += math.Log(r.Ratio())
		}
	}
	if len(c.Rows) > 0 {
		c.Geomean = math.Exp(sum / float64(len(c.Rows)))
	}
	return c
}
