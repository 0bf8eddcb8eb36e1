// Package quantity reads numbers with a unit, as flags and properties have them.
package quantity

import (
	"math"
	"strconv"
	"strings"
)

// Units of a quantity, by the letter behind the number.
const units = "KMGT"

// Steps from one unit to the next.
const (
	Count = 1000 // of things: 5k is 5000
	Bytes = 1024 // of memory: 64K is 65536
)

// Parse reads a number with a unit; each unit is step times the one before. Letters may be small.
func Parse(text string, step uint64) (n uint64, ok bool) {
	factor := uint64(1)
	if last := len(text) - 1; last > 0 {
		if i := strings.IndexByte(units, strings.ToUpper(text)[last]); i >= 0 {
			text = text[:last]
			for range i + 1 {
				factor *= step
			}
		}
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil || n > math.MaxUint64/factor {
		return 0, false
	}
	return n * factor, true
}
