package cpu_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/memory"
)

// Registers of the DMA controller.
const (
	dmaCTRL, dmaCENB, dmaCDSB, dmaCHPRI, dmaCNPRI, dmaCREQ = 0x680, 0x681, 0x682, 0x683, 0x684, 0x685
	dmaCSTAT0, dmaCSTAT1, dmaCIRQ, dmaCBASE, dmaCRST       = 0x686, 0x687, 0x688, 0x689, 0x68a
	dmaChannel0                                            = 0x690
)

// Where tests of the controller have their table of pointers, descriptors and data.
const (
	dmaTable       = 0x2000
	dmaDescriptors = 0x2100
	dmaFrom        = 0x3000
	dmaTo          = 0x5000
	dmaUnmapped    = 0x40000000
)

// transfer is a block as embARC's driver describes it.
type transfer struct {
	op, manual, kind, width, size, turn, interrupt, increments uint32
	from, to, next                                             uint32
}

// widths are bytes and distance of elements by the width field.
var widths = [8][2]uint32{{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 4}, {4, 4}, {8, 8}}

// descriptor is the block in memory, with the addresses of the last elements as the driver computes them.
func (b transfer) descriptor() [4]uint32 {
	size := b.size - 1
	gap := size
	switch b.width {
	case 1:
		gap <<= 1
	case 2:
		gap <<= 2
	case 3:
		gap &^= 1
	case 4:
		gap = gap &^ 1 << 1
	case 5:
		gap &^= 3
	case 7:
		gap &^= 7
	}
	end := func(addr, bit uint32) uint32 {
		if b.increments&bit != 0 {
			return addr + gap
		}
		return addr
	}
	return [4]uint32{
		b.op | b.manual<<2 | b.kind<<3 | b.width<<5 | size<<8 | b.turn<<21 | b.interrupt<<29 | b.increments<<30,
		end(b.from, 1), end(b.to, 2), b.next,
	}
}

// copied applies the block to memory, one element after the other.
func (b transfer) copied(mem []byte) {
	w, step := widths[b.width][0], widths[b.width][1]
	for i := range (b.size + w - 1) / w {
		from, to := b.from, b.to
		if b.increments&1 != 0 {
			from += i * step
		}
		if b.increments&2 != 0 {
			to += i * step
		}
		if b.width == 6 {
			clear(mem[to : to+4])
			continue
		}
		copy(mem[to:to+w], mem[from:from+w])
	}
}

func dmaCore(change ...func(*cpu.Config)) cpu.Config {
	cfg := em9d()
	cfg.DMA = cpu.DMA{Channels: 4, FIFO: 2}
	for _, f := range change {
		f(&cfg)
	}
	return cfg
}

// spinning is a program during which the controller works.
const spinning = `
	.org 0x100
start:	add r1,r1,1
	ld r2,[0x5000]
	mpy r3,r2,r1
	b start
`

// dmaMachine is a core whose controller is on and whose memory is filled.
func dmaMachine(t *testing.T, cfg cpu.Config, e cpu.Engine, src string) *machine {
	m := program(t, cfg, e, src)
	data := make([]byte, 0x3000)
	for i := range data {
		data[i] = byte(i*7 + i>>8)
	}
	require.NoError(t, m.Mem.Poke(dmaFrom, data[:0x2000]))
	m.setAux(dmaCTRL, 1)
	m.setAux(dmaCBASE, dmaTable)
	return m
}

func (m *machine) setAux(addr, v uint32) {
	m.t.Helper()
	require.True(m.t, m.SetAux(addr, v), "%#x", addr)
}

func (m *machine) poke(addr uint32, words ...uint32) {
	m.t.Helper()
	for i, w := range words {
		require.NoError(m.t, m.Mem.Poke(addr+4*uint32(i), binary.LittleEndian.AppendUint32(nil, w)))
	}
}

// describe writes a descriptor and makes it that of the channel.
func (m *machine) describe(channel uint32, b transfer) {
	m.t.Helper()
	at := dmaDescriptors + 16*channel
	d := b.descriptor()
	m.poke(at, d[:]...)
	m.poke(dmaTable+4*channel, at)
}

