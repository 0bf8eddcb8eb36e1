package hostio

// The QEMU boards' convention (libgloss qemu.specs): a byte stored to the console address is
// printed; 1 stored to the power address ends the run, after the exit status as the character '0'
// or '1' went to the console.

// Addresses of the QEMU convention.
const (
	QEMUConsole = 0x90000000
	QEMUPower   = 0xf0000008
)

// Put prints a byte on the console.
func (h *Host) Put(b byte) { h.perform(request{Op: opPut, Data: []byte{b}}) }

// Poll returns a byte of input if there is one.
func (h *Host) Poll() (b byte, ok bool) {
	res := h.perform(request{Op: opPoll})
	return byte(res.Value), res.Value >= 0
}

// AwaitInput waits until there is a byte of input. It reports false at the end of the input or when
// halt is closed first.
func (h *Host) AwaitInput(halt <-chan struct{}) bool {
	if h.Replaying() {
		return true
	}
	in, at := h.console()
	return in != nil && in.await(*at, halt)
}

// PowerOffStatus is the exit status of a guest that switches the power off: 1 when a '1' at the
// start of a line was the last character it printed.
func (h *Host) PowerOffStatus() uint32 {
	if before, last := h.state.Last[0], h.state.Last[1]; last == '1' && (before == 0 || before == '\n') {
		return 1
	}
	return 0
}
