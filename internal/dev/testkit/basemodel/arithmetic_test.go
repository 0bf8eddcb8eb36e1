package basemodel_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/internal/dev/testkit/basemodel"
)

const integerAbout = "expected values from the integer definitions in internal/dev/testkit/basemodel."

// conds are the conditions.
var conds = []string{"eq", "ne", "p", "n", "c", "nc", "v", "nv", "gt", "ge", "lt", "le", "hi", "ls", "pnz"}

// coreFor is the core whose options an operation needs.
func coreFor(name string) string {
	switch name {
	case "adds", "subs", "adcs", "sbcs", "asls", "asrs", "abss", "negs":
		return "em9d"
	}
	return "em4"
}

// clamped adds the sticky overflow of a saturating operation.
func clamped(name string, out []string, f int) []string {
	if coreFor(name) == "em9d" && f&basemodel.V != 0 {
		out = append(out, "dsp_ctrl=0x10017")
	}
	return out
}

func arithmeticFiles() (all []*file) {
	byName := map[string]*file{}
	get := func(name string) *file {
		if byName[name] == nil {
			byName[name] = newFile(name, integerAbout)
			all = append(all, byName[name])
		}
		return byName[name]
	}
	for _, name := range slices.Sorted(maps.Keys(basemodel.Unaries)) {
		mnemonic := strings.TrimSuffix(name, "1")
		get(mnemonic).unary(mnemonic, basemodel.Unaries[name])
	}
	for _, name := range slices.Sorted(maps.Keys(basemodel.Binaries)) {
		get(name).binary(name, basemodel.Binaries[name])
	}
	for _, name := range slices.Sorted(maps.Keys(basemodel.Compares)) {
		get(name).compare(name, basemodel.Compares[name])
	}
	return all
}

// binary covers the operand forms of a,b,c.
func (f *file) binary(name string, op basemodel.Binary) {
	core := coreFor(name)
	emit := func(text string, x, y int64, in []string, dst string, setFlags bool) {
		fl := f.rng.IntN(16)
		z, nf := op(x, y, fl)
		out := []string{}
		if dst != "" {
			out = append(out, reg(dst, z))
		}
		out = clamped(name, out, clampOf(op, x, y, fl))
		if setFlags {
			out = append(out, flags(nf))
		}
		if len(out) == 0 {
			out = append(out, flags(fl))
		}
		f.add(vector{core: core, code: []string{text}, in: append(in, flags(fl)), out: out})
	}
	for i := range 16 {
		x, y := f.number(), f.number()
		if i == 0 {
			x, y = 0x80000000, 0xffffffff
		}
		suffix, set := "", i%2 == 0
		if set {
			suffix = ".f"
		}
		in := []string{reg("r0", x), reg("r2", y)}
		emit(name+suffix+" r4,r0,r2", x, y, in, "r4", set)
	}
	x, y := f.number(), f.number()
	emit(name+".f 0,r0,r2", x, y, []string{reg("r0", x), reg("r2", y)}, "", true)
	emit(name+" r2,r0,r2", x, y, []string{reg("r0", x), reg("r2", y)}, "r2", false)
	emit(name+".f r3,r3,r3", x, x, []string{reg("r3", x)}, "r3", true)
	for _, u6 := range []int64{0, 31, 63} {
		x = f.number()
		emit(fmt.Sprintf("%s.f r4,r0,%d", name, u6), x, u6, []string{reg("r0", x)}, "r4", true)
	}
	for _, s12 := range []int64{-2048, -1, 100, 2047} {
		x = f.number()
		emit(fmt.Sprintf("%s.f r0,r0,%d", name, s12), x, s12&0xffffffff, []string{reg("r0", x)}, "r0", true)
	}
	for _, limm := range []int64{0x12345678, 0x80000000} {
		x = f.number()
		emit(fmt.Sprintf("%s.f r4,r0,0x%x", name, limm), x, limm, []string{reg("r0", x)}, "r4", true)
		emit(fmt.Sprintf("%s.f r4,0x%x,r0", name, limm), limm, x, []string{reg("r0", x)}, "r4", true)
	}
	emit(fmt.Sprintf("%s r4,0x12345678,0x12345678", name), 0x12345678, 0x12345678, nil, "r4", false)
	for _, cc := range conds[:6] {
		for _, u6 := range []bool{false, true} {
			fl := f.rng.IntN(16)
			x, y = f.number(), f.number()
			text := fmt.Sprintf("%s.%s.f r0,r0,r2", name, cc)
			in := []string{reg("r0", x), reg("r2", y), flags(fl)}
			if u6 {
				y = 5
				text, in = fmt.Sprintf("%s.%s.f r0,r0,5", name, cc), []string{reg("r0", x), flags(fl)}
			}
			z, nf := op(x, y, fl)
			out := clamped(name, []string{reg("r0", z), flags(nf)}, clampOf(op, x, y, fl))
			if !basemodel.Holds(cc, fl) {
				out = []string{reg("r0", x), flags(fl)}
			}
			f.add(vector{core: core, code: []string{text}, in: in, out: out})
		}
	}
}