// until runs to a cycle.
func (m *machine) until(cycle uint64) {
	m.t.Helper()
	require.Equal(m.t, cpu.StopCycleLimit, m.Run(cycle).Reason)
}

func (m *machine) bytes(addr uint32, n int) []byte {
	m.t.Helper()
	b := make([]byte, n)
	require.NoError(m.t, m.Mem.Peek(addr, b))
	return b
}

// TestDMAWidths: all widths, increments and odd sizes move what the driver's description says, byte by byte.
func TestDMAWidths(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, spinning)
		m.setAux(dmaCENB, 2)
		fresh := m.Mem.Snapshot()
		for width := range uint32(7) {
			for increments := range uint32(4) {
				for _, size := range []uint32{1, 2, 3, 4, 5, 31, 64, 257} {
					m.Mem.Restore(fresh)
					b := transfer{op: 1, width: width, size: size, increments: increments, turn: 15, from: dmaFrom + 0x40, to: dmaTo + 0x80}
					m.describe(1, b)
					want := m.bytes(0, 0x8000)
					b.copied(want)
					m.setAux(dmaCREQ, 2)
					require.EqualValues(t, 2, m.aux(dmaCSTAT0), "busy")
					m.until(m.Cycles + 1000)
					require.EqualValues(t, 2, m.aux(dmaCSTAT1), "done")
					require.Zero(t, m.aux(dmaCSTAT0))
					require.Zero(t, m.aux(dmaCIRQ))
					require.Equal(t, want, m.bytes(0, 0x8000), "width %d, increments %d, %d bytes", width, increments, size)
				}
			}
		}
	})
}

// TestDMATime: a turn takes a cycle, one for each word of the pointer and the descriptor, two for each element
// and the wait states; its elements arrive together.
func TestDMATime(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, "\t.org 0x100\nstart:\t.rept 0x100\n\tadd r1,r1,1\n\t.endr\n")
		require.NoError(t, m.Mem.Map(memory.Region{Name: "slow", Kind: memory.RAM, Base: 0x10000, Size: 0x1000, Wait: 3}))
		m.until(100)
		begin := m.Cycles
		m.describe(0, transfer{op: 1, width: 5, size: 40, turn: 5, increments: 3, from: dmaFrom, to: 0x10000})
		m.setAux(dmaCENB, 1)
		m.setAux(dmaCREQ, 1)
		stalls := m.Stalls.Total() + m.Insts - m.Cycles
		// Six elements, then four: 1+5 and 6*2 with 6*3 wait states, 1 and 4*2 with 4*3. An instruction that begins
		// in the cycle of the end sees it.
		for _, step := range []struct {
			cycle uint64
			words uint32
			done  uint32
		}{{18, 0, 0}, {19, 6, 0}, {36 + 9, 6, 0}, {36 + 10, 10, 0}, {36 + 9 + 12, 10, 0}, {36 + 9 + 13, 10, 1}} {
			m.until(begin + step.cycle)
			require.Equal(t, begin+step.cycle, m.Cycles, "instructions of one cycle")
			moved := uint32(0)
			for moved < 10 && !bytes.Equal(m.bytes(0x10000+4*moved, 4), make([]byte, 4)) {
				moved++
			}
			require.Equal(t, step.words, moved, "after %d cycles", step.cycle)
			require.Equal(t, step.done, m.aux(dmaCSTAT1), "after %d cycles", step.cycle)
		}
		require.Equal(t, m.Cycles-m.Insts, m.Stalls.Total()-stalls, "no cycle of the core is the controller's")
	})
}

// driver does the work of a driver: descriptors, interrupts, a request; the program sleeps until the handler has
// seen the channel done.
const driver = `
	.org 0x100
start:	sr 0x400,[0x25]
	sr 0,[0x680]
	sr 0xffff,[0x682]
	sr 0xffff,[0x68a]
	sr 1,[0x680]
	sr 0x2000,[0x689]
	mov r0,0x2100
	st r0,[0x2004]
	mov r1,`
