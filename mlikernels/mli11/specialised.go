package mli11

import (
	"fmt"
	"strings"
)

// specialisedHeader declares the specialised names; mli_api.h includes it. A test writes it and fails when it
// is not what it would write.
const specialisedHeader = "include/mli_specialised.h"

// specialised is the text of the header.
func specialised() string {
	var b strings.Builder
	b.WriteString(`/* Specialised names of MLI 1.1. Each is another name of a function of mli_api.h, and gives the same whenever
 * the call meets what the name says of kernel, channels, stride and padding. This file is generated. */
#ifndef MLI_SPECIALISED_H
#define MLI_SPECIALISED_H

#include "mli_types.h"

#ifdef __cplusplus
extern "C" {
#endif

`)
	for _, f := range functions() {
		for _, name := range f.kernel.Aliases {
			fmt.Fprintf(&b, "mli_status %s(%s);\n", name, strings.Join(f.parameters(), ", "))
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// parameters are the C parameters of a function.
func (f *function) parameters() []string {
	var list []string
	for i, a := range f.args {
		name := f.kernel.Arguments[i]
		switch a.kind {
		case argConfig:
			list = append(list, "const "+f.config.Name+" *"+name)
		case argTensors:
			list = append(list, "const mli_tensor **"+name)
		case argIn:
			list = append(list, "const mli_tensor *"+name)
		default:
			list = append(list, "mli_tensor *"+name)
		}
	}
	return list
}
