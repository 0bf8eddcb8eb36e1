package cli

import (
	"fmt"

	"arcv2dsp/internal/term/quantity"
)

// ParseCount reads a number of things, with k, M, G or T for thousands: 5000, 5k, 2M.
func ParseCount(text string) (uint64, error) {
	n, ok := quantity.Parse(text, quantity.Count)
	if !ok {
		return 0, fmt.Errorf("%q is not a number, such as 5000, 5k, 2M or 1G", text)
	}
	return n, nil
}

// ParseBytes reads an amount of guest memory, with K, M or G for powers of 1024: 64K, 1G.
func ParseBytes(text string) (uint64, error) {
	n, ok := quantity.Parse(text, quantity.Bytes)
	if !ok || n == 0 || n > 1<<32 {
		return 0, fmt.Errorf("%q is not an amount of memory of 1 to 4G", text)
	}
	return n, nil
}
