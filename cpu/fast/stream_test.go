package fast_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// A stream is a random program that an engine can run for ever: chunks of code, each of which the
// exception handler can leave for the next one. It loops, nests and rewrites loops, branches with
// and without delay slots, calls, faults in the middle of blocks, writes over its own code, changes
// DSP modes, moves through X and Y memory by AGU ports, and takes interrupts. It traps, faults at the ends
// of loops and in delay slots, goes to user mode and back, and turns protection, stack checking and caches
// on and off: see system_test.go.
//
// Registers: r0 to r12 and the accumulator hold anything. r13 to r15 point into data memory, r16 to
// where loads and stores fail, r20 to r24 belong to handlers, r25 holds the address of the next
// chunk, sp is the stack.
type stream struct {
	rng    *rand.Rand
	cfg    cpu.Config
	dec    *isa.Decoder
	rows   []*isa.Row // functions the core has
	floats []*isa.Row // floating-point instructions the core has
	items  []item
	marks  []int // label to item
	depth  int   // of loops
	ports  bool
	loops  bool // long loops are all there is
}

// item is an instruction with a place for a label.
type item struct {
	form  *isa.Form
	ops   []isa.Operand
	mods  isa.Mods
	label int // of the target operand, -1 for none
	part  int // operand that receives the address of the label: 0 a target, 1 a literal address
	addr  uint32
}

const (
	codeBase   = 0x1000
	codeSize   = 0x8000
	dataBase   = 0x10000
	stackTop   = 0x1f000
	badAddress = 0x20000 // nothing is mapped from here on
)

func reg(n uint8) isa.Operand  { return isa.Operand{Kind: isa.OpReg, Reg: n} }
func imm(v uint32) isa.Operand { return isa.Operand{Kind: isa.OpImm, Val: int32(v)} }

// newStream writes a program of the given number of chunks.
func newStream(seed uint64, cfg cpu.Config, chunks int) *stream {
	s := &stream{
		rng: rand.New(rand.NewPCG(seed, 77)), cfg: cfg, dec: isa.NewDecoder(cfg.Features),
		ports: cfg.Features.Has(isa.AGU),
	}
	s.write(chunks)
	return s
}

// loopProfiles are the cores that programs of long loops are made for.
var loopProfiles = []string{"em4", "em9d", "em9d-split", "em11d", "hs38", "hs38c", "hs45d"}

// newLoops writes a program of long loops.
func newLoops(seed uint64, cfg cpu.Config) *stream {
	s := &stream{
		rng: rand.New(rand.NewPCG(seed, 78)), cfg: cfg, dec: isa.NewDecoder(cfg.Features),
		ports: cfg.Features.Has(isa.AGU), loops: true,
	}
	s.write(12)
	return s
}

