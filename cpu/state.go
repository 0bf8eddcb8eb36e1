package cpu

import (
	"unsafe"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Slots of CPU.R. Core registers 0-57 and 60 have the slot of their number.
const (
	SlotLPCount = 60
	SlotAccLo   = 64 // r58; with the next slot the low lane as one int64
	SlotGuardLo = 65 // ACC0_GLO.GUARD, sign-extended
	SlotAccHi   = 66 // r59; with the next slot the high lane as one int64
	SlotGuardHi = 67 // ACC0_GHI.GUARD, sign-extended
	SlotZero    = 68 // always zero
	SlotNull    = 70 // results that are dropped; 71 takes the second half of a pair
	SlotTemps   = 200
)

// Core registers with a job.
const (
	RegGP      = 26
	RegFP      = 27
	RegSP      = 28
	RegILINK   = 29
	RegBLINK   = 31
	RegAccLo   = 58
	RegAccHi   = 59
	RegLPCount = 60
	RegLimm    = 62
	RegPCL     = 63
)

// Flags as the semantics functions and CPU.F hold them; STATUS32 has them 8 bits higher.
const (
	FlagV = 1
	FlagC = 2
	FlagN = 4
	FlagZ = 8

	FlagsShift = 8
	flagsMask  = 0xf << FlagsShift
)

// STATUS32 bits.
const (
	StatusH  = 1 << 0   // halted
	StatusE  = 0xf << 1 // interrupt priority threshold
	StatusAE = 1 << 5   // an exception is being handled
	StatusDE = 1 << 6   // the next instruction is in a delay slot, BTA follows it
	StatusU  = 1 << 7   // user mode
	StatusL  = 1 << 12  // zero-overhead loops disabled
	StatusDZ = 1 << 13  // divide by zero raises an exception
	StatusSC = 1 << 14  // stack checking
	StatusES = 1 << 15  // the next instruction is executed out of the EI table
	StatusRB = 7 << 16  // register bank
	StatusAD = 1 << 19  // misaligned accesses allowed
	StatusUS = 1 << 20  // user mode may sleep
	StatusS  = 1 << 21  // the secure world executes, on a core with SecureShield
	StatusIE = 1 << 31  // interrupts enabled

	StatusEShift  = 1
	StatusSCShift = 14
	statusRBShift = 16
)

// State is everything a program can change or that decides what happens next, memory apart. It is
// plain data: copying it is a snapshot.
//
// The fields up to AGU are the hot state that engines and their generated code touch directly;
// everything else goes through methods of CPU.
type State struct {
	R [256]uint32 // registers by slot, see Slot

	PC      uint32
	F       uint32 // Z N C V
	Status  uint32 // STATUS32 without Z N C V
	LPStart uint32
	LPEnd   uint32
	BTA     uint32 // target of the branch whose delay slot is next

	Cycles uint64
	Insts  uint64

	Mode   dspunit.Mode // DSP_CTRL decoded
	Sticky uint32       // sticky events of DSP operations, see dspunit
	FPU    FPU
	AGU    dspunit.AGU

	Due uint32 // the most urgent interrupt that waits until the thresholds allow it, 0 for none

	Pipe   timing.Pipe
	Stalls timing.Stalls

	aux          auxState
	sec          secureState
	irq          irqState
	timers       [len(timerLines)]timer
	rtc          rtcState
	mpu          mpuState
	points       [maxActionPoints]actionPoint
	smart        smart
	counters     counters
	dma          dmaState
	banks        [8]bank // register banks that are not in use
	lock         lockState
	bitstream    bitstream
	writeBuffers timing.WriteBuffers
	asleep       bool
	slept        uint32 // the sleep instruction, while asleep
}

// CPU is one core. It must live on the heap: engines keep its address in registers.
type CPU struct {
	State

	// Deadline is the cycle at which the engine must return: the caller's limit, the next timer
	// event, or 0 when something needs attention at once. Engines read it again after every
	// instruction that the reference engine executed for them.
	Deadline  uint64
	InstLimit uint64 // the engine must return when Insts reaches it

	// StopOn has a bit per exception vector: the run stops instead of taking the exception.
	StopOn uint32
	// EnterOn has a bit per exception vector: the run stops when the handler has been entered.
	EnterOn uint32

	// DueFrom is the threshold in STATUS32.E from which on the most urgent interrupt is taken while interrupts are on; above all of them
	// when none waits or something as urgent is active.
	DueFrom uint32

	// Strict is 1 where an access that is not aligned faults, or may lie in two lines of a data cache; else 0. Engines leave such
	// an access to the reference engine then.
	Strict uint32

	Mem    *memory.Space
	Timing *timing.Model
	Config Config
	Host   Host

	OnAlarm func() // see SetAlarm
	alarm   uint64 // 0: none

	icache, dcache *timing.Cache
	data           *dataCache // what the data cache holds; nil when it is coherent
	decoder        *isa.Decoder
	shaped         []BlockInst // of the last block built, memory for the next one
	auxIndex       [auxSpace]*auxReg
	auxPorts       []auxPort

	engine  Engine
	careful Engine // in place of ref where ref would be taken instead of engine; nil for ref itself
	ref     *Ref
	hooks   *Hooks
	breaks  map[uint32]struct{}
	checks  bool // something must be looked at before each instruction
	watched bool // by more than the MPU, so that the reference engine is the one to execute

	protection protection

	// the instruction being executed
	exc      Exception // that it raised
	stop     Stop      // the end of the run that it causes
	calm     bool      // see Serve
	npc      uint32    // where it goes next
	branched bool      // it changed the flow of control itself
	port     portPlan  // what its AGU ports do

	saves    frame     // what interrupts save, see there
	turns    uint8     // times that flag or kflag has turned stack checking on or off, up to manyTurns
	last     Exception // taken last
	came     []Interrupted
	handling []Exception // whose handlers have not returned, oldest first; interrupts are not among them
}

// Slot maps a core register number to its slot in CPU.R. r61 to r63 are no storage: they map to
// the zero slot, and whoever reads r63 as an operand substitutes PC with its low two bits cleared.
func Slot(reg uint8) uint8 {
	switch {
	case reg == RegAccLo:
		return SlotAccLo
	case reg == RegAccHi:
		return SlotAccHi
	case reg > RegLPCount:
		return SlotZero
	}
	return reg
}

// Reg returns core register n as software would read it outside an instruction: r63 is PCL, r61
// and r62 are zero, AGU ports read as zero.
func (c *CPU) Reg(n uint8) uint32 {
	if n == RegPCL {
		return c.PC &^ 3
	}
	return c.R[Slot(n)]
}

// SetReg writes core register n; writes to r61 to r63 are ignored.
func (c *CPU) SetReg(n uint8, v uint32) {
	if s := Slot(n); s != SlotZero {
		c.R[s] = v
		c.R[SlotLPCount] &= c.Config.lpMask()
	}
}

// Lanes returns the two accumulator lanes, sign-extended from 40 bits.
func (c *CPU) Lanes() (lo, hi int64) {
	return *c.lane(SlotAccLo), *c.lane(SlotAccHi)
}

// SetLanes sets both accumulator lanes; bits beyond 40 are dropped.
func (c *CPU) SetLanes(lo, hi int64) {
	*c.lane(SlotAccLo), *c.lane(SlotAccHi) = lo<<24>>24, hi<<24>>24
}

// lane is the int64 that slots s and s+1 form on a little-endian host.
func (c *CPU) lane(s uint8) *int64 { return (*int64)(unsafe.Pointer(&c.R[s&^1])) }

// wide returns bits 63:0 of the wide accumulator and its guard.
func (c *CPU) wide() (w uint64, guard int32) {
	return uint64(c.R[SlotAccHi])<<32 | uint64(c.R[SlotAccLo]), int32(c.R[SlotGuardHi])
}

// setWide writes r58, r59 and the GHI guard.
func (c *CPU) setWide(w uint64, guard int32) {
	c.R[SlotAccLo], c.R[SlotAccHi] = uint32(w), uint32(w>>32)
	c.R[SlotGuardHi] = uint32(int32(int8(guard)))
}
