package devices

import "encoding/json"

// RTC is a DesignWare real-time clock: a counter of seconds, or of other units, with a value to match.
type RTC struct {
	board Board
	line  irqLine
	unit  uint64 // cycles
	s     RTCState
}

// RTCState is the memory of a real-time clock.
type RTCState struct {
	Count   uint32 `json:"count"` // at Since
	Since   uint64 `json:"since"`
	Match   uint32 `json:"match"`
	Load    uint32 `json:"load"`
	Control uint32 `json:"control"`
	Raised  bool   `json:"raised"`
}

const (
	rtcCount   = 0x00
	rtcMatch   = 0x04
	rtcLoad    = 0x08
	rtcControl = 0x0c
	rtcStatus  = 0x10
	rtcRaw     = 0x14
	rtcEOI     = 0x18
	rtcVersion = 0x1c

	rtcInterrupt = 1 << 0
	rtcMask      = 1 << 1
	rtcEnable    = 1 << 2
	rtcWrap      = 1 << 3 // begin again at 0 behind the value to match

	rtcVersionNumber = 0x3230332a // 2.03*
)

// NewRTC returns a real-time clock that counts units of so many cycles.
func NewRTC(b Board, unit uint64) *RTC { return &RTC{board: b, unit: max(unit, 1)} }

// Size implements Block.
func (r *RTC) Size() uint32 { return 0x100 }

// Reset implements Clocked.
func (r *RTC) Reset() {
	r.s = RTCState{}
	r.update()
}

// State implements Clocked.
func (r *RTC) State() ([]byte, error) { return json.Marshal(r.s) }

// Adopt implements Clocked.
func (r *RTC) Adopt(state []byte) error {
	err := adopt("real-time clock", state, &r.s)
	r.line.level = r.asks()
	return err
}

func (r *RTC) runs() bool { return r.s.Control&rtcEnable != 0 }

// asks reports whether the clock interrupts.
func (r *RTC) asks() bool { return r.s.Raised && r.s.Control&(rtcInterrupt|rtcMask) == rtcInterrupt }

func (r *RTC) update() { r.line.drive(&r.board, r.asks()) }

// left is how many units the counter is before the value to match; at it, a whole round.
func (r *RTC) left() uint64 {
	if n := r.s.Match - r.s.Count; n != 0 {
		return uint64(n)
	}
	if r.s.Control&rtcWrap != 0 {
		return uint64(r.s.Match) + 1
	}
	return 1 << 32
}

// Next implements Clocked.
func (r *RTC) Next() uint64 {
	if !r.runs() {
		return Never
	}
	return r.s.Since + r.left()*r.unit
}

// Expire implements Clocked.
func (r *RTC) Expire() {
	r.advance()
	r.update()
}

// advance counts the units that are over; the value to match is passed once or more.
func (r *RTC) advance() {
	now := r.board.Now()
	if !r.runs() || now < r.s.Since {
		return
	}
	n := (now - r.s.Since) / r.unit
	r.s.Since += n * r.unit
	if left := r.left(); n >= left {
		r.s.Raised, r.s.Count = true, r.s.Match
		n -= left
	}
	round := uint64(r.s.Match) + 1
	if r.s.Control&rtcWrap != 0 && r.s.Count == r.s.Match && n > 0 {
		n = (n - 1) % round
		r.s.Count = 0
	}
	r.s.Count += uint32(n)
}

// ReadPort implements memory.Port.
func (r *RTC) ReadPort(offset, size uint32) (uint32, bool) { return whole(offset, size, r.read) }

func (r *RTC) read(reg uint32) uint32 {
	r.Expire()
	switch reg {
	case rtcCount:
		return r.s.Count
	case rtcMatch:
		return r.s.Match
	case rtcLoad:
		return r.s.Load
	case rtcControl:
		return r.s.Control
	case rtcStatus:
		if r.asks() {
			return 1
		}
	case rtcRaw:
		if r.s.Raised {
			return 1
		}
	case rtcEOI:
		r.s.Raised = false
		r.update()
	case rtcVersion:
		return rtcVersionNumber
	}
	return 0
}

// WritePort implements memory.Port.
func (r *RTC) WritePort(offset, size, value uint32) bool {
	if size != 4 {
		return true
	}
	r.advance()
	switch offset {
	case rtcMatch:
		r.s.Match = value
	case rtcLoad:
		r.s.Load, r.s.Count, r.s.Since = value, value, r.board.Now()
	case rtcControl:
		if !r.runs() && value&rtcEnable != 0 {
			r.s.Since = r.board.Now()
		}
		r.s.Control = value & 0x1f
	}
	r.update()
	r.board.Changed()
	return true
}
