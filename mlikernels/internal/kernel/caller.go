package kernel

import (
	"fmt"
	"hash/fnv"

	"arcv2dsp"
)

// The caller of a function sets registers before a call, and some of them must be the same afterwards.

// Registers of the C calling convention.
const (
	regSaved    = 13 // r13 to r25 are the caller's
	regSavedEnd = 26
	regGP       = 26
	regFP       = 27
	regSP       = 28
	regILink    = 29
	regR30      = 30
	regBlink    = 31
	regLPCount  = 60
)

// Saved is the value that a register of the caller has during a call.
func Saved(r uint8) uint32 { return 0xca110000 | uint32(r) }

// dspCtrl is the auxiliary register whose value a kernel must leave as it was; dspCtrls are those that
// callers have, saturation and any rounding among them.
const dspCtrl = 0x59f

var dspCtrls = [...]uint32{0x1a, 0x17, 0}

// dspSaturated is the flag in DSP_CTRL that something has saturated.
const dspSaturated = 1 << 16

// Bits of STATUS32: interrupts enabled at any priority, and those a function need not restore: the flags,
// the state of zero-overhead loops and of delay slots.
const (
	statusInterrupts = 1<<31 | 15<<1
	statusFree       = 15<<8 | 1<<12 | 1<<6 | 1<<15
	statusUnaligned  = 1 << 19
)

// callerState is DSP_CTRL and STATUS32 of a caller.
type callerState struct{ dspCtrl, status uint32 }

// caller chooses the state of the caller of a layout: it follows from what is laid out, so that it is the
// same whenever the call is made.
func (k *Machine) caller(l *Layout) callerState {
	h := fnv.New32a()
	h.Write(l.arenas[Structs].image)
	n := h.Sum32()
	c := callerState{dspCtrl: dspCtrls[n%uint32(len(dspCtrls))]}
	if n>>8&1 != 0 {
		c.status = statusInterrupts
	}
	conventions := k.opts.Library.conventions()
	if v := conventions.DSPControl; v != nil {
		c.dspCtrl = *v
	}
	if conventions.Unaligned {
		c.status |= statusUnaligned
	}
	return c
}

// spoiledAux are auxiliary registers that a function finds in any state: pointers, offsets and
// modifiers of the AGU.
var spoiledAux = [...]struct{ first, n uint32 }{{first: 0x5c0, n: 12}, {first: 0x5d0, n: 8}, {first: 0x5e0, n: 24}}

// enter sets the registers as the caller of a function does. Registers that a function may change are not zero, the
// guards of the accumulators least of all.
func (k *Machine) enter(entry uint32, l *Layout) callerState {
	m := k.m
	for r := range uint8(regSaved) {
		m.SetReg(r, 0xdead0000|uint32(r))
	}
	for _, r := range []uint8{regR30, regLPCount} {
		m.SetReg(r, 0xdead0000|uint32(r))
	}
	m.SetAccumulators(0x5adead003a, -0x5adead003b)
	for _, a := range spoiledAux {
		for i := range a.n {
			m.SetAux(a.first+i, 0xdead0000|i) // without effect on a core that has none
		}
	}
	for i, a := range l.args[:min(len(l.args), registerArgs)] {
		m.SetReg(uint8(i), a)
	}
	for r := uint8(regSaved); r <= regILink; r++ {
		m.SetReg(r, Saved(r))
	}
	m.SetReg(regSP, l.stack())
	m.SetReg(regBlink, k.opts.Library.returnTo())
	c := k.caller(l)
	m.SetAux(dspCtrl, c.dspCtrl)
	c.dspCtrl, _ = m.Aux(dspCtrl)
	if status, err := m.Register("status32"); err == nil {
		c.status |= uint32(status.Value)
	}
	_ = m.SetRegister("status32", uint64(c.status)) // every core has it
	m.SetPC(entry)
	return c
}

// returned returns the way in which the end of a call breaks the calling convention, nil for none.
func (k *Machine) returned(stop arcv2dsp.Stop, st arcv2dsp.Stats, caller callerState, l *Layout) error {
	m := k.m
	switch {
	case stop.Reason == arcv2dsp.StopFault && k.opts.Library.lacking[stop.Exception.PC] != "":
		return fmt.Errorf("calls %s, which no file of %s defines", k.opts.Library.lacking[stop.Exception.PC], k.opts.Library.Foreign.Name())
	case stop.Reason == arcv2dsp.StopFault:
		return fmt.Errorf("exception at %s: %s", m.Locate(stop.Exception.PC), stop.Exception.String())
	case stop.Reason == arcv2dsp.StopCycleLimit:
		return &RunawayError{Cycles: st.Cycles, At: m.Locate(stop.PC), Spins: k.spins()}
	case stop.Reason != arcv2dsp.StopBreakpoint || stop.PC != k.opts.Library.returnTo():
		return fmt.Errorf("did not return: %s at %s", stop.Reason, m.Locate(stop.PC))
	}
	for r := uint8(regSaved); r <= regILink; r++ {
		if got := m.Reg(r); got != Saved(r) && r != regSP && !(r == regILink && k.interrupts) {
			return fmt.Errorf("r%d is not restored", r)
		}
	}
	if m.Reg(regSP) != l.stack() {
		return fmt.Errorf("sp is %#x, was %#x", m.Reg(regSP), l.stack())
	}
	if got := m.Reg(regBlink); got != k.opts.Library.returnTo() {
		return fmt.Errorf("blink is %#x, was %#x", got, k.opts.Library.returnTo())
	}
	if got, ok := m.Aux(dspCtrl); ok {
		if k.opts.Library.conventions().DSPControl != nil {
			got &^= dspSaturated // functions that set DSP_CTRL not themselves leave the flag of the last saturation
		}
		if got != caller.dspCtrl {
			return fmt.Errorf("DSP_CTRL is %#x, was %#x", got, caller.dspCtrl)
		}
	}
	status, err := m.Register("status32")
	if err != nil {
		return err
	}
	if was := caller.status; (uint32(status.Value)^was)&^statusFree != 0 {
		return fmt.Errorf("STATUS32 is %#x, was %#x", uint32(status.Value)&^statusFree, was&^statusFree)
	}
	return nil
}