const driverEnd = `
	st r1,[r0]
	mov r1,0x30fc		; the last word of 0x3000 to 0x30ff
	st r1,[r0,4]
	mov r1,0x50fc
	st r1,[r0,8]
	mov r1,0
	st r1,[r0,12]
	sr 2,[0x683]
	sr 0x20000,[0x687]
	sr 2,[0x68a]
	sr 2,[0x682]
	sr 2,[0x681]
	mov r10,0
	seti 0x1f
	sr 2,[0x685]
	lr r11,[0x686]		; busy
1:	breq r10,0,2f
	flag 1
	nop
2:	sleep 0x1f
	b 1b
done:	lr r2,[0x688]
	lr r3,[0x687]
	lr r4,[0x40a]
	sr 2,[0x688]
	sr 2,[0x682]
	mov r10,1
	rtie
failed:	lr r2,[0x688]
	lr r3,[0x687]
	lr r4,[0x40a]
	sr 0x20000,[0x687]
	mov r10,2
	rtie
`

// TestDMADriver: a block as a driver starts it, with the interrupts of both kinds of lines; the core sleeps
// meanwhile, and all engines take the same cycles.
func TestDMADriver(t *testing.T) {
	good := transfer{op: 1, width: 5, size: 256, turn: 255, interrupt: 1, increments: 3, from: dmaFrom, to: dmaTo}.descriptor()[0]
	const unmapped = 0x2000_0001 // bytes of one
	tests := []struct {
		name          string
		control       uint32
		lines         cpu.DMAInterrupts
		secure        bool
		irq, how      uint32
		dmacirq, stat uint32
	}{
		{"shared lines", good, cpu.DMASingleInternal, false, 20, 1, 2, 2},
		{"own lines", good, cpu.DMAMultipleInternal, false, 21, 1, 2, 2},
		{"behind the secure timer", good, cpu.DMASingleInternal, true, 22, 1, 2, 2},
		{"error, shared lines", unmapped | 1<<3, cpu.DMASingleInternal, false, 21, 2, 0, 0x20000},
		{"error, own lines", unmapped | 1<<3, cpu.DMAMultipleInternal, false, 25, 2, 0, 0x20000},
		{"invalid operation", good &^ 3, cpu.DMASingleInternal, false, 21, 2, 0, 0x20000},
	}
	for _, tt := range tests {
		var cycles uint64
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				cfg := dmaCore(func(c *cpu.Config) {
					c.DMA.Interrupts, c.SecureTimer0, c.Interrupts = tt.lines, tt.secure, 40
				})
				m := dmaMachine(t, cfg, e, driver+fmt.Sprintf("0x%x", tt.control)+driverEnd)
				for n := uint32(16); n < 56; n++ {
					m.poke(0x400+4*n, m.at(map[bool]string{true: "done", false: "failed"}[tt.how == 1]))
				}
				m.halts()
				require.Equal(t, tt.how, m.Reg(10))
				require.Equal(t, tt.irq, m.Reg(4), "interrupt")
				require.Equal(t, tt.dmacirq, m.Reg(2), "DMACIRQ")
				require.Equal(t, tt.stat, m.Reg(3), "DMACSTAT1")
				require.EqualValues(t, 2, m.Reg(11), "DMACSTAT0")
				require.Zero(t, m.aux(dmaCIRQ)|m.aux(dmaCSTAT1)|m.aux(dmaCSTAT0))
				if tt.how == 1 {
					require.Equal(t, m.bytes(dmaFrom, 256), m.bytes(dmaTo, 256))
				} else {
					require.Zero(t, m.word(dmaTo))
				}
				if cycles != 0 {
					require.Equal(t, cycles, m.Cycles, "cycles of the engines")
				}
				cycles = m.Cycles
			})
		})
	}
}

