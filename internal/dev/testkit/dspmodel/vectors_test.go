package dspmodel_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/dspmodel"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
)

const vectorDir = "../../../../testdata/isa"

// unmodelled have no open description: running one raises Instruction Error.
var unmodelled = set(`vperm divacc sqrtacc cbflyhf0r cbflyhf1r`)

// names are the mnemonics that this generator writes a file for.
func names() []string { return slices.Sorted(maps.Keys(opcodes)) }

// pairs says which sources of an instruction are register pairs: both, or the first alone.
func pairs(name string) (x, y bool) {
	op := opcodes[name]
	return op.hs, op.hs && !strings.HasPrefix(name, "dm")
}

// accControl have a control word as the second source, which no literal fits.
var accControl = set(`setacc getacc aslacc aslsacc normacc flagacc`)

// literalLanes: a u6 or s12 literal becomes both 16-bit lanes of the second source.
var literalLanes = set(`vadd2h vadds2h vsub2h vsubs2h vaddsub2h vaddsubs2h vsubadd2h vsubadds2h vmax2h
	vmin2h vasl2h vasls2h vasr2h vasrs2h vasrsr2h vlsr2h vmpy2h vmpy2hu vmac2h vmac2hu vmpy2hf
	vmpy2hfr vmpy2hwf vmac2hf vmac2hfr vmac2hnfr vmsub2hf vmsub2hfr vmsub2hnfr dmpyh dmpyhu dmach
	dmachu dmpyhf dmpyhfr dmpyhwf dmachf dmachfr cmpyhfr cmpyhnfr cmpychfr cmpychnfr cmpyhfmr cmachfr
	cmachnfr cmacchfr cmacchnfr vabs2h vabss2h vneg2h vnegs2h vnorm2h`)

// literalPlain: a literal is extended to 32 bits.
var literalPlain = set(`sath rndh satf abssh negsh asrsr divf sqrt sqrtf mpy mpyu mpym mpymu mpyw mpyuw
	div divu rem remu mpyd mpydu mac macu macd macdu mpyf mpyfr macf macfr msubf msubfr mpydf macdf
	msubdf vrep2hl vext2bhl vsext2bhl`)

func base(name string) form {
	return form{name: name, dst: 4, b: source{reg: 0}, c: source{reg: 2}}
}

// formsFor returns the operand forms that the vectors of an instruction use, the plain one first.
func formsFor(name string) []form {
	op := opcodes[name]
	if op.operands == shortOp {
		return []form{{name: name, dst: 0, b: source{reg: 0}, c: source{reg: 2}}}
	}
	hasFlags := op.bit15 == flagged && name != "aslacc" && name != "aslsacc"
	plain := base(name)
	if op.operands == oneOp {
		literal := plain
		literal.c = source{imm: true, val: 5}
		return []form{plain, literal}
	}
	forms := []form{plain}
	with := func(change func(f *form)) {
		f := plain
		change(&f)
		forms = append(forms, f)
	}
	if hasFlags {
		with(func(f *form) { f.flags = true })
	}
	with(func(f *form) { f.dst = limmReg }) // the result is dropped
	if hasFlags {
		with(func(f *form) { f.dst, f.flags = limmReg, true })
	}
	with(func(f *form) { f.c = source{reg: limmReg, limm: 0x7fff8000} })
	if literalLanes[name] || literalPlain[name] {
		with(func(f *form) { f.c = source{imm: true, val: 37} })
	}
	if op.operands == threeOp {
		with(func(f *form) { f.dst, f.cond = 0, "eq" })
		if hasFlags {
			with(func(f *form) { f.dst, f.cond, f.flags = 0, "vs", true })
		}
		with(func(f *form) { f.b = source{reg: limmReg, limm: 0x80008000} })
		if literalLanes[name] || literalPlain[name] {
			with(func(f *form) { f.dst, f.s12, f.c = 0, true, source{imm: true, val: -1234} })
		}
	}
	if !op.hs && !accControl[name] { // r58 and r59 are ordinary sources
		with(func(f *form) { f.c = source{reg: 58} })
	}
	return forms
}

// value returns what a source reads: registers hold reg (r0, r2) or come from the accumulator.
func (s source) value(f form, reg uint64, in dspmodel.In) uint64 {
	x64, y64 := pairs(f.name)
	pair := x64 && s == f.b || y64 && s == f.c
	switch {
	case s.imm && literalLanes[f.name]:
		return uint64(uint16(s.val)) | uint64(uint16(s.val))<<16
	case s.imm:
		return uint64(uint32(s.val))
	case s.reg == limmReg && pair:
		return uint64(s.limm) | uint64(s.limm)<<32
	case s.reg == limmReg:
		return uint64(s.limm)
	case s.reg == 58:
		return uint64(uint32(in.Lo))
	}
	return reg
}