// clampOf is V of the operation as its .f form would set it.
func clampOf(op basemodel.Binary, x, y int64, fl int) int {
	_, f := op(x, y, fl)
	return f & basemodel.V
}

// compare covers the operand forms of b,c without a destination.
func (f *file) compare(name string, op basemodel.Binary) {
	emit := func(text string, x, y int64, in ...string) {
		fl := f.rng.IntN(16)
		_, nf := op(x, y, fl)
		f.add(vector{code: []string{text}, in: append(in, flags(fl)), out: []string{flags(nf)}})
	}
	for range 16 {
		x, y := f.number(), f.number()
		emit(name+" r0,r2", x, y, reg("r0", x), reg("r2", y))
	}
	x := f.number()
	emit(name+" r0,37", x, 37, reg("r0", x))
	emit(name+" r0,-1500", x, 0xffffffff&-1500, reg("r0", x))
	emit(name+" r0,0x87654321", x, 0x87654321, reg("r0", x))
	emit(name+" 0x87654321,r0", 0x87654321, x, reg("r0", x))
	for _, cc := range conds {
		fl := f.rng.IntN(16)
		x, y := f.number(), f.number()
		_, nf := op(x, y, fl)
		if !basemodel.Holds(cc, fl) {
			nf = fl
		}
		f.add(vector{code: []string{name + "." + cc + " r0,r2"}, in: []string{reg("r0", x), reg("r2", y), flags(fl)},
			out: []string{flags(nf)}})
	}
}

// unary covers the operand forms of b,c.
func (f *file) unary(name string, op basemodel.Unary) {
	core := coreFor(name)
	emit := func(text string, y int64, dst string, set bool, in ...string) {
		fl := f.rng.IntN(16)
		z, nf := op(y, fl)
		var out []string
		if dst != "" {
			out = append(out, reg(dst, z))
		}
		out = clamped(name, out, nf&basemodel.V)
		if set {
			out = append(out, flags(nf))
		}
		f.add(vector{core: core, code: []string{text}, in: append(in, flags(fl)), out: out})
	}
	for i, y := range append(edges, f.number(), f.number(), f.number()) {
		if i%2 == 0 {
			emit(name+".f r4,r2", y, "r4", true, reg("r2", y))
		} else {
			emit(name+" r4,r2", y, "r4", false, reg("r2", y))
		}
	}
	y := f.number()
	if name != "neg" { // GNU as takes the 0 for r0
		emit(name+".f 0,r2", y, "", true, reg("r2", y))
	}
	emit(name+".f r2,r2", y, "r2", true, reg("r2", y))
	emit(name+".f r4,0x80018001", 0x80018001, "r4", true)
	if name == "neg" {
		return
	}
	emit(name+".f r4,45", 45, "r4", true)
	emit(name+" r58,r2", y, "r58", false, reg("r2", y))
	emit(name+" r4,r59", y, "r4", false, reg("r59", y))
	if name != "mov" {
		return
	}
	emit("mov r4,-2048", 0xfffff800, "r4", false)
	emit("mov lp_count,r2", y, "r60", false, reg("r2", y))
	for _, cc := range conds {
		fl := f.rng.IntN(16)
		y := f.number()
		z, nf := op(y, fl)
		out := []string{reg("r4", z), flags(nf)}
		if !basemodel.Holds(cc, fl) {
			out = []string{flags(fl)}
		}
		f.add(vector{code: []string{"mov." + cc + ".f r4,r2"}, in: []string{reg("r2", y), flags(fl)}, out: out})
	}
}
