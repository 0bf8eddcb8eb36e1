package basemodel_test

import (
	"fmt"
	"slices"
	"strings"
)

// Cycle counts by hand, from the rules and numbers of docs/timing.md for the EM family: an
// instruction issues in one cycle, and these are lost beyond.
const (
	lostBranch      = 1 // taken: branch_taken
	lostBranchDelay = 0 // taken, with a delay slot: branch_taken_delay
	lostJump        = 2 // taken: jump_taken
	lostJumpDelay   = 1 // taken, with a delay slot: jump_taken_delay
	lostTable       = 1 // jli_s, ei_s, ldi read their table: table_access
	lostAtomic      = 1 // ex and scond access memory twice: atomic_access
	lostFrame       = 1 // each register of enter_s and leave_s after the first: frame_access
	lostReturn      = 2 // rtie: interrupt_return
	lostEntry       = 3 // an exception is entered: exception_entry
	lostLoad        = 1 // the next instruction uses what was loaded: load_use
)

// cost states cycles and instructions of a case.
func cost(insts, lost int) []string {
	return []string{fmt.Sprintf("cycles=%d", insts+lost), fmt.Sprintf("insts=%d", insts)}
}

// isCost finds the cost that a case states itself.
func isCost(out string) bool { return strings.HasPrefix(out, "cycles=") }

// costOf is the cost of a case that does not state it: its instructions one after the other, none
// waiting for another.
func (f *file) costOf(v vector) []string {
	if e, ok := v.exception(); ok {
		// the cycle in which it was found out
		if e.completes() {
			return cost(1, 0)
		}
		return cost(0, 1)
	}
	lost := 0
	for _, code := range v.code {
		switch name, _, _ := strings.Cut(code, " "); name {
		case "ldi", "ldi_s":
			lost += lostTable
		case "ex", "ex.di", "scond", "scondd":
			lost += lostAtomic
		case "rtie":
			lost += lostReturn
		}
	}
	return cost(len(v.code), lost)
}

// leapCost is the cost of a transfer of control.
func leapCost(text string, slot, taken bool) []string {
	insts, lost := 1, 0
	if slot {
		insts = 2
	}
	jump := strings.HasPrefix(text, "j")
	switch {
	case !taken:
	case jump && slot:
		lost = lostJumpDelay
	case jump:
		lost = lostJump
	case slot:
		lost = lostBranchDelay
	default:
		lost = lostBranch
	}
	return cost(insts, lost)
}

// loadUses are loads with instructions behind them: the loaded value arrives one cycle late.
func (f *file) loadUses() {
	in := []string{"r3=0x20000", "r7=5", mem(0x20000, []byte{0x10, 0, 2, 0}), mem(0x20010, []byte{9, 0, 0, 0})}
	for _, c := range []struct {
		code []string
		out  []string
		cost []string
	}{
		{code: []string{"ld r4,[r3]", "add r5,r4,1"}, // used at once
			out: []string{"r4=0x20010", "r5=0x20011"}, cost: cost(2, lostLoad)},
		{code: []string{"ld r4,[r3]", "add r6,r7,1", "add r5,r4,1"}, // used one later
			out: []string{"r4=0x20010", "r6=6", "r5=0x20011"}, cost: cost(3, 0)},
		{code: []string{"ld.ab r4,[r3,4]", "add r5,r3,1"}, // the base is there at once
			out: []string{"r4=0x20010", "r3=0x20004", "r5=0x20005"}, cost: cost(2, 0)},
		{code: []string{"ld r4,[r3]", "ld r5,[r4]"}, // as an address
			out: []string{"r4=0x20010", "r5=9"}, cost: cost(2, lostLoad)},
		{code: []string{"ld r4,[r3]", "st r4,[r3,8]"}, // as data of a store
			out: []string{"r4=0x20010", mem(0x20008, []byte{0x10, 0, 2, 0})}, cost: cost(2, lostLoad)},
		{code: []string{"ldb r4,[r3]", "ldb r5,[r3]", "add r6,r4,r5"}, // one of two arrives late
			out: []string{"r4=0x10", "r5=0x10", "r6=0x20"}, cost: cost(3, lostLoad)},
		{code: []string{"ld r4,[r3]", "breq r4,r7,64"}, // not taken
			out: []string{"r4=0x20010"}, cost: cost(2, lostLoad)},
		{code: []string{"ld r4,[r3]", "brne r4,r7,64"}, // taken, not predicted: forwards
			out: []string{"r4=0x20010", pc(here + 4 + 64)}, cost: cost(2, lostLoad+lostBranch)},
		{code: []string{"ld r4,[r3]", "brne r4,r7,-64"}, // predicted: the wait hides the branch
			out: []string{"r4=0x20010", pc(here + 4 - 64)}, cost: cost(2, lostLoad)},
		{code: []string{"ld r4,[r3]", "j [r4]"}, // as a target
			out: []string{"r4=0x20010", pc(0x20010)}, cost: cost(2, lostLoad+lostJump)},
	} {
		f.add(vector{code: c.code, in: in, out: append(c.out, c.cost...)})
	}
}

