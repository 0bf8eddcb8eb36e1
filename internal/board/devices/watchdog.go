package devices

import "encoding/json"

// Watchdog is a DesignWare watchdog: unless it is restarted in time it resets the board, or first
// interrupts and resets a period later. Once it is on it stays on.
//
// DEVIATION(252): it counts cycles of the core from 2 to the power of 16 + TOP down; the reset is one of
// core and devices, memory keeps what it holds.
type Watchdog struct {
	board Board
	line  irqLine
	s     WatchdogState
}

// WatchdogState is the memory of a watchdog.
type WatchdogState struct {
	Control uint32 `json:"control"`
	Range   uint32 `json:"range"`
	Since   uint64 `json:"since"`
	Period  uint64 `json:"period"`
	Raised  bool   `json:"raised"`
}

const (
	wdtControl = 0x00
	wdtRange   = 0x04
	wdtValue   = 0x08
	wdtRestart = 0x0c
	wdtStatus  = 0x10
	wdtEOI     = 0x14

	wdtEnable    = 1 << 0
	wdtInterrupt = 1 << 1 // before the reset
	wdtTOP       = 0xf

	wdtPassword = 0x76 // the value that restarts it
)

// NewWatchdog returns a watchdog.
func NewWatchdog(b Board) *Watchdog { return &Watchdog{board: b} }

// Size implements Block.
func (w *Watchdog) Size() uint32 { return 0x100 }

// Reset implements Clocked.
func (w *Watchdog) Reset() {
	w.s = WatchdogState{}
	w.update()
}

// State implements Clocked.
func (w *Watchdog) State() ([]byte, error) { return json.Marshal(w.s) }

// Adopt implements Clocked.
func (w *Watchdog) Adopt(state []byte) error {
	err := adopt("watchdog", state, &w.s)
	w.line.level = w.s.Raised
	return err
}

func (w *Watchdog) update() { w.line.drive(&w.board, w.s.Raised) }

// Next implements Clocked.
func (w *Watchdog) Next() uint64 {
	if w.s.Control&wdtEnable == 0 {
		return Never
	}
	return w.s.Since + w.s.Period
}

// Expire implements Clocked.
func (w *Watchdog) Expire() {
	now := w.board.Now()
	if now < w.Next() {
		return
	}
	if w.s.Control&wdtInterrupt == 0 || w.s.Raised {
		w.board.Reset()
		return
	}
	w.s.Raised = true
	w.restart(now)
	w.update()
}

func (w *Watchdog) restart(now uint64) {
	w.s.Since, w.s.Period = now, 1<<(16+w.s.Range&wdtTOP)
	w.board.Changed()
}

// ReadPort implements memory.Port.
func (w *Watchdog) ReadPort(offset, size uint32) (uint32, bool) { return whole(offset, size, w.read) }

func (w *Watchdog) read(reg uint32) uint32 {
	switch reg {
	case wdtControl:
		return w.s.Control
	case wdtRange:
		return w.s.Range
	case wdtValue:
		if w.s.Control&wdtEnable == 0 {
			return 0xffff
		}
		left := w.Next() - min(w.board.Now(), w.Next())
		return uint32(max(left, 1) - 1)
	case wdtStatus:
		if w.s.Raised {
			return 1
		}
	case wdtEOI:
		w.s.Raised = false
		w.update()
	}
	return 0
}

// WritePort implements memory.Port.
func (w *Watchdog) WritePort(offset, size, value uint32) bool {
	if size != 4 {
		return true
	}
	switch offset {
	case wdtControl:
		on := w.s.Control & wdtEnable
		w.s.Control = value&0x1f | on
		if on == 0 && w.s.Control&wdtEnable != 0 {
			w.restart(w.board.Now())
		}
	case wdtRange:
		w.s.Range = value & 0xff
	case wdtRestart:
		if value&0xff == wdtPassword {
			w.s.Raised = false
			w.restart(w.board.Now())
			w.update()
		}
	}
	return true
}
