package dspunit

import "math/bits"

// AGUSize is the configured number of AGU registers.
type AGUSize struct {
	Pointers  uint8 // AGU_AP0 upwards
	Offsets   uint8 // AGU_OS0 upwards
	Modifiers uint8 // AGU_MOD0 upwards; as many ports from r32 upwards
}

// The configurations of the option agu_size.
var (
	AGUNone   = AGUSize{}
	AGUSmall  = AGUSize{Pointers: 4, Offsets: 2, Modifiers: 4}
	AGUMedium = AGUSize{Pointers: 8, Offsets: 4, Modifiers: 12}
	AGULarge  = AGUSize{Pointers: 12, Offsets: 8, Modifiers: 24}
)

// FirstPort is the core register of port 0; port n is FirstPort+n and uses modifier n.
const FirstPort = 32

// AGU is the address generation unit: pointers, offsets and modifiers as software wrote them, and
// for each port its modifier decoded. Reading port n as a source operand loads through modifier n,
// writing it as a destination stores; either way the pointer is updated after the access.
//
// AP may be read and written directly. OS and MOD are written by SetOS and SetMOD only, which keep
// the decoded ports in step.
type AGU struct {
	AP   [12]uint32 // address pointers
	OS   [8]uint32  // offset registers
	MOD  [24]uint32 // modifier words
	Port [24]Port   // modifiers decoded
	Size AGUSize
}

// NewAGU returns an AGU of the given size with all registers zero.
func NewAGU(size AGUSize) AGU {
	a := AGU{Size: size}
	a.Derive()
	return a
}

// Derive decodes all ports anew.
func (a *AGU) Derive() {
	for n := range a.Port {
		a.decode(n)
	}
}

// SetOS writes offset register k.
func (a *AGU) SetOS(k int, v uint32) {
	if a.OS[k] == v {
		return
	}
	a.OS[k] = v
	for n := range a.Port {
		if a.Port[n].usesOS(uint8(k)) {
			a.decode(n)
		}
	}
}

// SetMOD writes modifier n.
func (a *AGU) SetMOD(n int, word uint32) {
	if a.MOD[n] == word {
		return
	}
	a.MOD[n] = word
	a.decode(n)
}

// Update is how a pointer moves after an access.
type Update uint8

const (
	Linear      Update = iota // AP += Step
	BitReversed               // rev(AP) += Step, Step being reversed already
	Modulo                    // AP += Step, wrapped into a window of Window bytes
	Reserved                  // no update is defined: any use of the port is an Instruction Error
)

// Port is one modifier decoded: where, how much, how converted, and how the pointer moves.
//
// A load reads Size bytes as the little-endian number v and delivers, see Port.Load,
//
//	w = v&M1 | (v<<S2)&M2
//	w += (w & Sb) * Mul
//
// A store of the register value v writes the low Size bytes of (v>>D1)&N1 | (v>>D2)&N2.
// Both formulas hold when Rev is false; Rev reverses the vector elements in memory order.
type Port struct {
	Step   uint32 // added to the pointer
	M1, M2 uint32
	Sb     uint32
	Mul    uint32
	N1, N2 uint32
	Window uint32 // size of the modulo window in bytes; 0 is the whole address space

	S2     uint8
	D1, D2 uint8
	AP     uint8  // pointer register
	Size   uint8  // bytes accessed: 1, 2 or 4
	Elem   uint8  // bytes of one element in memory: 1, 2 or 4
	Update Update // how the pointer moves
	Rev    bool   // vector elements in reverse order
	Simple bool   // an access is legal, and the formulas above and AP += Step are all there is

	offset uint8 // offset register that Step depends on, 0xff when none
	window uint8 // offset register that Window depends on, 0xff when none

	_ [20]byte // an entry is 64 bytes
}

// Accessible reports whether an access through the port is legal. When not, the modifier is
// reserved and reading or writing the port register is an Instruction Error.
func (p *Port) Accessible() bool { return p.Size != 0 && p.Update != Reserved }

// Steppable reports whether modif and modapp may apply the modifier; its conversion is not used.
func (p *Port) Steppable() bool { return p.Update != Reserved }

const noOS = 0xff

func (p *Port) usesOS(k uint8) bool { return p.offset == k || p.window == k }

