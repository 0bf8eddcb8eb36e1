package mli20

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/mli20/structs"
	"arcv2dsp/nn/golden/mli"
)

// layoutInclude is the include with offsets, types and statuses.
const layoutInclude = "shared/mli_layout.inc"

// elementTypes are the values of mli_element_type.
var elementTypes = map[mli.Type]uint32{mli.FX8: 0x8, mli.FX16: 0x10, mli.SA8: 0x108, mli.SA32: 0x120, mli.FP32: 0x220}

// elementNames are their names in assembly sources.
var elementNames = map[mli.Type]string{mli.FX8: "EL_FX_8", mli.FX16: "EL_FX_16", mli.SA8: "EL_ASYM_I8", mli.SA32: "EL_ASYM_I32", mli.FP32: "EL_FP_32"}

// layoutText says to the assembly sources what the descriptions say.
func layoutText() string {
	var b strings.Builder
	b.WriteString("; Offsets in the structures of the MLI 2.0 interface, types and statuses. This text follows from their descriptions.\n")
	for _, s := range structs.All() {
		b.WriteString("\n" + s.Asm())
	}
	b.WriteString("\n; mli_element_type\n")
	var types []mli.Type
	for t := range elementTypes {
		types = append(types, t)
	}
	slices.Sort(types)
	for _, t := range types {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", elementNames[t], elementTypes[t])
	}
	b.WriteString("\n; mli_status\n")
	for s, name := range statusNames {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", name, s)
	}
	return b.String()
}
