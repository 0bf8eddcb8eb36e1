package cpu

import (
	"math/bits"
	"slices"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// AUX_IRQ_CTRL fields: the registers that the core saves when it takes an interrupt.
const (
	irqCtrlNR = 0x1f    // pairs of registers, from r0 upwards
	irqCtrlB  = 1 << 9  // BLINK
	irqCtrlL  = 1 << 10 // LP_COUNT, LP_START, LP_END
	irqCtrlU  = 1 << 11 // on the user stack when user mode was interrupted
	irqCtrlLP = 1 << 13 // JLI_BASE, LDI_BASE, EI_BASE

	irqActU = 1 << 31 // AUX_IRQ_ACT: the first active interrupt came in user mode
)

// never is a threshold that no interrupt is within.
const never = 16

// irqLine is one interrupt source.
type irqLine struct {
	priority uint8
	enabled  bool
	pulse    bool // triggered by an edge, else by the level
	level    bool // what the device drives
	latched  bool // an edge has arrived
	secure   bool // handled in the secure world
}

type irqState struct {
	lines   [256]irqLine
	waiting [4]uint64 // a bit per line that is enabled and asks for service
	ctrl    uint32
	act     uint32 // active priorities, and irqActU
	sel     uint32
	hint    uint32 // interrupt raised by software
	p0      uint32 // STATUS32_P0
	icause  [16]uint8
	dueAt   uint8 // the priority of Due
}

// SetIRQ drives an interrupt line, numbered by its vector (16 upwards). Numbers that the core does
// not have are ignored.
func (c *CPU) SetIRQ(n int, level bool) {
	if n < VecFirstIRQ || n >= c.lastIRQ() {
		return
	}
	l := &c.irq.lines[n]
	if level == l.level {
		return
	}
	l.level, l.latched = level, l.latched || level
	c.updateLine(n)
}

// lastIRQ is the vector after the last interrupt.
func (c *CPU) lastIRQ() int { return VecFirstIRQ + int(c.Config.Interrupts) }

// pending reports whether line n asks for service. Numbers below the first interrupt are none.
func (c *CPU) pending(n int) bool {
	l := &c.irq.lines[n]
	if n >= VecFirstIRQ && c.irq.hint == uint32(n) {
		return true
	}
	if l.pulse {
		return l.latched
	}
	return l.level
}

// updateIRQ finds the most urgent interrupt and calls attention to it when it can be taken now.
func (c *CPU) updateIRQ() {
	c.irq.waiting = [4]uint64{}
	for n := VecFirstIRQ; n < c.lastIRQ(); n++ {
		c.noteLine(n)
	}
	c.chooseIRQ()
}

// noteLine notes whether line n waits for service.
func (c *CPU) noteLine(n int) {
	w, bit := &c.irq.waiting[n>>6&3], uint64(1)<<(n&63)
	*w &^= bit
	if c.irq.lines[n].enabled && c.pending(n) {
		*w |= bit
	}
}

// chooseIRQ finds the most urgent of the lines that wait.
func (c *CPU) chooseIRQ() {
	c.Due = 0
	best := uint8(16)
	for i, w := range c.irq.waiting {
		for ; w != 0; w &= w - 1 {
			n := i<<6 + bits.TrailingZeros64(w)
			if p := c.irq.lines[n].priority; p < best {
				best = p
				c.Due, c.irq.dueAt = uint32(n), best
			}
		}
	}
	c.noticeIRQ()
}

// updateLine does the same when at most line n, or its settings, have changed.
func (c *CPU) updateLine(n int) {
	if n < VecFirstIRQ || n >= c.lastIRQ() {
		return
	}
	c.noteLine(n)
	l, due := &c.irq.lines[n], int(c.Due)
	switch {
	case n == due:
		c.chooseIRQ()
		return
	case !l.enabled || !c.pending(n):
	case due == 0 || l.priority < c.irq.dueAt || l.priority == c.irq.dueAt && n < due:
		c.Due, c.irq.dueAt = uint32(n), l.priority
	}
	c.noticeIRQ()
}

// noticeIRQ calls attention to the most urgent interrupt when it can be taken now. It follows every change of
// what decides about that beside the lines: the thresholds, the active interrupts, sleep.
func (c *CPU) noticeIRQ() {
	c.DueFrom = never
	if c.Due != 0 && int(c.irq.dueAt) < bits.TrailingZeros32(c.irq.act|1<<16) {
		c.DueFrom = uint32(c.irq.dueAt)
	}
	if c.interruptible() || c.wakes() {
		c.Attention()
	}
}

// interruptible reports whether the most urgent interrupt can be taken now: interrupts on, no
// exception being handled, no delay slot next, priority within the threshold and above everything
// active. A branch and its delay slot stay together, so a handler may branch without saving BTA.
func (c *CPU) interruptible() bool {
	return c.Status&(StatusIE|StatusAE|StatusDE|StatusH) == StatusIE && c.DueFrom <= c.Status&StatusE>>StatusEShift
}

// wakes reports whether the most urgent interrupt ends a sleep.
//
// DEVIATION(104): a sleeping core wakes for any enabled interrupt within the threshold, also when
// interrupts are off and the interrupt is then not taken.
func (c *CPU) wakes() bool {
	return c.asleep && c.Due != 0 && uint32(c.irq.dueAt) <= c.Status&StatusE>>StatusEShift
}

// takeInterrupt takes the most urgent interrupt if it can be taken now.
func (c *CPU) takeInterrupt() bool {
	if c.wakes() {
		c.asleep = false
	}
	if !c.interruptible() {
		return false
	}
	n, priority := uint8(c.Due), c.irq.dueAt
	if l := &c.irq.lines[n]; l.pulse {
		l.latched = false
		c.updateLine(int(n))
	}
	user := c.User()
	if c.irq.act&0xffff == 0 && user {
		c.irq.act |= irqActU
	}
	c.irq.act |= 1 << priority
	c.irq.icause[priority] = n
	c.R[RegILINK] = c.PC
	fast := priority == 0 && c.Config.FastIRQ
	var saved uint32
	if fast {
		if user {
			c.exchangeSP()
		}
		c.irq.p0 = c.Status32()
	} else {
		var ok bool
		if saved, ok = c.saveFrame(user); !ok {
			c.takeException()
			c.noticeIRQ()
			return true
		}
	}
	s := c.Status32()&^(StatusU|StatusES|StatusDZ) | StatusL
	if fast && c.Config.Banks > 1 {
		s = s&^StatusRB | 1<<statusRBShift
	}
	pc := c.PC
	c.SetStatus32(s)
	c.attends(priority, c.irq.lines[n].secure)
	if fast {
		c.R[RegILINK] = pc
	}
	c.setZ(user)
	c.rtc.disturb()
	c.lose(timing.Exception, c.Timing.Interrupt(&c.Pipe, saved))
	c.last = Exception{Vector: n, PC: pc, Return: pc}
	c.enter(&c.last)
	c.noticeIRQ()
	return true
}

// frame lists registers that a regular interrupt saves behind STATUS32 and PC, from the highest address down, and behind
// them the first core registers.
type frame struct {
	regs [3 + 3 + 1 + 32]*uint32
	n    int
	core int    // how many of these; none where there are 16, which are not the first
	ctrl uint32 // the AUX_IRQ_CTRL that selects them, with a bit that makes 0 none
}

func (f *frame) add(regs ...*uint32) { f.n += copy(f.regs[f.n:], regs) }

// words are STATUS32, PC and the values of the registers of a frame.
type words [2 + len(frame{}.regs)]uint32

// frame lists the registers that AUX_IRQ_CTRL selects. It keeps the list, since there is a change for many interrupts.
func (c *CPU) frame() *frame {
	const listed = 1 << 31
	f := &c.saves
	if f.ctrl == c.irq.ctrl|listed {
		return f
	}
	f.n, f.core, f.ctrl = 0, 0, c.irq.ctrl|listed
	a := &c.aux
	if c.irq.ctrl&irqCtrlLP != 0 {
		f.add(&a.jliBase, &a.ldiBase, &a.eiBase)
	}
	if c.irq.ctrl&irqCtrlL != 0 {
		f.add(&c.R[SlotLPCount], &c.LPStart, &c.LPEnd)
	}
	pairs := min(c.irq.ctrl&irqCtrlNR, 16)
	if c.Config.Regs16 {
		pairs = min(pairs, 8)
	}
	if c.irq.ctrl&irqCtrlB != 0 && pairs != 16 {
		f.add(&c.R[RegBLINK])
	}
	if !c.Config.Regs16 {
		f.core = int(2 * pairs)
		return f
	}
	for i := pairs; i > 0; i-- {
		r := [...]uint32{0, 2, 10, 12, 14, 26, 28, 30}[i-1]
		f.add(&c.R[r+1], &c.R[r])
	}
	return f
}

// saveFrame pushes the registers that AUX_IRQ_CTRL selects and changes to the kernel stack. It
// reports how many words it saved; false means that a push raised an exception.
func (c *CPU) saveFrame(user bool) (saved uint32, ok bool) {
	early := user && c.irq.ctrl&irqCtrlU == 0
	if early {
		c.exchangeSP()
		c.asKernel(true)
	}
	frame := c.frame()
	size := uint32(frame.core + frame.n + 2)
	sp := c.R[RegSP] - 4*size
	ok = true
	if plain := c.plainWords(sp, size, memory.Write); plain != nil {
		c.fillFrame(frame, plain)
	} else {
		var room words
		c.fillFrame(frame, room[:size])
		ok = c.pushFrame(room[:size])
	}
	if early {
		c.asKernel(false)
	}
	if !ok {
		return 0, false
	}
	c.R[RegSP] = sp
	if user && !early {
		c.exchangeSP()
	}
	return size, true
}

// fillFrame makes the words of a frame, as they lie in memory.
func (c *CPU) fillFrame(f *frame, words []uint32) {
	copy(words[:f.core], c.R[:])
	for i, r := range f.regs[:f.n] {
		words[f.core+f.n-1-i] = *r
	}
	words[len(words)-1], words[len(words)-2] = c.Status32(), c.PC
}

// pushFrame stores a frame word by word; false means that one of them raised an exception.
func (c *CPU) pushFrame(words []uint32) bool {
	sp := c.R[RegSP]
	for _, v := range slices.Backward(words) {
		sp -= 4
		if f := c.Mem.Store(sp, 4, uint64(v)); f != nil {
			c.raiseFault(f)
			return false
		}
		c.dataAccess(sp, 4, memory.Write)
	}
	return true
}

// popFrame loads what pushFrame has stored at an address: the words as they lie in memory, for as long as nothing else happens. It
// has room for them in case they are not in one place of the host; nil means that one of them raised an exception.
func (c *CPU) popFrame(sp uint32, room []uint32) []uint32 {
	if words := c.plainWords(sp, uint32(len(room)), memory.Read); words != nil {
		return words
	}
	for i := range room {
		addr := sp + 4*uint32(i)
		v, f := c.Mem.Load(addr, 4)
		if f != nil {
			c.raiseFault(f)
			return nil
		}
		c.dataAccess(addr, 4, memory.Read)
		room[i] = uint32(v)
	}
	return room
}

// returnFromInterrupt is rtie while an interrupt is being handled. It reports how many words were
// restored.
func (c *CPU) returnFromInterrupt() (restored uint32) {
	level := bits.TrailingZeros32(c.irq.act & 0xffff)
	rest := c.irq.act &^ (1 << level)
	last := rest&0xffff == 0
	toUser := last && rest&irqActU != 0
	c.continues(level)
	if level == 0 && c.Config.FastIRQ {
		c.npc = c.R[RegILINK]
		c.irq.act = rest
		c.SetStatus32(c.irq.p0 & c.statusBits())
		if toUser {
			c.exchangeSP()
			c.irq.act &^= irqActU
		}
		return 0
	}
	early := toUser && c.irq.ctrl&irqCtrlU != 0
	sp := c.R[RegSP]
	if early {
		sp = c.userStack()
	}
	frame := c.frame()
	size := frame.core + frame.n + 2
	var room words
	values := c.popFrame(sp, room[:size])
	if values == nil {
		return 0
	}
	if early {
		c.exchangeSP()
	}
	copy(c.R[:frame.core], values)
	for i, r := range frame.regs[:frame.n] {
		*r = values[frame.core+frame.n-1-i]
	}
	c.R[SlotLPCount] &= c.Config.lpMask()
	c.R[RegSP] = sp + 4*uint32(size)
	status, pc := values[size-1], values[size-2]
	c.npc = pc
	c.R[RegILINK] = pc
	c.irq.act = rest
	c.SetStatus32(status & c.statusBits())
	if toUser {
		if !early {
			c.exchangeSP()
		}
		c.irq.act &^= irqActU
	}
	return uint32(size)
}

// irqStatus is the IRQ_STATUS register of the selected interrupt.
func (c *CPU) irqStatus() uint32 {
	l := &c.irq.lines[c.irq.sel]
	v := uint32(l.priority)
	if l.enabled {
		v |= 1 << 4
	}
	if l.pulse {
		v |= 1 << 5
	}
	if c.pending(int(c.irq.sel)) {
		v |= 1 << 31
	}
	return v
}

// priorityPending is the IRQ_PRIORITY_PENDING register: one bit for each level that waits.
func (c *CPU) priorityPending() (v uint32) {
	for n := VecFirstIRQ; n < c.lastIRQ(); n++ {
		if l := &c.irq.lines[n]; l.enabled && c.pending(n) {
			v |= 1 << l.priority
		}
	}
	return v
}
