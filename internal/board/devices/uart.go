package devices

// Console is where a device's bytes go to and come from.
type Console interface {
	Put(b byte)
	Poll() (b byte, ok bool)
}

// Unconnected is a console to which nothing is connected.
type Unconnected struct{}

// Put implements Console.
func (Unconnected) Put(byte) {}

// Poll implements Console.
func (Unconnected) Poll() (byte, bool) { return 0, false }

// UART is a DesignWare UART: a 16550 with its registers four bytes apart and registers of its own behind
// them, as the boards of Synopsys, nSIM and Zephyr have it. Sending takes no time.
//
// DEVIATION(253): characters in the receive FIFO below its trigger level interrupt at once as a character
// timeout, not after the time of four characters.
type UART struct {
	console Console
	irq     func(level bool) // nil when the line is not connected
	s       UARTState
	line    bool
}

// UARTState is the memory of a UART.
type UARTState struct {
	IER uint8  `json:"ier"`
	FCR uint8  `json:"fcr"`
	LCR uint8  `json:"lcr"`
	MCR uint8  `json:"mcr"`
	SCR uint8  `json:"scr"`
	DLL uint8  `json:"dll"`
	DLM uint8  `json:"dlm"`
	THR bool   `json:"thr"` // the transmitter-empty interrupt is pending
	RX  []byte `json:"rx"`  // received, not yet read
}

// Registers by number; the offset is four times that.
const (
	regData = 0 // RBR and THR, DLL when LCR.DLAB
	regIER  = 1 // DLM when LCR.DLAB
	regIIR  = 2 // FCR when written
	regLCR  = 3
	regMCR  = 4
	regLSR  = 5
	regMSR  = 6
	regSCR  = 7

	// DesignWare only
	regUSR = 0x7c / 4 // status of both FIFOs
	regRFL = 0x84 / 4 // bytes in the receive FIFO
	regSRR = 0x88 / 4 // software reset
	regCPR = 0xf4 / 4 // component parameters
	regUCV = 0xf8 / 4 // version
	regCTR = 0xfc / 4 // component type
)

const (
	ierRX = 1 << 0
	ierTX = 1 << 1

	iirNone = 0x01
	iirTX   = 0x02
	iirRX   = 0x04
	iirTime = 0x0c // received, but less than the trigger level
	iirFIFO = 0xc0

	fcrEnable  = 1 << 0
	fcrClearRX = 1 << 1
	fcrTrigger = 6 // shift of the trigger level

	lcrDLAB = 1 << 7

	mcrLoop = 1 << 4

	lsrData  = 1 << 0
	lsrEmpty = 0x60 // transmit holding register and transmitter

	msrConnected = 0xb0 // carrier detect, data set ready, clear to send

	usrSendReady = 0x06 // transmit FIFO empty and not full
	usrData      = 1 << 3
	usrFull      = 1 << 4

	srrUART = 1 << 0
	srrRX   = 1 << 1

	cpr = 1<<16 | 1<<12 | 1<<10 | 2 // FIFOs of 16, their levels readable, a bus of 32 bits
	ucv = 0x3430322a                // 4.02*
	ctr = 0x44570110                // DW, UART

	fifo = 16
)

// UARTSize is how many bytes of address space a UART takes.
const UARTSize = 0x100

// NewUART returns a UART. irq is told the level of the interrupt line when it changes.
func NewUART(console Console, irq func(level bool)) *UART {
	return &UART{console: console, irq: irq}
}

// Reset returns the UART to its state after power-on.
func (u *UART) Reset() { u.SetState(UARTState{}) }

// State returns a copy of what the UART remembers.
func (u *UART) State() UARTState {
	s := u.s
	s.RX = append([]byte(nil), u.s.RX...)
	return s
}

// SetState makes the UART remember s and drives the interrupt line accordingly.
func (u *UART) SetState(s UARTState) {
	u.s = s
	u.s.RX = append([]byte(nil), s.RX[:min(len(s.RX), fifo)]...)
	u.update()
}

// Adopt is SetState for a processor that remembers the level of the interrupt line itself: the line
// is not driven.
func (u *UART) Adopt(s UARTState) {
	irq := u.irq
	u.irq = nil
	u.SetState(s)
	u.irq = irq
}

// Waiting reports whether the guest waits for input by interrupt, and some can come.
func (u *UART) Waiting() bool { return u.console != Unconnected{} && u.s.IER&ierRX != 0 }

// Tick lets input arrive that the guest is interrupted for, and reports whether some did.
func (u *UART) Tick() (arrived bool) {
	if !u.Waiting() {
		return false
	}
	before := len(u.s.RX)
	u.receive()
	u.update()
	return len(u.s.RX) != before
}

