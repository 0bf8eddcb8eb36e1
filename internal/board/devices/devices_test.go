package devices

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// line is a console with input that arrives byte by byte.
type line struct {
	out []byte
	in  []byte
}

func (l *line) Put(b byte) { l.out = append(l.out, b) }

func (l *line) Poll() (byte, bool) {
	if len(l.in) == 0 {
		return 0, false
	}
	b := l.in[0]
	l.in = l.in[1:]
	return b, true
}

type uartTest struct {
	*UART
	*line
	irq   bool
	edges int
}

func newUARTTest() *uartTest {
	u := &uartTest{line: &line{}}
	u.UART = NewUART(u.line, func(level bool) { u.irq = level; u.edges++ })
	return u
}

func (u *uartTest) get(t *testing.T, reg uint32) uint32 {
	t.Helper()
	v, ok := u.ReadPort(4*reg, 4)
	require.True(t, ok)
	return v
}

func (u *uartTest) set(t *testing.T, reg, v uint32) {
	t.Helper()
	require.True(t, u.WritePort(4*reg, 4, v))
}

func TestUARTPolled(t *testing.T) {
	u := newUARTTest()
	u.set(t, 3, 0x83)
	u.set(t, 0, 27)
	u.set(t, 1, 1)
	require.EqualValues(t, 27, u.get(t, 0), "divisor latch")
	require.EqualValues(t, 1, u.get(t, 1))
	u.set(t, 3, 0x03)
	require.EqualValues(t, 0x60, u.get(t, 5), "empty, nothing received")
	u.set(t, 0, 'A')
	u.set(t, 0, 'B')
	require.Equal(t, "AB", string(u.out))
	u.in = []byte("xy")
	require.EqualValues(t, 0x61, u.get(t, 5))
	require.EqualValues(t, 'x', u.get(t, 0))
	require.EqualValues(t, 'y', u.get(t, 0))
	require.EqualValues(t, 0, u.get(t, 0))
	require.EqualValues(t, 0x60, u.get(t, 5))
	u.set(t, 7, 0x5a)
	require.EqualValues(t, 0x5a, u.get(t, 7))
	require.EqualValues(t, 0xb0, u.get(t, 6))
	require.EqualValues(t, 0x06, u.get(t, 31))
	require.False(t, u.irq)
}

func TestUARTInterrupts(t *testing.T) {
	u := newUARTTest()
	u.set(t, 2, 0x07)
	require.EqualValues(t, 0xc1, u.get(t, 2), "FIFO on, nothing pending")
	require.False(t, u.Tick(), "nobody waits")
	u.set(t, 1, 1)
	require.False(t, u.irq)
	u.in = []byte("hello")
	require.True(t, u.Tick())
	require.False(t, u.Tick(), "there is no more")
	require.True(t, u.irq)
	require.EqualValues(t, 0xc4, u.get(t, 2))
	for _, c := range "hello" {
		require.True(t, u.irq)
		require.EqualValues(t, c, u.get(t, 0))
	}
	require.False(t, u.irq, "the line falls with the last byte")

	u.set(t, 1, 2)
	require.True(t, u.irq, "the transmitter is empty")
	require.EqualValues(t, 0xc2, u.get(t, 2))
	require.False(t, u.irq, "reading the cause takes it back")
	u.set(t, 0, 'z')
	require.True(t, u.irq, "empty again after a byte")
	u.set(t, 1, 0)
	require.False(t, u.irq)
	require.Equal(t, 6, u.edges)
	u.in = []byte("x")
	u.set(t, 1, 1)
	require.True(t, u.irq, "what is there interrupts at once")
}

func TestUARTFIFODepth(t *testing.T) {
	u := newUARTTest()
	u.in = []byte("0123456789abcdefghij")
	u.set(t, 1, 1)
	require.Len(t, u.State().RX, 1, "without FIFO one byte is held")
	u.set(t, 2, 1)
	u.Tick()
	require.Len(t, u.State().RX, 16)
	u.set(t, 2, 3)
	require.Empty(t, u.State().RX)
}

