// Package rule is for rules and golden functions that panic with the error that they find first, which is a *nn.Violation
// where the call breaks a rule of the library.
package rule

import (
	"fmt"
	"runtime"

	"arcv2dsp/nn"
)

// Of makes what an operator holds of a function that panics with an error: it returns the error. Faults of the program itself
// still panic.
func Of(f func(*nn.Call)) func(*nn.Call) error {
	return func(c *nn.Call) (err error) {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case runtime.Error:
				panic(r)
			case error:
				err = r
			default:
				panic(r)
			}
		}()
		f(c)
		return nil
	}
}

// Counted makes a count of products of one that panics with an error; it is 0 where a call is refused.
func Counted(count func(*nn.Call) int64) func(*nn.Call) int64 {
	return func(c *nn.Call) (n int64) {
		_ = Of(func(c *nn.Call) { n = count(c) })(c)
		return n
	}
}

// Hold panics with an error, if there is one.
func Hold(err error) {
	if err != nil {
		panic(err)
	}
}

// Refuse panics where something holds.
func Refuse(when bool, format string, args ...any) {
	if when {
		panic(fmt.Errorf(format, args...))
	}
}
