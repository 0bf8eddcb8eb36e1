package basemodel_test

import (
	"fmt"

	"arcv2dsp/internal/dev/testkit/basemodel"
)

const branchAbout = "expected values from the rules for branches, in internal/dev/testkit/basemodel."

// here is the address of the first instruction of a vector.
const here = 0x10000

func pc(v int64) string { return fmt.Sprintf("pc=0x%x", v) }

// slot is a delay-slot instruction: it adds 1 to r25, which every case with a slot sets to 0.
const slot = "add r25,r25,1"

func branchFiles() (all []*file) {
	make := func(name string, fill func(f *file)) {
		f := newFile(name, branchAbout)
		fill(f)
		all = append(all, f)
	}
	make("b", func(f *file) {
		for _, o := range []int64{64, -64, 1000000, -8, 0x800000} {
			f.branch(fmt.Sprintf("b %d", o), "", 4, o, true, 0)
			f.branch(fmt.Sprintf("b.d %d", o), slot, 4, o, true, 0)
		}
		f.conditional(func(cc string) (string, string) { return "b." + cc + " 64", "b." + cc + ".d 64" }, 64)
	})
	make("bl", func(f *file) {
		for _, o := range []int64{64, -64, 1000000} {
			f.call(fmt.Sprintf("bl %d", o), "", 4, here+o, true, 0)
			f.call(fmt.Sprintf("bl.d %d", o), slot, 4, here+o, true, 0)
			f.call(fmt.Sprintf("bl.d %d", o), "nop_s", 4, here+o, true, 0)
		}
		for _, cc := range conds {
			fl := f.rng.IntN(16)
			f.call("bl."+cc+" 64", "", 4, here+64, basemodel.Holds(cc, fl), fl)
			f.call("bl."+cc+".d 64", slot, 4, here+64, basemodel.Holds(cc, fl), fl)
		}
	})
	relations := map[string]func(x, y int64) bool{
		"breq": func(x, y int64) bool { return x == y },
		"brne": func(x, y int64) bool { return x != y },
		"brlt": func(x, y int64) bool { return int32(x) < int32(y) },
		"brge": func(x, y int64) bool { return int32(x) >= int32(y) },
		"brlo": func(x, y int64) bool { return x < y },
		"brhs": func(x, y int64) bool { return x >= y },
		"bbit0": func(x, y int64) bool {
			for range y % 32 {
				x /= 2
			}
			return x%2 == 0
		},
		"bbit1": func(x, y int64) bool {
			for range y % 32 {
				x /= 2
			}
			return x%2 == 1
		},
	}
	for _, name := range []string{"breq", "brne", "brlt", "brge", "brlo", "brhs", "bbit0", "bbit1"} {
		make(name, func(f *file) { f.compareBranches(name, relations[name]) })
	}
	make("dbnz", func(f *file) {
		for _, v := range []int64{1, 2, 0, 0x80000000} {
			left := (v - 1) & 0xffffffff
			for _, d := range []string{"", ".d"} {
				in, out := []string{reg("r3", v)}, []string{reg("r3", left)}
				code := []string{"dbnz" + d + " r3,-64"}
				if d != "" {
					code, in, out = append(code, slot), append(in, "r25=0"), append(out, "r25=1")
				}
				if left != 0 {
					out = append(out, pc(here-64))
				}
				if d != "" && left != 0 {
					out = append(out, fmt.Sprintf("bta=0x%x", here-64))
				}
				out = append(out, leapCost(code[0], d != "", left != 0)...)
				f.add(vector{code: code, in: in, out: out})
			}
		}
	})
	make("j", func(f *file) {
		f.jump("j [r3]", "", 4, true, 0)
		f.jump("j.d [r3]", slot, 4, true, 0)
		f.add(vector{code: []string{"j 0x10400"}, out: append(cost(1, lostJump), pc(0x10400))})
		f.add(vector{code: []string{"j 40"}, in: []string{"f=----"}, out: append(cost(1, lostJump), pc(40))})
		for _, cc := range conds {
			fl := f.rng.IntN(16)
			f.jump("j."+cc+" [r3]", "", 4, basemodel.Holds(cc, fl), fl)
			f.jump("j."+cc+".d [r3]", slot, 4, basemodel.Holds(cc, fl), fl)
		}
	})
	make("jl", func(f *file) {
		f.jumpLink("jl [r3]", "", 4, true, 0)
		f.jumpLink("jl.d [r3]", slot, 4, true, 0)
		f.add(vector{code: []string{"jl 0x10400"}, out: append(cost(1, lostJump), pc(0x10400), reg("r31", here+8))})
		f.add(vector{code: []string{"jl [blink]"}, in: []string{"r31=0x10400"}, out: append(cost(1, lostJump), pc(0x10400), reg("r31", here+4))})
		for _, cc := range conds {
			fl := f.rng.IntN(16)
			f.jumpLink("jl."+cc+" [r3]", "", 4, basemodel.Holds(cc, fl), fl)
		}
	})
	make("lp", func(f *file) {
		f.add(vector{code: []string{"lp 32"}, in: []string{"r60=3"}, out: append(cost(1, 0), reg("lp_start", here+4), reg("lp_end", here+32))})
		f.add(vector{code: []string{"lp 4094"}, in: []string{"r60=0"}, out: append(cost(1, 0), reg("lp_start", here+4), reg("lp_end", here+4094))})
		for _, cc := range conds {
			fl := f.rng.IntN(16)
			if basemodel.Holds(cc, fl) {
				f.add(vector{code: []string{"lp" + cc + " 126"}, in: []string{flags(fl)},
					out: append(cost(1, 0), reg("lp_start", here+4), reg("lp_end", here+126))})
			} else {
				f.add(vector{code: []string{"lp" + cc + " 126"}, in: []string{flags(fl)}, out: append(cost(1, lostBranch), pc(here+126))})
			}
		}
		f.passes()
	})
	make("bi", func(f *file) {
		for _, i := range []int64{0, 1, 100} {
			f.add(vector{code: []string{"bi [r3]"}, in: []string{reg("r3", i)}, out: append(cost(1, lostJump), pc(here+4+4*i))})
		}
	})
	make("bih", func(f *file) {
		for _, i := range []int64{0, 1, 101} {
			f.add(vector{code: []string{"bih [r3]"}, in: []string{reg("r3", i)}, out: append(cost(1, lostJump), pc(here+4+2*i))})
		}
	})
	make("jli_s", func(f *file) {
		for _, i := range []int64{0, 1, 1023} {
			f.add(vector{code: []string{fmt.Sprintf("jli_s %d", i)}, in: []string{"jli_base=0x20000"},
				out: append(cost(1, lostJump+lostTable), pc(0x20000+4*i), reg("r31", here+2))})
		}
	})
	make("ei_s", func(f *file) {
		f.add(vector{code: []string{"ei_s 3"}, in: []string{"ei_base=0x20000", "r4=6", placed(0x2000c, "add r4,r4,1")},
			out: append(cost(1, lostTable), "r4=7")})
		f.add(vector{code: []string{"ei_s 1023"}, in: []string{"ei_base=0x20000", "r1=6", "r2=5", placed(0x20ffc, "add_s r0,r1,r2")},
			out: append(cost(1, lostTable), "r0=11")})
		f.add(vector{code: []string{"ei_s 0"}, in: []string{"ei_base=0x20000", "r3=0x10400", placed(0x20000, "j [r3]")},
			out: append(cost(1, lostTable+lostJump), pc(0x10400))})
		f.add(vector{code: []string{"ei_s 0"}, in: []string{"ei_base=0x20000", placed(0x20000, "b 64")},
			out: append(cost(1, lostTable+lostJump), pc(0x20040))})
		f.add(vector{code: []string{"ei_s 0"}, in: []string{"ei_base=0x20000", "r3=0x10400", placed(0x20000, "jl [r3]")},
			out: append(cost(1, lostTable+lostJump), pc(0x10400), reg("r31", here+2))})
		f.add(vector{code: []string{"ei_s 0"}, in: []string{"ei_base=0x20000", placed(0x20000, "ei_s 0")},
			out: []string{"trap=0x020100"}})
	})
	return append(all, shortBranchFiles()...)
}

