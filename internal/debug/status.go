package debug

import (
	"fmt"
	"strings"
)

// statusBits are the bits of STATUS32 that have a name, from the lowest.
var statusBits = []struct {
	bit  uint
	name string
}{
	{bit: 0, name: "H"}, {bit: 5, name: "AE"}, {bit: 6, name: "DE"}, {bit: 7, name: "U"}, {bit: 8, name: "V"}, {bit: 9, name: "C"},
	{bit: 10, name: "N"}, {bit: 11, name: "Z"}, {bit: 12, name: "L"}, {bit: 13, name: "DZ"}, {bit: 14, name: "SC"}, {bit: 15, name: "ES"},
	{bit: 19, name: "AD"}, {bit: 20, name: "US"}, {bit: 31, name: "IE"},
}

// StatusText names what is set in a value of STATUS32: flags, the interrupt threshold E, the register
// bank RB.
func StatusText(v uint32) string {
	var list []string
	for _, b := range statusBits {
		if v>>b.bit&1 != 0 {
			list = append(list, b.name)
		}
	}
	list = append(list, fmt.Sprintf("E=%d", v>>1&15))
	if rb := v >> 16 & 7; rb != 0 {
		list = append(list, fmt.Sprintf("RB=%d", rb))
	}
	return strings.Join(list, " ")
}