// TestDMALinks: linked blocks follow by themselves, or wait for a request each; blocks and turns that ask for
// requests wait, too; a list can go round.
func TestDMALinks(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		list := func(m *machine, first, second transfer) {
			m.describe(3, first)
			d := second.descriptor()
			m.poke(dmaDescriptors+0x100, d[:]...)
		}
		one := transfer{width: 5, size: 16, turn: 255, increments: 3, from: dmaFrom, to: dmaTo, next: dmaDescriptors + 0x100}
		two := transfer{op: 1, width: 0, size: 7, turn: 255, interrupt: 1, increments: 3, from: dmaFrom + 0x100, to: dmaTo + 0x10}

		t.Run("auto", func(t *testing.T) {
			m := dmaMachine(t, dmaCore(), e, spinning)
			first := one
			first.op = 2
			list(m, first, two)
			m.setAux(dmaCENB, 8)
			m.setAux(dmaCREQ, 8)
			m.until(300)
			require.Equal(t, m.bytes(dmaFrom, 16), m.bytes(dmaTo, 16))
			require.Equal(t, append(m.bytes(dmaFrom+0x100, 7), 0), m.bytes(dmaTo+0x10, 8))
			require.EqualValues(t, 8, m.aux(dmaCSTAT1))
			require.EqualValues(t, 8, m.aux(dmaCIRQ))
			m.setAux(dmaCDSB, 8)
			require.Zero(t, m.aux(dmaCSTAT1))
		})
		t.Run("manual", func(t *testing.T) {
			m := dmaMachine(t, dmaCore(), e, spinning)
			first := one
			first.op, first.interrupt = 3, 1
			list(m, first, two)
			m.setAux(dmaCENB, 8)
			m.setAux(dmaCREQ, 8)
			m.until(300)
			require.Equal(t, m.bytes(dmaFrom, 16), m.bytes(dmaTo, 16))
			require.Zero(t, m.word(dmaTo+0x10))
			require.EqualValues(t, 8, m.aux(dmaCSTAT0), "not done")
			require.Zero(t, m.aux(dmaCSTAT1)|m.aux(dmaCREQ))
			require.EqualValues(t, 8, m.aux(dmaCIRQ), "of the first block")
			m.setAux(dmaCREQ, 8)
			m.until(600)
			require.Equal(t, m.bytes(dmaFrom+0x100, 7), m.bytes(dmaTo+0x10, 7))
			require.EqualValues(t, 8, m.aux(dmaCSTAT1))
		})
		t.Run("turns", func(t *testing.T) {
			m := dmaMachine(t, dmaCore(), e, spinning)
			m.describe(0, transfer{op: 1, manual: 1, width: 5, size: 20, turn: 1, increments: 3, from: dmaFrom, to: dmaTo})
			m.setAux(dmaCENB, 1)
			for turn, words := range []int{2, 4, 5} {
				m.setAux(dmaCREQ, 1)
				m.until(uint64(turn+1) * 100)
				require.Equal(t, append(m.bytes(dmaFrom, 4*words), 0, 0, 0, 0), m.bytes(dmaTo, 4*words+4))
			}
			require.EqualValues(t, 1, m.aux(dmaCSTAT1))
		})
		t.Run("round", func(t *testing.T) {
			m := dmaMachine(t, dmaCore(), e, spinning)
			first := one
			first.op, first.next = 2, dmaDescriptors
			m.describe(0, first)
			m.setAux(dmaCENB, 1)
			m.setAux(dmaCREQ, 1)
			m.until(100_000)
			require.EqualValues(t, 1, m.aux(dmaCSTAT0))
			m.poke(dmaFrom, 0x12345678)
			m.until(100_100)
			require.EqualValues(t, 0x12345678, m.word(dmaTo))
			m.setAux(dmaCDSB, 1)
			require.Zero(t, m.aux(dmaCSTAT0)|m.aux(dmaCSTAT1))
			m.poke(dmaFrom, 0x9abcdef0)
			m.until(100_200)
			require.EqualValues(t, 0x12345678, m.word(dmaTo))
		})
	})
}

