package mli20

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn/golden"
)

// elementTypes are the values of mli_element_type.
var elementTypes = map[golden.MLIType]uint32{golden.FX8: 0x8, golden.FX16: 0x10, golden.SA8: 0x108, golden.SA32: 0x120, golden.FP32: 0x220}

// elementNames are their names in assembly sources.
var elementNames = map[golden.MLIType]string{golden.FX8: "EL_FX_8", golden.FX16: "EL_FX_16", golden.SA8: "EL_ASYM_I8", golden.SA32: "EL_ASYM_I32", golden.FP32: "EL_FP_32"}

// layoutText is the assembly include with the offsets of the structures.
func layoutText() string {
	var b strings.Builder
	b.WriteString("; Offsets in the structures of the MLI 2.0 interface, types and statuses. This text follows from their descriptions.\n")
	for _, s := range structs.All() {
		if s != structs.Params { // sources see them as parts of a tensor
			b.WriteString("\n" + s.Asm())
		}
	}
	b.WriteString("\n; mli_element_type\n")
	var types []golden.MLIType
	for t := range elementTypes {
		types = append(types, t)
	}
	slices.Sort(types)
	for _, t := range types {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", elementNames[t], elementTypes[t])
	}
	return b.String()
}
