package arcv2dsp

import "arcv2dsp/cpu"

// StallReason names why a cycle passed in which no instruction issued.
type StallReason = cpu.StallReason

// Stalls are lost cycles by reason.
type Stalls = cpu.Stalls

// TimingModel is the cycle model of a core.
type TimingModel = cpu.TimingModel

// The reasons of lost cycles.
const (
	StallLoadUse      = cpu.StallLoadUse      // a loaded register was used too soon
	StallMultiplier   = cpu.StallMultiplier   // product not ready, or the multiplier still busy
	StallMACUse       = cpu.StallMACUse       // a register written by a MAC was used too soon
	StallDivide       = cpu.StallDivide       // quotient or root not ready, or the divider still busy
	StallFloat        = cpu.StallFloat        // floating-point result not ready
	StallBranch       = cpu.StallBranch       // taken branch
	StallJump         = cpu.StallJump         // taken jump, call table, return
	StallFetch        = cpu.StallFetch        // a table of instructions or addresses is read first
	StallBankConflict = cpu.StallBankConflict // two accesses of one instruction to one memory bank
	StallXYMiss       = cpu.StallXYMiss       // AGU access outside X, Y and DCCM
	StallWriteBuffer  = cpu.StallWriteBuffer  // AGU store met a full write buffer
	StallWaitState    = cpu.StallWaitState    // slow memory
	StallICache       = cpu.StallICache       // instruction cache miss
	StallDCache       = cpu.StallDCache       // data cache miss
	StallLoop         = cpu.StallLoop         // zero-overhead loop set-up
	StallException    = cpu.StallException    // exception and interrupt entry and return
	StallSleep        = cpu.StallSleep        // waiting for an interrupt
)
