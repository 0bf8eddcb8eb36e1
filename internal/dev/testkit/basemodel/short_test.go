package basemodel_test

import (
	"fmt"

	"arcv2dsp/internal/dev/testkit/basemodel"
)

// shortFiles are the 16-bit instructions that compute.
func shortFiles() (all []*file) {
	three := func(name, op string, forms ...string) *file {
		f := newFile(name, integerAbout)
		for range 6 {
			x, y := f.number(), f.number()
			z, _ := basemodel.Binaries[op](x, y, 0)
			f.add(vector{code: []string{name + " r1,r1,r12"}, in: []string{reg("r1", x), reg("r12", y), "f=Z-CV"},
				out: []string{reg("r1", z)}})
		}
		for _, form := range forms {
			f.short(form, op)
		}
		all = append(all, f)
		return f
	}
	two := func(name, op string) *file {
		f := newFile(name, integerAbout)
		for _, y := range append(edges[:], f.number()) {
			z, _ := basemodel.Unaries[op](y, 0)
			f.add(vector{code: []string{name + " r15,r3"}, in: []string{reg("r3", y), "f=-NC-"},
				out: []string{reg("r15", z)}})
		}
		all = append(all, f)
		return f
	}
	for _, op := range []string{"and", "or", "bic", "xor", "add1", "add2", "add3"} {
		three(op+"_s", op)
	}
	three("add_s", "add", "r0,r1,r2", "r3,r2,u7", "r1,r1,h30", "h20,h20,s-1", "h20,h20,s6", "r2,r2,limm",
		"r1,sp,u124", "sp,sp,u124", "r0,gp,u508", "r12,r12,u127", "r0,r13,u63", "r1,r13,u62")
	three("sub_s", "sub", "r3,r2,u7", "r15,r15,u31", "sp,sp,u124", "r0,r1,r2")
	f := all[len(all)-1]
	f.add(vector{code: []string{"sub_s.ne r13,r13,r13"}, in: []string{"r13=7", "f=-N-V"}, out: []string{"r13=0"}})
	f.add(vector{code: []string{"sub_s.ne r13,r13,r13"}, in: []string{"r13=7", "f=Z--V"}, out: []string{"r13=7"}})
	three("asl_s", "asl", "r3,r2,u7", "r15,r15,u31").one("asl_s", "asl1")
	three("asr_s", "asr", "r3,r2,u7", "r15,r15,u31").one("asr_s", "asr1")
	three("lsr_s", "lsr", "r15,r15,u31").one("lsr_s", "lsr1")
	for _, op := range []string{"bset", "bclr", "bmsk"} {
		f := newFile(op+"_s", integerAbout)
		for _, u := range []int{0, 1, 17, 31} {
			f.short(fmt.Sprintf("r14,r14,u%d", u), op)
		}
		all = append(all, f)
	}
	for _, op := range []string{"sexb", "sexh", "extb", "exth", "abs", "not", "neg"} {
		two(op+"_s", op)
	}
	compare := func(name, op string, forms ...string) {
		f := newFile(name, integerAbout)
		for _, form := range forms {
			for range 4 {
				f.shortCompare(form, op)
			}
		}
		all = append(all, f)
	}
	compare("tst_s", "tst", "r1,r13")
	compare("btst_s", "btst", "r1,u31", "r1,u0")
	compare("cmp_s", "cmp", "r1,h25", "h25,s-1", "h25,s6", "r1,u127", "r1,limm")

	f = newFile("mov_s", integerAbout)
	for _, form := range []string{"r1,r25", "r25,r1", "0,r5", "r20,-1", "r20,6", "r1,255", "r17,0x12345678", "r1,0x12345678"} {
		f.shortMove(form)
	}
	f.add(vector{code: []string{"mov_s.ne r1,r25"}, in: []string{"r25=9", "f=----"}, out: []string{"r1=9"}})
	f.add(vector{code: []string{"mov_s.ne r1,r25"}, in: []string{"r25=9", "f=Z---"}, out: []string{"f=Z---"}})
	f.add(vector{code: []string{"mov_s.ne r1,0x12345678"}, in: []string{"f=----"}, out: []string{"r1=0x12345678"}})
	return append(all, f)
}