// nextUses puts an instruction behind the first case of a load that uses what was loaded; the last
// register of an ldd or llockd arrives as late as the first.
func (f *file) nextUses() {
	first := f.vectors[0]
	switch f.name {
	case "ldd", "llock", "llockd", "ex", "ldi", "ldi_s", "ld_s", "ldb_s", "ldh_s", "pop_s":
	default:
		return
	}
	loaded, v := "", int64(0)
	out := slices.DeleteFunc(slices.Clone(first.out), func(s string) bool {
		return isCost(s) || strings.HasPrefix(s, "insts=")
	})
	for _, s := range out {
		if name, _, _ := strings.Cut(s, "="); name[0] == 'r' && name != "r28" {
			loaded, v = name, must(value(out, name))
		}
	}
	user := fmt.Sprintf("sub r24,%s,1", loaded)
	add := vector{core: first.core, in: first.in, code: append(slices.Clone(first.code), user)}
	lost := lostLoad
	switch f.name {
	case "ex":
		lost += lostAtomic
	case "ldi", "ldi_s":
		lost += lostTable
	}
	add.out = append(append(out, reg("r24", v-1)), cost(2, lost)...)
	f.add(add)
}

func must(v int64, ok bool) int64 {
	if !ok {
		panic("a case without the value it loads")
	}
	return v
}

// passes are whole zero-overhead loops: neither lp nor the way back costs anything.
func (f *file) passes() {
	bounds := func(end int64) []string {
		return []string{reg("lp_start", here+4), reg("lp_end", here+end), "r60=0"}
	}
	for _, n := range []int{1, 2, 7} {
		f.add(vector{code: []string{"lp 8", "add r4,r4,3"}, in: []string{"r4=0", fmt.Sprintf("r60=%d", n)},
			out: append(append(bounds(8), reg("r4", int64(3*n))), cost(1+n, 0)...)})
		f.add(vector{code: []string{"lp 12", "add r4,r4,3", "sub r5,r5,1"},
			in:  []string{"r4=0", "r5=100", fmt.Sprintf("r60=%d", n)},
			out: append(append(bounds(12), reg("r4", int64(3*n)), reg("r5", int64(100-n))), cost(1+2*n, 0)...)})
		// the load is used in the next pass: all passes but the first wait
		f.add(vector{code: []string{"lp 12", "add r4,r4,r5", "ld r5,[r3]"},
			in:  []string{"r3=0x20000", "r4=0", "r5=0", mem(0x20000, []byte{9, 0, 0, 0}), fmt.Sprintf("r60=%d", n)},
			out: append(append(bounds(12), reg("r4", int64(9*(n-1))), "r5=9"), cost(1+2*n, (n-1)*lostLoad)...)})
	}
}
