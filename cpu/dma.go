package cpu

import (
	"fmt"
	"math/bits"

	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// maxDMA is the largest number of channels of the DMA controller.
const maxDMA = 16

// DMA has the options of the micro-DMA controller; no channels means no controller.
type DMA struct {
	Channels   uint8 // 1 to 16
	Registers  uint8 // the last of them have their block in auxiliary registers, the others in memory
	FIFO       uint8 // entries, as DMAC_BUILD tells them
	Interrupts DMAInterrupts
}

// DMAInterrupts is the kind of interrupts of the controller.
type DMAInterrupts uint8

// External lines leave the core. The chip decides about their targets; here they lead nowhere.
const (
	DMASingleInternal   DMAInterrupts = iota // one line when a channel is done, one for errors
	DMAMultipleInternal                      // one line for each channel when it is done, then one each for errors
	DMASingleExternal
	DMAMultipleExternal
)

// Fields of a block's control word, DMACTRLx.
const (
	dmaOp       = 3      // bits 1:0, see below
	dmaManual   = 1 << 2 // each turn needs a request of its own
	dmaType     = 3 << 3 // auxiliary source or destination
	dmaWidth    = 5      // bits 7:5: index of dmaWidths
	dmaSize     = 8      // bits 20:8: bytes minus 1
	dmaTurn     = 21     // bits 28:21: elements of a turn minus 1
	dmaInt      = 1 << 29
	dmaIncFrom  = 1 << 30
	dmaIncTo    = 1 << 31
	dmaClear    = 6 // width: words, written with 0
	dmaEight    = 7 // width: double words, on HS
	dmaBlockEnd = 1<<13 - 1
)

// Operations of a block.
const (
	dmaInvalid = iota
	dmaSingle
	dmaLinked       // the next block follows by itself
	dmaLinkedManual // the next block waits for a request
)

// dmaWidths are bytes of an element and the distance from one to the next.
var dmaWidths = [8]struct{ bytes, step uint32 }{
	{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 4}, {4, 4}, {8, 8},
}

// Cycles of the controller. It works beside the core and takes no cycle from it.
//
// DEVIATION(262): a turn begins with a cycle in which a channel is chosen, then each word of a descriptor that
// is read and each access of an element take a cycle, and the wait states of the memory beside them. The
// elements of a turn arrive in memory together, at its end.
const (
	dmaChoose   = 1
	dmaWord     = 1
	dmaElement  = 2
	dmaMaxTurns = 1 << 8 // elements of a turn
)

// dmaState is the micro-DMA controller. It serves one channel at a time, in turns; between the ends of turns
// nothing happens. Masks have a bit per channel.
type dmaState struct {
	on       bool
	enabled  uint32
	high     uint32 // high priority
	requests uint32
	busy     uint32 // has a request and is not done
	done     uint32
	failed   uint32
	irq      uint32
	base     uint32
	channels [maxDMA]dmaChannel

	at      uint64 // cycle in which the turn ends, 0 while there is none
	first   uint64 // cycle in which its first element begins
	serving uint32 // whose turn it is
	moves   uint32 // elements of it that have not arrived
}

type dmaChannel struct {
	registers dmaBlock // of a channel that has them
	block     dmaBlock // that is being moved
	link      uint32   // descriptor of the next block, 0 to begin anew
	left      uint32   // elements of block that have not been moved; 0: it has not been read
	broken    bool     // an error ends the turn
}

// dmaBlock is a descriptor: control word, addresses of the last elements, address of the next descriptor.
type dmaBlock struct{ control, from, to, next uint32 }

// elements is the number of elements of the block.
//
// DEVIATION(263): a size that is not a whole number of elements is rounded up to one; low bits of addresses
// that are not those of an element are dropped.
func (b *dmaBlock) elements() uint32 {
	return b.control>>dmaSize&dmaBlockEnd/b.width().bytes + 1
}

func (b *dmaBlock) width() struct{ bytes, step uint32 } { return dmaWidths[b.control>>dmaWidth&7] }

// address of an element when left elements, it included, are to be moved.
func (b *dmaBlock) address(last uint32, increments bool, left uint32) uint32 {
	w := b.width()
	last &^= w.bytes - 1
	if increments {
		last -= (left - 1) * w.step
	}
	return last
}

// turn is the number of elements that are moved before another channel can be chosen.
//
// DEVIATION(264): the arbitration field counts elements, less one, as the size field counts bytes.
func (b *dmaBlock) turn() uint32 { return b.control>>dmaTurn&(dmaMaxTurns-1) + 1 }

// dmaVersion is that of the controller: 2 finds descriptors by a table of pointers and can be reset.
func (c *Config) dmaVersion() uint32 {
	if c.Has(isa.HS) || c.ARCVer >= em3 {
		return 2
	}
	return 1
}

func hasDMA(c *Config) bool { return c.DMA.Channels > 0 }

// checkDMA returns an error for options that no controller has.
func (c *Config) checkDMA() error {
	switch d := &c.DMA; {
	case d.Channels > maxDMA:
		return fmt.Errorf("%d DMA channels: at most %d", d.Channels, maxDMA)
	case d.Registers > d.Channels:
		return fmt.Errorf("%d DMA channels with registers: there are %d channels", d.Registers, d.Channels)
	case d.Interrupts > DMAMultipleExternal:
		return fmt.Errorf("kind %d of DMA interrupts: 0 to 3", d.Interrupts)
	}
	return nil
}

// dmaBuild is DMAC_BUILD.
//
// DEVIATION(265): the fields are read out of the boards' values: version, channels less one, channels with
// registers from bit 12, FIFO depth less one from bit 17, kind of interrupts plus one from bit 19.
func dmaBuild(c *Config) uint32 {
	d := &c.DMA
	return present(d.Channels > 0, c.dmaVersion()|uint32(d.Channels-1)<<8|uint32(d.Registers)<<12|
		uint32(max(d.FIFO, 1)-1)<<17|uint32(d.Interrupts+1)<<19)
}

// dmaLines returns the first interrupt of the controller and the number of interrupts for done
// channels; as many more are for errors.
//
// DEVIATION(271): they begin at 20, at 22 with secure timer 0, as embARC counts them.
func (c *Config) dmaLines() (first, n int) {
	first = VecFirstIRQ + 4
	if c.SecureTimer0 {
		first += 2
	}
	switch {
	case c.DMA.Channels == 0:
	case c.DMA.Interrupts == DMASingleInternal:
		n = 1
	case c.DMA.Interrupts == DMAMultipleInternal:
		n = int(c.DMA.Channels)
	}
	return first, n
}

// dmaLine reports whether interrupt n belongs to the controller.
func (c *Config) dmaLine(n int) bool {
	first, lines := c.dmaLines()
	return n >= first && n < first+2*lines
}

// driveDMA sets the interrupt lines of the controller by its registers.
func (c *CPU) driveDMA() {
	d := &c.dma
	first, lines := c.Config.dmaLines()
	drive := func(n int, level bool) {
		if n < len(c.irq.lines) && c.irq.lines[n].level != level {
			c.SetIRQ(n, level)
		}
	}
	if lines == 1 {
		drive(first, d.irq != 0)
		drive(first+1, d.failed != 0)
		return
	}
	for n := range lines {
		drive(first+n, d.irq>>n&1 != 0)
		drive(first+lines+n, d.failed>>n&1 != 0)
	}
}

// auxDMA are the registers of the controller: names and addresses are those of embARC's driver.
//
// DEVIATION(266): the values of registers that the driver only writes: DMACENB and DMACDSB the enabled channels,
// DMACHPRI and DMACNPRI those of each priority, DMACREQ the requests that wait, DMACRST 0, for a reset takes
// no time. Enabling or disabling a channel forgets that it was done.
func auxDMA(cfg *Config) []auxReg {
	if !hasDMA(cfg) {
		return nil
	}
	all := uint32(1)<<cfg.DMA.Channels - 1
	reg := func(addr uint32, name string, read func(d *dmaState) uint32, write func(c *CPU, v uint32)) auxReg {
		return auxReg{Addr: addr, Name: name, Read: func(c *CPU) uint32 { return read(&c.dma) }, Write: write}
	}
	alignment := uint32(0x1f) // of the table of pointers
	if cfg.dmaVersion() == 1 {
		alignment = 0xff // of the descriptors
	}
	regs := []auxReg{
		reg(0x680, "DMACTRL", func(d *dmaState) uint32 { return b2u(d.on) }, func(c *CPU, v uint32) {
			if on := v&1 != 0; on != c.dma.on {
				c.holdDMA()
				c.dma.on = on
				c.resumeDMA()
			}
		}),
		reg(0x681, "DMACENB", func(d *dmaState) uint32 { return d.enabled }, func(c *CPU, v uint32) {
			c.dma.enabled |= v & all
			c.dma.done &^= v
		}),
		reg(0x682, "DMACDSB", func(d *dmaState) uint32 { return d.enabled }, func(c *CPU, v uint32) {
			c.dropDMA(v & all)
			c.dma.enabled &^= v
			c.dma.done &^= v
			c.resumeDMA()
		}),
		reg(0x683, "DMACHPRI", func(d *dmaState) uint32 { return d.high }, func(c *CPU, v uint32) {
			c.dma.high |= v & all
		}),
		reg(0x684, "DMACNPRI", func(d *dmaState) uint32 { return all &^ d.high }, func(c *CPU, v uint32) {
			c.dma.high &^= v
		}),
		reg(0x685, "DMACREQ", func(d *dmaState) uint32 { return d.requests }, func(c *CPU, v uint32) {
			v &= c.dma.enabled
			c.dma.requests |= v
			c.dma.busy |= v
			c.dma.done &^= v
			c.resumeDMA()
		}),
		reg(0x686, "DMACSTAT0", func(d *dmaState) uint32 { return d.busy }, nil),
		reg(0x687, "DMACSTAT1", func(d *dmaState) uint32 { return d.done | d.failed<<16 }, func(c *CPU, v uint32) {
			c.dma.failed &^= v >> 16
			c.driveDMA()
		}),
		reg(0x688, "DMACIRQ", func(d *dmaState) uint32 { return d.irq }, func(c *CPU, v uint32) {
			c.dma.irq &^= v
			c.driveDMA()
		}),
		reg(0x689, "DMACBASE", func(d *dmaState) uint32 { return d.base }, func(c *CPU, v uint32) {
			c.dma.base = v &^ alignment
		}),
	}
	if cfg.dmaVersion() > 1 {
		regs = append(regs, reg(0x68a, "DMACRST", func(*dmaState) uint32 { return 0 }, func(c *CPU, v uint32) {
			c.dropDMA(v & all)
			c.dma.done &^= v
			c.dma.failed &^= v
			c.dma.irq &^= v
			c.driveDMA()
			c.resumeDMA()
		}))
	}
	for n := cfg.DMA.Channels - cfg.DMA.Registers; n < cfg.DMA.Channels; n++ {
		for i, name := range []string{"DMACTRL", "DMASAR", "DMADAR"} {
			word := func(c *CPU) *uint32 {
				b := &c.dma.channels[n].registers
				return []*uint32{&b.control, &b.from, &b.to}[i]
			}
			regs = append(regs, auxReg{Addr: 0x690 + 3*uint32(n) + uint32(i), Name: fmt.Sprintf("%s%d", name, n),
				Read:  func(c *CPU) uint32 { return *word(c) },
				Write: func(c *CPU, v uint32) { *word(c) = v }})
		}
	}
	return regs
}

// resumeDMA begins a turn if there is none and a channel asks for one.
func (c *CPU) resumeDMA() {
	if c.dma.at == 0 {
		c.chooseDMA(c.Cycles)
	}
	c.Attention()
}

// chooseDMA begins a turn of the channel that comes first: one of high priority before others, low numbers
// before high ones.
//
// DEVIATION(267): channels of one priority are served in the order of their numbers, and priorities are
// compared between turns.
func (c *CPU) chooseDMA(now uint64) {
	d := &c.dma
	ready := d.busy & d.requests & d.enabled
	if !d.on || ready == 0 {
		return
	}
	if urgent := ready & d.high; urgent != 0 {
		ready = urgent
	}
	d.serving = uint32(bits.TrailingZeros32(ready))
	ch := &d.channels[d.serving]
	d.first = now + dmaChoose
	if ch.left == 0 && !ch.broken {
		d.first += c.fetchDMA(ch)
	}
	d.moves = 0
	if !ch.broken {
		d.moves = min(ch.left, ch.block.turn())
	}
	d.at = d.first + uint64(d.moves)*dmaElement
}

// fetchDMA reads the descriptor of the next block of the channel being served, and returns the cycles it took.
//
// DEVIATION(268): a descriptor is read once and never written. An invalid operation, auxiliary addresses, for
// there is nothing beside the core that has them, and double words on an EM end in an error.
func (c *CPU) fetchDMA(ch *dmaChannel) (cycles uint64) {
	d, n := &c.dma, c.dma.serving
	defer c.asBus()()
	word := func(addr uint32) uint32 {
		cycles += dmaWord + uint64(c.Mem.Waits(addr))
		v, f := c.Mem.LoadAny(addr&^3, 4)
		if f != nil {
			ch.broken = true
		}
		return uint32(v)
	}
	descriptor := func(addr uint32) dmaBlock {
		return dmaBlock{control: word(addr), from: word(addr + 4), to: word(addr + 8), next: word(addr + 12)}
	}
	pointers := c.Config.dmaVersion() > 1
	inRegisters := n >= uint32(c.Config.DMA.Channels-c.Config.DMA.Registers)
	switch {
	case ch.link != 0:
		ch.block = descriptor(ch.link)
	case inRegisters && pointers && ch.registers.control&dmaOp >= dmaLinked:
		ch.block = ch.registers
		ch.block.next = word(d.base + 4*n)
	case inRegisters:
		ch.block = ch.registers
	case pointers:
		if at := word(d.base + 4*n); !ch.broken {
			ch.block = descriptor(at)
		}
	default:
		ch.block = descriptor(d.base + 16*n)
	}
	b := &ch.block
	if b.control&dmaOp == dmaInvalid || b.control&dmaType != 0 ||
		b.control>>dmaWidth&7 == dmaEight && !c.Config.Has(isa.HS) {
		ch.broken = true
	}
	if !ch.broken {
		ch.left = b.elements()
	}
	return cycles
}

// asBus lets the controller use the memory until the returned function is called. The MPU does not check its accesses, and
// the core does not meet their wait states: those are the controller's, one after the other.
//
// DEVIATION(269): the controller reaches all memories and devices, around MPU and caches. An access that
// nothing answers, or that a region forbids, is an error of its channel.
func (c *CPU) asBus() (end func()) {
	stall := c.Mem.Stall
	c.mpu.otherMaster = true
	return func() {
		c.mpu.otherMaster = false
		c.Mem.Stall = stall
	}
}

// moveDMA moves the next n elements of the channel being served and returns the wait states it met.
func (c *CPU) moveDMA(n uint32) (waits uint64) {
	ch := &c.dma.channels[c.dma.serving]
	defer c.asBus()()
	b := &ch.block
	size := b.width().bytes
	clear := b.control>>dmaWidth&7 == dmaClear
	for ; n > 0; n-- {
		var v uint64
		var f *memory.Fault
		if !clear {
			from := b.address(b.from, b.control&dmaIncFrom != 0, ch.left)
			v, f = c.Mem.LoadAny(from, size)
			waits += uint64(c.Mem.Waits(from))
		}
		if f == nil {
			to := b.address(b.to, b.control&dmaIncTo != 0, ch.left)
			f = c.Mem.StoreAny(to, size, v)
			waits += uint64(c.Mem.Waits(to))
		}
		if f != nil {
			ch.broken = true
			if f.Cause == memory.CauseLimit {
				c.stop = Stop{Reason: StopMemoryLimit}
			}
			return waits
		}
		ch.left--
	}
	return waits
}

// holdDMA breaks off the turn: the elements whose time has passed arrive.
func (c *CPU) holdDMA() {
	d := &c.dma
	if d.at != 0 && d.moves != 0 && c.Cycles > d.first {
		c.moveDMA(min(uint32((c.Cycles-d.first)/dmaElement), d.moves))
	}
	d.at = 0
}

// dropDMA ends what the channels are doing.
func (c *CPU) dropDMA(channels uint32) {
	d := &c.dma
	if channels&d.busy == 0 {
		return
	}
	if channels>>d.serving&1 != 0 {
		c.holdDMA()
	}
	for n := range d.channels {
		if channels>>n&1 != 0 {
			d.channels[n].forget()
		}
	}
	d.busy &^= channels
	d.requests &^= channels
}

// forget makes the channel begin anew at its next request.
func (ch *dmaChannel) forget() { ch.link, ch.left, ch.broken = 0, 0, false }

// runDMA ends the turns that are over.
func (c *CPU) runDMA() {
	for d := &c.dma; d.at != 0 && d.at <= c.Cycles && c.stop.Reason == StopStepped; {
		if d.moves != 0 {
			d.at += c.moveDMA(d.moves)
			d.moves = 0
			continue // wait states can put the end off
		}
		c.endTurn()
	}
}

// endTurn records the result of the channel that was served, and begins the next turn.
//
// DEVIATION(270): an error stops its channel, sets its bit in DMACSTAT1 only, and interrupts whatever the
// control word says. A linked block without a successor is the last. Each block that asks for an interrupt
// sets DMACIRQ; the bit of DMACSTAT1 follows the last one.
func (c *CPU) endTurn() {
	d := &c.dma
	ch, bit := &d.channels[d.serving], uint32(1)<<d.serving
	control := ch.block.control
	over := false
	switch {
	case ch.broken:
		d.failed |= bit
		over = true
	case ch.left != 0:
		if control&dmaManual != 0 {
			d.requests &^= bit
		}
	default:
		if control&dmaInt != 0 {
			d.irq |= bit
		}
		ch.link = ch.block.next
		switch op := control & dmaOp; {
		case op == dmaSingle || ch.link == 0:
			d.done |= bit
			over = true
		case op == dmaLinkedManual:
			d.requests &^= bit
		}
	}
	if over {
		d.busy &^= bit
		d.requests &^= bit
		ch.forget()
	}
	c.driveDMA()
	now := d.at
	d.at = 0
	c.chooseDMA(now)
}

// dmaLate is how long ago a turn may have ended that the state does not know of: the last instruction was not longer.
const dmaLate = 1 << 16

// deriveDMA makes a state from a file possible: without masks of channels that the core lacks, and
// without a turn of long ago.
func (c *CPU) deriveDMA() {
	d := &c.dma
	if !hasDMA(&c.Config) {
		*d = dmaState{}
		return
	}
	all := uint32(1)<<c.Config.DMA.Channels - 1
	for _, mask := range []*uint32{&d.enabled, &d.high, &d.requests, &d.busy, &d.done, &d.failed, &d.irq} {
		*mask &= all
	}
	d.serving = min(d.serving, uint32(c.Config.DMA.Channels)-1)
	for n := range d.channels {
		ch := &d.channels[n]
		ch.left = min(ch.left, ch.block.elements())
	}
	d.moves = min(d.moves, d.channels[d.serving].left)
	if d.at != 0 && d.at < c.Cycles && c.Cycles-d.at > dmaLate {
		d.at = c.Cycles
	}
}
