package devices

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// bench is a board for one device.
type bench struct {
	t      *testing.T
	d      Clocked
	now    uint64
	irq    bool
	edges  int
	resets int
}

func (b *bench) board() Board {
	return Board{
		Now: func() uint64 { return b.now }, Changed: func() {},
		IRQ: func(level bool) { b.irq = level; b.edges++ }, Reset: func() { b.resets++; b.d.Reset() },
	}
}

func (b *bench) get(reg uint32) uint32 {
	b.t.Helper()
	v, ok := b.d.ReadPort(reg, 4)
	require.True(b.t, ok)
	return v
}

func (b *bench) set(reg, v uint32) {
	b.t.Helper()
	require.True(b.t, b.d.WritePort(reg, 4, v))
}

// to lets time pass to a cycle as a machine does: the device is called when it has asked to be.
func (b *bench) to(cycle uint64) {
	b.t.Helper()
	for b.d.Next() <= cycle {
		require.Greater(b.t, b.d.Next(), b.now)
		b.now = b.d.Next()
		b.d.Expire()
	}
	b.now = cycle
}

// again replaces the device by a new one with its state.
func (b *bench) again(d Clocked) {
	b.t.Helper()
	state, err := b.d.State()
	require.NoError(b.t, err)
	edges := b.edges
	require.NoError(b.t, d.Adopt(state))
	require.Equal(b.t, edges, b.edges, "an adopted state does not drive the line")
	require.Equal(b.t, b.d.Next(), d.Next())
	b.d = d
	require.Error(b.t, d.Adopt([]byte(`{"control":"x","data":1,"timers":2}`)))
	require.NoError(b.t, d.Adopt(state))
}

func TestTimer(t *testing.T) {
	b := &bench{t: t, now: 1000}
	b.d = NewTimer(b.board())
	require.EqualValues(t, uint64(Never), b.d.Next())
	b.set(0x14, 100)
	b.set(0x1c, 3)
	require.EqualValues(t, 1100, b.d.Next())
	b.to(1040)
	require.EqualValues(t, 60, b.get(0x18))
	b.set(0x14, 300) // from the next period on
	b.to(1099)
	require.EqualValues(t, 1, b.get(0x18))
	require.False(t, b.irq)
	b.to(1100)
	require.True(t, b.irq)
	require.EqualValues(t, 300, b.get(0x18))
	require.EqualValues(t, 2, b.get(0xa0))
	require.EqualValues(t, 1, b.get(0x24))
	b.again(NewTimer(b.board()))
	require.Zero(t, b.get(0x20))
	require.False(t, b.irq, "the end of the interrupt is read")
	b.set(0x1c, 7) // masked
	b.to(1400)
	require.False(t, b.irq)
	require.Zero(t, b.get(0xa0))
	require.EqualValues(t, 2, b.get(0xa8))
	require.Zero(t, b.get(0xa4))
	require.Zero(t, b.get(0xa8))
	b.set(0x1c, 0)
	b.to(5000)
	require.Zero(t, b.get(0xa8))
	b.set(8, 1) // free: from 2^32 - 1
	b.to(5010)
	require.EqualValues(t, 0xffffffff-10, b.get(4))
	require.EqualValues(t, 5000+0xffffffff, b.d.Next())
	v, ok := b.d.ReadPort(6, 2)
	require.True(t, ok)
	require.EqualValues(t, 0xffff, v)
	require.True(t, b.d.WritePort(0xf0, 4, 1))
	require.Zero(t, b.get(0xf0))
	b.set(0x28, 0)
	b.set(0x30, 3) // a load count of 0 still takes time
	b.to(5020)
	b.d.Reset()
	require.False(t, b.irq)
	b.set(0, 50)
	b.set(8, 1)
	require.EqualValues(t, 0xffffffff, b.get(4), "free, whatever the load count")
}

