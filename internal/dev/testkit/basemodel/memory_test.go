package basemodel_test

import (
	"fmt"
	"strings"
)

const memoryAbout = "expected values from the byte definitions in internal/dev/testkit/basemodel."

// little reads a little-endian number of all the bytes.
func little(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v*256 + uint64(b[i])
	}
	return v
}

// store is v as bytes.
func store(v uint64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v % 256)
		v /= 256
	}
	return b
}

// extend makes 32 bits of a loaded number.
func extend(b []byte, signed bool) int64 {
	v := int64(little(b))
	half := int64(1)
	for range 8*len(b) - 1 {
		half *= 2
	}
	if signed && v >= half {
		v -= 2 * half
	}
	return v & 0xffffffff
}

func memoryFiles() []*file {
	all := []*file{loads(), stores(), loadsDouble(), storesDouble(), touches("prefetch", "em4"),
		touches("prealloc", "em4"), touches("prefetchw", "hs38"), tableLoads("ldi"), tableLoads("ldi_s"),
		exchanges(), locked("llock", "scond", 4, "em4"), conditional("llock", "scond", 4, "em4"),
		locked("llockd", "scondd", 8, "hs38"), conditional("llockd", "scondd", 8, "hs38"),
		shortLoads("ld_s", 4), shortLoads("ldb_s", 1), shortLoads("ldh_s", 2),
		shortStores("st_s", 4), shortStores("stb_s", 1), shortStores("sth_s", 2), pushes(), pops(), enters(), leaves()}
	for _, f := range all {
		f.nextUses()
	}
	return all
}

// width is a size of memory access as its suffix names it.
type width struct {
	suffix string
	bytes  int
	scale  int64
}

var widths = []width{{"", 4, 4}, {"b", 1, 1}, {"h", 2, 2}}

// mode is an address mode: where the access goes and what becomes of the base.
type mode struct {
	suffix       string
	before, back bool
	scaled       bool
}

var modes = []mode{{"", true, false, false}, {".aw", true, true, false}, {".ab", false, true, false},
	{".as", true, false, true}}

// place works out address and new base.
func (m mode) place(base, offset int64, w width) (addr, back int64) {
	if m.scaled {
		return base + offset*w.scale, base
	}
	addr, back = base, base
	if m.before {
		addr += offset
	}
	if m.back {
		back += offset
	}
	return addr, back
}

func loads() *file {
	f := newFile("ld", memoryAbout)
	for _, w := range widths {
		for _, x := range []string{"", ".x"} {
			if x != "" && w.bytes == 4 {
				continue
			}
			for _, m := range modes {
				if m.scaled && w.bytes == 1 {
					continue
				}
				for _, di := range []string{"", ".di"} {
					base := f.addr(8)
					offset := []int64{8, -16, 32, -64}[f.rng.IntN(4)]
					addr, back := m.place(base, offset, w)
					data := f.bytes(w.bytes)
					name := "ld" + w.suffix + x + m.suffix + di
					out := []string{reg("r4", extend(data, x != ""))}
					if m.back {
						out = append(out, reg("r3", back))
					}
					f.add(vector{code: []string{fmt.Sprintf("%s r4,[r3,%d]", name, offset)},
						in: []string{reg("r3", base), mem(addr, data)}, out: out})
					f.add(vector{code: []string{name + " r4,[r3,r2]"},
						in: []string{reg("r3", base), reg("r2", offset), mem(addr, data)}, out: out})
				}
			}
		}
	}
	data := f.bytes(4)
	f.add(vector{code: []string{"ld.ab r3,[r3,4]"}, in: []string{"r3=0x20000", mem(0x20000, data)},
		out: []string{reg("r3", extend(data, false))}})
	f.add(vector{code: []string{"ld r4,[0x20010]"}, in: []string{mem(0x20010, data)},
		out: []string{reg("r4", extend(data, false))}})
	f.add(vector{code: []string{"ld.as r4,[0x20000,r2]"}, in: []string{"r2=4", mem(0x20010, data)},
		out: []string{reg("r4", extend(data, false))}})
	f.add(vector{code: []string{"ld r4,[pcl,16]"}, in: []string{mem(0x10010, data)},
		out: []string{reg("r4", extend(data, false))}})
	f.add(vector{code: []string{"ldb.x r58,[r3]"}, in: []string{"r3=0x20003", mem(0x20003, []byte{0x80})},
		out: []string{"r58=0xffffff80"}})
	f.add(vector{code: []string{"ld r4,[r3]"}, in: []string{"r3=0x20002"}, out: []string{"trap=0x0d0000"}, fault: 0x20002})
	f.add(vector{code: []string{"ldh.ab r4,[r3,2]"}, in: []string{"r3=0x20001"}, out: []string{"trap=0x0d0000"}, fault: 0x20001})
	f.loadUses()
	return f
}

