package mli

import (
	"strings"

	"arcv2dsp/mlikernels/internal/cstruct"
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
