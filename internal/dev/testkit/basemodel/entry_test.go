package basemodel_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Every case that ends in an exception has a twin that goes on to the first instruction of the
// handler: the saved registers, the new status, and the time it takes.

// exception is the trap of a case: the cause register.
type exception int64

func (e exception) vector() int64 { return int64(e) >> 16 }

// completes reports whether the instruction counts as executed: swi and trap_s, which return to the
// instruction behind them.
func (e exception) completes() bool { return e.vector() == 8 || e.vector() == 9 }

// exception returns the exception that the case ends in.
func (v vector) exception() (exception, bool) {
	n, ok := value(v.out, "trap")
	return exception(n), ok
}

// value finds a number among assignments.
func value(assignments []string, name string) (n int64, ok bool) {
	for _, a := range assignments {
		if text, found := strings.CutPrefix(a, name+"="); found {
			n, err := strconv.ParseInt(text, 0, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// entered is the twin of a case.
func (v vector) entered(e exception) vector {
	const vectors, handler, bta = 0x30000, 0x10400, 0x5678
	old, stated := value(v.in, "status32")
	in := slices.Clone(v.in)
	if !stated {
		in = append(slices.DeleteFunc(in, func(s string) bool { return strings.HasPrefix(s, "f=") }), status(0))
	}
	in = append(in, reg("int_vector_base", vectors), reg("bta", bta),
		mem(vectors+4*e.vector(), store(handler, 4)))
	user := old&statusU != 0
	now := old&^(statusU|statusIE|statusDE|statusES|statusDZ|statusSC|flagZ) | statusAE | statusL
	out := []string{pc(handler), reg("ecr", int64(e)), reg("erbta", bta), reg("erstatus", old)}
	if user { // Z tells the handler where it comes from, and the stacks are exchanged
		now |= flagZ
		in = append(in, "r28=0x1000", "aux_user_sp=0x2000")
		out = append(out, "r28=0x2000", "aux_user_sp=0x1000")
	}
	out = append(out, status(now))
	back, insts := int64(here), 0
	if e.completes() {
		size := int64(4)
		if strings.HasSuffix(strings.Fields(v.code[0])[0], "_s") {
			size = 2
		}
		back, insts = here+size, 1
	}
	at := v.fault
	if at == 0 {
		at = here
	}
	out = append(out, reg("eret", back), reg("efa", at))
	total := 1 + lostEntry
	return vector{core: v.core, code: v.code, in: in, out: append(out,
		fmt.Sprintf("cycles=%d", total), fmt.Sprintf("insts=%d", insts))}
}
