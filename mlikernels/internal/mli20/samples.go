package mli20

import (
	"fmt"
	"strings"

	"arcv2dsp/nn/golden"
)

// sampleIncludes are the includes with the tables that the library creates, by path.
func sampleIncludes() map[string]string {
	files := map[string]string{}
	for name, t := range golden.MLI20Tables() {
		var b strings.Builder
		fmt.Fprintf(&b, "; The table of %s. This text follows from its function.\n", name)
		fmt.Fprintf(&b, "\t.equ\tLUT_SAMPLES,%d\n\t.equ\tLUT_STEP_BITS,%d\n\t.equ\tLUT_VALUE_BITS,%d\n\t.equ\tLUT_ZERO,%d\n",
			len(t.Data), t.InFrac, t.OutFrac, t.Offset)
		b.WriteString("\t.section .rodata\n\t.align\t4\n.Lsamples:\n")
		for _, v := range t.Data {
			fmt.Fprintf(&b, "\t.short\t%d\n", v)
		}
		b.WriteString("\t.align\t4\n\t.text\n")
		files["shared/lut_"+name+".inc"] = b.String()
	}
	return files
}
