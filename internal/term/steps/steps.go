// Package steps is for work that is a row of steps, of which the first that fails ends the row: what a command of the user does,
// or a long function. A step says so by Check or Must. Run gives the error of a row, Return that of the function that is one.
// Only the goroutine that runs the row may call them, and no function that other packages call back.
package steps

import "fmt"

// failed is the panic that ends a row.
type failed struct{ err error }

// Check ends the row with an error, if there is one.
func Check(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// Must is a value that comes with an error, which ends the row.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Refuse ends the row where something holds.
func Refuse(when bool, format string, args ...any) {
	if when {
		Check(fmt.Errorf(format, args...))
	}
}

// In says where an error is from: a file, a flag. No error stays none.
func In(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", where, err)
}

// Return, deferred, makes the error that ended a row that of the function whose body is the row. Other panics go on.
func Return(err *error) {
	if r := recover(); r != nil {
		f, ok := r.(failed)
		if !ok {
			panic(r)
		}
		*err = f.err
	}
}

// Run runs a row of steps and returns the error that ended it. Other panics go on.
func Run(row func()) (err error) {
	defer Return(&err)
	row()
	return nil
}