// TestDMAPriorities: between turns a channel of high priority comes first, and of two alike the lower number.
func TestDMAPriorities(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, spinning)
		for n := range uint32(3) {
			m.describe(n, transfer{op: 1, width: 5, size: 64, turn: 0, interrupt: 1, increments: 3, from: dmaFrom, to: dmaTo + 0x100*n})
		}
		m.setAux(dmaCENB, 7)
		require.EqualValues(t, 15, m.aux(dmaCNPRI))
		m.setAux(dmaCREQ, 7) // channel 0 begins
		m.setAux(dmaCHPRI, 4)
		require.EqualValues(t, 4, m.aux(dmaCHPRI))
		var order []uint32
		for cycle := uint64(1); len(order) < 3; cycle++ {
			m.until(cycle)
			if irq := m.aux(dmaCIRQ); irq != 0 {
				order = append(order, irq)
				m.setAux(dmaCIRQ, irq)
			}
			require.Less(t, cycle, uint64(1000))
			if len(order) == 1 {
				require.NotZero(t, m.word(dmaTo), "the first turn was that of channel 0")
			}
		}
		require.Equal(t, []uint32{4, 1, 2}, order)
	})
}

// TestDMAAbort: a channel that is disabled in a turn has moved what its time was enough for; another goes on
// and the first can begin anew. Switching the controller off holds all, switching it on goes on with them.
func TestDMAAbort(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, spinning)
		m.describe(0, transfer{op: 1, width: 5, size: 400, turn: 255, increments: 3, from: dmaFrom, to: dmaTo})
		m.describe(1, transfer{op: 1, width: 5, size: 400, turn: 255, increments: 3, from: dmaFrom, to: dmaTo + 0x400})
		m.until(10)
		begin := m.Cycles
		m.setAux(dmaCENB, 3)
		m.setAux(dmaCREQ, 3)
		m.until(begin + 60)
		moved := int(m.Cycles-begin-6) / 2
		m.setAux(dmaCDSB, 1)
		require.EqualValues(t, 2, m.aux(dmaCSTAT0))
		require.Equal(t, append(m.bytes(dmaFrom, 4*moved), make([]byte, 8)...), m.bytes(dmaTo, 4*moved+8))

		m.until(m.Cycles + 100)
		m.setAux(dmaCTRL, 0)
		half := m.bytes(dmaTo+0x400, 400)
		require.NotEqual(t, m.bytes(dmaFrom, 400), half)
		require.NotZero(t, half[1])
		m.until(m.Cycles + 1000)
		require.Equal(t, half, m.bytes(dmaTo+0x400, 400))
		m.setAux(dmaCTRL, 1)
		m.until(m.Cycles + 300)
		require.Equal(t, m.bytes(dmaFrom, 400), m.bytes(dmaTo+0x400, 400))
		require.EqualValues(t, 2, m.aux(dmaCSTAT1))

		m.setAux(dmaCENB, 1)
		m.setAux(dmaCREQ, 1)
		m.until(m.Cycles + 300)
		require.Equal(t, m.bytes(dmaFrom, 400), m.bytes(dmaTo, 400))
		m.setAux(dmaCRST, 3)
		require.Zero(t, m.aux(dmaCSTAT1))
	})
}

