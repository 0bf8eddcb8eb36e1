package mli11

import (
	"fmt"

	"arcv2dsp/nn"
)

// Overflow says that an accumulator left its range. The golden function goes on with the exact sum, so
// the outputs that depend on it are what infinite precision would give, not what the hardware gives.
type Overflow struct {
	Output int   // index of the output element, in the order of the output tensor
	Bits   int   // width of the accumulator
	Peak   int64 // the sum farthest outside the range
}

func (o Overflow) String() string {
	return fmt.Sprintf("output %d: sum %d does not fit the %d-bit accumulator", o.Output, o.Peak, o.Bits)
}

// Overflows is the error of a call that was computed although accumulators left their range: what the
// library gives for it is not defined.
type Overflows []Overflow

func (o Overflows) Error() string { return o[0].String() }

// Unwrap makes the overflow a violation of the rules of the library.
func (o Overflows) Unwrap() error {
	return &nn.Violation{Outcome: nn.Unpredictable, Condition: "accumulator", Detail: o[0].String()}
}

// overflowed is nil when nothing overflowed.
func overflowed(o Overflows) error {
	if len(o) == 0 {
		return nil
	}
	return o
}

// accumulator is an exact sum that remembers whether it ever left its width: partial sums count,
// because the hardware saturates or wraps at the moment it happens.
type accumulator struct {
	sum   int64
	limit int64 // 2^(bits-1)
	peak  int64 // partial sum farthest out of range, 0 while in range
	bits  int
}

func newAccumulator(bits int) accumulator {
	return accumulator{bits: bits, limit: 1 << (bits - 1)}
}

func (a *accumulator) set(v int64) {
	a.sum = clamp(v, -1<<62, 1<<62-1) // leaves room for the products to come
	a.note()
}

func (a *accumulator) add(v int64) {
	a.sum += v
	a.note()
}

func (a *accumulator) note() {
	if a.sum >= a.limit || a.sum < -a.limit {
		if distance(a.sum) > distance(a.peak) {
			a.peak = a.sum
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

func (a *accumulator) reset() { a.sum, a.peak = 0, 0 }

// report appends the overflow of the current output, if there was one.
func (a *accumulator) report(to Overflows, output int) Overflows {
	if a.peak == 0 {
		return to
	}
	return append(to, Overflow{Output: output, Bits: a.bits, Peak: a.peak})
}
