package cpu

import "arcv2dsp/cpu/internal/timing"

// TimingOne names the cycle model of an instruction-set simulator: one cycle an instruction.
const TimingOne = timing.One

// The words of the cycle model that users of the processor need. The model itself is cpu/internal/timing.
type (
	// StallReason says why a cycle passed in which no instruction issued.
	StallReason = timing.Reason
	// Stalls counts lost cycles by reason.
	Stalls = timing.Stalls
	// TimingModel is the cycle model of a core, made from its table.
	TimingModel = timing.Model
	// TimingDesc holds the facts about an instruction by which the model judges it; PortAccess is an access through an
	// AGU port to a Bank of memory, PortStalls its lost cycles.
	TimingDesc = timing.Desc
	PortAccess = timing.PortAccess
	Bank       = timing.Bank
	PortStalls = timing.PortStalls
	// CacheGeometry is the shape of a cache, Cache its model: which lines it holds.
	CacheGeometry = timing.CacheGeometry
	Cache         = timing.Cache
	// Pipe is the state of the pipeline between two instructions, WriteBuffers that of the X and Y memories.
	Pipe         = timing.Pipe
	WriteBuffers = timing.WriteBuffers
)

// The reasons of lost cycles.
const (
	StallLoadUse      = timing.LoadUse      // a loaded register was used too soon
	StallMultiplier   = timing.Multiplier   // product not ready, or the multiplier still busy
	StallMACUse       = timing.MACUse       // a register written by a MAC was used too soon
	StallDivide       = timing.Divide       // quotient or root not ready, or the divider still busy
	StallFloat        = timing.Float        // floating-point result not ready
	StallBranch       = timing.Branch       // taken branch
	StallJump         = timing.Jump         // taken jump, call table, return
	StallFetch        = timing.Fetch        // a table of instructions or addresses is read first
	StallBankConflict = timing.BankConflict // two accesses of one instruction to one memory bank
	StallXYMiss       = timing.XYMiss       // AGU access outside X, Y and DCCM
	StallWriteBuffer  = timing.WriteBuffer  // AGU store met a full write buffer
	StallWaitState    = timing.WaitState    // slow memory
	StallICache       = timing.ICache       // instruction cache miss
	StallDCache       = timing.DCache       // data cache miss
	StallLoop         = timing.Loop         // zero-overhead loop set-up
	StallException    = timing.Exception    // exception and interrupt entry and return
	StallSleep        = timing.Sleep        // waiting for an interrupt
)

// ResetCounters sets the counts of instructions, cycles and lost cycles to zero, with an empty pipeline.
func (c *CPU) ResetCounters() {
	c.Insts, c.Cycles, c.Stalls, c.Pipe = 0, 0, Stalls{}, timing.Pipe{}
}