// vector is one case: the inputs as drawn, and as the form makes them.
type vector struct {
	form form
	regs dspmodel.In // register contents
	in   dspmodel.In // operands
	out  dspmodel.Out
}

func newVector(f form, drawn dspmodel.In) vector {
	in := drawn
	in.X = f.b.value(f, drawn.X, drawn)
	in.Y = f.c.value(f, drawn.Y, drawn)
	if strings.HasPrefix(f.name, "div") || strings.HasPrefix(f.name, "rem") {
		if uint32(in.Y) == 0 {
			in.Y, drawn.Y = 7, 7
		}
	}
	out, ok := dspmodel.Eval(strings.TrimSuffix(f.name, "_s"), in)
	if !ok {
		panic("no model of " + f.name)
	}
	return vector{form: f, regs: drawn, in: in, out: out}
}

// executed reports whether the condition holds.
func (v vector) executed() bool {
	switch v.form.cond {
	case "eq":
		return v.in.Flags&8 != 0
	case "vs":
		return v.in.Flags&1 != 0
	}
	return true
}

func flags(f uint32) string {
	s := []byte("----")
	for i, letter := range []byte("ZNCV") {
		if f&(8>>i) != 0 {
			s[i] = letter
		}
	}
	return string(s)
}

func lane(v int64) string { return fmt.Sprintf("0x%010x", uint64(v)&(1<<40-1)) }

func ctrl(m dspmodel.Mode) uint32 {
	return uint32(m.RM) | uint32(m.GE)<<2 | uint32(m.PA)<<3
}

// write appends the case to a file.
func (v vector) write(b *strings.Builder, name string) {
	f := v.form
	fmt.Fprintf(b, "case name=%s\n  code  %s ; %x\n  in   ", name, f.text(), f.encode())
	op := opcodes[f.name]
	x64, y64 := pairs(f.name)
	reg := func(first int, val uint64, pair bool) {
		fmt.Fprintf(b, " r%d=%#x", first, uint32(val))
		if pair {
			fmt.Fprintf(b, " r%d=%#x", first+1, val>>32)
		}
	}
	if (op.operands == threeOp || op.operands == shortOp) && f.b.reg == 0 {
		reg(0, v.regs.X, x64)
	}
	if !f.c.imm && f.c.reg == 2 {
		reg(2, v.regs.Y, y64)
	}
	fmt.Fprintf(b, " acclo=%s acchi=%s", lane(v.in.Lo), lane(v.in.Hi))
	hasCtrl := coreOf(f.name) != integerHS
	if hasCtrl {
		fmt.Fprintf(b, " dsp_ctrl=%#x", ctrl(v.in.Mode))
	}
	fmt.Fprintf(b, " f=%s\n  out  ", flags(v.in.Flags))
	if !v.executed() {
		b.WriteString(" f=" + flags(v.in.Flags) + cost(1, 0) + "\n")
		return
	}
	if !v.out.NoDest && f.dst != limmReg {
		reg(f.dst, v.out.Z, v.out.Pair)
	}
	if v.out.UsesAcc {
		fmt.Fprintf(b, " acclo=%s acchi=%s", lane(v.out.Lo), lane(v.out.Hi))
	}
	fl := v.in.Flags
	if v.out.Always || f.flags {
		fl = v.out.Flags
	}
	fmt.Fprintf(b, " f=%s", flags(fl))
	if v.out.Events != 0 && hasCtrl {
		fmt.Fprintf(b, " dsp_ctrl=%#x", ctrl(v.in.Mode)|1<<16)
	}
	b.WriteString(cost(1, 0) + "\n")
}

// sensitivity is how many of the other settings of one mode field change the outcome.
func sensitivity(v vector, change func(m *dspmodel.Mode, k int), settings int) (count int) {
	for k := range settings {
		other := v.in
		change(&other.Mode, k)
		out, _ := dspmodel.Eval(strings.TrimSuffix(v.form.name, "_s"), other)
		if out.Z != v.out.Z || out.Lo != v.out.Lo || out.Hi != v.out.Hi || out.Events != v.out.Events {
			count++
		}
	}
	return count
}

// pick returns the best of many drawn vectors by a criterion that depends on the slot: sensitive to
// the rounding mode, to the guard bits, to the fractional shift, clamping; every fifth is any.
func pick(draw dspmodel.Operands, f form, mode dspmodel.Mode, slot int) vector {
	x64, _ := pairs(f.name)
	best, bestScore := vector{}, -1
	for range 60 {
		in := draw.In(f.name, x64)
		in.Mode = mode
		if f.cond != "" && draw.IntN(4) != 0 {
			in.Flags |= 9 // the condition holds more often than not
		}
		v := newVector(f, in)
		score := 0
		switch slot % 5 {
		case 0:
			score = sensitivity(v, func(m *dspmodel.Mode, k int) { m.RM = []int{0, 2, 3}[k] }, 3)
		case 1:
			score = sensitivity(v, func(m *dspmodel.Mode, k int) { m.GE = k }, 2)
		case 2:
			score = sensitivity(v, func(m *dspmodel.Mode, k int) { m.PA = k }, 2)
		case 3:
			score = int(v.out.Events)
		}
		if score > bestScore {
			best, bestScore = v, score
		}
	}
	return best
}

