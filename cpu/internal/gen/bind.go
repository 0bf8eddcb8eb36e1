package main

import "go/types"

// bound says how an operand is fetched into a case, or a result stored.
type bound struct {
	typ  string
	text string
}

// operands binds the parameter names of instruction functions.
var operands = map[string]bound{
	"x":      {"uint32", "c.R[u.B]"},
	"y":      {"uint32", "c.R[u.C] + u.Imm"},
	"x64":    {"uint64", "*(*uint64)(unsafe.Pointer(&c.R[u.B]))"},
	"y64":    {"uint64", "*(*uint64)(unsafe.Pointer(&c.R[u.C]))"},
	"fl":     {"uint32", "c.F"},
	"lo":     {"int64", "*(*int64)(unsafe.Pointer(&c.R[cpu.SlotAccLo]))"},
	"hi":     {"int64", "*(*int64)(unsafe.Pointer(&c.R[cpu.SlotAccHi]))"},
	"wide":   {"uint64", "uint64(c.R[cpu.SlotAccLo]) | uint64(c.R[cpu.SlotAccHi])<<32"},
	"guard":  {"int32", "int32(c.R[cpu.SlotGuardHi])"},
	"sticky": {"uint32", "c.Sticky"},
}

// results binds the result names. The text is a statement with the value as its only operand.
// wide2 and guard2 are stored together: see storeWide.
var results = map[string]bound{
	"f":      {"uint32", "c.F = %s"},
	"q":      {"uint32", "c.Sticky |= %s"},
	"lo2":    {"int64", "*(*int64)(unsafe.Pointer(&c.R[cpu.SlotAccLo])) = %s"},
	"hi2":    {"int64", "*(*int64)(unsafe.Pointer(&c.R[cpu.SlotAccHi])) = %s"},
	"wide2":  {"uint64", ""},
	"guard2": {"int32", ""},
	"z":      {"uint32", "c.R[u.A] = %s"},
	"z64":    {"uint64", "*(*uint64)(unsafe.Pointer(&c.R[u.A])) = %s"},
}

// storeOrder is the order in which results are stored: the destination last, as it may be an
// accumulator register.
var storeOrder = []string{"f", "q", "lo2", "hi2", "wide2", "z", "z64"}

// storeWide writes the wide accumulator. The high lane is one 64-bit store, because a lane that is
// read back as one number must not have been written in two halves.
const (
	storeWideLow  = "c.R[cpu.SlotAccLo] = uint32(%s)"
	storeWideHigh = "*(*uint64)(unsafe.Pointer(&c.R[cpu.SlotAccHi])) = %s>>32 | uint64(uint32(%s))<<32"
	storeWordHigh = "c.R[cpu.SlotAccHi] = uint32(%s >> 32)"
)

// operand returns the binding of a parameter name; fields of dspunit.Mode are found by their name
// with a small first letter.
func (s *sources) operand(name string) (bound, bool) {
	if b, ok := operands[name]; ok {
		return b, true
	}
	for _, m := range s.mode {
		if m.param == name {
			return bound{m.typ, "c.Mode." + m.field}, true
		}
	}
	return bound{}, false
}

func (f *function) takes(name string) bool   { return has(f.sig.Params(), name) }
func (f *function) returns(name string) bool { return has(f.sig.Results(), name) }

func has(t *types.Tuple, name string) bool {
	for v := range t.Variables() {
		if v.Name() == name {
			return true
		}
	}
	return false
}

// store writes the statements that put results, given by name, in their places. Flags are stored
// only when wanted; the destination goes through dst. A parked position is taken up before that.
func (x *expander) store(values map[string]string, flags bool, dst string) {
	unparked := false
	for _, name := range storeOrder {
		v, ok := values[name]
		switch {
		case !ok || name == "f" && !flags:
		case name == "wide2":
			x.line(storeWideLow, v)
			if g, ok := values["guard2"]; ok {
				x.line(storeWideHigh, v, g)
			} else {
				x.line(storeWordHigh, v)
			}
		case name == "z":
			x.line(unparkHere)
			unparked = true
			x.line(dst, v)
		case name == "z64":
			x.line(unparkHere)
			unparked = true
			x.line(results[name].text, v)
		default:
			x.line(results[name].text, v)
		}
	}
	if !unparked {
		x.line(unparkHere)
	}
}

// fetch writes the statements that load the operands of f into variables and returns their names.
// over replaces the text of some operands.
func (x *expander) fetch(f *function, over map[string]string) []string {
	var args []string
	for v := range f.sig.Params().Variables() {
		b, _ := x.operand(v.Name())
		text := b.text
		if t, ok := over[v.Name()]; ok {
			text = t
		}
		if !isName(text) {
			x.line("%s := %s", v.Name(), text)
			text = v.Name()
		}
		args = append(args, text)
	}
	return args
}

// body writes fetch and expansion of f and returns its results by name.
func (x *expander) body(f *function, over map[string]string) map[string]string {
	values := map[string]string{}
	vars := x.expand(f, x.fetch(f, over))
	i := 0
	for v := range f.sig.Results().Variables() {
		values[v.Name()] = vars[i]
		i++
	}
	return values
}
