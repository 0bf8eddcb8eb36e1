package mli11

import (
	"arcv2dsp/mlikernels/mli"
	"fmt"
	"strings"
)

// kernelsHeader declares the kernels; mli_api.h includes it. It follows from the rows: a test writes it and fails
// when it is not what it would write.
const kernelsHeader = "include/mli_kernels.h"

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
