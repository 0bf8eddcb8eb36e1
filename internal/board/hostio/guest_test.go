package hostio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// guest is 64 KB of memory at address 0x10000 and sixteen registers.
type guest struct {
	regs [16]uint32
	mem  [64 << 10]byte
}

const guestBase = 0x10000

var errNoMemory = errors.New("no memory")

func (g *guest) Reg(n uint8) uint32       { return g.regs[n] }
func (g *guest) SetReg(n uint8, v uint32) { g.regs[n] = v }

func (g *guest) Peek(addr uint32, buf []byte) error {
	if addr < guestBase || int(addr-guestBase)+len(buf) > len(g.mem) {
		return errNoMemory
	}
	copy(buf, g.mem[addr-guestBase:])
	return nil
}

func (g *guest) Poke(addr uint32, data []byte) error {
	if addr < guestBase || int(addr-guestBase)+len(data) > len(g.mem) {
		return errNoMemory
	}
	copy(g.mem[addr-guestBase:], data)
	return nil
}

// text puts a string into memory and returns its address.
func (g *guest) text(at int, s string) uint32 {
	copy(g.mem[at:], s+"\x00")
	return uint32(guestBase + at)
}

func (g *guest) word(at int) uint32 { return binary.LittleEndian.Uint32(g.mem[at:]) }

// call makes a GNU call and returns r0.
func (g *guest) call(t *testing.T, h *Host, number uint32, args ...uint32) int32 {
	t.Helper()
	g.regs[8] = number
	copy(g.regs[:], args)
	out := h.ServeGNU(g)
	require.True(t, out.Known)
	require.False(t, out.Exit)
	return int32(g.regs[0])
}

type fixture struct {
	*Host
	g        *guest
	out, err *bytes.Buffer
	dir      string
	notices  []string
	elapsed  time.Duration
}

func newFixture(t *testing.T, input string, withFiles bool) *fixture {
	t.Helper()
	f := &fixture{g: &guest{}, out: &bytes.Buffer{}, err: &bytes.Buffer{}, elapsed: 1500 * time.Millisecond}
	cfg := Config{
		Stdin: NewInput(strings.NewReader(input)), Stdout: f.out, Stderr: f.err,
		Args:      []string{"prog", "-x", "two words"},
		Now:       func() time.Duration { return f.elapsed },
		Notice:    func(s string) { f.notices = append(f.notices, s) },
		HeapStart: 0x12000,
	}
	if withFiles {
		f.dir = filepath.Join(t.TempDir(), "root")
		require.NoError(t, os.Mkdir(f.dir, 0o755))
		cfg.Root = f.dir
	}
	h, err := New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	f.Host = h
	return f
}