func stores() *file {
	f := newFile("st", memoryAbout)
	for _, w := range widths {
		for _, m := range modes {
			if m.scaled && w.bytes == 1 {
				continue
			}
			base := f.addr(8)
			offset := []int64{8, -16, 32, -64}[f.rng.IntN(4)]
			addr, back := m.place(base, offset, w)
			v := f.number()
			var out []string
			if m.back {
				out = append(out, reg("r3", back))
			}
			name := "st" + w.suffix + m.suffix
			f.add(vector{code: []string{fmt.Sprintf("%s r4,[r3,%d]", name, offset)},
				in: []string{reg("r3", base), reg("r4", v)}, out: append(out, mem(addr, store(uint64(v), w.bytes)))})
			f.add(vector{code: []string{fmt.Sprintf("%s -3,[r3,%d]", name, offset)},
				in: []string{reg("r3", base)}, out: append(out, mem(addr, store(1<<64-3, w.bytes)))})
			f.add(vector{code: []string{fmt.Sprintf("%s.di 0x12345678,[r3,%d]", name, offset)},
				in: []string{reg("r3", base)}, out: append(out, mem(addr, store(0x12345678, w.bytes)))})
		}
	}
	f.add(vector{code: []string{"st.aw r3,[r3,-4]"}, in: []string{"r3=0x20010"},
		out: []string{"r3=0x2000c", mem(0x2000c, store(0x20010, 4))}})
	f.add(vector{code: []string{"st r59,[0x20010]"}, in: []string{"r59=0x12345678"},
		out: []string{mem(0x20010, store(0x12345678, 4))}})
	f.add(vector{code: []string{"st lp_count,[r3]"}, in: []string{"r3=0x20010", "r60=77"},
		out: []string{mem(0x20010, store(77, 4))}})
	f.add(vector{code: []string{"st.ab r4,[r3,4]"}, in: []string{"r3=0x20001"}, out: []string{"trap=0x0d0000"}, fault: 0x20001})
	return f
}

var double = width{"", 8, 4}

func loadsDouble() *file {
	f := newFile("ldd", memoryAbout)
	for _, m := range modes {
		base, offset := f.addr(8), int64(16)
		addr, back := m.place(base, offset, double)
		data := f.bytes(8)
		out := []string{reg("r4", extend(data[:4], false)), reg("r5", extend(data[4:], false))}
		if m.back {
			out = append(out, reg("r3", back))
		}
		f.add(vector{core: "hs38", code: []string{fmt.Sprintf("ldd%s r4,[r3,16]", m.suffix)},
			in: []string{reg("r3", base), mem(addr, data)}, out: out})
		f.add(vector{core: "hs38", code: []string{fmt.Sprintf("ldd%s r4,[r3,r2]", m.suffix)},
			in: []string{reg("r3", base), reg("r2", offset), mem(addr, data)}, out: out})
	}
	data := f.bytes(8)
	f.add(vector{core: "hs38", code: []string{"ldd r4,[r3]"}, in: []string{"r3=0x20004", mem(0x20004, data)},
		out: []string{reg("r4", extend(data[:4], false)), reg("r5", extend(data[4:], false))}})
	f.add(vector{core: "hs38", code: []string{"ldd r4,[r3]"}, in: []string{"r3=0x20002"}, out: []string{"trap=0x0d0000"}, fault: 0x20002})
	return f
}