// TestDMAErrors: whatever a descriptor says ends in an error of its channel, and others go on.
func TestDMAErrors(t *testing.T) {
	block := func(change func(*transfer)) transfer {
		b := transfer{op: 1, width: 5, size: 64, turn: 3, increments: 3, from: dmaFrom, to: dmaTo}
		change(&b)
		return b
	}
	tests := map[string]func(m *machine){
		"source":       func(m *machine) { m.describe(0, block(func(b *transfer) { b.from = dmaUnmapped })) },
		"target":       func(m *machine) { m.describe(0, block(func(b *transfer) { b.to = dmaUnmapped })) },
		"end of space": func(m *machine) { m.describe(0, block(func(b *transfer) { b.to = 0xffffffe0 })) },
		"read-only":    func(m *machine) { m.describe(0, block(func(b *transfer) { b.to = 0x20000 })) },
		"operation":    func(m *machine) { m.describe(0, block(func(b *transfer) { b.op = 0 })) },
		"auxiliary":    func(m *machine) { m.describe(0, block(func(b *transfer) { b.kind = 2 })) },
		"double words": func(m *machine) { m.describe(0, block(func(b *transfer) { b.width = 7 })) },
		"pointer":      func(m *machine) { m.poke(dmaTable, dmaUnmapped) },
		"table":        func(m *machine) { m.setAux(dmaCBASE, dmaUnmapped) },
		"link":         func(m *machine) { m.describe(0, block(func(b *transfer) { b.op, b.next = 2, dmaUnmapped })) },
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := dmaMachine(t, dmaCore(), e, spinning)
				require.NoError(t, m.Mem.Map(memory.Region{Name: "nothing", Kind: memory.None, Base: dmaUnmapped, Size: 0x1000}))
				require.NoError(t, m.Mem.Map(memory.Region{Name: "top", Kind: memory.None, Base: 0xfffff000, Size: 0x1000}))
				require.NoError(t, m.Mem.Map(memory.Region{Name: "rom", Kind: memory.RAM, Base: 0x20000, Size: 0x1000, Rights: memory.Read}))
				m.describe(1, block(func(b *transfer) { b.to = dmaTo + 0x100 }))
				set(m)
				m.setAux(dmaCENB, 3)
				m.setAux(dmaCREQ, 3)
				m.until(500)
				if name == "table" {
					require.EqualValues(t, 0x30000, m.aux(dmaCSTAT1))
					return
				}
				require.EqualValues(t, 0x10002, m.aux(dmaCSTAT1))
				require.Equal(t, m.bytes(dmaFrom, 64), m.bytes(dmaTo+0x100, 64))
				m.setAux(dmaCSTAT1, 0x10000)
				require.EqualValues(t, 2, m.aux(dmaCSTAT1))

				m.describe(0, block(func(*transfer) {}))
				m.setAux(dmaCREQ, 1)
				m.until(1000)
				require.EqualValues(t, 3, m.aux(dmaCSTAT1), "the channel begins anew")
			})
		})
	}
}

// TestDMAMemoryLimit: a transfer cannot take more of the host's memory than the run may have.
func TestDMAMemoryLimit(t *testing.T) {
	c, err := cpu.New(dmaCore(), memory.New(memory.RAM, 4*memory.PageSize))
	require.NoError(t, err)
	m := &machine{CPU: c, t: t}
	m.poke(0x100, 0x0000f1c0) // b 0
	m.PC = 0x100
	m.setAux(dmaCTRL, 1)
	m.setAux(dmaCBASE, dmaTable)
	m.describe(0, transfer{op: 1, width: 6, size: 8192, turn: 255, increments: 3, to: 0x100000})
	m.describe(1, transfer{op: 1, width: 6, size: 8192, turn: 255, increments: 3, to: 0x200000})
	m.setAux(dmaCENB, 3)
	m.setAux(dmaCREQ, 3)
	require.Equal(t, cpu.StopMemoryLimit, m.Run(100_000).Reason)
}

// TestDMARegisters: channels with registers, descriptors of version 1, links of channels with registers.
func TestDMARegisters(t *testing.T) {
	block := transfer{op: 1, width: 3, size: 24, turn: 255, increments: 3, from: dmaFrom, to: dmaTo}
	onAll(t, func(t *testing.T, e cpu.Engine) {
		for _, version := range []uint8{0x42, 0x43} {
			m := dmaMachine(t, dmaCore(func(c *cpu.Config) { c.ARCVer, c.DMA.Registers = version, 2 }), e, spinning)
			_, ok := m.Aux(dmaCRST)
			require.Equal(t, version == 0x43, ok)
			_, ok = m.Aux(dmaChannel0 + 3)
			require.False(t, ok, "channel 1 has no registers")
			d := block.descriptor()
			m.setAux(dmaCHPRI, 4)
			for i, w := range d[:3] {
				m.setAux(dmaChannel0+6+uint32(i), w)
				require.Equal(t, w, m.aux(dmaChannel0+6+uint32(i)))
			}
			m.setAux(dmaCENB, 5)
			m.setAux(dmaCREQ, 4)
			m.until(200)
			require.EqualValues(t, 4, m.aux(dmaCSTAT1))
			require.Equal(t, m.bytes(dmaFrom, 24), m.bytes(dmaTo, 24))

			d[2] += 0x100
			if version == 0x42 { // descriptors, not pointers to them
				m.poke(dmaTable, d[:]...)
				m.setAux(dmaCREQ, 1)
				m.until(400)
				require.EqualValues(t, 5, m.aux(dmaCSTAT1))
				require.Equal(t, m.bytes(dmaFrom, 24), m.bytes(dmaTo+0x100, 24))
				continue
			}
			m.setAux(dmaChannel0+6, m.aux(dmaChannel0+6)^3) // linked
			m.poke(dmaDescriptors, d[:]...)
			m.poke(dmaTable+8, dmaDescriptors)
			m.setAux(dmaCENB, 4)
			m.setAux(dmaCREQ, 4)
			m.until(400)
			require.EqualValues(t, 4, m.aux(dmaCSTAT1))
			require.Equal(t, m.bytes(dmaFrom, 24), m.bytes(dmaTo+0x100, 24))
		}
	})
	_, err := cpu.New(dmaCore(func(c *cpu.Config) { c.DMA.Channels = 17 }), memory.New(memory.RAM, 0))
	require.EqualError(t, err, "17 DMA channels: at most 16")
	_, err = cpu.New(dmaCore(func(c *cpu.Config) { c.DMA.Registers = 5 }), memory.New(memory.RAM, 0))
	require.EqualError(t, err, "5 DMA channels with registers: there are 4 channels")
}

