package tflite

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/rule"
)

// Rules, preparations and golden functions of this package panic with the *nn.Violation that they find first. The functions
// that operators hold return it.

// ruled makes a rule or a golden function of one that panics with a violation.
var ruled = rule.Of

// checked makes a rule of a preparation: a call that cannot be prepared is refused.
func checked[T any](prepare func(*nn.Call) T) func(*nn.Call) error {
	return ruled(func(c *nn.Call) { prepare(c) })
}

// computed makes a golden function of a preparation and of what computes a prepared call.
func computed[T any](prepare func(*nn.Call) T, compute func(*nn.Call, T)) func(*nn.Call) error {
	return ruled(func(c *nn.Call) { compute(c, prepare(c)) })
}

// counted makes a count of products of a preparation and of the count of a prepared call.
func counted[T any](prepare func(*nn.Call) T, count func(*nn.Call, T) int64) func(*nn.Call) int64 {
	return rule.Counted(func(c *nn.Call) int64 { return count(c, prepare(c)) })
}
