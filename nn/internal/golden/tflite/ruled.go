package tflite

import "arcv2dsp/nn"

// Rules, preparations and golden functions of this package panic with the *nn.Violation that they find first. The functions
// that operators hold return it.

// ruled makes a rule or a golden function of one that panics with a violation. Anything else still panics.
func ruled(f func(*nn.Call)) func(*nn.Call) error {
	return func(c *nn.Call) (err error) {
		defer func() {
			if r := recover(); r != nil {
				violation, ok := r.(*nn.Violation)
				if !ok {
					panic(r)
				}
				err = violation
			}
		}()
		f(c)
		return nil
	}
}

// checked makes a rule of a preparation: a call that cannot be prepared is refused.
func checked[T any](prepare func(*nn.Call) T) func(*nn.Call) error {
	return ruled(func(c *nn.Call) { prepare(c) })
}

// computed makes a golden function of a preparation and of what computes a prepared call.
func computed[T any](prepare func(*nn.Call) T, compute func(*nn.Call, T)) func(*nn.Call) error {
	return ruled(func(c *nn.Call) { compute(c, prepare(c)) })
}

// counted makes a count of products of a preparation and of the count of a prepared call; it is 0 where a call is refused.
func counted[T any](prepare func(*nn.Call) T, count func(*nn.Call, T) int64) func(*nn.Call) int64 {
	return func(c *nn.Call) (n int64) {
		_ = ruled(func(c *nn.Call) { n = count(c, prepare(c)) })(c)
		return n
	}
}
