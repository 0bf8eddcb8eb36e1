package timing

import "fmt"

// Reason says why a cycle passed in which no instruction issued.
type Reason uint8

const (
	LoadUse      Reason = iota // a loaded register was used too soon
	Multiplier                 // product not ready, or the multiplier still busy
	MACUse                     // a register written by a MAC was used too soon
	Divide                     // quotient or root not ready, or the divider still busy
	Float                      // floating-point result not ready
	Branch                     // taken branch
	Jump                       // taken jump, call table, return
	Fetch                      // a table of instructions or addresses is read first
	BankConflict               // two accesses of one instruction to one memory bank
	XYMiss                     // AGU access outside X, Y and DCCM
	WriteBuffer                // AGU store met a full write buffer
	WaitState                  // slow memory
	ICache                     // instruction cache miss
	DCache                     // data cache miss
	Loop                       // zero-overhead loop set-up
	Exception                  // exception and interrupt entry and return
	Sleep                      // waiting for an interrupt

	NumReasons
)

// reasons names and explains the reasons, in order.
var reasons = [NumReasons]struct{ name, about string }{
	LoadUse:      {"load-use", "a register is used before its load has delivered it"},
	Multiplier:   {"multiplier", "a product is used before it is ready, or the multiplier is still busy"},
	MACUse:       {"mac-use", "a register written by a multiply-accumulate is used by the next instruction"},
	Divide:       {"divide", "a quotient or root is not ready, or the divider is still busy"},
	Float:        {"float", "a floating-point result is used before it is ready"},
	Branch:       {"branch", "taken branch, compare-and-branch or skipped loop: refilling the pipeline"},
	Jump:         {"jump", "jump through a register or table, return: refilling the pipeline"},
	Fetch:        {"fetch", "jli_s, ei_s and ldi read their table before they go on"},
	BankConflict: {"bank-conflict", "further accesses of one instruction to the same memory bank"},
	XYMiss:       {"xy-miss", "an AGU port access outside X, Y and DCCM memory"},
	WriteBuffer:  {"write-buffer", "an AGU port store while the write buffer of its bank is full"},
	WaitState:    {"wait-state", "memory with wait states"},
	ICache:       {"icache", "instruction cache miss"},
	DCache:       {"dcache", "data cache miss"},
	Loop:         {"loop", "set-up of a zero-overhead loop"},
	Exception:    {"exception", "exception or interrupt entry, registers saved, return"},
	Sleep:        {"sleep", "asleep until an interrupt"},
}

func (r Reason) String() string {
	if r < NumReasons {
		return reasons[r].name
	}
	return fmt.Sprintf("reason(%d)", uint8(r))
}

// Stalls counts lost cycles by reason.
type Stalls [NumReasons]uint64

// Add counts n cycles.
func (s *Stalls) Add(r Reason, n uint32) { s[r] += uint64(n) }

// AddAll counts what another count has.
func (s *Stalls) AddAll(more *Stalls) {
	for r, n := range more {
		s[r] += n
	}
}

// Total is the sum over all reasons: cycles minus instructions.
func (s *Stalls) Total() uint64 {
	var n uint64
	for _, v := range s {
		n += v
	}
	return n
}