func TestGPIO(t *testing.T) {
	pins := []PinChange{{Cycle: 10, Pins: 1}, {Cycle: 20}, {Cycle: 30, Pins: 3}, {Cycle: 40, Pins: 2}}
	b := &bench{t: t}
	b.d = NewGPIO(b.board(), pins)
	b.set(0x38, 1)
	b.set(0x3c, 3)
	b.set(0x30, 3) // pin 0 by its rising edge, pin 1 while high
	b.to(9)
	require.False(t, b.irq)
	require.Zero(t, b.get(0x50))
	b.to(10)
	require.True(t, b.irq)
	require.EqualValues(t, 1, b.get(0x50))
	require.EqualValues(t, 1, b.get(0x40))
	b.to(25)
	require.True(t, b.irq, "an edge is remembered")
	b.again(NewGPIO(b.board(), pins))
	b.set(0x4c, 1)
	require.False(t, b.irq)
	b.to(30)
	require.EqualValues(t, 3, b.get(0x44))
	b.set(0x34, 2)
	require.EqualValues(t, 1, b.get(0x40), "masked")
	b.set(0x4c, 3)
	require.EqualValues(t, 2, b.get(0x44), "a level stays")
	require.False(t, b.irq)
	b.set(4, 2) // pin 1 an output: its own value, and no interrupt
	require.EqualValues(t, 1, b.get(0x50))
	require.Zero(t, b.get(0x44))
	b.set(0, 2)
	require.EqualValues(t, 3, b.get(0x50))
	b.to(40)
	require.EqualValues(t, 2, b.get(0x50))
	require.Zero(t, b.get(0x44), "the edge of pin 0 falls")
	b.set(0x10, 0xff)
	b.set(0x0c, 0x5a)
	require.EqualValues(t, 0x5a, b.get(0x54))
	require.EqualValues(t, uint64(Never), b.d.Next())
	b.d.Reset()
	require.EqualValues(t, 2, b.get(0x50), "what comes from outside stays")
}

func TestWatchdog(t *testing.T) {
	b := &bench{t: t}
	b.d = NewWatchdog(b.board())
	require.EqualValues(t, uint64(Never), b.d.Next())
	b.set(4, 1)
	b.set(0, 1)
	require.EqualValues(t, 1<<17, b.d.Next())
	b.set(0, 0)
	require.EqualValues(t, 1, b.get(0), "once on, it stays on")
	b.to(100_000)
	require.EqualValues(t, 1<<17-100_000-1, b.get(8))
	b.set(12, 0x75)
	require.EqualValues(t, 1<<17, b.d.Next())
	b.set(12, 0x76)
	require.EqualValues(t, 100_000+1<<17, b.d.Next())
	b.to(100_000 + 1<<17)
	require.Equal(t, 1, b.resets)
	require.Zero(t, b.get(0))

	b.set(0, 3)
	b.to(b.now + 1<<16)
	require.True(t, b.irq)
	require.EqualValues(t, 1, b.get(16))
	b.again(NewWatchdog(b.board()))
	require.Zero(t, b.get(20))
	require.False(t, b.irq)
	b.to(b.now + 1<<16)
	require.True(t, b.irq)
	require.Equal(t, 1, b.resets)
	b.to(b.now + 1<<16)
	require.Equal(t, 2, b.resets)
	require.False(t, b.irq)
}

func TestRTC(t *testing.T) {
	b := &bench{t: t}
	b.d = NewRTC(b.board(), 1000)
	b.set(8, 50)
	b.set(4, 53)
	b.set(12, 5)
	b.to(2999)
	require.EqualValues(t, 52, b.get(0))
	require.False(t, b.irq)
	b.to(3000)
	require.EqualValues(t, 53, b.get(0))
	require.True(t, b.irq)
	require.EqualValues(t, 1, b.get(16))
	b.again(NewRTC(b.board(), 1000))
	require.Zero(t, b.get(24))
	require.False(t, b.irq)
	require.EqualValues(t, 3000+1000<<32, b.d.Next(), "a whole round later")
	b.to(5500)
	require.EqualValues(t, 55, b.get(0))
	b.set(12, 15) // on, masked, wrapping
	b.set(8, 53)
	b.to(6500)
	require.EqualValues(t, 0, b.get(0))
	b.to(6500 + 53_000)
	require.EqualValues(t, 53, b.get(0))
	require.EqualValues(t, 1, b.get(20))
	require.False(t, b.irq)
	b.to(6500 + 53_000 + 54_000*3)
	require.EqualValues(t, 53, b.get(0))
}

// TestUARTDesignWare: component registers, software reset, trigger levels.
func TestUARTDesignWare(t *testing.T) {
	u := newUARTTest()
	require.EqualValues(t, 0x44570110, u.get(t, 0xfc/4))
	require.NotZero(t, u.get(t, 0xf4/4)&(1<<10))
	u.set(t, 2, 0x81) // half full
	u.set(t, 1, 1)
	u.in = []byte("1234567")
	u.Tick()
	require.True(t, u.irq)
	require.EqualValues(t, 0xcc, u.get(t, 2), "less than the trigger level")
	require.EqualValues(t, 7, u.get(t, 0x84/4))
	u.in = []byte("89")
	u.Tick()
	require.EqualValues(t, 0xc4, u.get(t, 2))
	u.in = []byte("0123456789")
	u.Tick()
	require.EqualValues(t, 0x1e, u.get(t, 31), "full")
	u.set(t, 0x88/4, 7)
	require.False(t, u.irq)
	require.Zero(t, u.get(t, 1))
}