func storesDouble() *file {
	f := newFile("std", memoryAbout)
	for _, m := range modes {
		base, offset := f.addr(8), int64(-32)
		addr, back := m.place(base, offset, double)
		lo, hi := f.number(), f.number()
		out := []string{mem(addr, append(store(uint64(lo), 4), store(uint64(hi), 4)...))}
		if m.back {
			out = append(out, reg("r3", back))
		}
		f.add(vector{core: "hs38", code: []string{fmt.Sprintf("std%s r4,[r3,-32]", m.suffix)},
			in: []string{reg("r3", base), reg("r4", lo), reg("r5", hi)}, out: out})
	}
	f.add(vector{core: "hs38", code: []string{"std -5,[r3]"}, in: []string{"r3=0x20010"},
		out: []string{mem(0x20010, store(1<<64-5, 8))}})
	return f
}

// touches are hints: nothing changes but the base.
func touches(name, core string) *file {
	f := newFile(name, memoryAbout)
	f.add(vector{core: core, code: []string{name + " [r3,8]"}, in: []string{"r3=0x20000"}, out: []string{"r3=0x20000"}})
	f.add(vector{core: core, code: []string{name + ".aw [r3,8]"}, in: []string{"r3=0x20000"}, out: []string{"r3=0x20008"}})
	f.add(vector{core: core, code: []string{name + ".ab [r3,8]"}, in: []string{"r3=0x20000"}, out: []string{"r3=0x20008"}})
	f.add(vector{core: core, code: []string{name + " [r3,r2]"}, in: []string{"r3=0x20001", "r2=2"}, out: []string{"r3=0x20001"}})
	return f
}

func tableLoads(name string) *file {
	f := newFile(name, memoryAbout)
	data := f.bytes(4)
	index := []int64{0, 5, 31}
	for _, i := range index {
		f.add(vector{code: []string{fmt.Sprintf("%s r2,[%d]", name, i)},
			in: []string{"ldi_base=0x20000", mem(0x20000+4*i, data)}, out: []string{reg("r2", extend(data, false))}})
	}
	if name == "ldi" {
		f.add(vector{code: []string{"ldi r2,[r3]"}, in: []string{"ldi_base=0x20000", "r3=1000", mem(0x20000+4000, data)},
			out: []string{reg("r2", extend(data, false))}})
	}
	return f
}

func exchanges() *file {
	f := newFile("ex", memoryAbout)
	for _, di := range []string{"", ".di"} {
		data, v := f.bytes(4), f.number()
		f.add(vector{code: []string{"ex" + di + " r4,[r3]"}, in: []string{"r3=0x20010", reg("r4", v), mem(0x20010, data)},
			out: []string{reg("r4", extend(data, false)), mem(0x20010, store(uint64(v), 4))}})
	}
	f.add(vector{code: []string{"ex r4,[0x20020]"}, in: []string{"r4=1", mem(0x20020, []byte{9, 0, 0, 0})},
		out: []string{"r4=9", mem(0x20020, []byte{1, 0, 0, 0})}})
	f.add(vector{code: []string{"ex r4,[r3]"}, in: []string{"r3=0x20011"}, out: []string{"trap=0x0d0000"}, fault: 0x20011})
	return f
}

// registers names r4, or r4 and r5, with the numbers in data.
func registers(data []byte) []string {
	out := []string{reg("r4", extend(data[:4], false))}
	if len(data) == 8 {
		out = append(out, reg("r5", extend(data[4:], false)))
	}
	return out
}

func locked(load, store string, size int, core string) *file {
	f := newFile(load, memoryAbout)
	for _, di := range []string{"", ".di"} {
		data := f.bytes(size)
		f.add(vector{core: core, code: []string{load + di + " r4,[r3]"}, in: []string{"r3=0x20010", mem(0x20010, data)},
			out: registers(data)})
	}
	return f
}