// write writes the chunks, which lead back to the first.
func (s *stream) write(chunks int) {
	cfg := s.cfg
	for _, r := range isa.Rows() {
		if r.Model() == isa.Pure && cfg.Features.Has(r.Needs) && len(r.Forms()) > 0 {
			s.rows = append(s.rows, r)
		}
		if r.Class >= isa.ClassFPU && r.Class <= isa.ClassFPXMove && cfg.Features.Has(r.Needs) {
			s.floats = append(s.floats, r)
		}
	}
	start := s.newLabel()
	s.place(start)
	next := s.newLabel()
	for range chunks {
		s.place(next)
		next = s.newLabel()
		s.emitLabel(isa.MOV, next, isa.Mods{}, reg(25), imm(0)) // where the handler goes on
		s.chunk()
	}
	s.place(next)
	s.emitLabel(isa.B, start, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
}

func (s *stream) n(limit int) int         { return s.rng.IntN(limit) }
func (s *stream) chance(percent int) bool { return s.n(100) < percent }
func (s *stream) anyReg() uint8           { return uint8(s.n(13)) }

func (s *stream) newLabel() int {
	s.marks = append(s.marks, -1)
	return len(s.marks) - 1
}

func (s *stream) place(label int) { s.marks[label] = len(s.items) }

// emit adds the first form of an operation that takes the operands.
func (s *stream) emit(op isa.Op, mods isa.Mods, ops ...isa.Operand) bool {
	return s.add(op, -1, mods, ops)
}

// emitLabel is emit with a target or a literal address that a label gives.
func (s *stream) emitLabel(op isa.Op, label int, mods isa.Mods, ops ...isa.Operand) bool {
	return s.add(op, label, mods, ops)
}

func (s *stream) add(op isa.Op, label int, mods isa.Mods, ops []isa.Operand) bool {
	forms := slices.Clone(isa.RowOf(op).Forms())
	slices.SortStableFunc(forms, func(a, b *isa.Form) int { return int(b.Size) - int(a.Size) }) // short ones last
	for _, f := range forms {
		if f.Size != 4 && label >= 0 || !s.cfg.Features.Has(f.Needs) || len(f.Args) != len(ops) {
			continue
		}
		part := -1
		if label >= 0 {
			for i, o := range ops {
				if o.Kind == isa.OpTarget {
					part = i
				} else if o.Kind == isa.OpImm && f.Args[i].Kind == isa.FieldLimm {
					part = i
				}
			}
			if part < 0 {
				continue
			}
		}
		if s.append(f, ops, mods, label, part) {
			return true
		}
	}
	panic(fmt.Sprintf("no form of %s takes %v %+v", isa.RowOf(op).Name, ops, mods))
}

func (s *stream) append(f *isa.Form, ops []isa.Operand, mods isa.Mods, label, part int) bool {
	m := f.Fix
	if mods.Cond != 0 {
		if f.Allow&isa.ModCC == 0 {
			return false
		}
		m.Cond = mods.Cond
	}
	if mods.SetFlags {
		if f.Allow&isa.ModF == 0 {
			return false
		}
		m.SetFlags = true
	}
	if mods.Delay != f.Fix.Delay {
		if f.Fix.Delay || f.Allow&isa.ModD == 0 {
			return false
		}
		m.Delay = true
	}
	if mods.Addr != 0 {
		m.Addr = mods.Addr
	}
	if mods.Size != 0 && f.Fix.Size == 0 {
		m.Size = mods.Size
	}
	m.SignExtend = m.SignExtend || mods.SignExtend
	m.Hint = mods.Hint && f.Allow&isa.ModT != 0
	if _, err := isa.Encode(f, ops, m); err != nil {
		return false
	}
	s.items = append(s.items, item{form: f, ops: ops, mods: m, label: label, part: part})
	return true
}

// image lays the program out and encodes it.
func (s *stream) image() []byte {
	at := uint32(codeBase)
	for i := range s.items {
		s.items[i].addr = at
		at += uint32(s.items[i].form.Size)
		if s.items[i].form.Limm {
			at += 4
		}
	}
	address := func(label int) uint32 {
		if i := s.marks[label]; i < len(s.items) {
			return s.items[i].addr
		}
		return at
	}
	var code []byte
	for i := range s.items {
		it := &s.items[i]
		ops := append([]isa.Operand(nil), it.ops...)
		if it.label >= 0 {
			v := address(it.label)
			if ops[it.part].Kind == isa.OpTarget {
				v -= it.addr &^ 3
			}
			ops[it.part].Val = int32(v)
		}
		w, err := isa.Encode(it.form, ops, it.mods)
		if err != nil { // a branch out of reach: nothing is lost without it
			w, err = isa.Encode(it.form, it.ops, it.mods)
		}
		if err != nil {
			panic(err)
		}
		code = w.Append(code, false)
	}
	return code
}

// chunk adds one stretch of code.
func (s *stream) chunk() {
	kinds := []func(){
		func() { s.straight(1 + s.n(30)) },
		func() { s.straight(1 + s.n(30)) },
		s.loop, s.loop, s.forward, s.forward, s.call, s.jump, s.decrement, s.patch, s.memory,
		s.rewriteLoop, s.observe, s.stateful,
	}
	if s.cfg.Features.Has(isa.DSP) {
		kinds = append(kinds, s.mode, func() { s.dsp(1 + s.n(12)) }, s.loadLoop, s.loadLoop)
	}
	kinds = append(kinds, s.trap, s.stack, s.faultAtLoopEnd, s.faultInSlot, s.nest, s.status, s.methods, s.methods)
	if s.cfg.MPURegions > 0 && s.chance(30) {
		kinds = append(kinds, s.protect)
	}
	if s.cfg.ICache.Size != 0 {
		kinds = append(kinds, s.maintain)
	}
	if s.cfg.Features.Has(isa.FPUSingle) {
		kinds = append(kinds, s.float, s.float, s.floatMode)
	} else if s.cfg.Features.Has(isa.FPXSingle) {
		kinds = append(kinds, s.float)
	}
	if s.ports {
		kinds = append(kinds, s.setPorts, s.setPorts, s.portLoop, s.portLoop, s.portLoop)
	}
	if s.loops {
		kinds = []func(){s.accessLoop, s.accessLoop, s.accessLoop, s.observe}
		if s.cfg.Features.Has(isa.DSP) {
			kinds = append(kinds, s.mode, s.loadLoop)
		}
		if s.ports {
			kinds = append(kinds, s.setPorts, s.setPorts, s.portLoop, s.portLoop, s.portLoop)
		}
	}
	for range 1 + s.n(3) {
		kinds[s.n(len(kinds))]()
	}
}

// straight adds instructions without control flow.
func (s *stream) straight(n int) {
	for range n {
		switch {
		case s.chance(25):
			s.memory()
		default:
			s.pure(s.rows[s.n(len(s.rows))])
		}
	}
}

// pure adds a random form of a function with random operands.
func (s *stream) pure(r *isa.Row) {
	forms := r.Forms()
	f := forms[s.n(len(forms))]
	if !s.cfg.Features.Has(f.Needs) || f.Size != 4 && s.chance(50) {
		return
	}
	var ops []isa.Operand
	for i := range f.Args {
		fd := &f.Args[i]
		if fd.Same >= 0 {
			ops = append(ops, ops[fd.Same])
			continue
		}
		ops = append(ops, s.operand(f, fd, i))
	}
	m := isa.Mods{SetFlags: f.Allow&isa.ModF != 0 && s.chance(30)}
	if f.Allow&isa.ModCC != 0 && s.chance(60) {
		m.Cond = isa.Cond(s.n(16))
	}
	if f.Size == 2 && len(f.Args) > 0 && f.Args[0].Kind != isa.FieldReg3 && f.Row.Shape != isa.ShapeSS {
		return // 16-bit forms with a fixed or high destination could hit sp
	}
	s.append(f, ops, m, -1, -1)
}

// operand draws an operand for a position of a form.
func (s *stream) operand(f *isa.Form, fd *isa.Field, i int) isa.Operand {
	pair := f.Row.Pair>>i&1 != 0
	switch fd.Kind {
	case isa.FieldReg, isa.FieldRegH, isa.FieldRegG:
		dest := i == 0 && f.Row.Shape != isa.ShapeSS && f.Row.Shape != isa.ShapeS
		r := s.anyReg()
		switch {
		case pair:
			r &^= 1
			if s.chance(2) {
				r++ // an odd pair is refused
			}
		case s.chance(4) && fd.Kind == isa.FieldReg && s.cfg.Features.Has(isa.MPY7):
			r = 58 + uint8(s.n(2))
		case s.chance(2) && fd.FitsReg(60) && !dest:
			r = 60
		case s.chance(4) && !dest && fd.FitsReg(63):
			r = 63
		case s.chance(3) && !dest:
			r = 13 + uint8(s.n(3))
		case s.ports && fd.Kind == isa.FieldReg && s.chance(3):
			r = dspunit.FirstPort + uint8(s.n(24))
		}
		return reg(r)
	case isa.FieldReg3:
		return reg([]uint8{0, 1, 2, 3, 12}[s.n(5)])
	case isa.FieldNull:
		return isa.Operand{Kind: isa.OpNull}
	case isa.FieldFixed:
		return reg(fd.Reg)
	case isa.FieldLimm:
		return imm(s.value())
	}
	lo, hi, step := fd.Range()
	return isa.Operand{Kind: isa.OpImm, Val: int32(lo + step*s.rng.Int64N((hi-lo)/step+1))}
}

// value draws a number, edge values often.
func (s *stream) value() uint32 {
	edges := []uint32{0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x80008000, 0x7fff7fff, 0x00010001}
	if s.chance(40) {
		return edges[s.n(len(edges))]
	}
	return s.rng.Uint32()
}

// memory adds a load or store.
func (s *stream) memory() {
	if s.cfg.Features.Has(isa.LL64) && s.chance(20) {
		m := isa.Mods{Addr: []isa.AddrMode{isa.AddrOffset, isa.AddrPre, isa.AddrPost, isa.AddrScaled}[s.n(4)]}
		off := isa.Operand{Kind: isa.OpImm, Val: int32(s.n(9)-4) * 4}
		if m.Addr == isa.AddrScaled {
			off.Val /= 4
		}
		r := reg(s.anyReg() &^ 1)
		switch s.n(3) {
		case 0:
			s.emit(isa.STD, m, r, reg(13+uint8(s.n(2))), off)
		case 1:
			s.emit(isa.LDD, m, r, reg(13+uint8(s.n(2))), off)
		default:
			s.emit(isa.MOV, isa.Mods{}, reg(11), imm(uint32(s.n(32))))
			s.emit(isa.LDD, m, reg(uint8(s.n(5)*2)), reg(13), reg(11))
		}
		return
	}
	size := []isa.MemSize{isa.SizeWord, isa.SizeByte, isa.SizeHalf}[s.n(3)]
	m := isa.Mods{Size: size, Addr: isa.AddrMode(s.n(4))}
	base := 13 + uint8(s.n(3))
	if m.Addr == isa.AddrPre || m.Addr == isa.AddrPost {
		m.Addr = isa.AddrOffset
		if s.chance(60) {
			m.Addr = isa.AddrPre + isa.AddrMode(s.n(2))
		}
	}
	if size == isa.SizeByte && m.Addr == isa.AddrScaled {
		m.Addr = isa.AddrOffset
	}
	offset := int32(s.n(16)) * int32(size.Bytes())
	if m.Addr == isa.AddrPre || m.Addr == isa.AddrPost {
		offset = int32(s.n(5)-2) * int32(size.Bytes())
	}
	switch {
	case s.chance(3):
		base = 16 // fails
	case s.chance(2):
		offset++ // misaligned
	}
	off := isa.Operand{Kind: isa.OpImm, Val: offset}
	switch {
	case s.chance(50):
		m.SignExtend = size != isa.SizeWord && s.chance(50)
		if m.Addr == isa.AddrOffset && s.chance(20) {
			s.emit(isa.MOV, isa.Mods{}, reg(12), imm(uint32(s.n(16))&^3))
			s.emit(isa.LD, m, reg(s.anyReg()), reg(base), reg(12))
			return
		}
		s.emit(isa.LD, m, reg(s.anyReg()), reg(base), off)
	default:
		src := reg(s.anyReg())
		if s.chance(20) {
			src = isa.Operand{Kind: isa.OpImm, Val: int32(s.n(64) - 32)}
		} else if s.ports && s.chance(10) {
			src = reg(dspunit.FirstPort + uint8(s.n(24)))
		}
		s.emit(isa.ST, m, src, reg(base), off)
	}
	if s.chance(10) {
		s.emit(isa.MOV, isa.Mods{}, reg(base&15|base&16), imm(s.pointer(base)))
	}
}

// pointer is a value for a base register.
func (s *stream) pointer(base uint8) uint32 {
	if base == 16 {
		return badAddress + uint32(s.n(64))
	}
	return dataBase + 0x800 + uint32(s.n(0x6000))&^7
}

// loop adds a zero-overhead loop, sometimes with another one inside, which overwrites its registers.
func (s *stream) loop() {
	s.depth++
	defer func() { s.depth-- }()
	end := s.newLabel()
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(s.n(6))))
	if s.chance(20) {
		s.pure(s.rows[s.n(len(s.rows))])
	}
	m := isa.Mods{}
	if s.chance(20) {
		m.Cond = isa.Cond(1 + s.n(15))
	}
	s.emitLabel(isa.LP, end, m, isa.Operand{Kind: isa.OpTarget})
	s.straight(s.n(5))
	switch {
	case s.depth < 3 && s.chance(25):
		s.loop()
	case s.chance(15):
		s.forward()
	}
	s.straight(1)
	s.emit(isa.ADD, isa.Mods{}, reg(1), reg(1), imm(3))
	s.place(end)
}

