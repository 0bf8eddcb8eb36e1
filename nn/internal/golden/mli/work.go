package mli

import "fmt"

// maxWork bounds the innermost steps of one call, so that a hostile record cannot occupy the host for hours.
const maxWork = 1 << 33

// CheckWork fails when the product of the extents is beyond the bound of one call.
func CheckWork(extents ...int) error {
	work := 1.0
	for _, e := range extents {
		work *= float64(e)
	}
	if work > maxWork {
		return fmt.Errorf("the call needs %.0f steps, at most %d", work, int64(maxWork))
	}
	return nil
}
