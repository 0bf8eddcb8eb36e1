package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// Units of a quantity, by the letter behind the number.
const units = "KMGT"

// ParseCount reads a number of things, with k, M, G or T for thousands: 5000, 5k, 2M.
func ParseCount(text string) (uint64, error) {
	n, ok := quantity(text, 1000)
	if !ok {
		return 0, fmt.Errorf("%q is not a number, such as 5000, 5k, 2M or 1G", text)
	}
	return n, nil
}

// ParseBytes reads an amount of guest memory, with K, M or G for powers of 1024: 64K, 1G.
func ParseBytes(text string) (uint64, error) {
	n, ok := quantity(text, 1024)
	if !ok || n == 0 || n > 1<<32 {
		return 0, fmt.Errorf("%q is not an amount of memory of 1 to 4G", text)
	}
	return n, nil
}

// quantity reads a number with a unit; each unit is times the one before.
func quantity(text string, times uint64) (n uint64, ok bool) {
	factor := uint64(1)
	if last := len(text) - 1; last > 0 && !strings.HasPrefix(strings.ToLower(text), "0x") {
		if i := strings.IndexByte(units, strings.ToUpper(text)[last]); i >= 0 {
			text = text[:last]
			for range i + 1 {
				factor *= times
			}
		}
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil || n > ^uint64(0)/factor {
		return 0, false
	}
	return n * factor, true
}