// rewriteLoop changes LP_START or LP_END behind the back of a loop.
func (s *stream) rewriteLoop() {
	end, other := s.newLabel(), s.newLabel()
	s.emitLabel(isa.MOV, other, isa.Mods{}, reg(11), imm(0))
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(2+s.n(4))))
	s.emitLabel(isa.LP, end, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	s.straight(2)
	s.emit(isa.SR, isa.Mods{}, reg(11), imm(uint32(2+s.n(2))))
	s.straight(2)
	s.place(other)
	s.straight(2)
	s.emit(isa.ADD, isa.Mods{}, reg(2), reg(2), imm(1))
	s.place(end)
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(1))
	s.emit(isa.SR, isa.Mods{}, imm(0), imm(3))
}

// forward adds a branch over some instructions.
func (s *stream) forward() {
	target := s.newLabel()
	m := isa.Mods{Delay: s.chance(40)}
	to := isa.Operand{Kind: isa.OpTarget}
	switch s.n(4) {
	case 0:
		m.Cond = isa.Cond(s.n(16))
		s.emitLabel(isa.B, target, m, to)
	case 1:
		s.emitLabel(isa.B, target, m, to)
	default:
		ops := []isa.Op{isa.BREQ, isa.BRNE, isa.BRLT, isa.BRGE, isa.BRLO, isa.BRHS, isa.BBIT0, isa.BBIT1}
		m.Hint = s.chance(50)
		if s.chance(50) {
			s.emitLabel(ops[s.n(len(ops))], target, m, reg(s.anyReg()), imm(uint32(s.n(32))), to)
		} else {
			s.emitLabel(ops[s.n(len(ops))], target, m, reg(s.anyReg()), reg(s.anyReg()), to)
		}
	}
	if m.Delay {
		s.slot()
	}
	s.straight(1 + s.n(4))
	s.place(target)
}