// integerHS is a core without DSP_CTRL.
const integerHS = "hs38"

// coreOf returns the core that an instruction needs.
func coreOf(name string) string {
	switch op := opcodes[name]; {
	case op.hs && op.major == 6:
		return "hs38 dsp_option=2"
	case op.hs:
		return integerHS
	}
	return "em9d"
}

// file returns the vector file of an instruction.
func file(name string) string {
	var b strings.Builder
	switch name {
	case "modapp", "modif":
		return applyFile(name)
	case "flagacc":
		return flagaccFile()
	}
	core := coreOf(name)
	fmt.Fprintf(&b, "# %s: expected values from the big-integer model in internal/dev/testkit/dspmodel.\n", name)
	if unmodelled[name] {
		f := base(name)
		fmt.Fprintf(&b, "# Not modelled: Instruction Error.\ncore %s\ncase name=not-modelled\n  code  %s ; %x\n  in    r0=1 r2=2\n  out   trap=0x020000%s\n",
			core, f.text(), f.encode(), cost(0, 1))
		return b.String()
	}
	fmt.Fprintf(&b, "# Regenerate: go test ./internal/dev/testkit/dspmodel -run Vectors -update\ncore %s\n", core)
	seed := uint64(len(name))
	for _, c := range name {
		seed = seed*31 + uint64(c)
	}
	draw := dspmodel.NewOperands(seed)
	forms := formsFor(name)
	slot := 0
	for _, rm := range []int{dspmodel.Truncate, dspmodel.Up, dspmodel.Even} {
		for ge := range 2 {
			for pa := range 2 {
				mode := dspmodel.Mode{RM: rm, GE: ge, PA: pa}
				if core == integerHS {
					mode = dspmodel.Mode{}
				}
				for k := range 4 {
					f := forms[0]
					if len(forms) > 1 && forms[1].flags && k%2 == 1 {
						f = forms[1]
					}
					if k == 3 {
						f = forms[slot/4%len(forms)]
					}
					v := pick(draw, f, mode, slot)
					v.write(&b, fmt.Sprintf("rm%d-ge%d-pa%d-%d", rm, ge, pa, k+1))
					slot++
				}
			}
		}
	}
	if portForms[name] {
		b.WriteString(portCases(name))
	}
	b.WriteString(useCases(name))
	return b.String()
}

// flagaccFile returns the vectors of flagacc: the private V flags start clear and a clamping shift
// may set them first.
func flagaccFile() string {
	var b strings.Builder
	b.WriteString("# flagacc: expected values from the big-integer model in internal/dev/testkit/dspmodel.\n")
	b.WriteString("# Regenerate: go test ./internal/dev/testkit/dspmodel -run Vectors -update\ncore em9d\n")
	draw := dspmodel.NewOperands(51)
	for i := range 64 {
		in := draw.In("aslsacc", false)
		in.Sticky = 0
		shift, _ := dspmodel.Eval("aslsacc", in)
		after := in
		after.Lo, after.Hi, after.Sticky = shift.Lo, shift.Hi, shift.Events
		after.Y = uint64(draw.Control("flagacc"))
		out, _ := dspmodel.Eval("flagacc", after)
		first := form{name: "aslsacc", c: source{reg: 3}}
		second := form{name: "flagacc", c: source{reg: 2}}
		fmt.Fprintf(&b, "case name=after-shift-%d\n  code  %s ; %x\n  code  %s ; %x\n", i+1, first.text(), first.encode(), second.text(), second.encode())
		fmt.Fprintf(&b, "  in    r2=%#x r3=%#x acclo=%s acchi=%s dsp_ctrl=%#x f=%s\n", after.Y, in.Y, lane(in.Lo), lane(in.Hi), ctrl(in.Mode), flags(in.Flags))
		fmt.Fprintf(&b, "  out   acclo=%s acchi=%s f=%s", lane(out.Lo), lane(out.Hi), flags(out.Flags))
		if shift.Events != 0 {
			fmt.Fprintf(&b, " dsp_ctrl=%#x", ctrl(in.Mode)|1<<16)
		}
		b.WriteString(cost(2, 0) + "\n")
	}
	return b.String()
}

// The vector files follow from the model, each with enough cases; -update writes them.
func TestVectors(t *testing.T) {
	for i, name := range names() {
		if !goldenfile.Update() && !level.Wants(i, 3, 13) {
			continue
		}
		text := file(name)
		goldenfile.File(t, filepath.Join(vectorDir, name+".txt"), text)
		if !unmodelled[name] {
			require.GreaterOrEqual(t, strings.Count(text, "\ncase "), 40, name)
		}
	}
}