func TestUARTLoopback(t *testing.T) {
	u := newUARTTest()
	u.set(t, 4, 0x1f)
	u.set(t, 0, 'q')
	require.Empty(t, u.out)
	require.EqualValues(t, 'q', u.get(t, 0))
	require.EqualValues(t, 0xf0, u.get(t, 6), "the outputs come back")
}

func TestUARTState(t *testing.T) {
	u := newUARTTest()
	u.set(t, 2, 1)
	u.set(t, 1, 1)
	u.in = []byte("ab")
	u.Tick()
	s := u.State()
	u.Reset()
	require.False(t, u.irq)
	require.EqualValues(t, 0, u.get(t, 1))
	u.SetState(s)
	require.True(t, u.irq, "the interrupt line comes back with the state")
	require.EqualValues(t, 'a', u.get(t, 0))
	s.RX[1] = '!'
	require.EqualValues(t, 'b', u.get(t, 0), "a state is a copy")
	edges := u.edges
	u.Adopt(UARTState{})
	require.Equal(t, edges, u.edges, "an adopted state does not drive the line")
	u.Adopt(s)
	u.SetState(UARTState{RX: make([]byte, 100)})
	require.Len(t, u.State().RX, 16)
}

func TestUARTNarrowAccess(t *testing.T) {
	u := newUARTTest()
	require.True(t, u.WritePort(0, 1, 'A'))
	require.True(t, u.WritePort(1, 1, 'B'))
	require.Equal(t, "A", string(u.out))
	v, ok := u.ReadPort(21, 1)
	require.True(t, ok)
	require.Zero(t, v)
}

func TestQEMUPorts(t *testing.T) {
	l := &line{}
	c := &ConsolePort{Console: l}
	require.True(t, c.WritePort(0, 1, 'h'))
	require.True(t, c.WritePort(0, 4, 'i'))
	require.True(t, c.WritePort(1, 1, 'x'))
	require.Equal(t, "hi", string(l.out))
	v, _ := c.ReadPort(0, 4)
	require.EqualValues(t, 'x'<<8|'i', v)

	off := 0
	p := &PowerPort{Off: func() { off++ }}
	require.True(t, p.WritePort(0, 4, 2))
	require.Zero(t, off)
	require.True(t, p.WritePort(0, 4, 1))
	require.Equal(t, 1, off)
}

func TestDoorbell(t *testing.T) {
	var served []uint32
	answer := true
	d := &Doorbell{
		Words: [2]uint32{noPacket, noPacket},
		Serve: func(packet uint32) bool { served = append(served, packet); return answer },
	}
	require.True(t, d.WritePort(0, 4, 0x1234))
	require.Equal(t, []uint32{0x1234}, served)
	v, _ := d.ReadPort(4, 4)
	require.EqualValues(t, 0x1234, v)
	v, _ = d.ReadPort(0, 4)
	require.EqualValues(t, uint32(noPacket), v)

	// In bytes: nothing happens before the guest looks for the answer.
	served = nil
	require.True(t, d.WritePort(4, 4, noPacket))
	for i, b := range []uint32{0x78, 0x56, 0x34, 0x12} {
		require.True(t, d.WritePort(uint32(i), 1, b))
	}
	require.Empty(t, served)
	v, _ = d.ReadPort(4, 1)
	require.EqualValues(t, 0x78, v)
	require.Equal(t, []uint32{0x12345678}, served)

	// A packet that cannot be served yet stays.
	served, answer = nil, false
	require.True(t, d.WritePort(4, 4, noPacket))
	require.True(t, d.WritePort(0, 4, 0x40))
	v, _ = d.ReadPort(4, 4)
	require.EqualValues(t, uint32(noPacket), v)
	answer = true
	v, _ = d.ReadPort(4, 4)
	require.EqualValues(t, 0x40, v)
	require.Len(t, served, 3)
}