// receive fetches input as long as there is room.
func (u *UART) receive() {
	for len(u.s.RX) < u.depth() && u.s.MCR&mcrLoop == 0 {
		b, ok := u.console.Poll()
		if !ok {
			return
		}
		u.s.RX = append(u.s.RX, b)
	}
}

func (u *UART) depth() int {
	if u.s.FCR&fcrEnable != 0 {
		return fifo
	}
	return 1
}

// trigger is how many bytes received interrupt as such.
func (u *UART) trigger() int {
	if u.s.FCR&fcrEnable == 0 {
		return 1
	}
	return [...]int{1, fifo / 4, fifo / 2, fifo - 2}[u.s.FCR>>fcrTrigger]
}

// update drives the interrupt line.
func (u *UART) update() {
	level := u.pending() != iirNone
	if level != u.line && u.irq != nil {
		u.irq(level)
	}
	u.line = level
}

// pending is the cause the IIR shows.
func (u *UART) pending() uint8 {
	switch {
	case u.s.IER&ierRX != 0 && len(u.s.RX) >= u.trigger():
		return iirRX
	case u.s.IER&ierRX != 0 && len(u.s.RX) > 0:
		return iirTime
	case u.s.IER&ierTX != 0 && u.s.THR:
		return iirTX
	}
	return iirNone
}

// ReadPort implements memory.Port.
func (u *UART) ReadPort(offset, _ uint32) (uint32, bool) {
	if offset&3 != 0 {
		return 0, true // the upper bytes of a register read as zero
	}
	v := u.read(offset / 4)
	u.update()
	return v, true
}

func (u *UART) read(reg uint32) uint32 {
	divisor := u.s.LCR&lcrDLAB != 0
	switch {
	case reg == regData && divisor:
		return uint32(u.s.DLL)
	case reg == regIER && divisor:
		return uint32(u.s.DLM)
	}
	switch reg {
	case regData:
		u.receive()
		if len(u.s.RX) == 0 {
			return 0
		}
		b := u.s.RX[0]
		u.s.RX = u.s.RX[1:]
		return uint32(b)
	case regIER:
		return uint32(u.s.IER)
	case regIIR:
		v := u.pending()
		if v == iirTX {
			u.s.THR = false // reading the cause takes it back
		}
		if u.s.FCR&fcrEnable != 0 {
			v |= iirFIFO
		}
		return uint32(v)
	case regLCR:
		return uint32(u.s.LCR)
	case regMCR:
		return uint32(u.s.MCR)
	case regLSR:
		u.receive()
		v := uint32(lsrEmpty)
		if len(u.s.RX) > 0 {
			v |= lsrData
		}
		return v
	case regMSR:
		return uint32(u.modem())
	case regSCR:
		return uint32(u.s.SCR)
	case regUSR:
		u.receive()
		v := uint32(usrSendReady)
		if len(u.s.RX) > 0 {
			v |= usrData
		}
		if len(u.s.RX) >= u.depth() {
			v |= usrFull
		}
		return v
	case regRFL:
		u.receive()
		return uint32(len(u.s.RX))
	case regCPR:
		return cpr
	case regUCV:
		return ucv
	case regCTR:
		return ctr
	}
	return 0
}

// modem is the MSR: a connected line, or in loopback what the MCR outputs say.
func (u *UART) modem() uint8 {
	if u.s.MCR&mcrLoop == 0 {
		return msrConnected
	}
	m := u.s.MCR
	return m&1<<5 | m&2<<3 | m&4<<4 | m&8<<4
}

// WritePort implements memory.Port.
func (u *UART) WritePort(offset, _, value uint32) bool {
	if offset&3 == 0 {
		u.write(offset/4, uint8(value))
		u.update()
	}
	return true
}

func (u *UART) write(reg uint32, v uint8) {
	divisor := u.s.LCR&lcrDLAB != 0
	switch {
	case reg == regData && divisor:
		u.s.DLL = v
		return
	case reg == regIER && divisor:
		u.s.DLM = v
		return
	}
	switch reg {
	case regData:
		u.s.THR = true
		if u.s.MCR&mcrLoop == 0 {
			u.console.Put(v)
		} else if len(u.s.RX) < u.depth() {
			u.s.RX = append(u.s.RX, v)
		}
	case regIER:
		if v&^u.s.IER&ierTX != 0 {
			u.s.THR = true // enabling it finds the transmitter empty
		}
		u.s.IER = v & 0x0f
		if u.Waiting() {
			u.receive() // what is there interrupts at once
		}
	case regIIR:
		u.s.FCR = v
		if v&fcrClearRX != 0 {
			u.s.RX = nil
		}
	case regLCR:
		u.s.LCR = v
	case regMCR:
		u.s.MCR = v & 0x7f
	case regSCR:
		u.s.SCR = v
	case regSRR:
		if v&srrUART != 0 {
			u.s = UARTState{}
		}
		if v&srrRX != 0 {
			u.s.RX = nil
		}
	}
}