// TestDMARights: user mode has no access to the controller; its transfers are not those of the program that
// runs, so the MPU lets them pass.
func TestDMARights(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(func(c *cpu.Config) { c.MPUVersion, c.MPURegions = 2, 8 }), e, `
	.org 0x100
start:	sr 0x3000,[0x422]	; region 0: 4 KB at 0x3000 for nobody
	sr 0x1803,[0x423]
	sr 0x400001f8,[0x409]	; everything else for everybody
	sr 1,[0x681]
	sr 1,[0x685]
	mov r1,0
1:	add r1,r1,1
	brlt r1,200,1b
	lr r2,[0x687]
	sr 0x180,[0x400]
	sr 0x80,[0x402]
	rtie
	.org 0x180
user:	lr r4,[0x680]
	nop
handler:
	lr r5,[0x403]
	flag 1
`)
		m.vector(cpu.VecPrivilege, "handler")
		m.describe(0, transfer{op: 1, width: 5, size: 64, turn: 3, increments: 3, from: dmaFrom, to: dmaTo})
		m.halts()
		require.EqualValues(t, 1, m.Reg(2))
		require.EqualValues(t, 0x070000, m.Reg(5), "privilege violation")
		require.Equal(t, m.bytes(dmaFrom, 64), m.bytes(dmaTo, 64))
	})
}

// TestDMAWritesCode: code that a transfer changes is decoded again.
func TestDMAWritesCode(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, `
	.org 0x100
start:	sr 1,[0x681]
	mov r3,0
	mov r4,0
	sr 1,[0x685]
1:	bl f
	add r3,r3,1
	brne r0,2,1b
	flag 1
	nop
	.align 4
f:	mov r0,1
	j [blink]
	.align 4
g:	mov r0,2
`)
		m.describe(0, transfer{op: 1, width: 5, size: 4, increments: 3, from: m.at("g"), to: m.at("f")})
		m.halts()
		require.EqualValues(t, 2, m.Reg(0))
		require.NotZero(t, m.Reg(3))
	})
}

// TestDMAWatch: a watched access of the controller stops the run.
func TestDMAWatch(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := dmaMachine(t, dmaCore(), e, spinning)
		m.describe(0, transfer{op: 1, width: 5, size: 64, turn: 3, increments: 3, from: dmaFrom, to: dmaTo})
		m.Mem.SetWatches([]memory.Watch{{Addr: dmaTo + 0x20, Size: 4, Access: memory.Write}})
		m.setAux(dmaCENB, 1)
		m.setAux(dmaCREQ, 1)
		stop := m.Run(1000)
		require.Equal(t, cpu.StopWatchpoint, stop.Reason)
		require.EqualValues(t, dmaTo+0x20, stop.Access.Addr)
		require.Equal(t, m.PC, stop.PC)
		m.until(1000)
		require.Equal(t, m.bytes(dmaFrom, 64), m.bytes(dmaTo, 64))
	})
}

