package hostio

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Layout of the test's hostlink block, as newlib's start file lays it out.
const (
	blockAt   = 0x400
	blockAddr = guestBase + blockAt
	packetAt  = blockAt + 28
	payloadAt = packetAt + 20
	payload   = 1024 + 128
)

// send does what a hostlink guest does: fill the packet, ring, wait, unpack.
func (g *guest) send(t *testing.T, h *Host, args ...any) (values []any) {
	t.Helper()
	le := binary.LittleEndian
	p := g.mem[payloadAt:payloadAt]
	for _, a := range args {
		switch a := a.(type) {
		case int:
			p = le.AppendUint16(p, 3)
			p = le.AppendUint16(p, 4)
			p = le.AppendUint32(p, uint32(a))
		case string:
			p = le.AppendUint16(p, 4)
			p = le.AppendUint16(p, uint16(len(a)))
			p = append(p, a...)
			for len(p)%4 != 0 {
				p = append(p, 0)
			}
		}
	}
	for i, w := range []uint32{1, guestBase + packetAt, 0xffffffff, guestBase + packetAt, payload, 0, 0} {
		le.PutUint32(g.mem[blockAt+4*i:], w)
	}
	require.True(t, h.ServeHostlink(g, blockAddr, guestBase+packetAt))

	for in := (&items{left: g.mem[payloadAt : payloadAt+payload]}); ; {
		kind, data := in.next()
		switch {
		case kind == 3 && len(data) == 4:
			values = append(values, int(int32(le.Uint32(data))))
		case kind == 4:
			values = append(values, string(data))
		}
		if len(values) == 2 || kind != 3 && kind != 4 {
			return values
		}
	}
}

func TestHostlink(t *testing.T) {
	f := newFixture(t, "typed", true)
	h := f.Host
	require.Equal(t, []any{6, 0}, f.g.send(t, h, 3, 1, "hello\n", 6))
	require.Equal(t, "hello\n", f.out.String())
	require.Equal(t, []any{5, "typed"}, f.g.send(t, h, 2, 0, 100))
	require.Equal(t, []any{0, ""}, f.g.send(t, h, 2, 0, 100))

	require.Equal(t, []any{3, 0}, f.g.send(t, h, 0, "f.txt\x00", 0x102, 0o644))
	require.Equal(t, []any{4, 0}, f.g.send(t, h, 3, 3, "data", 4))
	require.Equal(t, []any{1, 0}, f.g.send(t, h, 4, 3, 1, 0))
	require.Equal(t, []any{3, "ata"}, f.g.send(t, h, 2, 3, 10))
	require.Equal(t, []any{-1, 9}, f.g.send(t, h, 2, 33, 10))
	require.Equal(t, []any{0, 25}, f.g.send(t, h, 6, 3)[:2])
	require.Equal(t, []any{1, 0}, f.g.send(t, h, 6, 1)[:2])
	require.Equal(t, []any{0, 0}, f.g.send(t, h, 1, 3))
	require.Equal(t, []any{0, 0}, f.g.send(t, h, 15, "f.txt\x00", 0))
	require.Equal(t, []any{0, 0}, f.g.send(t, h, 11, "f.txt\x00", "g.txt\x00"))
	data, err := os.ReadFile(filepath.Join(f.dir, "g.txt"))
	require.NoError(t, err)
	require.Equal(t, "data", string(data))
	require.Equal(t, []any{0, 0}, f.g.send(t, h, 5, "g.txt\x00"))
	require.Equal(t, []any{-1, 2}, f.g.send(t, h, 5, "g.txt\x00"))

	require.Equal(t, 3, f.g.send(t, h, 12)[0])
	require.Equal(t, "two words\x00", f.g.send(t, h, 13, 2)[0])
	require.Equal(t, "\x00", f.g.send(t, h, 13, 99)[0])
	require.Equal(t, 1500, f.g.send(t, h, 9)[0])
	require.Equal(t, int(Epoch.Unix())+1, f.g.send(t, h, 10)[0])
	require.Equal(t, "/\x00", f.g.send(t, h, 17, 100)[0])

	_, ok := h.ExitStatus()
	require.False(t, ok)
	f.g.send(t, h, 14, 42)
	status, ok := h.ExitStatus()
	require.True(t, ok)
	require.EqualValues(t, 42, status)
}

func TestHostlinkFstat(t *testing.T) {
	f := newFixture(t, "", true)
	require.Equal(t, 0, f.g.send(t, f.Host, 18, 1025, 1, "iii\x00", 1, guestBase, guestBase+64)[0])
	require.EqualValues(t, 0o020000, binary.LittleEndian.Uint16(f.g.mem[6:])&0o170000)
	require.Zero(t, f.g.word(64))
	require.Equal(t, 9, f.g.send(t, f.Host, 18, 1025, 1, "iii\x00", 77, guestBase, guestBase+64)[0])
	require.EqualValues(t, 0xffffffff, f.g.word(64))
	require.Equal(t, 88, f.g.send(t, f.Host, 18, 1, 1, "\x00")[0], "another vendor")
}

func TestHostlinkRefusesNonsense(t *testing.T) {
	f := newFixture(t, "", false)
	require.Equal(t, []any{-1, 88}, f.g.send(t, f.Host, 99))
	require.Equal(t, []any{-1, 14}, f.g.send(t, f.Host, 3, 1, 2, 3))
	require.Equal(t, []any{-1, 14}, f.g.send(t, f.Host, 18, 1025, 1, "iii\x00", 1, 4, 4))
	require.Empty(t, f.out.String())

	require.False(t, f.ServeHostlink(f.g, blockAddr, 0xfffffff0), "a packet nowhere")
	require.False(t, f.ServeHostlink(f.g, 4, guestBase+packetAt), "a block nowhere")
	binary.LittleEndian.PutUint32(f.g.mem[blockAt+16:], 0)
	require.True(t, f.ServeHostlink(f.g, blockAddr, guestBase+packetAt), "no room for an answer")
}

func TestPowerOff(t *testing.T) {
	for text, want := range map[string]uint32{"": 0, "0": 0, "1": 1, "ok\n1": 1, "ok\n0": 0, "sum=31": 0} {
		f := newFixture(t, "", false)
		for _, c := range []byte(text) {
			f.Put(c)
		}
		require.Equal(t, text, f.out.String())
		require.Equal(t, want, f.PowerOffStatus(), "after %q", text)
	}
}

func FuzzHostlink(f *testing.F) {
	f.Add([]byte{3, 0, 4, 0, 3, 0, 0, 0, 3, 0, 4, 0, 1, 0, 0, 0, 4, 0, 2, 0, 'h', 'i', 0, 0, 3, 0, 4, 0, 2, 0, 0, 0}, uint32(1152))
	f.Fuzz(func(t *testing.T, data []byte, size uint32) {
		h, err := New(Config{Args: []string{"p"}})
		require.NoError(t, err)
		g := &guest{}
		copy(g.mem[payloadAt:], data)
		binary.LittleEndian.PutUint32(g.mem[blockAt+16:], size)
		h.ServeHostlink(g, blockAddr, guestBase+packetAt)
	})
}