// branch adds a branch by offset, with or without a delay slot.
func (f *file) branch(text, slot string, size, offset int64, taken bool, fl int) {
	f.leap(text, slot, size, here+offset, taken, fl, nil, nil)
}

// leap adds a transfer of control to target; in and out are its further inputs and effects.
func (f *file) leap(text, slot string, size, target int64, taken bool, fl int, in, out []string) {
	v := vector{code: []string{text}, in: append(in, flags(fl)), out: append(out, flags(fl))}
	if slot != "" {
		v.code = append(v.code, slot)
		if slot != "nop_s" {
			v.in, v.out = append(v.in, "r25=0"), append(v.out, "r25=1")
		}
		if taken {
			v.out = append(v.out, fmt.Sprintf("bta=0x%x", target))
		}
	}
	if taken {
		v.out = append(v.out, pc(target))
	}
	v.out = append(v.out, leapCost(text, slot != "", taken)...)
	f.add(v)
}

// call adds a branch that leaves its return address in blink.
func (f *file) call(text, slot string, size, target int64, taken bool, fl int) {
	back := here + size
	switch slot {
	case "":
	case "nop_s":
		back += 2
	default:
		back += 4
	}
	var out []string
	if taken {
		out = append(out, reg("r31", back))
	}
	f.leap(text, slot, size, target, taken, fl, nil, out)
}

// jump adds a jump to r3.
func (f *file) jump(text, slot string, size int64, taken bool, fl int) {
	f.leap(text, slot, size, 0x10400, taken, fl, []string{"r3=0x10401"}, nil)
}