// TestDMAStates: whatever descriptors and registers hold, all engines agree at any cycle, a state saved and
// restored goes on as the run did, and nothing hangs.
func TestDMAStates(t *testing.T) {
	seeds := uint64(16)
	if testing.Short() {
		seeds = 4
	}
	type outcome struct {
		regs   [64]uint32
		memory uint32 // its checksum
		aux    [4]uint32
		cycles uint64
	}
	for seed := range seeds + 1 {
		if seed == seeds {
			seed = 185 // a state is saved a cycle after the end of a turn, which the controller does not know yet
		}
		run := func(e cpu.Engine, save bool) (list []outcome) {
			r := rand.New(rand.NewPCG(seed, 7))
			m := dmaMachine(t, dmaCore(func(c *cpu.Config) {
				c.DMA = cpu.DMA{Channels: 6, Registers: 2, Interrupts: cpu.DMAInterrupts(r.IntN(4))}
				c.Interrupts = 40
			}), e, `
	.org 0x100
start:	seti 0x1f
1:	lr r1,[0x686]
	lr r2,[0x687]
	add r3,r3,r2
	xor r3,r3,r1
	ld.ab r4,[r5,4]
	add r3,r3,r4
	and r5,r5,0x1ffc
	bset r5,r5,12
	b 1b
handler:
	lr r6,[0x688]
	add r7,r7,r6
	sr -1,[0x688]
	sr -1,[0x687]
	rtie
`)
			for n := cpu.VecFirstIRQ; n < 56; n++ {
				m.vector(n, "handler")
			}
			word := func() uint32 { return r.Uint32() }
			for i := range uint32(24) {
				w := word()
				next := dmaDescriptors + 16*(w>>8&7)
				if w&3 == 0 {
					next = 0
				}
				m.poke(dmaDescriptors+16*i, word()&^0x18|1, dmaFrom+word()&0x3fff, dmaFrom+0x1000+word()&0x2fff, next)
				m.poke(dmaTable+4*(i&7), dmaDescriptors+16*i)
			}
			for range 12 {
				for range 6 {
					switch addr := dmaCTRL + word()%11; addr {
					case dmaCTRL:
						m.setAux(addr, word()|1)
					case dmaCBASE, dmaCSTAT0:
						m.setAux(dmaChannel0+3*4+word()%6, word()&0x3fff|1)
					default:
						m.setAux(addr, word())
					}
				}
				if save {
					state, pages := m.SaveState(), m.Mem.Snapshot()
					m.until(m.Cycles + 77)
					require.NoError(t, m.RestoreState(state))
					m.Mem.Restore(pages)
				}
				m.until(m.Cycles + uint64(word()%300))
				list = append(list, outcome{regs: [64]uint32(m.R[:64]), memory: crc32.ChecksumIEEE(m.bytes(dmaFrom, 0x4000)),
					aux: [4]uint32{m.aux(dmaCSTAT0), m.aux(dmaCSTAT1), m.aux(dmaCIRQ), m.aux(dmaCREQ)}, cycles: m.Cycles})
			}
			return list
		}
		want := run(engines[0].make(), false)
		for _, engine := range engines {
			require.Equal(t, want, run(engine.make(), false), "seed %d, %s", seed, engine.name)
			require.Equal(t, want, run(engine.make(), true), "seed %d, %s, saved and restored", seed, engine.name)
		}
	}
}

// TestDMADamagedState: no damaged state of the controller hangs or panics.
func TestDMADamagedState(t *testing.T) {
	for seed := range uint64(25) {
		m := dmaMachine(t, dmaCore(), nil, spinning)
		state := m.SaveState()
		r := rand.New(rand.NewPCG(seed, 9))
		for range 200 {
			state[8+r.IntN(len(state)-8)] = byte(r.Uint32())
		}
		if m.RestoreState(state) != nil {
			continue
		}
		m.PC = m.at("start")
		m.Status &^= cpu.StatusH
		m.InstLimit = m.Insts + 100
		m.Run(cpu.NoLimit)
	}
}
