package mli

import (
	"fmt"

	"arcv2dsp/nn"
)

// Overflow says that an accumulator left its range. The golden function goes on with the exact sum, so
// the outputs that depend on it are those of infinite precision, not those of the hardware.
type Overflow struct {
	Output int   // index of the output element, in the order of the output tensor
	Bits   int   // width of the accumulator
	Peak   int64 // the sum farthest outside the range
}

func (o Overflow) String() string {
	return fmt.Sprintf("output %d: sum %d does not fit the %d-bit accumulator", o.Output, o.Peak, o.Bits)
}

// Overflows is the error of a call that was computed although accumulators left their range: the library defines no
// result for it.
type Overflows []Overflow

func (o Overflows) Error() string { return o[0].String() }

// Unwrap makes the overflow a violation of the rules of the library.
func (o Overflows) Unwrap() error {
	return &nn.Violation{Outcome: nn.Unpredictable, Condition: "accumulator", Detail: o[0].String()}
}

// Overflowed is nil when nothing overflowed.
func Overflowed(o Overflows) error {
	if len(o) == 0 {
		return nil
	}
	return o
}

// Accumulator is an exact sum that remembers whether it ever left its width: partial sums count,
// because the hardware saturates or wraps at the moment it happens.
type Accumulator struct {
	Sum   int64
	limit int64 // 2^(bits-1)
	peak  int64 // partial sum farthest out of range, 0 while in range
	bits  int
}

// NewAccumulator makes an accumulator of zero.
func NewAccumulator(bits int) Accumulator {
	return Accumulator{bits: bits, limit: 1 << (bits - 1)}
}

// Set gives it a value.
func (a *Accumulator) Set(v int64) {
	a.Sum = Clamp(v, -1<<62, 1<<62-1) // leaves room for the products to come
	a.note()
}

// Add adds a product.
func (a *Accumulator) Add(v int64) {
	a.Sum += v
	a.note()
}

func (a *Accumulator) note() {
	if a.Sum >= a.limit || a.Sum < -a.limit {
		if distance(a.Sum) > distance(a.peak) {
			a.peak = a.Sum
		}
	}
}

// distance is |x| for comparing, with the asymmetry of two's complement: -2^n is as far as 2^n-1.
func distance(x int64) int64 {
	if x < 0 {
		return -(x + 1)
	}
	return x
}

// Reset begins another sum.
func (a *Accumulator) Reset() { a.Sum, a.peak = 0, 0 }

// Report appends the overflow of the current output, if there was one.
func (a *Accumulator) Report(to Overflows, output int) Overflows {
	if a.peak == 0 {
		return to
	}
	return append(to, Overflow{Output: output, Bits: a.bits, Peak: a.peak})
}
