package dspmodel_test

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/dev/testkit/dspmodel"
)

// aguState is the state that the AGU cases set: modifiers, offsets, pointers and the memory they reach.
type aguState struct {
	mods     map[int]uint32
	offsets  []uint32
	pointers map[int]uint32
	mem      map[uint32][]byte
}

// Memory that no code of a test lies in: X and Y.
var portMemory = []uint32{0xc0000100, 0xe0000200, 0xc0000400}

func newAGU(draw dspmodel.Operands) *aguState {
	a := &aguState{mods: map[int]uint32{}, pointers: map[int]uint32{}, mem: map[uint32][]byte{}}
	for range 8 {
		a.offsets = append(a.offsets, uint32(int32(draw.IntN(256)-128)))
	}
	// window sizes that are none, no power of two, and a power of two
	a.offsets[5], a.offsets[6], a.offsets[7] = 0, uint32(3+draw.IntN(90)), 32
	return a
}

func (a *aguState) modifier(n int) dspmodel.Modifier {
	return dspmodel.Modifier{Word: a.mods[n], Offsets: a.offsets}
}

func (a *aguState) in(b *strings.Builder, ports ...int) {
	for k, v := range a.offsets {
		fmt.Fprintf(b, " os%d=%#x", k, v)
	}
	seen := map[int]bool{}
	for _, n := range ports {
		fmt.Fprintf(b, " mod%d=%#x", n, a.mods[n])
		if p := a.modifier(n).Pointer(); p < 12 && !seen[p] {
			seen[p] = true
			fmt.Fprintf(b, " ap%d=%#x", p, a.pointers[p])
		}
	}
	for _, addr := range portMemory {
		if bytes := a.mem[addr]; bytes != nil {
			fmt.Fprintf(b, " mem[%#x]=% x", addr, bytes)
		}
	}
}

// applyFile returns the vector file of modapp or modif.
func applyFile(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: pointer updates from the element-by-element model in internal/dev/testkit/dspmodel.\n", name)
	b.WriteString("# Regenerate: go test ./internal/dev/testkit/dspmodel -run Vectors -update\ncore em9d\n")
	draw := dspmodel.NewOperands(uint64(len(name)))
	for i := range 56 {
		a := newAGU(draw)
		n := draw.IntN(24)
		a.mods[n] = draw.Modifier()
		m := a.modifier(n)
		a.pointers[m.Pointer()] = draw.Uint32()
		f := form{name: name, dst: limmReg, c: source{reg: 32 + n}}
		if name == "modif" {
			f.c = source{imm: true, val: int32(n)}
			if i%2 == 0 {
				f.c = source{reg: 2}
			}
		}
		fmt.Fprintf(&b, "case name=apply-%d\n  code  %s ; %x\n  in   ", i+1, f.text(), f.encode())
		if f.c.reg == 2 {
			fmt.Fprintf(&b, " r2=%d", n)
		}
		a.in(&b, n)
		if m.Steppable() {
			fmt.Fprintf(&b, "\n  out   ap%d=%#x%s\n", m.Pointer(), m.Next(a.pointers[m.Pointer()]), cost(1, 0))
		} else {
			b.WriteString("\n  out   trap=0x020000" + cost(0, 1) + "\n")
		}
	}
	refused := []form{{name: name, c: source{imm: true, val: 24}}, {name: name, c: source{imm: true, val: 63}}}
	if name == "modapp" {
		refused = []form{
			{name: name, dst: 4, c: source{reg: 32}}, // only the form without a destination is known
			{name: name, dst: limmReg, c: source{reg: 2}},
			{name: name, dst: limmReg, c: source{imm: true, val: 3}},
		}
	}
	for i, f := range refused {
		fmt.Fprintf(&b, "case name=refused-%d\n  code  %s ; %x\n  in    r2=1 mod0=0x200402e0 ap0=0x1000\n  out   trap=0x020000%s\n", i+1, f.text(), f.encode(), cost(0, 1))
	}
	return b.String()
}

// portForms are instructions whose operands may be ports in the cases appended to their files.
var portForms = set(`dmachbl dmachbm vmac2h vmac2hf dmachfr vmax2h vadds2h asrsr getacc mac mpy`)

