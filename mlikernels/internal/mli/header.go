package mli

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/program/cstruct"
)

// StatusEnum is mli_status with the statuses of a version, of which last is the greatest.
func StatusEnum(last Status) *cstruct.Enum {
	e := &cstruct.Enum{Name: "mli_status", Large: "MLI_STATUS_LARGE_ENUM"}
	for s := StatusOK; s <= last; s++ {
		e.Members = append(e.Members, cstruct.Member{Name: "MLI_STATUS_" + s.String(), Value: int(s)})
	}
	return e
}

// TypesHeader is the text of mli_types.h of a version, without its guards.
func TypesHeader(about string, enums []*cstruct.Enum, structs []*cstruct.Struct) string {
	var b strings.Builder
	b.WriteString("/* " + about + " Numbers behind members are offsets. */\n" +
		"#include <stdbool.h>\n#include <stdint.h>\n\n#include \"mli_config.h\"\n")
	for _, e := range enums {
		b.WriteString("\n" + e.Typedef())
	}
	for _, s := range structs {
		b.WriteString("\n" + s.Typedef())
	}
	return b.String()
}

// Guarded is the text of a generated header between its guards.
func Guarded(name, text string) string {
	return "/* This file is generated. */\n#ifndef " + name + "\n#define " + name + "\n\n" + text + "\n#endif\n"
}

// IndexNames are groups of names for the dimensions of a shape, each numbered from 0: a prefix, the letters of the dimensions
// and the order that they are in.
type IndexNames struct{ Prefix, Letters, Order string }

// Indices defines the names.
func Indices(groups ...IndexNames) string {
	var b strings.Builder
	b.WriteString("\n/* Dimensions of shapes: feature maps and filters in the order that the name ends with. */\n")
	for _, g := range groups {
		for i, letter := range g.Letters {
			fmt.Fprintf(&b, "#define %s_%c_DIM_%s %d\n", g.Prefix, letter, g.Order, i)
		}
	}
	return b.String()
}
