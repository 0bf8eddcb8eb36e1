package uop

import (
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// lowerer turns the instructions of a block into micro-operations.
type lowerer struct {
	lowering
	lowered
	src  *cpu.Block
	k    int
	line uint32 // the last line fetched from, plus one
}

// lowered is the micro-operations of a block, with one that nothing executes behind the last, and where those of each
// instruction start.
type lowered struct {
	uops  []Uop
	start []uint16
}

// lowering says how a block shall be lowered.
type lowering struct {
	cpu     *cpu.CPU
	mode    cpu.Mode
	manner  uint32 // of a jump to a computed address
	warm    bool
	relaxed bool // AGU ports are accessed by separate micro-operations, which know all kinds of pointers
	split   bool // an unaligned access of a port costs cycles in some memory

	// Hand says which instructions the reference engine shall execute; nil: those alone that have no
	// micro-operations.
	hand func(*isa.Inst) bool
}

// lower returns a block as micro-operations, in the memory of what it returned before.
func lower(src *cpu.Block, how lowering, old lowered) lowered {
	l := &lowerer{lowering: how, src: src, lowered: lowered{uops: old.uops[:0], start: old.start[:0]}}
	n := len(src.Insts)
	branch := -1 // the branch that ends the block
	if src.End == cpu.EndBranch || src.End == cpu.EndJump {
		if branch = n - 1; src.Insts[branch].Slot {
			branch--
		}
	}
	for l.k = range n {
		in := &src.Insts[l.k]
		l.start = append(l.start, uint16(len(l.uops)))
		if how.mode&cpu.ModeFetch != 0 && !how.warm {
			l.fetch(in)
		}
		switch {
		case l.k == branch && in.Delay:
			l.prepare(in)
		case l.k == branch:
			l.branch(in)
		case in.Straight:
			l.straight(in)
		default:
			l.instruction(in)
		}
	}
	l.start = append(l.start, uint16(len(l.uops)))
	l.k = n
	switch src.End {
	case cpu.EndFall:
		l.emit(Uop{Op: END})
	case cpu.EndLoop:
		l.emit(Uop{Op: ENDLP, Imm: src.Exits[0].PC, X: src.Exits[1].PC})
	case cpu.EndHand:
		if n == 0 {
			u := Uop{Op: HAND, X: 1}
			if src.Hand == isa.RTIE || src.Hand == isa.SLEEP {
				u.X = 0
			}
			l.emit(u)
		} else {
			l.emit(Uop{Op: END})
		}
	default:
		if in := &src.Insts[branch]; in.Delay {
			l.finish(in)
		}
	}
	l.uops = append(l.uops, Uop{Op: SLOW})
	return l.lowered
}

func (l *lowerer) emit(u Uop) {
	u.k = uint16(l.k)
	l.uops = append(l.uops, u)
}

// Exit1 is the field D of micro-operations that leave through exit 1.
const Exit1 = uint8(unsafe.Sizeof(Edge{}))

// cond is the field x of micro-operations that test a condition.
func cond(c isa.Cond) uint32 { return uint32(cpu.CondTable(c)) }

// skip emits the micro-operations of body behind one that skips them unless the condition holds.
func (l *lowerer) skip(c isa.Cond, body func()) {
	if c == isa.CondAL {
		body()
		return
	}
	l.skipBy(Uop{Op: SKIP, X: cond(c)}, body)
}

func (l *lowerer) skipBy(u Uop, body func()) {
	at := len(l.uops)
	l.emit(u)
	body()
	l.uops[at].Imm = uint32(len(l.uops)-at-1) * uint32(Size)
}

// source returns slot and literal of operand i; the slot is the zero slot for a literal.
func (l *lowerer) source(in *cpu.BlockInst, i int) (slot uint8, imm uint32) {
	switch a := in.Args[i]; {
	case a.Kind == isa.OpReg && a.Reg == cpu.RegPCL:
		return cpu.SlotZero, in.PC &^ 3
	case a.Kind == isa.OpReg:
		return cpu.Slot(a.Reg), 0
	case a.Kind == isa.OpImm:
		lo, _ := literal(in, i)
		return cpu.SlotZero, lo
	}
	return cpu.SlotZero, 0
}

// literal returns the two words of a literal operand; the last operand fills lanes as the
// instruction says.
func literal(in *cpu.BlockInst, i int) (lo, hi uint32) {
	a := &in.Args[i]
	lo, hi = a.Words()
	if a.Long || i != int(in.N)-1 {
		return lo, hi
	}
	return in.Row().ImmRep.Fill(lo, hi)
}

// register returns the slot of a first source, which a literal must be put into.
func (l *lowerer) register(in *cpu.BlockInst, i int, tmp uint8) uint8 {
	slot, imm := l.source(in, i)
	if slot != cpu.SlotZero || imm == 0 {
		return slot
	}
	l.emit(Uop{Op: LI, A: tmp, Imm: imm})
	return tmp
}

// pair returns the slot of a register pair or of a literal as one; false for the accumulator, whose
// halves are not neighbours.
func (l *lowerer) pair(in *cpu.BlockInst, i int, tmp uint8) (uint8, bool) {
	switch a := in.Args[i]; {
	case a.Kind == isa.OpReg && a.Reg < 32:
		return a.Reg, true
	case a.Kind == isa.OpImm:
		lo, hi := literal(in, i)
		l.emit(Uop{Op: LI, A: tmp, Imm: lo})
		l.emit(Uop{Op: LI, A: tmp + 1, Imm: hi})
		return tmp, true
	}
	return 0, false
}

// anyCPU is a processor for questions whose answer is the same for all.
var anyCPU cpu.CPU

// lowers reports whether an instruction without control flow has micro-operations, so that it may
// stand in a delay slot of a block.
func lowers(in *isa.Inst) bool {
	l := &lowerer{lowering: lowering{cpu: &anyCPU}, src: &cpu.Block{}}
	l.instruction(&cpu.BlockInst{Inst: *in, Slot: true})
	return !slices.ContainsFunc(l.uops, func(u Uop) bool { return u.Op == SLOW || u.Op == METHOD })
}

// instruction emits an instruction without control flow; one without micro-operations goes to the reference engine.
func (l *lowerer) instruction(in *cpu.BlockInst) {
	at := len(l.uops)
	if l.hand != nil && l.hand(&in.Inst) || !l.try(in) {
		l.uops = append(l.uops[:at], Uop{Op: SLOW, k: uint16(l.k)})
	}
}

func (l *lowerer) try(in *cpu.BlockInst) bool {
	ports := cpu.Ports(&in.Inst)
	switch op := in.Exec(); op {
	case isa.NOP, isa.SYNC, isa.DSYNC, isa.DMB:
		return true
	case isa.LD, isa.LDD:
		return l.load(in)
	case isa.ST, isa.STD:
		return l.store(in, ports)
	case isa.LP:
		l.emit(Uop{Op: LP, Imm: in.Next, X: in.PC&^3 + uint32(in.Args[0].Val)})
		return true
	case isa.LR:
		return ports == 0 && (l.loadAux(in) || l.timed(in) || l.method(in))
	case isa.SR:
		return ports == 0 && (l.storeAux(in) || l.timed(in) || l.method(in))
	case isa.FLAG, isa.KFLAG, isa.SETI, isa.CLRI:
		return ports == 0 && (l.status(in) || l.method(in))
	case isa.ENTER_S, isa.LEAVE_S:
		return ports == 0 && (l.frame(in) || l.method(in))
	case isa.AEX, isa.EX:
		return ports == 0 && l.method(in)
	case isa.PREFETCH, isa.PREFETCHW, isa.PREALLOC:
		return ports == 0 && in.Addr != isa.AddrPre && in.Addr != isa.AddrPost
	case isa.MODAPP:
		if ports != 1<<1 || in.Args[0].Kind != isa.OpNull {
			return false
		}
		l.emit(Uop{Op: PSTEP, X: PortOffset(in.Args[1].Reg)})
		return true
	default:
		if driven[op] == nil {
			return l.arithmetic(in, &instructions[op], ports)
		}
		d := *driven[op]
		if d.plain != FUNCTION {
			d.d = l.cpu.QuotientSlot(op)
		}
		return l.arithmetic(in, &d, ports)
	}
}

// PortOffset is the place of a port, named as a register, in CPU.AGU.Port.
func PortOffset(reg uint8) uint32 {
	return uint32(reg-dspunit.FirstPort) * uint32(unsafe.Sizeof(dspunit.Port{}))
}

// arithmetic emits an instruction that is a function.
func (l *lowerer) arithmetic(in *cpu.BlockInst, op *opUops, ports uint8) bool {
	if op.plain == NONE {
		return false
	}
	row := in.Row()
	u := Uop{Op: op.plain, A: cpu.SlotNull, D: op.d, X: op.x}
	n := int(in.N)
	yArg, xArg := -1, -1
	if op.hasY || op.hasY64 {
		n--
		yArg = n
	}
	if op.hasX || op.hasX64 {
		n--
		xArg = n
	}
	if n < 0 {
		return false
	}
	dst := -1
	if op.hasZ || op.hasZ64 {
		dst = 0
		if dst == xArg || dst == yArg {
			return false
		}
	}
	storesPort := dst >= 0 && ports&1 != 0
	ok := true
	if dst >= 0 && !storesPort {
		if u.A, ok = op.destination(in.Args[0]); !ok {
			return false
		}
	}
	xPort := xArg >= 0 && ports>>xArg&1 != 0
	yPort := yArg >= 0 && ports>>yArg&1 != 0
	if ports>>1 != 0 && !xPort && !yPort {
		return false
	}
	flags := in.SetFlags || row.AlwaysFlags
	if flags && op.flags != NONE {
		u.Op = op.flags
	}

	// literals and pairs
	if op.hasX64 {
		u.B, ok = l.pair(in, xArg, tmpX)
	}
	if op.hasY64 && ok {
		u.C, ok = l.pair(in, yArg, tmpY)
	}
	if !ok {
		return false
	}
	if op.hasX && !xPort {
		u.B = l.register(in, xArg, tmpX)
	}
	if op.hasY && !yPort {
		u.C, u.Imm = l.source(in, yArg)
	}
	if in.Cond != isa.CondAL && ports == 0 && op.cond != NONE && !(flags && op.flags != NONE) {
		u.Op, u.X = op.cond, cond(in.Cond)
		l.emit(u)
		return true
	}
	l.skip(in.Cond, func() { l.withPorts(in, u, op, xArg, yArg, xPort, yPort, storesPort, flags && op.flags != NONE) })
	return true
}

// destination is where a result goes; not ok where the operation writes that register itself, or no pair.
func (op *opUops) destination(a isa.Operand) (slot uint8, ok bool) {
	if a.Kind != isa.OpReg {
		return cpu.SlotNull, true
	}
	acc := a.Reg == cpu.RegAccLo || a.Reg == cpu.RegAccHi
	return cpu.Slot(a.Reg), !(op.writesAcc && acc) && !(op.hasZ64 && a.Reg >= 32)
}

// withPorts emits u, its ports read and written.
func (l *lowerer) withPorts(in *cpu.BlockInst, u Uop, op *opUops, xArg, yArg int, xPort, yPort, storesPort, flags bool) {
	if !storesPort && !flags && !l.relaxed {
		switch {
		case xPort && yPort && op.portXY != NONE:
			u.Op, u.X = op.portXY, PortOffset(in.Args[xArg].Reg)|PortOffset(in.Args[yArg].Reg)<<16
			l.emit(u)
			return
		case xPort && !yPort && op.portX != NONE:
			u.Op, u.X = op.portX, PortOffset(in.Args[xArg].Reg)
			l.emit(u)
			return
		case yPort && !xPort && op.portY != NONE:
			u.Op, u.X = op.portY, PortOffset(in.Args[yArg].Reg)
			l.emit(u)
			return
		}
	}
	check := Uop{Op: PCHECK, B: noPort, C: noPort}
	if xPort {
		check.B = in.Args[xArg].Reg - dspunit.FirstPort
	}
	if yPort {
		check.C = in.Args[yArg].Reg - dspunit.FirstPort
	}
	if storesPort {
		check.X = PortOffset(in.Args[0].Reg)
		l.whole(check.X, noPort)
		l.emit(check)
		u.A = tmpDest
	}
	var ports []uint32
	if xPort {
		u.B = TmpPortX
		ports = append(ports, PortOffset(in.Args[xArg].Reg))
	}
	if yPort {
		u.C, u.Imm = TmpPortX+uint8(len(ports)), 0
		ports = append(ports, PortOffset(in.Args[yArg].Reg))
	}
	l.reading(ports, op.leaves, func() { l.emit(u) })
	if storesPort {
		l.emit(Uop{Op: PSTORE, A: tmpDest, X: check.X, Imm: in.Before})
	}
}

// reading emits what uses the values of ports, which it finds in the slots for them. When that may leave, the pointers
// move behind it.
func (l *lowerer) reading(ports []uint32, leaves bool, use func()) {
	load, peek, at := PLOAD, PPEEK, uint32(0)
	switch len(ports) {
	case 0:
		use()
		return
	case 1:
		at = ports[0]
	case 2:
		load, peek, at = PLOADXY, PPEEKXY, ports[0]|ports[1]<<16
	}
	before := uint8(noPort)
	for _, p := range ports {
		l.whole(p, before)
		before = uint8(p / PortOffset(dspunit.FirstPort+1))
	}
	if !leaves {
		l.emit(Uop{Op: load, A: TmpPortX, C: tmpPortY, X: at})
		use()
		return
	}
	l.emit(Uop{Op: peek, A: TmpPortX, C: tmpPortY, X: at})
	use()
	l.emit(Uop{Op: load, A: cpu.SlotNull, C: cpu.SlotNull, X: at})
}

// noPort stands for the number of a port where there is none.
const noPort = 255

// whole emits the question whether an access of a port takes the memory twice, on a core where some memory asks that.
func (l *lowerer) whole(port uint32, before uint8) {
	if l.split {
		l.emit(Uop{Op: PWHOLE, B: before, X: port})
	}
}

// load emits ld and ldd.
func (l *lowerer) load(in *cpu.BlockInst) bool {
	ops := [...]struct{ plain, indexed, post, pre Op }{
		{LDW, LDWR, LDWAB, LDWAW}, {LDB, LDBR, LDBAB, LDBAW},
		{LDH, LDHR, LDHAB, LDHAW}, {LDD, LDDR, LDDAB, LDDAW},
		{LDW, LDWR, LDWAB, LDWAW}, {LDBX, LDBXR, LDBXAB, LDBXAW},
		{LDHX, LDHXR, LDHXAB, LDHXAW},
	}
	if cpu.Ports(&in.Inst) != 0 || in.Cond != isa.CondAL {
		return false
	}
	size := int(in.Size)
	if in.SignExtend && in.Size != isa.SizeDouble {
		size += 4
	}
	u := Uop{A: cpu.SlotNull}
	if a := in.Args[0]; a.Kind == isa.OpReg {
		if in.Size == isa.SizeDouble && a.Reg >= 32 {
			return false
		}
		u.A = cpu.Slot(a.Reg)
	}
	base, baseImm := l.source(in, 1)
	offset, offsetImm := l.source(in, 2)
	post, pre := in.Addr == isa.AddrPost, in.Addr == isa.AddrPre
	if (post || pre) && base == cpu.SlotZero {
		return false
	}
	if base == u.A { // what is loaded takes the place of what is written back
		if post {
			offset, offsetImm = cpu.SlotZero, 0
		}
		post, pre = false, false
	}
	switch {
	case post:
		u.Op, u.B, u.C, u.Imm = ops[size].post, base, offset, offsetImm
	case pre:
		u.Op, u.B, u.C, u.Imm = ops[size].pre, base, offset, offsetImm
	default:
		shift := uint8(0)
		if in.Addr == isa.AddrScaled {
			shift = in.Size.Scale()
		}
		if offset == cpu.SlotZero {
			u.Op, u.B, u.Imm = ops[size].plain, base, baseImm+offsetImm<<shift
		} else {
			u.Op, u.B, u.C, u.D, u.Imm = ops[size].indexed, base, offset, shift, baseImm
		}
	}
	l.access(in, u)
	return true
}

// store emits st and std.
func (l *lowerer) store(in *cpu.BlockInst, ports uint8) bool {
	ops := [...]struct{ plain, post, pre Op }{
		{STW, STWAB, STWAW}, {STB, STBAB, STBAW}, {STH, STHAB, STHAW}, {STD, STDAB, STDAW},
	}[in.Size]
	if ports>>1 != 0 || in.Cond != isa.CondAL {
		return false
	}
	u := Uop{Op: ops.plain}
	switch {
	case ports != 0:
		if in.Size == isa.SizeDouble {
			return false
		}
		u.A = TmpPortX
	case in.Size == isa.SizeDouble:
		a := in.Args[0]
		if a.Kind != isa.OpReg || a.Reg >= 32 {
			return false
		}
		u.A = a.Reg
	default:
		u.A, u.X = l.source(in, 0)
	}
	base, baseImm := l.source(in, 1)
	offset, offsetImm := l.source(in, 2)
	switch in.Addr {
	case isa.AddrPost, isa.AddrPre:
		if base == cpu.SlotZero {
			return false
		}
		u.Op = ops.post
		if in.Addr == isa.AddrPre {
			u.Op = ops.pre
		}
		u.B, u.C, u.Imm = base, offset, offsetImm
	default:
		if offset != cpu.SlotZero {
			return false
		}
		if in.Addr == isa.AddrScaled {
			offsetImm <<= in.Size.Scale()
		}
		u.B, u.Imm = base, baseImm+offsetImm
	}
	var read []uint32
	if ports != 0 {
		read = append(read, PortOffset(in.Args[0].Reg))
	}
	l.reading(read, true, func() { l.access(in, u) })
	return true
}