func conditional(load, name string, size int, core string) *file {
	f := newFile(name, memoryAbout)
	old, v := f.bytes(size), f.bytes(size)
	with := append([]string{"r3=0x20010", "f=-N-V", mem(0x20010, old)}, registers(v)...)
	pair := load + " r12,[r3]"
	got := []string{reg("r12", extend(old[:4], false))}
	if size == 8 {
		got = append(got, reg("r13", extend(old[4:], false)))
	}
	f.add(vector{core: core, code: []string{pair, name + " r4,[r3]"}, in: with,
		out: append([]string{"f=ZN-V", mem(0x20010, v)}, got...)})
	f.add(vector{core: core, code: []string{name + " r4,[r3]"}, in: with, out: []string{"f=-N-V", mem(0x20010, old)}})
	f.add(vector{core: core, code: []string{pair, name + " r4,[r3]", name + " r4,[r3]"}, in: with,
		out: append([]string{"f=-N-V", mem(0x20010, v)}, got...)})
	f.add(vector{core: core, code: []string{pair, "st 7,[r3]", name + " r4,[r3]"}, in: with,
		out: append([]string{"f=-N-V", mem(0x20010, append([]byte{7, 0, 0, 0}, old[4:]...))}, got...)})
	return f
}

// shortForm is one way of a 16-bit instruction to name an address: the base, the offset, and the
// register that is loaded or stored.
type shortForm struct {
	data, base string
	offset     int64
	suffix     string
}

// spell writes the address; pcl is the address of the code.
func (s shortForm) spell() string {
	return fmt.Sprintf("%s,[%s,%d]", s.data, spelled(s.base), s.offset)
}

func spelled(register string) string {
	switch register {
	case "r28":
		return "sp"
	case "r26":
		return "gp"
	}
	return register
}

func shortLoads(name string, size int) *file {
	f := newFile(name, memoryAbout)
	forms := []shortForm{{data: "r1", base: "r13", offset: int64(31 * size)}, {data: "r15", base: "r0", offset: 0}}
	switch name {
	case "ld_s":
		forms = append(forms, shortForm{data: "r1", base: "r28", offset: 124}, shortForm{data: "r0", base: "r26", offset: -1024},
			shortForm{data: "r0", base: "r26", offset: 1020}, shortForm{data: "r1", base: "r26", offset: -1024},
			shortForm{data: "r0", base: "r20", offset: 4}, shortForm{data: "r3", base: "r25", offset: 12})
	case "ldb_s":
		forms = append(forms, shortForm{data: "r1", base: "r28", offset: 124}, shortForm{data: "r0", base: "r26", offset: -256})
	case "ldh_s":
		forms = append(forms, shortForm{data: "r2", base: "r3", offset: 62, suffix: ".x"},
			shortForm{data: "r0", base: "r26", offset: 510})
	}
	for _, s := range forms {
		base, data := f.addr(8), f.bytes(size)
		f.add(vector{code: []string{name + s.suffix + " " + s.spell()},
			in:  []string{reg(s.base, base), mem(base+s.offset, data)},
			out: []string{reg(s.data, extend(data, s.suffix != ""))}})
	}
	data := f.bytes(size)
	f.add(vector{code: []string{name + " r1,[r2,r3]"}, in: []string{"r2=0x20000", "r3=0x40", mem(0x20040, data)},
		out: []string{reg("r1", extend(data, false))}})
	if name == "ld_s" {
		f.add(vector{code: []string{"ld_s.as r1,[r2,r3]"}, in: []string{"r2=0x20000", "r3=0x10", mem(0x20040, data)},
			out: []string{reg("r1", extend(data, false))}})
		f.add(vector{code: []string{"ld_s r1,[pcl,1020]"}, in: []string{mem(0x10000+1020, data)},
			out: []string{reg("r1", extend(data, false))}})
	}
	return f
}

func shortStores(name string, size int) *file {
	f := newFile(name, memoryAbout)
	forms := []shortForm{{data: "r1", base: "r13", offset: int64(31 * size)}, {data: "r15", base: "r0", offset: 0}}
	switch name {
	case "st_s":
		forms = append(forms, shortForm{data: "r1", base: "r28", offset: 124}, shortForm{data: "r0", base: "r26", offset: -1024})
	case "stb_s":
		forms = append(forms, shortForm{data: "r1", base: "r28", offset: 124})
	}
	for _, s := range forms {
		base, v := f.addr(8), f.number()
		f.add(vector{code: []string{name + " " + s.spell()}, in: []string{reg(s.base, base), reg(s.data, v)},
			out: []string{mem(base+s.offset, store(uint64(v), size))}})
	}
	return f
}

