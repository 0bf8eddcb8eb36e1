package devices

import "encoding/json"

// Timer is a DesignWare block of timers that count down from a value to 0 and start again.
//
// DEVIATION(251): the timers count cycles of the core; a period has as many cycles as the load count
// says, at least 1; a load count written while a timer runs is used from the next period on.
type Timer struct {
	board Board
	line  irqLine
	s     TimerState
}

// timers is how many timers a block has.
const timers = 8

// TimerState is the memory of a block of timers.
type TimerState struct {
	Timers [timers]TimerChannel `json:"timers"`
}

// TimerChannel is one timer.
type TimerChannel struct {
	Load    uint32 `json:"load"`
	Control uint32 `json:"control"`
	From    uint32 `json:"from"`  // what this period began with
	Since   uint64 `json:"since"` // when it began
	Raised  bool   `json:"raised"`
}

// Registers of a timer, and of the block.
const (
	timerLoad    = 0x00
	timerValue   = 0x04
	timerControl = 0x08
	timerEOI     = 0x0c
	timerStatus  = 0x10
	timerStride  = 0x14

	timersStatus  = 0xa0
	timersEOI     = 0xa4
	timersRaw     = 0xa8
	timersVersion = 0xac
)

const (
	timerEnable = 1 << 0
	timerUser   = 1 << 1 // periods of the load count, else of 2^32
	timerMask   = 1 << 2 // no interrupt

	timerVersion = 0x3231312a // 2.11*
)

// NewTimer returns a block of timers.
func NewTimer(b Board) *Timer { return &Timer{board: b} }

// Size implements Block.
func (t *Timer) Size() uint32 { return 0x100 }

// Reset implements Clocked.
func (t *Timer) Reset() {
	t.s = TimerState{}
	t.update()
}

// State implements Clocked.
func (t *Timer) State() ([]byte, error) { return json.Marshal(t.s) }

// Adopt implements Clocked.
func (t *Timer) Adopt(state []byte) error {
	err := adopt("timer", state, &t.s)
	t.line.level = t.interrupts(true) != 0
	return err
}

func (c *TimerChannel) runs() bool { return c.Control&timerEnable != 0 }

// period is how long the present period is.
func (c *TimerChannel) period() uint64 { return uint64(max(c.From, 1)) }

// reload is the count that a period begins with.
func (c *TimerChannel) reload() uint32 {
	if c.Control&timerUser != 0 {
		return c.Load
	}
	return 0xffffffff
}

// expire lets the periods that are over end.
func (c *TimerChannel) expire(now uint64) {
	if !c.runs() || now < c.Since || now-c.Since < c.period() {
		return
	}
	c.Raised = true
	c.Since += c.period()
	c.From = c.reload()
	c.Since += (now - c.Since) / c.period() * c.period()
}

// Next implements Clocked.
func (t *Timer) Next() uint64 {
	next := uint64(Never)
	for i := range t.s.Timers {
		if c := &t.s.Timers[i]; c.runs() {
			next = min(next, c.Since+c.period())
		}
	}
	return next
}

// Expire implements Clocked.
func (t *Timer) Expire() {
	now := t.board.Now()
	for i := range t.s.Timers {
		t.s.Timers[i].expire(now)
	}
	t.update()
}

// interrupts has a bit per timer that asks for service.
func (t *Timer) interrupts(masked bool) (bits uint32) {
	for i := range t.s.Timers {
		c := &t.s.Timers[i]
		if c.Raised && !(masked && c.Control&timerMask != 0) {
			bits |= 1 << i
		}
	}
	return bits
}

func (t *Timer) update() { t.line.drive(&t.board, t.interrupts(true) != 0) }

// ReadPort implements memory.Port.
func (t *Timer) ReadPort(offset, size uint32) (uint32, bool) { return whole(offset, size, t.read) }

func (t *Timer) read(reg uint32) uint32 {
	t.Expire()
	switch reg {
	case timersStatus:
		return t.interrupts(true)
	case timersRaw:
		return t.interrupts(false)
	case timersVersion:
		return timerVersion
	case timersEOI:
		for i := range t.s.Timers {
			t.s.Timers[i].Raised = false
		}
		t.update()
		return 0
	}
	if reg >= timerStride*timers {
		return 0
	}
	c := &t.s.Timers[reg/timerStride]
	switch reg % timerStride {
	case timerLoad:
		return c.Load
	case timerValue:
		if !c.runs() {
			return c.From
		}
		return c.From - uint32(t.board.Now()-c.Since)
	case timerControl:
		return c.Control
	case timerEOI:
		c.Raised = false
		t.update()
	case timerStatus:
		return t.interrupts(true) >> (reg / timerStride) & 1
	}
	return 0
}

// WritePort implements memory.Port.
func (t *Timer) WritePort(offset, size, value uint32) bool {
	if size != 4 || offset >= timerStride*timers {
		return true
	}
	t.Expire()
	c := &t.s.Timers[offset/timerStride]
	now := t.board.Now()
	switch offset % timerStride {
	case timerLoad:
		c.Load = value
	case timerControl:
		ran := c.runs()
		if ran {
			c.From -= uint32(now - c.Since)
			c.Since = now
		}
		c.Control = value & (timerEnable | timerUser | timerMask | 0x18)
		switch {
		case c.runs() && !ran:
			c.From, c.Since = c.reload(), now
		case !c.runs():
			c.Raised = false
		}
	}
	t.update()
	t.board.Changed()
	return true
}
