package arcq

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// tree has the includes of the kernels, and the functions that are no kernels.
//
//go:embed */*.inc helpers/*.s
var tree embed.FS

// typeColumns are the combinations of types, in the order of lists: data, then weights where they differ.
var typeColumns = []string{"s8", "s16", "s32", "s16s8", "s64", "u8", "u32", "u64"}

// paramsInclude is the include with the offsets in parameter blocks and the status codes.
const paramsInclude = "shared/arcq.inc"

// Collection is the library.
var Collection = sync.OnceValue(func() *kernel.Collection {
	c := kernel.Collection{
		Name:      "arcq",
		Title:     "arcq: quantized integers",
		Prefix:    "arcq_",
		Tree:      tree,
		Include:   []string{"shared"},
		Texts:     map[string]string{paramsInclude: include()},
		Types:     typeColumns,
		Roundings: []nn.Rounding{nn.Double, nn.Single},
		Symbols:   "ARCQ",
		SmallAGU:  true,
		Archives:  map[string]nn.Rounding{"libarcq.a": nn.Double},
		Headers:   func() (map[string]string, error) { return map[string]string{"arcq.h": header()}, nil },
	}
	for _, r := range rows() {
		c.Kernels = append(c.Kernels, r.kernel())
	}
	return kernel.NewCollection(c)
})

// blockText declares the parameter blocks.
//
//go:embed blocks.h
var blockText string

// declared is a structure of blocks.h.
var declared = cstruct.Declared(blockText)

//go:embed tflm
var tflm embed.FS

// TFLM is the kernel folder for TensorFlow Lite Micro: files by name.
func TFLM() (map[string][]byte, error) {
	files := map[string][]byte{}
	list, err := fs.ReadDir(tflm, "tflm")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if files[f.Name()], err = fs.ReadFile(tflm, "tflm/"+f.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// blocks lists the parameter blocks of kernels and what they point to, each once.
func blocks(rows []row) []*cstruct.Struct {
	var all []*cstruct.Struct
	seen := map[*cstruct.Struct]bool{}
	for _, r := range rows {
		for _, s := range append(slices.Clone(r.tables), r.walk(), r.records, r.params) {
			if s != nil && !seen[s] {
				seen[s] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// include is the assembly text with the status codes and the offsets in parameter blocks.
func include() string {
	var b strings.Builder
	b.WriteString("; Status codes, and offsets in parameter blocks. This text follows from their descriptions.\n\n")
	for s, name := range statusNames {
		fmt.Fprintf(&b, "\t.equ\t%s,%d\n", name, s)
	}
	for _, s := range blocks(slices.Concat(rows(), floatRows())) {
		b.WriteString("\n" + s.Asm())
	}
	b.WriteString("\n" + fetchParams.Asm())
	return b.String()
}

// header is the C header.
func header() string {
	var b strings.Builder
	b.WriteString(`/* Quantized-integer kernels for ARCv2DSP cores. Every function takes a parameter block, returns a status
 * and writes nothing when it is not ARCQ_OK. Numbers behind the members are their offsets. */
#ifndef ARCQ_H
#define ARCQ_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
`)
	for s, name := range statusNames {
		fmt.Fprintf(&b, "    ARCQ_%s = %d,\n", name, s)
	}
	b.WriteString("};\n")
	for _, s := range blocks(rows()) {
		b.WriteString("\n" + s.C())
		for _, r := range rows() {
			if r.params == s {
				fmt.Fprintf(&b, "int %s(const struct %s *p);\n", r.symbol, s.Name)
			}
		}
	}
	fmt.Fprintf(&b, "\n%sint arcq_fetch(const struct %s *p);\n", fetchParams.C(), fetchParams.Name)
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}