func pushes() *file {
	f := newFile("push_s", memoryAbout)
	for _, r := range []string{"r13", "blink"} {
		name := map[string]string{"r13": "r13", "blink": "r31"}[r]
		f.add(vector{code: []string{"push_s " + r}, in: []string{"r28=0x20100", reg(name, 0x1234)},
			out: []string{"r28=0x200fc", mem(0x200fc, store(0x1234, 4))}})
	}
	return f
}

func pops() *file {
	f := newFile("pop_s", memoryAbout)
	for _, r := range []string{"r13", "blink"} {
		name := map[string]string{"r13": "r13", "blink": "r31"}[r]
		data := f.bytes(4)
		f.add(vector{code: []string{"pop_s " + r}, in: []string{"r28=0x20100", mem(0x20100, data)},
			out: []string{"r28=0x20104", reg(name, extend(data, false))}})
	}
	return f
}

// frame is a register list: r13 to r13+n-1, fp, blink.
type frame struct {
	n         int
	fp, blink bool
}

// order is how the registers lie on the stack, lowest address first.
func (fr frame) order() (regs []string) {
	if fr.blink {
		regs = append(regs, "r31")
	}
	for i := range fr.n {
		regs = append(regs, fmt.Sprintf("r%d", 13+i))
	}
	if fr.fp {
		regs = append(regs, "r27")
	}
	return regs
}

func (fr frame) spell(more ...string) string {
	var parts []string
	switch {
	case fr.n == 1:
		parts = append(parts, "r13")
	case fr.n > 1:
		parts = append(parts, fmt.Sprintf("r13-r%d", 12+fr.n))
	}
	if fr.fp {
		parts = append(parts, "fp")
	}
	if fr.blink {
		parts = append(parts, "blink")
	}
	return "[" + strings.Join(append(parts, more...), ",") + "]"
}

var frames = []frame{{1, false, false}, {3, false, true}, {14, true, true}, {0, true, false}, {0, false, true}, {5, true, false}}

func enters() *file {
	f := newFile("enter_s", memoryAbout)
	for _, fr := range frames {
		in, out := []string{"r28=0x20200"}, []string{}
		regs := fr.order()
		sp := int64(0x20200 - 4*len(regs))
		for i, r := range regs {
			v := f.number()
			in = append(in, reg(r, v))
			out = append(out, mem(sp+4*int64(i), store(uint64(v), 4)))
		}
		out = append(out, reg("r28", sp))
		if fr.fp {
			out = append(out, reg("r27", sp))
		}
		out = append(out, cost(1, lostFrame*(len(regs)-1))...)
		f.add(vector{code: []string{"enter_s " + fr.spell()}, in: in, out: out})
	}
	return f
}

func leaves() *file {
	f := newFile("leave_s", memoryAbout)
	for _, fr := range frames {
		for _, ret := range []bool{false, true} {
			regs := fr.order()
			sp := int64(0x20200)
			in, out := []string{reg("r28", sp)}, []string{}
			if fr.fp { // the frame is where fp points, whatever sp is
				in = []string{"r28=0x20100", reg("r27", sp)}
			}
			blink := int64(0x10400)
			if !fr.blink {
				in = append(in, reg("r31", blink))
			}
			for i, r := range regs {
				v := f.number()
				if r == "r31" {
					v = blink
				}
				in = append(in, mem(sp+4*int64(i), store(uint64(v), 4)))
				out = append(out, reg(r, v))
			}
			out = append(out, reg("r28", sp+4*int64(len(regs))))
			more, lost := []string{}, lostFrame*(len(regs)-1)
			if ret {
				more, out = []string{"pcl"}, append(out, "pc=0x10400")
				lost += lostJump
			}
			out = append(out, cost(1, lost)...)
			f.add(vector{code: []string{"leave_s " + fr.spell(more...)}, in: in, out: out})
		}
	}
	return f
}
