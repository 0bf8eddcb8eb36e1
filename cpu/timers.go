package cpu

// CONTROL fields of a timer.
const (
	timerIE = 1 << 0 // interrupt when LIMIT is reached
	timerNH = 1 << 1 // count only while the core is not halted
	timerW  = 1 << 2 // reset the core when LIMIT is reached
	timerIP = 1 << 3 // interrupt pending
)

// timerLines are the interrupts of timer 0, timer 1 and secure timer 0.
var timerLines = [...]int{VecFirstIRQ, VecFirstIRQ + 1, VecFirstIRQ + 4}

// timer is one of the timers. It counts one per cycle; nothing happens in between: count holds the value
// it had in cycle since, and everything else follows from the cycle counter.
//
// DEVIATION(105): after reaching LIMIT the count continues from 0 in the next cycle, so a period
// has LIMIT + 1 cycles; IP is set only while IE is.
type timer struct {
	count   uint32
	since   uint64
	control uint32
	limit   uint32
	next    uint64 // cycle in which it next reaches the limit and somebody notices, NoLimit for none
}

// timerLine reports whether interrupt n belongs to a timer. The lines of timers 0 and 1 do on every core.
func (c *Config) timerLine(n int) bool {
	return n == timerLines[0] || n == timerLines[1] || n == timerLines[2] && c.SecureTimer0
}

// read returns the count in the given cycle.
func (t *timer) read(now uint64) uint32 {
	elapsed := now - t.since
	left := uint64(t.limit - t.count) // up to the limit, through 2^32 when the count is beyond it
	if elapsed <= left {
		return t.count + uint32(elapsed)
	}
	return uint32((elapsed - left - 1) % (uint64(t.limit) + 1))
}

// set restarts the count from v.
func (t *timer) set(v uint32, now uint64) { t.count, t.since = v, now }

// due returns the first cycle from now on in which the count reaches the limit, or NoLimit when
// nothing would notice.
func (t *timer) due(now uint64) uint64 {
	if t.control&(timerIE|timerW) == 0 || t.control&timerIP != 0 && t.control&timerW == 0 {
		return NoLimit
	}
	return now + uint64(t.limit-t.read(now))
}

// nextEvent returns the next cycle in which a timer, the DMA controller or a device does something.
func (c *CPU) nextEvent() uint64 {
	next := uint64(NoLimit)
	if c.alarm != 0 {
		next = c.alarm
	}
	if c.dma.at != 0 {
		next = min(next, c.dma.at)
	}
	for i := range c.timers {
		next = min(next, c.timers[i].next)
	}
	return next
}

// expireTimers raises the interrupts of timers that have reached their limit.
func (c *CPU) expireTimers() {
	for i := range c.timers {
		t := &c.timers[i]
		if c.Cycles < t.next {
			continue
		}
		if t.control&timerW != 0 {
			c.Reset()
			return
		}
		t.control |= timerIP
		t.arm(c.Cycles)
		c.driveTimer(i)
	}
}

// driveTimer sets the interrupt line of a timer to its IP bit.
func (c *CPU) driveTimer(i int) {
	c.SetIRQ(timerLines[i], c.timers[i].control&(timerIP|timerIE) == timerIP|timerIE)
}

// arm works out the next cycle in which the timer reaches its limit.
func (t *timer) arm(now uint64) { t.next = t.due(now) }

func (c *CPU) writeTimerCount(i int, v uint32) {
	c.timers[i].set(v, c.Cycles)
	c.rearm(i)
}

func (c *CPU) writeTimerLimit(i int, v uint32) {
	t := &c.timers[i]
	t.set(t.read(c.Cycles), c.Cycles)
	t.limit = v
	c.rearm(i)
}

func (c *CPU) writeTimerControl(i int, v uint32) {
	t := &c.timers[i]
	t.control = v & (timerIE | timerNH | timerW | timerIP)
	c.rearm(i)
	c.driveTimer(i)
}

func (c *CPU) rearm(i int) {
	t := &c.timers[i]
	t.arm(c.Cycles)
	c.Deadline = min(c.Deadline, t.next)
}

// rtcState is the 64-bit real-time counter, which counts cycles.
type rtcState struct {
	enabled bool
	base    uint64 // cycle in which it was 0, while enabled
	held    uint64 // its value while disabled
	ok      bool   // no exception or interrupt since LOW was read: AUX_RTC_CTRL.A1 and A0
}

const (
	rtcEnable = 1 << 0
	rtcClear  = 1 << 1
)

func (r *rtcState) read(now uint64) uint64 {
	if r.enabled {
		return now - r.base
	}
	return r.held
}

// disturb notes that a handler ran, which software reading both halves wants to know.
func (r *rtcState) disturb() { r.ok = false }

func (r *rtcState) readControl() (v uint32) {
	if r.enabled {
		v = rtcEnable
	}
	if r.ok {
		v |= 3 << 30
	}
	return v
}

func (r *rtcState) writeControl(v uint32, now uint64) {
	value := r.read(now)
	if v&rtcClear != 0 {
		value = 0
	}
	r.enabled = v&rtcEnable != 0
	r.base, r.held = now-value, value
}
