package bench

import (
	"fmt"
	"slices"

	"arcv2dsp/isa"
)

// Result is the counts of one run.
type Result struct {
	Name    string `json:"name"`
	Kind    Kind   `json:"kind"`
	Core    string `json:"core"`
	Options string `json:"options,omitempty"` // what differs from the core's template, of a sweep

	Cycles uint64            `json:"cycles"`
	Insts  uint64            `json:"instructions"`
	Stalls map[string]uint64 `json:"stalls"` // lost cycles by reason: Cycles - Insts in all

	Work   uint64  `json:"work,omitempty"`
	Unit   string  `json:"unit,omitempty"`   // of Work
	Real   uint64  `json:"real,omitempty"`   // MACs with elements of the map, where Work counts padding, too; of other kernels Work
	Memory string  `json:"memory,omitempty"` // where the data of a kernel lies
	Peak   float64 `json:"peak,omitempty"`   // of Work in a cycle: MACs that the multipliers can do, outputs that a store can write
	Bound  uint64  `json:"bound,omitempty"`  // the least cycles that the work of a kernel takes on the core
	Vendor uint64  `json:"vendor,omitempty"` // instructions of the vendor's kernel
	// Library is the cost of the same call in a foreign library, nil when there is none.
	Library *LibraryResult `json:"library,omitempty"`
	Skipped string         `json:"skipped,omitempty"` // why the core cannot run it
	Failure string         `json:"failure,omitempty"` // why there are no counts, or wrong results
	Seconds float64        `json:"-"`                 // of the host
}

// LibraryResult is a call of a foreign library.
type LibraryResult struct {
	Cycles  uint64 `json:"cycles"`
	Failure string `json:"failure,omitempty"`
}

// Kind is the kind of a subject.
type Kind string

const (
	Kernel  Kind = "kernel"
	Program Kind = "program" // one of this project's guest programs
	File    Kind = "file"    // an ELF file of the user
)

// unitMAC is the unit of work that the peak of a core is given in.
const unitMAC = "MAC"

// per is n for each of so many, 0 when there are none.
func per(n, of float64) float64 {
	if of == 0 {
		return 0
	}
	return n / of
}

// IPC is instructions per cycle.
func (r Result) IPC() float64 { return per(float64(r.Insts), float64(r.Cycles)) }

// PerUnit is cycles per unit of work, 0 when the work is not known.
func (r Result) PerUnit() float64 { return per(float64(r.Cycles), float64(r.Work)) }

// PerReal is cycles per MAC with an element of the map, of other kernels per output; 0 when there are none.
func (r Result) PerReal() float64 { return per(float64(r.Cycles), float64(r.Real)) }

// PercentOfPeak is how much of what the multipliers could do was done, or of what stores could write; 0 when that is not
// known.
func (r Result) PercentOfPeak() float64 { return per(100*float64(r.Work), float64(r.Cycles)*r.Peak) }

// Ratio is our cycles by the vendor's instructions, 0 when those are not known.
func (r Result) Ratio() float64 { return per(float64(r.Cycles), float64(r.Vendor)) }

// check reports counts that do not add up.
func (r Result) check() error {
	sum := r.Insts
	for _, n := range r.Stalls {
		sum += n
	}
	if sum != r.Cycles {
		return fmt.Errorf("%s on %s: instructions and stalls are %d cycles, not %d", r.Name, r.Core, sum, r.Cycles)
	}
	return nil
}

// wordBytes is the number of bytes that a core can store in a cycle.
const wordBytes = 4

// macPeak is how many MACs a core with the given options can start in a cycle: four with the quad
// multiplier, two with a dual one.
func macPeak(f isa.Feature) float64 {
	switch {
	case f.Has(isa.MPY9):
		return 4
	case f.Has(isa.MPY7):
		return 2
	}
	return 0
}

// Counted reports whether the result has counts to go by.
func (r Result) Counted() bool { return r.Failure == "" && r.Skipped == "" }

// Counted picks the results with counts.
func Counted(results []Result) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return !r.Counted() })
}

// Failed picks the results of what went wrong.
func Failed(results []Result) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Failure == "" })
}

// skipError is the error of a core that lacks an option of a subject.
type skipError struct{ reason string }

func (e *skipError) Error() string { return e.reason }
