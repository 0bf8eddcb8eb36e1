package cpu

import (
	"fmt"
	"math"
	"strings"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// operandKind says where an operand of the reference engine is.
type operandKind uint8

const (
	opNone operandKind = iota
	opReg
	opImm
	opPort
)

// operand is one operand, resolved as far as decoding can.
type operand struct {
	kind operandKind
	slot uint8  // register slot, or port number
	high uint8  // slot of the second half of a pair
	imm  uint32 // literal, replicated as the operation wants it
	imm2 uint32 // second half of a literal pair
}

// fetch reads the instruction at pc; nil means that it raised an exception.
func (c *CPU) fetch(pc uint32) (code isa.Code, f *memory.Fault) {
	first, f := c.Mem.Fetch(pc)
	if f != nil {
		return 0, f
	}
	code = isa.Code(first) << 48
	for i := uint32(1); i < 4; i++ {
		h, f := c.Mem.Fetch(pc + 2*i)
		if f != nil {
			if i < uint32(code.Size())/2 || i < c.length(code)/2 {
				return 0, f
			}
			break
		}
		code |= isa.Code(h) << (48 - 16*i)
	}
	return code, nil
}

// length is the length of the instruction that code starts with, its long immediate included.
func (c *CPU) length(code isa.Code) uint32 {
	in := c.decoder.Decode(code)
	return uint32(in.Len)
}

// decode decodes the instruction at pc and keeps it; nil means that the fetch raised an exception.
func (r *Ref) decode(c *CPU, pc uint32) *decoded {
	code, f := c.fetch(pc)
	if f != nil && f.Addr == pc && c.leaves(f) {
		code, f = c.fetch(pc)
	}
	if f != nil {
		c.raiseFault(f)
		return nil
	}
	if r.held++; r.held > maxHeld {
		r.Flush()
		r.turn(pc >> 12)
	}
	d := &decoded{in: c.decoder.Decode(code), pc: pc}
	c.markCode(pc, uint32(d.in.Len))
	d.next = pc + uint32(d.in.Len)
	d.breaks = c.Breakpoint(pc)
	d.cond = 0xffff
	if d.in.Op == isa.Invalid {
		d.why = c.explain(code, &d.in)
	} else {
		c.resolve(d)
	}
	d.special = d.why != "" || d.op == isa.BRK
	r.current[pc>>1&2047] = d
	return d
}

// describe is the cycle model's view of an instruction where it stands. Only a core without an instruction cache waits for
// the words of instructions themselves; a cache does when it fills a line.
func (c *CPU) describe(in *isa.Inst, pc uint32) timing.Desc {
	d := c.Timing.Describe(in)
	if c.icache == nil {
		words, jump := c.Mem.FetchWaits(pc, uint32(in.Len))
		d.Fetched(uint8(min(words, math.MaxUint8)), uint8(min(jump, math.MaxUint8)))
	}
	return d
}

// resolve finds out how to execute d.
func (c *CPU) resolve(d *decoded) {
	in := &d.in
	row := in.Row()
	d.op, d.class = in.Exec(), in.Class()
	if d.op != isa.LP {
		d.cond = condTable[in.Cond]
	}
	d.desc = c.describe(in, d.pc)
	d.slotless = in.HasLimm || in.Control() && d.op != isa.BRK || d.op == isa.SLEEP || d.op == isa.EI_S
	d.size = in.Size.Bytes()
	switch {
	case row.Model() == isa.NotModelled:
		d.why = fmt.Sprintf("%s is not modelled: %s", row.Name, row.Reason)
	default:
		d.why = c.illegal(in)
	}
	if d.why != "" {
		return
	}
	if c.Config.narrows(in) {
		defer func() { d.exec = narrowed(d.exec) }()
	}
	if b := &pure[d.op]; b.call != nil {
		c.bindPure(d, b)
		return
	}
	d.exec = method(d.op)
	var ops [3]operand
	for i := range in.N {
		ops[i] = c.bind(d, int(i), row.Pair>>i&1 != 0)
	}
	d.dst, d.x, d.y = ops[0], ops[1], ops[2]
}

// bindPure resolves the operands of an instruction that is a function. Sources are the last
// operands, the destination is the first one.
func (c *CPU) bindPure(d *decoded, b *binding) {
	in := &d.in
	row := in.Row()
	d.call, d.uses = b.call, b.uses
	d.exec = (*Ref).execPure
	d.setF = b.uses&givesF != 0 && (in.SetFlags || row.AlwaysFlags)
	n := int(in.N)
	pair := func(i int) bool { return row.Pair>>i&1 != 0 }
	if b.uses&(usesY|usesY64) != 0 && n > 0 {
		n--
		d.y = c.bind(d, n, pair(n))
		d.y.replicate(in.Args[n], row.ImmRep)
	}
	if b.uses&(usesX|usesX64) != 0 && n > 0 {
		n--
		d.x = c.bind(d, n, pair(n))
	}
	if b.uses&(givesZ|givesZ64) != 0 && in.N > 0 {
		d.dst = c.bind(d, 0, pair(0) || b.uses&givesZ64 != 0)
		if d.dst.kind == opImm {
			d.dst = operand{}
		}
	}
}

// bind resolves operand i of d.
func (c *CPU) bind(d *decoded, i int, pair bool) operand {
	a := d.in.Args[i]
	switch a.Kind {
	case isa.OpReg:
		switch {
		case a.Reg == RegPCL:
			return operand{kind: opImm, imm: d.pc &^ 3, imm2: d.pc &^ 3}
		case a.Reg >= dspunit.FirstPort && a.Reg < dspunit.FirstPort+24:
			return operand{kind: opPort, slot: a.Reg - dspunit.FirstPort}
		}
		return operand{kind: opReg, slot: Slot(a.Reg), high: Slot(a.Reg | 1)}
	case isa.OpImm:
		lo, hi := a.Words()
		return operand{kind: opImm, imm: lo, imm2: hi}
	case isa.OpTarget:
		return operand{kind: opImm, imm: d.pc&^3 + uint32(a.Val)}
	case isa.OpRegList:
		return operand{kind: opImm, imm: uint32(a.Val)}
	}
	return operand{}
}

// replicate copies a short literal into the lanes of the operation.
func (o *operand) replicate(a isa.Operand, rep isa.ImmRep) {
	if a.Kind != isa.OpImm || a.Long {
		return
	}
	o.imm, o.imm2 = rep.Fill(o.imm, o.imm2)
}

// illegal says why an instruction that decodes cannot execute on this core, "" if it can.
//
// DEVIATION(116): an odd register as a pair, an extension condition, and lp_count or pcl where the
// assembler refuses them as destinations raise Instruction Error.
func (c *CPU) illegal(in *isa.Inst) string {
	row := in.Row()
	if in.Cond > isa.CondPNZ {
		return fmt.Sprintf("condition .%s belongs to an extension", in.Cond)
	}
	if in.Op == isa.LP && c.Config.NoLoops {
		return "lp needs zero-overhead loops, which this core lacks (lpc_size)"
	}
	for i, a := range in.Args[:in.N] {
		if a.Kind != isa.OpReg {
			continue
		}
		switch {
		case a.Reg == RegPCL:
			if i == 0 && writesFirst(row.Shape) {
				return "pcl as a destination"
			}
			continue
		case a.Reg == RegLPCount && c.Config.NoLoops:
			return "lp_count is not a register of this core (lpc_size)"
		case a.Reg == RegLPCount && row.RefusesLPCount() && i == 0:
			return row.Name + " cannot write lp_count"
		case a.Reg >= dspunit.FirstPort && a.Reg < dspunit.FirstPort+24:
			if a.Reg-dspunit.FirstPort >= c.Config.AGU.Modifiers {
				return fmt.Sprintf("r%d is not a register of this core (agu_size)", a.Reg)
			}
			if row.Pair>>i&1 != 0 {
				return fmt.Sprintf("r%d, an AGU port, as a register pair", a.Reg)
			}
		case a.Reg == 56 || a.Reg == 57:
			return fmt.Sprintf("r%d is not a register of this core", a.Reg)
		case (a.Reg == RegAccLo || a.Reg == RegAccHi) && !hasAcc(&c.Config):
			return fmt.Sprintf("r%d is not a register of this core (mpy_option)", a.Reg)
		case c.Config.Regs16 && !(a.Reg <= 3 || a.Reg >= 10 && a.Reg <= 15 || a.Reg >= 26):
			return fmt.Sprintf("r%d is not a register of this core (rgf_num_regs)", a.Reg)
		}
		if row.Pair>>i&1 != 0 && a.Reg&1 != 0 {
			return fmt.Sprintf("r%d as the first register of a pair", a.Reg)
		}
	}
	return ""
}

// writesFirst reports whether the first operand of the shape is a destination.
func writesFirst(s isa.Shape) bool {
	switch s {
	case isa.ShapeDSS, isa.ShapeDS, isa.ShapeLoad, isa.ShapeAuxR, isa.ShapeDecBr, isa.ShapeRMW:
		return true
	}
	return false
}

// explain says why code is no instruction of this core, and which options would make it one.
func (c *CPU) explain(code isa.Code, in *isa.Inst) string {
	for _, set := range []isa.Feature{allDSP, allFPU} {
		other := isa.NewDecoder(set).Decode(code)
		if other.Op == isa.Invalid {
			continue
		}
		missing := other.FormOf().Needs &^ c.Config.Features
		var names []string
		for _, o := range options {
			if missing&o.feature != 0 {
				names = append(names, o.name)
			}
		}
		return fmt.Sprintf("%s needs %s, which this core lacks", other.Row().Name, strings.Join(names, ", "))
	}
	if in.Len == 2 {
		return fmt.Sprintf("illegal instruction 0x%04x", in.Word)
	}
	return fmt.Sprintf("illegal instruction 0x%08x", in.Word)
}

// options are the instruction options by the names of the properties that set them.
var options = []struct {
	feature isa.Feature
	name    string
}{
	{isa.EM, "nsim_isa_family=av2em"},
	{isa.HS, "nsim_isa_family=av2hs"},
	{isa.CodeDensity, "nsim_isa_code_density_option"},
	{isa.BarrelShift, "nsim_isa_shift_option=2"},
	{isa.ShiftAssist, "nsim_isa_shift_option=1"},
	{isa.BitScan, "nsim_isa_bitscan_option"},
	{isa.Swap, "nsim_isa_swap_option"},
	{isa.DivRem, "nsim_isa_div_rem_option"},
	{isa.MPY1, "nsim_isa_mpy_option=1"},
	{isa.MPY6, "nsim_isa_mpy_option=2"},
	{isa.MPY7, "nsim_isa_mpy_option=7"},
	{isa.MPY8, "nsim_isa_mpy_option=8"},
	{isa.MPY9, "nsim_isa_mpy_option=9"},
	{isa.LL64, "nsim_isa_ll64_option"},
	{isa.Atomic, "nsim_isa_atomic_option"},
	{isa.DSP, "nsim_isa_dsp_option"},
	{isa.DSPComplex, "nsim_isa_dsp_complex_option"},
	{isa.DSPDivSqrt, "nsim_isa_dsp_divsqrt_option"},
	{isa.AGU, "nsim_isa_agu_size"},
	{isa.Bitstream, "nsim_isa_bitstream_option"},
	{isa.Secure, "the secure extension"},
	{isa.FPUSingle, "nsim_isa_fpus_option"},
	{isa.FPUSingleDiv, "nsim_isa_fpus_div_option"},
	{isa.FPUSingleMAC, "nsim_isa_fpu_mac_option"},
	{isa.FPUDouble, "nsim_isa_fpud_option"},
	{isa.FPUDoubleDiv, "nsim_isa_fpud_div_option"},
	{isa.FPUDoubleMAC, "nsim_isa_fpu_mac_option"},
	{isa.FPUDoubleAssist, "nsim_isa_fpuda_option"},
	{isa.FPXSingle, "nsim_isa_spfp"},
	{isa.FPXDouble, "nsim_isa_dpfp"},
	{isa.QuarkSE, "the QuarkSE floating-point helpers"},
	{isa.FastMath, "the fast math extension"},
}

// Sets of options under which an unknown instruction may have a meaning. DSP and floating point
// share opcodes, so they cannot be asked about together.
const (
	integer = isa.EM | isa.HS | isa.CodeDensity | isa.BarrelShift | isa.ShiftAssist | isa.BitScan |
		isa.Swap | isa.DivRem | isa.AllMPY | isa.LL64 | isa.Atomic | isa.Bitstream | isa.Secure
	allDSP = integer | isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.DSPAccShift | isa.DSPITU | isa.AGU
	allFPU = integer | isa.AllFPUSingle | isa.AllFPUDouble | isa.FPUDoubleAssist | isa.FastMath
)

// condTable has for each condition a bit per combination of Z N C V.
var condTable = func() (t [32]uint16) {
	for f := range uint16(16) {
		z, n, c, v := f&FlagZ != 0, f&FlagN != 0, f&FlagC != 0, f&FlagV != 0
		for cond, holds := range [...]bool{
			isa.CondAL: true, isa.CondEQ: z, isa.CondNE: !z, isa.CondP: !n, isa.CondN: n,
			isa.CondC: c, isa.CondNC: !c, isa.CondV: v, isa.CondNV: !v,
			isa.CondGT: !z && n == v, isa.CondGE: n == v, isa.CondLT: n != v,
			isa.CondLE: z || n != v, isa.CondHI: !c && !z, isa.CondLS: c || z,
			isa.CondPNZ: !n && !z,
		} {
			if holds {
				t[cond] |= 1 << f
			}
		}
	}
	return t
}()