func (f *file) jumpLink(text, slot string, size int64, taken bool, fl int) {
	back := here + size
	if slot != "" {
		back += 4
	}
	var out []string
	if taken {
		out = append(out, reg("r31", back))
	}
	f.leap(text, slot, size, 0x10400, taken, fl, []string{"r3=0x10400"}, out)
}

// conditional adds both outcomes under every condition.
func (f *file) conditional(spell func(cc string) (plain, delayed string), offset int64) {
	for _, cc := range conds {
		for range 2 {
			fl := f.rng.IntN(16)
			plain, delayed := spell(cc)
			f.branch(plain, "", 4, offset, basemodel.Holds(cc, fl), fl)
			f.branch(delayed, slot, 4, offset, basemodel.Holds(cc, fl), fl)
		}
	}
}

// compareBranches covers the forms of br<cc> and bbit<n>.
func (f *file) compareBranches(name string, holds func(x, y int64) bool) {
	for i := range 24 {
		x, y := f.number(), f.number()
		switch {
		case i%4 == 0:
			y = x
		case i%4 == 1:
			x, y = edges[i%len(edges)], edges[(i+11)%len(edges)]
		}
		offset := []int64{64, -64, 254, -256}[i%4]
		in := []string{reg("r3", x), reg("r2", y)}
		if i%2 == 0 {
			f.leap(fmt.Sprintf("%s r3,r2,%d", name, offset), "", 4, here+offset, holds(x, y), 0, in, nil)
		} else {
			f.leap(fmt.Sprintf("%s.d r3,r2,%d", name, offset), slot, 4, here+offset, holds(x, y), 0, in, nil)
		}
	}
	for _, y := range []int64{0, 31, 63} {
		x := []int64{0, 31, 63, 0xffffffff}[f.rng.IntN(4)]
		f.leap(fmt.Sprintf("%s r3,%d,64", name, y), "", 4, here+64, holds(x, y), 0, []string{reg("r3", x)}, nil)
	}
	x := f.number()
	f.leap(fmt.Sprintf("%s r3,0x7fffffff,64", name), "", 8, here+64, holds(x, 0x7fffffff), 0, []string{reg("r3", x)}, nil)
	f.leap(fmt.Sprintf("%s 0x7fffffff,r3,64", name), "", 8, here+64, holds(0x7fffffff, x), 0, []string{reg("r3", x)}, nil)
}

func shortBranchFiles() (all []*file) {
	make := func(name string, fill func(f *file)) {
		f := newFile(name, branchAbout)
		fill(f)
		all = append(all, f)
	}
	make("b_s", func(f *file) {
		for _, o := range []int64{64, -64, 510, -512} {
			f.branch(fmt.Sprintf("b_s %d", o), "", 2, o, true, 0)
		}
	})
	for _, cc := range []string{"eq", "ne", "gt", "ge", "lt", "le", "hi", "hs", "lo", "ls"} {
		make("b"+cc+"_s", func(f *file) {
			same := map[string]string{"hs": "nc", "lo": "c"}
			rule := cc
			if s := same[cc]; s != "" {
				rule = s
			}
			for fl := range 16 {
				f.branch(fmt.Sprintf("b%s_s 62", cc), "", 2, 62, basemodel.Holds(rule, fl), fl)
			}
		})
	}
	make("bl_s", func(f *file) {
		for _, o := range []int64{64, -4096, 4092} {
			f.call(fmt.Sprintf("bl_s %d", o), "", 2, here+o, true, 0)
		}
	})
	for _, name := range []string{"breq_s", "brne_s"} {
		make(name, func(f *file) {
			for _, x := range []int64{0, 1, 0x80000000} {
				f.leap(name+" r13,0,-128", "", 2, here-128, (x == 0) == (name == "breq_s"), 0, []string{reg("r13", x)}, nil)
			}
		})
	}
	make("j_s", func(f *file) {
		f.jump("j_s [r3]", "", 2, true, 0)
		f.jump("j_s.d [r3]", slot, 2, true, 0)
		f.leap("j_s [blink]", "", 2, 0x10400, true, 0, []string{"r31=0x10400"}, nil)
		f.leap("j_s.d [blink]", slot, 2, 0x10400, true, 0, []string{"r31=0x10400"}, nil)
	})
	make("jl_s", func(f *file) {
		f.jumpLink("jl_s [r3]", "", 2, true, 0)
		f.jumpLink("jl_s.d [r3]", slot, 2, true, 0)
	})
	for _, cc := range []string{"eq", "ne"} {
		make("j"+cc+"_s", func(f *file) {
			for fl := range 16 {
				f.leap("j"+cc+"_s [blink]", "", 2, 0x10400, basemodel.Holds(cc, fl), fl, []string{"r31=0x10400"}, nil)
			}
		})
	}
	return all
}