// one adds the form that shifts by a single position.
func (f *file) one(name, op string) {
	for range 6 {
		y := f.number()
		z, _ := basemodel.Unaries[op](y, 0)
		f.add(vector{code: []string{name + " r2,r3"}, in: []string{reg("r3", y), "f=--C-"}, out: []string{reg("r2", z)}})
	}
}

// operand reads one operand of a form: a register, h and its number for one of the registers that
// only some forms name, u or s and a literal, or limm.
func (f *file) operand(text string) (name, spelled string, value int64, literal bool) {
	switch {
	case text == "limm":
		return "", "0x89abcdef", 0x89abcdef, true
	case text[0] == 'u' || text == "s-1" || text == "s6":
		var n int64
		_, _ = fmt.Sscan(text[1:], &n)
		return "", text[1:], n & 0xffffffff, true
	case text[0] == 'h':
		name, spelled = "r"+text[1:], "r"+text[1:]
	case text == "sp":
		name, spelled = "r28", "sp"
	case text == "gp":
		name, spelled = "r26", "gp"
	default:
		name, spelled = text, text
	}
	if text == "h30" {
		name, spelled = "r29", "r29"
	}
	return name, spelled, f.number(), false
}

// short adds a case of a 16-bit instruction with three operands.
func (f *file) short(form, op string) {
	var parts [3]string
	_, _ = fmt.Sscanf(replaceCommas(form), "%s %s %s", &parts[0], &parts[1], &parts[2])
	dst, dstText, _, _ := f.operand(parts[0])
	xName, xText, x, _ := f.operand(parts[1])
	yName, yText, y, literal := f.operand(parts[2])
	in := []string{reg(xName, x)}
	if !literal {
		if yName == xName {
			y = x
		} else {
			in = append(in, reg(yName, y))
		}
	}
	z, _ := basemodel.Binaries[op](x, y, 0)
	f.add(vector{code: []string{fmt.Sprintf("%s %s,%s,%s", f.name, dstText, xText, yText)},
		in: append(in, "f=Z--V"), out: []string{reg(dst, z)}})
}

// shortCompare adds a case of a 16-bit instruction with two sources.
func (f *file) shortCompare(form, op string) {
	var parts [2]string
	_, _ = fmt.Sscanf(replaceCommas(form), "%s %s", &parts[0], &parts[1])
	xName, xText, x, _ := f.operand(parts[0])
	yName, yText, y, literal := f.operand(parts[1])
	in := []string{reg(xName, x)}
	if !literal {
		in = append(in, reg(yName, y))
	}
	fl := f.rng.IntN(16)
	_, nf := basemodel.Compares[op](x, y, fl)
	f.add(vector{code: []string{fmt.Sprintf("%s %s,%s", f.name, xText, yText)}, in: append(in, flags(fl)),
		out: []string{flags(nf)}})
}

// shortMove adds a case of mov_s.
func (f *file) shortMove(form string) {
	var dst, src string
	_, _ = fmt.Sscanf(replaceCommas(form), "%s %s", &dst, &src)
	in := []string{"f=Z-CV"}
	var v int64
	if src[0] == 'r' {
		v = f.number()
		in = append(in, reg(src, v))
	} else {
		_, _ = fmt.Sscan(src, &v)
	}
	out := []string{"f=Z-CV"}
	if dst != "0" {
		out = []string{reg(dst, v)}
	}
	f.add(vector{code: []string{"mov_s " + form}, in: in, out: out})
}

func replaceCommas(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] == ',' {
			b[i] = ' '
		}
	}
	return string(b)
}
