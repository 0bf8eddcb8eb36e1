package mli11

import (
	"fmt"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/internal/program/mli11structs"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/mli"
)

// kernelsHeader declares the kernels; mli_api.h includes it. It follows from the rows: a test writes it and fails
// when it is not what it would write.
const kernelsHeader = "include/mli_kernels.h"

// typesHeader declares the structures and enumerations, which follow from their descriptions in the same way.
const typesHeader = "include/mli_types.h"

// descriptions is the text of that header.
func descriptions() string {
	enums := []*cstruct.Enum{mli.StatusEnum(mli.StatusTypeMismatch), mli11structs.ElementTypes, mlistructs.ReLUTypes, mli11structs.Modes,
		mlistructs.Activations, mlistructs.MoveStates}
	return mli.Guarded("MLI_TYPES_H", mli.TypesHeader("Tensors, configurations and statuses of the MLI 1.1 interface.", enums, mli11structs.All())+
		mli.Indices(mli.IndexNames{Prefix: "FMAP", Letters: "HWC", Order: "HWC"}, mli.IndexNames{Prefix: "KRNL", Letters: "CHWD", Order: "HWC"},
			mli.IndexNames{Prefix: "KRNL_DW", Letters: "DHWC", Order: "HWC"}))
}

// declarations is the text of the header.
func declarations() string {
	var b strings.Builder
	b.WriteString(`/* The kernels of libmli_arcv2.a, by operator. Names behind a function are other names of it: name_generic, and those
 * that MLI 1.1 has for special cases, which give the same whenever the call meets what the name says of kernel,
 * channels, stride and padding. This file is generated. */
#ifndef MLI_KERNELS_H
#define MLI_KERNELS_H

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif
`)
	family := ""
	for _, f := range functions() {
		if f.Family != family {
			family = f.Family
			fmt.Fprintf(&b, "\n/* %s. */\n", f.source.title)
		}
		for _, name := range f.names() {
			fmt.Fprintf(&b, "mli_status %s(%s);\n", name, strings.Join(mli.Parameters(f.args, f.config), ", "))
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// names are all names of a function, its own first.
func (f *function) names() []string {
	all := []string{f.Name}
	if f.source.generic {
		all = append(all, f.Name+"_generic")
	}
	return append(all, f.kernel.Aliases...)
}

// TestHeaders: the headers are those that follow from the rows and the descriptions.
func TestHeaders(t *testing.T) {
	for name, text := range map[string]string{kernelsHeader: declarations(), typesHeader: descriptions()} {
		goldenfile.File(t, name, text)
	}
}