// modifier word fields
const (
	modAP    = 0xf       // address pointer
	modVW    = 4         // register element width, two bits: 0 = 8, 1 = 16, 2 = 32
	modFX    = 6         // conversion code, five bits
	modDIR   = 1 << 11   // subtract the offset
	modREV   = 1 << 12   // reverse the elements
	modREP   = 1 << 13   // one element into all lanes
	modSC    = 14        // four bits: scale, or window selector
	modImm   = 18        // eleven bits, signed
	modOS    = 25        // four bits: offset register
	modOPC   = 29        // three bits: kind of update
	modWidth = 1<<11 - 1 // mask of the immediate
)

// decode recomputes port n from its modifier and the offset registers.
//
// DEVIATION(45): reserved codes (VW 3, FX codes without a listed meaning, OPC 7, registers that the
// configuration lacks) raise Instruction Error when the port is used, not when it is written.
// DEVIATION(35): the immediate offset is a signed 11-bit number of bytes.
func (a *AGU) decode(n int) {
	word := a.MOD[n]
	p := Port{AP: uint8(word & modAP), offset: noOS, window: noOS, Rev: word&modREV != 0}
	p.convert(word>>modVW&3, word>>modFX&31, word&modREP != 0)
	ok := p.AP < a.Size.Pointers && n < int(a.Size.Modifiers)

	sc := word >> modSC & 15
	imm := uint32(int32(word>>modImm&modWidth<<21) >> 21)
	os := uint8(word >> modOS & 15)
	opc := word >> modOPC
	byRegister := opc == 0 || opc == 2 || opc == 4 || opc == 6
	step := imm
	if byRegister {
		step, ok = 0, ok && os < a.Size.Offsets
		if ok {
			step, p.offset = a.OS[os], os
		}
	}
	switch opc {
	case 0:
		step <<= sc
	case 1:
	case 2:
		step, p.Update = bits.Reverse32(step<<sc), BitReversed
	case 3:
		step, p.Update = bits.Reverse32(step), BitReversed
	case 4: // window size from the offset register that SC names
		p.Update = Modulo
		if ok = ok && uint8(sc) < a.Size.Offsets; ok {
			p.Window, p.window = a.OS[sc], uint8(sc)
		}
	case 5, 6:
		p.Update, p.Window = Modulo, 2<<sc
	default:
		ok = false
	}
	if word&modDIR != 0 {
		step = -step
	}
	p.Step = step
	if !ok {
		p.Update, p.AP = Reserved, 0
	}
	p.Simple = p.Update == Linear && !p.Rev && p.Size != 0
	a.Port[n] = p
}

// Next returns the pointer after an access at ap.
//
// DEVIATION(41): bit-reversed stepping is rev(rev(ap) + rev(offset)) over 32 bits.
// DEVIATION(42): the modulo window starts at the pointer with its low ceil(log2(size)) bits
// cleared; the distance from there moves modulo the size, the result being never negative.
func (p *Port) Next(ap uint32) uint32 {
	switch p.Update {
	case BitReversed:
		return bits.Reverse32(bits.Reverse32(ap) + p.Step)
	case Modulo:
		if p.Window == 0 {
			return ap + p.Step
		}
		low := uint32(1)<<bits.Len32(p.Window-1) - 1
		d := (int64(ap&low) + int64(int32(p.Step))) % int64(p.Window)
		if d < 0 {
			d += int64(p.Window)
		}
		return ap&^low + uint32(d)
	}
	return ap + p.Step
}

// Plan collects the pointer updates of one instruction before any of them takes effect, so that an
// instruction that faults in its second or third access leaves the AGU as it was.
//
// DEVIATION(35): the accesses of one instruction happen in the order source b, source c,
// destination; each naming of a port is an access, and sees the updates of the ones before it.
type Plan struct {
	ap   [3]uint8
	next [3]uint32
	n    uint8
}

// Access adds an access through port n to the plan and returns its address. The port must be
// Accessible, and a plan holds at most three accesses.
func (a *AGU) Access(plan *Plan, n uint8) uint32 {
	p := &a.Port[n]
	addr := a.AP[p.AP]
	for i := range plan.n {
		if plan.ap[i] == p.AP {
			addr = plan.next[i]
		}
	}
	plan.ap[plan.n], plan.next[plan.n] = p.AP, p.Next(addr)
	plan.n++
	return addr
}

// Commit makes the pointer updates of the plan.
func (a *AGU) Commit(plan *Plan) {
	for i := range plan.n {
		a.AP[plan.ap[i]] = plan.next[i]
	}
}

// Apply updates the pointer of modifier n without an access: modif, and modapp 0,r(32+n). The
// port must be Steppable.
func (a *AGU) Apply(n uint8) {
	p := &a.Port[n]
	a.AP[p.AP] = p.Next(a.AP[p.AP])
}