// portCases returns cases whose operands are AGU ports: source b is r32, source c r33, and the
// destination r34 where the result is one word. Pointers are often shared: accesses happen in that
// order, each seeing the updates of those before.
func portCases(name string) string {
	var b strings.Builder
	draw := dspmodel.NewOperands(uint64(len(name)) * 77)
	count := 0
	for count < 12 {
		a := newAGU(draw)
		for n := range 3 {
			a.mods[n] = draw.Modifier()
			if draw.IntN(3) == 0 && n > 0 {
				a.mods[n] = a.mods[n]&^15 | a.mods[0]&15
			}
		}
		ok := true
		for n := range 3 {
			ok = ok && a.modifier(n).Accessible()
		}
		if !ok {
			continue
		}
		for _, addr := range portMemory {
			var bytes []byte
			for range 16 {
				w := draw.Word()
				bytes = append(bytes, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
			}
			a.mem[addr] = bytes
		}
		for n := range 3 {
			p := a.modifier(n).Pointer()
			a.pointers[p] = portMemory[n] + uint32(8+draw.IntN(32))
		}
		text, fits := a.portCase(draw, name)
		if !fits {
			continue // a shared pointer left the memory of this case
		}
		count++
		fmt.Fprintf(&b, "case name=ports-%d\n%s", count, text)
	}
	return b.String()
}

// portCase evaluates one case.
func (a *aguState) portCase(draw dspmodel.Operands, name string) (text string, fits bool) {
	var b strings.Builder
	f := form{name: name, dst: 34, b: source{reg: 32}, c: source{reg: 33}}
	ports := []int{0, 1, 2}
	if opcodes[name].operands == twoOp {
		f.b, ports = source{reg: 0}, []int{1, 2}
	}
	in := draw.In(name, false)
	in.Lo, in.Hi = draw.Lanes()
	in.RM = []int{0, 2, 3}[draw.IntN(3)] // 1 is reserved
	now := map[int]uint32{}
	for p, v := range a.pointers {
		now[p] = v
	}
	lost, reads := 0, map[uint32]int{}
	access := func(n int) (addr uint32) {
		m := a.modifier(n)
		addr = now[m.Pointer()]
		if addr%uint32(m.Bytes()) != 0 {
			lost += lostUnaligned
		}
		now[m.Pointer()] = m.Next(addr)
		return addr
	}
	window := func(addr uint32, size int) []byte {
		for base, bytes := range a.mem {
			if addr >= base && addr+uint32(size) <= base+uint32(len(bytes)) {
				return bytes[addr-base:][:size]
			}
		}
		return nil
	}
	load := func(n int) (uint64, bool) {
		m := a.modifier(n)
		addr := access(n)
		w := window(addr, m.Bytes())
		if w == nil {
			return 0, false
		}
		if reads[addr>>28]++; reads[addr>>28] > 1 { // X is at 0xc..., Y at 0xe...
			lost += lostBank
		}
		return uint64(m.Load(w)), true
	}
	var ok bool
	if len(ports) == 3 {
		if in.X, ok = load(0); !ok {
			return "", false
		}
	}
	if in.Y, ok = load(1); !ok {
		return "", false
	}
	out, _ := dspmodel.Eval(name, in)
	toPort := !out.Pair
	var before strings.Builder
	if !toPort {
		f.dst, ports = 4, []int{0, 1}
	}
	a.in(&before, ports...)
	fmt.Fprintf(&b, "  code  %s ; %x\n  in   %s acclo=%s acchi=%s dsp_ctrl=%#x f=%s\n  out  ", f.text(), f.encode(), before.String(), lane(in.Lo), lane(in.Hi), ctrl(in.Mode), flags(in.Flags))
	if toPort {
		addr := access(2)
		bytes := a.modifier(2).Store(uint32(out.Z))
		if window(addr, len(bytes)) == nil {
			return "", false
		}
		fmt.Fprintf(&b, " mem[%#x]=% x", addr, bytes)
	} else {
		fmt.Fprintf(&b, " r4=%#x r5=%#x", uint32(out.Z), out.Z>>32)
	}
	if out.UsesAcc {
		fmt.Fprintf(&b, " acclo=%s acchi=%s", lane(out.Lo), lane(out.Hi))
	}
	seen := map[int]bool{}
	for _, n := range ports {
		if p := a.modifier(n).Pointer(); !seen[p] {
			seen[p] = true
			fmt.Fprintf(&b, " ap%d=%#x", p, now[p])
		}
	}
	if out.Events != 0 {
		fmt.Fprintf(&b, " dsp_ctrl=%#x", ctrl(in.Mode)|1<<16)
	}
	b.WriteString(cost(1, lost) + "\n")
	return b.String(), true
}
