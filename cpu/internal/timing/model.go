package timing

import "arcv2dsp/isa"

// Options are the build options of the core that the model depends on.
type Options struct {
	MPY         uint8 // mpy_option, 0 to 9
	MPYCycles   uint8 // field cycles of MULTIPLY_BUILD
	Divide      uint8 // div_rem_option: 1 radix-2, 2 radix-4
	Sqrt        uint8 // dsp_divsqrt_option: 1 radix-2, 2 radix-4
	Complex     bool  // dsp_complex: complex operations issue in one cycle
	TurboBoost  bool  // turbo_boost: one more cycle per taken branch
	Interleaved bool  // X and Y are interleaved: unaligned port accesses cost nothing

	DCCMInterleaved bool // the same of DCCM

	WriteBuffer uint8 // depth of the AGU write buffers; 0 takes the table's
	FastFPUMul  bool  // fpu_fast_mpy_option
	FastFPUDiv  bool  // fpu_fast_div_option
	FastFPX     bool  // the fast kind of FPX, not the compact one
}

// Model is the timing of one configured core: the numbers of its table, options applied. It does
// not change while a program runs.
type Model struct {
	Core        string
	Provisional bool

	LoadUse          uint8 // bubbles between a load and a use
	MPYW, MPY, MPYM  uint8 // bubbles between a multiply and a use: 16-bit, low word, high word
	MPYBlocks        bool  // the multiplier takes one operation at a time
	MACUse           uint8 // bubbles between a MAC and a use of its register
	Divide, Sqrt     uint8 // cycles of the non-blocking divider
	Complex          uint8 // extra cycles of a complex operation
	FPU, FPUMul      uint8 // bubbles between a floating-point operation and a use
	FPUMAC           uint8
	FPUConvert       uint8
	FPUDivide        uint8 // the same for division and root, which work beside the pipeline
	FPUDivide64      uint8
	FPX, FPXDouble   uint8
	FPXDoubleMul     uint8
	BranchTaken      uint8
	BranchTakenDelay uint8 // with a delay slot
	JumpTaken        uint8
	JumpTakenDelay   uint8
	LoopSetup        uint8
	TableAccess      uint8
	FrameAccess      uint8 // per register of enter_s and leave_s after the first
	AtomicAccess     uint8
	AuxExtra         uint8
	ExceptionEntry   uint8
	InterruptEntry   uint8
	InterruptSave    uint8 // per register
	InterruptReturn  uint8

	PortConflict  uint8
	PortMiss      uint8
	PortUnaligned [NumBanks]uint8
	WriteBuffer   uint32 // stores that it holds

	CacheFillStart, CacheWord uint8

	costs [isa.NumClasses]cost // by class, from the numbers above
}

// One names the model of an instruction-set simulator instead of a core: each instruction takes one cycle and nothing else
// takes any. Figures of such simulators are compared with it.
const One = "one"

// newOne makes that model. Its write buffers are never full.
func newOne() *Model {
	m := &Model{Core: One, Divide: 1, Sqrt: 1, WriteBuffer: 1 << 16}
	m.costs = m.classCosts()
	return m
}

// New returns the model of a core (see Cores) with the given options, or that of One, which has none.
func New(core string, o Options) (*Model, error) {
	if core == One {
		return newOne(), nil
	}
	t, err := ReadTable(core)
	if err != nil {
		return nil, err
	}
	r := reader{t: t, used: map[string]bool{}}
	m := &Model{
		Core: t.Core, Provisional: t.Provisional,
		LoadUse:          r.value("load_use"),
		MPYW:             bubbles(r.choose("mpyw_latency", o.MPY)),
		MPY:              bubbles(r.choose("mpy_latency", o.MPY)),
		MPYM:             bubbles(r.choose("mpym_latency", o.MPY)),
		MPYBlocks:        r.choose("mpy_blocks", o.MPY) != 0,
		MACUse:           r.choose("mac_use", o.MPYCycles),
		Divide:           r.choose("divide_latency", o.Divide),
		Sqrt:             r.choose("sqrt_latency", o.Sqrt),
		Complex:          r.value("complex_extra"),
		FPU:              bubbles(r.value("fpu_latency")),
		FPUMul:           bubbles(r.choose("fpu_mul_latency", b2u(o.FastFPUMul))),
		FPUMAC:           bubbles(r.choose("fpu_mac_latency", b2u(o.FastFPUMul))),
		FPUConvert:       bubbles(r.value("fpu_convert_latency")),
		FPUDivide:        bubbles(r.choose("fpu_divide_latency", b2u(o.FastFPUDiv))),
		FPUDivide64:      bubbles(r.choose("fpu_divide64_latency", b2u(o.FastFPUDiv))),
		FPX:              bubbles(r.choose("fpx_latency", b2u(o.FastFPX))),
		FPXDouble:        bubbles(r.choose("fpx_double_latency", b2u(o.FastFPX))),
		FPXDoubleMul:     bubbles(r.choose("fpx_double_mul_latency", b2u(o.FastFPX))),
		BranchTaken:      r.value("branch_taken"),
		BranchTakenDelay: r.value("branch_taken_delay"),
		JumpTaken:        r.value("jump_taken"),
		JumpTakenDelay:   r.value("jump_taken_delay"),
		LoopSetup:        r.value("loop_setup"),
		TableAccess:      r.value("table_access"),
		FrameAccess:      r.value("frame_access"),
		AtomicAccess:     r.value("atomic_access"),
		AuxExtra:         r.value("aux_extra"),
		ExceptionEntry:   r.value("exception_entry"),
		InterruptEntry:   r.value("interrupt_entry"),
		InterruptSave:    r.value("interrupt_save"),
		InterruptReturn:  r.value("interrupt_return"),
		PortConflict:     r.value("bank_conflict"),
		PortMiss:         r.value("xy_miss"),
		WriteBuffer:      uint32(r.value("write_buffer_depth")),
		CacheFillStart:   r.value("cache_fill_start"),
		CacheWord:        r.value("cache_fill_word"),
	}
	turbo := r.value("turbo_boost")
	unaligned := r.value("unaligned_port")
	m.PortUnaligned = [NumBanks]uint8{BankX: unaligned, BankY: unaligned, BankD: unaligned}
	if err := r.err(); err != nil {
		return nil, err
	}
	if o.TurboBoost {
		m.BranchTaken += turbo
		m.BranchTakenDelay += turbo
		m.JumpTaken += turbo
		m.JumpTakenDelay += turbo
	}
	if o.Complex {
		m.Complex = 0
	}
	if o.Interleaved {
		m.PortUnaligned[BankX], m.PortUnaligned[BankY] = 0, 0
	}
	if o.DCCMInterleaved {
		m.PortUnaligned[BankD] = 0
	}
	if o.WriteBuffer != 0 {
		m.WriteBuffer = uint32(o.WriteBuffer)
	}
	m.costs = m.classCosts()
	return m, nil
}

// bubbles turns a latency, 1 when the next instruction may use the result, into lost cycles.
func bubbles(latency uint8) uint8 { return latency - min(latency, 1) }

func b2u(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