// slot adds the instruction of a delay slot, sometimes one that is not allowed there.
func (s *stream) slot() {
	for {
		at := len(s.items)
		switch {
		case s.chance(8):
			s.statusInSlot()
		case s.chance(30):
			s.memory()
		default:
			s.pure(s.rows[s.n(len(s.rows))])
		}
		if len(s.items) == at {
			continue
		}
		s.items = s.items[:at+1]
		if !s.items[at].form.Limm || s.chance(2) {
			return
		}
		s.items = s.items[:at]
	}
}

// call adds a call of a subroutine and the subroutine.
func (s *stream) call() {
	sub, over := s.newLabel(), s.newLabel()
	m := isa.Mods{Delay: s.chance(40)}
	if s.chance(50) {
		if s.chance(30) {
			m.Cond = isa.Cond(s.n(16))
		}
		s.emitLabel(isa.BL, sub, m, isa.Operand{Kind: isa.OpTarget})
	} else {
		s.emitLabel(isa.MOV, sub, isa.Mods{}, reg(12), imm(0))
		if s.chance(30) {
			m.Cond = isa.Cond(s.n(16))
		}
		s.emit(isa.JL, m, reg(12))
	}
	if m.Delay {
		s.slot()
	}
	s.straight(s.n(3))
	s.emitLabel(isa.B, over, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	s.place(sub)
	s.straight(1 + s.n(6))
	m = isa.Mods{Delay: s.chance(40)}
	s.emit(isa.J, m, reg(31))
	if m.Delay {
		s.slot()
	}
	s.place(over)
}

// jump adds a jump to a computed address, sometimes conditional.
func (s *stream) jump() {
	target := s.newLabel()
	s.emitLabel(isa.MOV, target, isa.Mods{}, reg(12), imm(0))
	m := isa.Mods{Delay: s.chance(40)}
	if s.chance(40) {
		m.Cond = isa.Cond(s.n(16))
	}
	s.emit(isa.J, m, reg(12))
	if m.Delay {
		s.slot()
	}
	s.straight(1 + s.n(3))
	s.place(target)
}

// decrement adds a loop closed by dbnz.
func (s *stream) decrement() {
	s.emit(isa.MOV, isa.Mods{}, reg(17), imm(uint32(1+s.n(5))))
	top := s.newLabel()
	s.place(top)
	s.straight(s.n(6))
	m := isa.Mods{Delay: s.chance(50)}
	s.emitLabel(isa.DBNZ, top, m, reg(17), isa.Operand{Kind: isa.OpTarget})
	if m.Delay {
		s.slot()
	}
}

// patch writes another instruction over one that follows, sometimes inside a loop.
func (s *stream) patch() {
	target := s.newLabel()
	inLoop := s.chance(50)
	end := s.newLabel()
	if inLoop {
		s.emit(isa.MOV, isa.Mods{}, reg(60), imm(uint32(2+s.n(4))))
		s.emitLabel(isa.LP, end, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	}
	s.emitLabel(isa.MOV, target, isa.Mods{}, reg(12), imm(0))
	// add r0,r0,u6 with a random literal, halfwords exchanged as memory holds them
	word := uint32(0x20400000) | uint32(s.n(64))<<6
	s.emit(isa.MOV, isa.Mods{}, reg(11), imm(word<<16|word>>16))
	if s.chance(50) {
		s.emit(isa.ADD, isa.Mods{}, reg(11), reg(11), imm(0))
		s.emit(isa.BXOR, isa.Mods{}, reg(11), reg(11), imm(uint32(16+6+s.n(6))))
	}
	s.emit(isa.ST, isa.Mods{}, reg(11), reg(12), imm(0))
	s.straight(s.n(3))
	if len(s.items)&1 != 0 { // the place is word aligned now and then
		s.emit(isa.MOV, isa.Mods{}, reg(0), reg(1))
	}
	s.place(target)
	s.emit(isa.ADD, isa.Mods{}, reg(0), reg(0), imm(1))
	s.straight(1)
	s.emit(isa.ADD, isa.Mods{}, reg(3), reg(3), imm(1))
	s.place(end)
}

// float adds floating-point instructions, on numbers near enough to each other to add up, and on any others.
func (s *stream) float() {
	for range 1 + s.n(3) {
		s.emit(isa.BMSK, isa.Mods{}, reg(s.anyReg()), reg(s.anyReg()), imm(29))
	}
	for range 1 + s.n(12) {
		s.pure(s.floats[s.n(len(s.floats))])
	}
}

// floatMode writes FPU_CTRL: a rounding mode, and now and then exceptions that raise one of the core.
func (s *stream) floatMode() {
	v := uint32(s.n(4)) << 8
	if s.chance(25) {
		v |= uint32(s.n(4))
	}
	s.emit(isa.MOV, isa.Mods{}, reg(12), imm(v))
	s.emit(isa.SR, isa.Mods{}, reg(12), imm(0x300))
	if s.chance(50) {
		s.emit(isa.MOV, isa.Mods{}, reg(12), imm(uint32(s.n(32))|1<<31))
		s.emit(isa.SR, isa.Mods{}, reg(12), imm(0x301))
	}
}

// observe reads registers that only auxiliary space shows.
func (s *stream) observe() {
	list := []uint32{isa.AuxStatus32, 2, 3, 0x412, isa.AuxERET, 0x402, 0x403, 0x21}
	if s.cfg.Features.Has(isa.DSP) {
		list = append(list, 0x580, 0x581, 0x582, 0x583, 0x59f)
	}
	if s.cfg.Features.Has(isa.FPUSingle) {
		list = append(list, 0x300, 0x301)
	}
	if s.cfg.Features.Has(isa.FPUDoubleAssist) {
		list = append(list, 0x302, 0x303, 0x304, 0x305)
	}
	if s.ports {
		list = append(list, 0x5c0+uint32(s.n(12)), 0x5d0+uint32(s.n(8)), 0x5e0+uint32(s.n(24)))
	}
	for range 1 + s.n(4) {
		s.emit(isa.LR, isa.Mods{}, reg(s.anyReg()), imm(list[s.n(len(list))]))
	}
}

// stateful adds an instruction that only the reference engine executes.
func (s *stream) stateful() {
	switch s.n(7) {
	case 0:
		s.emit(isa.DIV, isa.Mods{}, reg(s.anyReg()), reg(s.anyReg()), reg(s.anyReg()))
	case 1:
		s.emit(isa.REMU, isa.Mods{SetFlags: true}, reg(s.anyReg()), reg(s.anyReg()), imm(uint32(1+s.n(60))))
	case 2:
		s.emit(isa.EX, isa.Mods{}, reg(s.anyReg()), reg(13))
	case 3:
		s.emit(isa.LLOCK, isa.Mods{}, reg(s.anyReg()), reg(14))
		s.straight(s.n(3))
		s.emit(isa.SCOND, isa.Mods{}, reg(s.anyReg()), reg(14))
	case 4:
		s.emit(isa.SETI, isa.Mods{}, imm(0x10|uint32(s.n(4))))
	case 5:
		s.emit(isa.CLRI, isa.Mods{}, reg(s.anyReg()))
		s.straight(2)
		s.emit(isa.SETI, isa.Mods{}, imm(0x10))
	case 6:
		s.emit(isa.SWI, isa.Mods{})
	}
}

// mode changes DSP_CTRL.
func (s *stream) mode() {
	s.emit(isa.SR, isa.Mods{}, imm([]uint32{0, 2, 3}[s.n(3)]|uint32(s.n(2))<<2|uint32(s.n(2))<<3), imm(0x59f))
}

// dsp adds instructions of the DSP classes, which a draw among all rows would make rare.
func (s *stream) dsp(n int) {
	for range n {
		for {
			r := s.rows[s.n(len(s.rows))]
			if r.Needs&(isa.DSP|isa.MPY7|isa.MPY8|isa.MPY9) != 0 {
				s.pure(r)
				break
			}
		}
	}
}

// setPorts writes pointers, offsets and modifiers.
func (s *stream) setPorts() {
	for range 1 + s.n(4) {
		places := []uint32{dataBase + 0x2000, 0xc0000000, 0xe0000000, dataBase + 0x3ff0}
		ap := places[s.n(len(places))] + uint32(s.n(0x400))
		if s.chance(3) {
			ap = badAddress
		}
		s.emit(isa.SR, isa.Mods{}, imm(ap), imm(0x5c0+uint32(s.n(4))))
		s.emit(isa.SR, isa.Mods{}, imm(uint32(s.n(9)-4)), imm(0x5d0+uint32(s.n(4))))
		s.emit(isa.SR, isa.Mods{}, imm(s.modifier()), imm(0x5e0+uint32(s.n(6))))
	}
}

// modifier draws a modifier word, mostly a plain linear one, sometimes modulo or bit-reversed.
func (s *stream) modifier() uint32 {
	types := []uint32{2<<4 | 11<<6, 2<<4 | 8<<6, 2<<4 | 9<<6, 2<<4 | 4<<6, 2<<4 | 5<<6, 2<<4 | 0<<6, 2<<4 | 3<<6,
		2<<4 | 3<<6 | 1<<13, 2<<4 | 0<<6 | 1<<13, 1<<4 | 3<<6, 0<<4 | 7<<6, 2<<4 | 10<<6, 2<<4 | 6<<6, 2<<4 | 7<<6}
	w := uint32(s.n(4)) | types[s.n(len(types))]
	if s.chance(15) {
		w |= 1 << 11 // downwards
	}
	if s.chance(10) {
		w |= 1 << 12 // elements reversed
	}
	switch k := s.n(100); {
	case k < 60:
		return w | uint32(s.n(9))<<18 | 1<<29
	case k < 80:
		return w | uint32(s.n(4))<<25 | uint32(s.n(3))<<14
	case k < 85:
		return w | uint32(s.n(4))<<25 | uint32(s.n(3))<<14 | 2<<29
	case k < 90:
		return w | uint32(s.n(64))<<18 | 3<<29
	case k < 98:
		return w | uint32(s.n(9))<<18 | uint32(2+s.n(6))<<14 | 5<<29
	}
	return s.rng.Uint32()
}

// portLoop adds a loop around a few instructions with AGU operands, often a single one.
func (s *stream) portLoop() {
	port := func() isa.Operand { return reg(dspunit.FirstPort + uint8(s.n(6))) }
	end := s.newLabel()
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(s.trips(40)))
	s.emitLabel(isa.LP, end, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	ops := []isa.Op{isa.DMACH, isa.DMACHBL, isa.DMACHBM, isa.DMACHFR, isa.DMACHF, isa.VMAC2H, isa.VMAC2HF,
		isa.VMAC2HNFR, isa.VMAX2H, isa.VADDS2H, isa.MAC, isa.ADD, isa.MACWHL, isa.CMACHFR, isa.VMIN2H, isa.MPYD, isa.SUB,
		isa.MACF, isa.MPYWHL, isa.VMPY2HF, isa.VSUBS2H}
	n := 1
	if s.chance(50) {
		n += s.n(4)
	}
	for range n {
		op := ops[s.n(len(ops))]
		pairs := isa.RowOf(op).Pair != 0
		var ops3 [3]isa.Operand
		for i := range ops3 {
			ops3[i] = reg(s.anyReg())
			if s.chance(70) && (i > 0 || s.chance(30)) {
				ops3[i] = port()
			}
		}
		if pairs || s.chance(60) {
			ops3[0] = isa.Operand{Kind: isa.OpNull}
		}
		switch s.n(10) {
		case 0:
			s.emit(isa.MOV, isa.Mods{}, ops3[1], ops3[2])
		case 1:
			s.emit(isa.MODAPP, isa.Mods{}, isa.Operand{Kind: isa.OpNull}, port())
		case 2:
			s.emit(isa.ST, isa.Mods{Size: isa.SizeHalf, Addr: isa.AddrPost}, port(), reg(13), imm(2))
		default:
			s.emit(op, isa.Mods{}, ops3[0], ops3[1], ops3[2])
		}
	}
	s.place(end)
}

// trips draws the number of iterations of a loop around loads, stores or ports.
func (s *stream) trips(most int) uint32 {
	if s.loops {
		most *= 12
	}
	return uint32(1 + s.n(most))
}

// accessLoop adds a loop of loads and stores through pointers that move by constants, and of functions of what
// was loaded. It counts in LP_COUNT or in a register.
func (s *stream) accessLoop() {
	counted := s.chance(30)
	begin, end := s.newLabel(), s.newLabel()
	for base := uint8(13); base < 16; base++ {
		s.emit(isa.MOV, isa.Mods{}, reg(base), imm(s.pointer(base)+uint32(s.n(4))*uint32(s.n(3))))
	}
	if counted {
		s.emit(isa.MOV, isa.Mods{}, reg(9), imm(s.trips(40)))
		s.place(begin)
	} else {
		s.emit(isa.MOV, isa.Mods{}, reg(60), imm(s.trips(40)))
		s.emitLabel(isa.LP, end, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	}
	ops := []isa.Op{isa.ADD, isa.SUB, isa.XOR, isa.MPY, isa.MIN, isa.ADD1}
	if s.cfg.Features.Has(isa.DSP) {
		ops = append(ops, isa.MAC, isa.DMACH, isa.VMAC2H, isa.VADDS2H, isa.MACD)
	}
	for range 1 + s.n(5) {
		size := []isa.MemSize{isa.SizeWord, isa.SizeHalf, isa.SizeByte}[s.n(3)]
		m := isa.Mods{Addr: []isa.AddrMode{isa.AddrOffset, isa.AddrPre, isa.AddrPost, isa.AddrPost}[s.n(4)], Size: size}
		off := isa.Operand{Kind: isa.OpImm, Val: int32([]int{-12, -4, -2, -1, 0, 1, 1, 1, 2, 3, 4, 10}[s.n(12)]) * int32(size.Bytes())}
		base := reg(13 + uint8(s.n(3)))
		switch k := s.n(10); {
		case k < 4:
			m.SignExtend = size != isa.SizeWord && s.chance(50)
			s.emit(isa.LD, m, reg(uint8(s.n(8))), base, off)
		case k < 6:
			s.emit(isa.ST, m, reg(uint8(s.n(8))), base, off)
		default:
			op := ops[s.n(len(ops))]
			flags := op == isa.ADD && s.chance(20)
			s.emit(op, isa.Mods{SetFlags: flags}, reg(uint8(s.n(4)*2)), reg(uint8(s.n(8))), reg(uint8(s.n(8))))
		}
	}
	if counted {
		s.emitLabel(isa.DBNZ, begin, isa.Mods{}, reg(9), isa.Operand{Kind: isa.OpTarget})
	}
	s.place(end)
}

// loadLoop adds a loop around two loads with post-increment and an operation on what they load.
func (s *stream) loadLoop() {
	end := s.newLabel()
	s.emit(isa.MOV, isa.Mods{}, reg(60), imm(s.trips(60)))
	s.emitLabel(isa.LP, end, isa.Mods{}, isa.Operand{Kind: isa.OpTarget})
	regs := s.rng.Perm(8)
	for i := range 2 {
		size := []isa.MemSize{isa.SizeWord, isa.SizeHalf, isa.SizeByte}[s.n(3)]
		m := isa.Mods{Addr: isa.AddrPost, Size: size, SignExtend: size != isa.SizeWord && s.chance(50)}
		step := int32(s.n(5)-1) * int32(size.Bytes())
		s.emit(isa.LD, m, reg(uint8(regs[i])), reg(13+uint8(i)), isa.Operand{Kind: isa.OpImm, Val: step})
	}
	ops := []isa.Op{isa.DMACH, isa.DMACHBL, isa.MAC, isa.VMAC2HF, isa.DMACHFR, isa.ADD, isa.VMAX2H}
	dest := isa.Operand{Kind: isa.OpNull}
	if s.chance(50) {
		dest = reg(uint8(regs[2]))
	}
	x, y := reg(uint8(regs[0])), reg(uint8(regs[1]))
	if s.chance(30) {
		x, y = y, x
	}
	s.emit(ops[s.n(len(ops))], isa.Mods{}, dest, x, y)
	s.place(end)
}

// handlers are the vector table and the two handlers, at addresses below the program.
func (s *stream) handlers() (table, code []byte) {
	const at = 0x800
	h := &stream{cfg: s.cfg, rng: s.rng}
	h.emit(isa.ADD, isa.Mods{}, reg(24), reg(24), imm(1))
	h.emit(isa.LR, isa.Mods{}, reg(23), imm(0x402)) // ERSTATUS, without a pending delay slot
	h.emit(isa.BCLR, isa.Mods{}, reg(23), reg(23), imm(6))
	h.emit(isa.BCLR, isa.Mods{}, reg(23), reg(23), imm(5)) // nor a fault in a handler
	h.emit(isa.BSET, isa.Mods{}, reg(23), reg(23), imm(31))
	h.emit(isa.BCLR, isa.Mods{}, reg(23), reg(23), imm(12))
	h.emit(isa.SR, isa.Mods{}, reg(23), imm(0x402))
	h.emit(isa.SR, isa.Mods{}, reg(25), imm(isa.AuxERET))
	h.emit(isa.MOV, isa.Mods{}, reg(13), imm(dataBase+0x800))
	h.emit(isa.MOV, isa.Mods{}, reg(14), imm(dataBase+0x4000))
	h.emit(isa.MOV, isa.Mods{}, reg(15), imm(dataBase+0x6ff8))
	h.emit(isa.MOV, isa.Mods{}, reg(16), imm(badAddress))
	h.emit(isa.RTIE, isa.Mods{})
	trap := len(h.items)
	h.trapHandler()
	irq := len(h.items)
	h.emit(isa.ADD, isa.Mods{}, reg(22), reg(22), imm(1))
	h.emit(isa.MOV, isa.Mods{}, reg(21), imm(3))
	h.emit(isa.SR, isa.Mods{}, imm(1), imm(0x22)) // timer 0: interrupt again, pending bit off
	if s.cfg.Interrupts > 0 {
		h.emit(isa.SR, isa.Mods{}, imm(0), imm(0x201)) // AUX_IRQ_HINT
	}
	h.emit(isa.RTIE, isa.Mods{})
	code = h.image()
	for v := range 256 {
		addr := uint32(at)
		switch {
		case v >= 16:
			addr += h.items[irq].addr - codeBase
		case v == cpu.VecTrap:
			addr += h.items[trap].addr - codeBase
		}
		table = binary.LittleEndian.AppendUint32(table, addr)
	}
	return table, code
}
