package regress

import (
	"time"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Case is one thing to check: one call, or one network, on one core.
type Case struct {
	Name  string // unique: kernel/point/rounding/core
	Group string // symbol of the kernel, or name of the network
	Core  string
	Round nn.Rounding
	// Network says that the case is a network; Unit is the unit of its work, empty for that of the kernel.
	Network bool
	Unit    string
	// Recorded says that the expected outputs were recorded of MLI and not only computed.
	Recorded bool
}

// Result is the outcome of a case.
type Result struct {
	Case
	Outcome

	// Of a call that failed, for a smaller version of it.
	kernel *mlikernels.Kernel
	job    *mlikernels.Job
}

// Outcome is a result without its case, as one machine tells another.
type Outcome struct {
	Cycles  uint64            `json:"cycles"`
	Insts   uint64            `json:"instructions"`
	Stalls  map[string]uint64 `json:"stalls"`                // lost cycles by reason
	Work    uint64            `json:"work,omitempty"`        // multiply-accumulates, or elements of the output
	Elapsed time.Duration     `json:"nanoseconds,omitempty"` // on the host
	Failure *Failure          `json:"failure,omitempty"`     // nil when the case passed
	NotRun  bool              `json:"not_run,omitempty"`     // the run ended before it
}

// Passed reports whether the case ran and nothing was wrong.
func (r *Result) Passed() bool { return !r.NotRun && r.Failure == nil }

// Kind says in which way a case failed.
type Kind string

const (
	KindMismatch Kind = "mismatch" // an output element or format differs
	KindStatus   Kind = "status"   // the kernel returned another status
	KindFault    Kind = "fault"    // exception, limit, guard zone, calling convention
	KindGolden   Kind = "golden"   // the golden model differs from the file, or refuses the case
	KindInput    Kind = "input"    // the file is malformed
)

// Failure is the first thing that is wrong with a case.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	// Mismatch, when elements differ.
	Mismatch *Mismatch `json:"mismatch,omitempty"`
	// Repeat is the command that runs this case alone.
	Repeat string `json:"repeat"`
	// Minimized is the file with a smaller case that fails as well, when one was asked for.
	Minimized string `json:"minimized,omitempty"`
}
