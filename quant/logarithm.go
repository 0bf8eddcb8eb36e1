package quant

import "math"

// LogTable is the amount by which log2(1+i/128) exceeds i/128, with 16 bits below the point: the
// table of TensorFlow Lite Micro's audio front end.
var LogTable = func() (table [130]uint16) {
	for i := range table[:129] {
		table[i] = uint16(math.Round((1<<16)*math.Log2(1+float64(i)/128)) - 512*float64(i))
	}
	return table
}()
