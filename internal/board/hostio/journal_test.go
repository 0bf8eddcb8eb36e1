package hostio

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRewindRepeatsAnswersWithoutEffects(t *testing.T) {
	f := newFixture(t, "abcdef", true)
	f.Record()
	run := func() (string, string) {
		n := f.g.call(t, f.Host, sysRead, 0, guestBase+100, 3)
		input := string(f.g.mem[100 : 100+n])
		fd := uint32(f.g.call(t, f.Host, sysOpen, f.g.text(0, "log"), 0x442, 0o600))
		f.g.call(t, f.Host, sysWrite, fd, f.g.text(0, "entry\n"), 6)
		f.g.call(t, f.Host, sysClose, fd)
		f.g.call(t, f.Host, sysWrite, 1, f.g.text(0, "out\n"), 4)
		return input, f.out.String()
	}
	mark := f.Mark()
	input, out := run()
	require.Equal(t, "abc", input)
	require.Equal(t, "out\n", out)

	f.Rewind(mark)
	require.True(t, f.Replaying())
	input, out = run()
	require.Equal(t, "abc", input, "the same input again")
	require.Equal(t, "out\n", out, "nothing printed twice")
	require.False(t, f.Replaying())
	data, err := os.ReadFile(f.dir + "/log")
	require.NoError(t, err)
	require.Equal(t, "entry\n", string(data))

	input, out = run()
	require.Equal(t, "def", input, "live again at the end of the recording")
	require.Equal(t, "out\nout\n", out)
}

func TestRewindThenAnotherWay(t *testing.T) {
	f := newFixture(t, "abcdef", true)
	f.Record()
	start, mark := f.State(), f.Mark()
	f.g.call(t, f.Host, sysRead, 0, guestBase, 2)
	f.g.call(t, f.Host, sysWrite, 1, f.g.text(0, "one"), 3)
	f.g.call(t, f.Host, sysRead, 0, guestBase, 2)

	f.SetState(start)
	f.Rewind(mark)
	f.g.call(t, f.Host, sysRead, 0, guestBase, 2)
	require.Equal(t, "ab", string(f.g.mem[:2]))
	f.g.call(t, f.Host, sysWrite, 1, f.g.text(0, "two"), 3)
	require.Equal(t, "onetwo", f.out.String(), "what was not asked before is done")
	f.g.call(t, f.Host, sysRead, 0, guestBase, 2)
	require.Equal(t, "cd", string(f.g.mem[:2]), "input goes on where this guest stands")
}

func TestPollsAreFoldedInTheRecording(t *testing.T) {
	r, w := io.Pipe()
	in := NewInput(r)
	in.live = true
	h, err := New(Config{Stdin: in})
	require.NoError(t, err)
	h.Record()
	mark := h.Mark()
	var first []byte
	polls := 0
	for ; len(first) < 3; polls++ {
		if polls == 50 {
			go func() { _, _ = w.Write([]byte("xyz")) }()
		}
		if b, ok := h.Poll(); ok {
			first = append(first, b)
		}
	}
	require.Less(t, len(h.journal.entries), 10)
	h.SetState(initialState(Config{}))
	h.Rewind(mark)
	var second []byte
	for range polls {
		if b, ok := h.Poll(); ok {
			second = append(second, b)
		}
	}
	require.Equal(t, "xyz", string(first))
	require.Equal(t, first, second, "the same bytes at the same polls")
	require.False(t, h.Replaying())
}

func TestStateMovesToAnotherHost(t *testing.T) {
	f := newFixture(t, "0123456789", true)
	fd := uint32(f.g.call(t, f.Host, sysOpen, f.g.text(0, "file"), 0x42, 0o600))
	f.g.call(t, f.Host, sysWrite, fd, f.g.text(0, "abcdefgh"), 8)
	f.g.call(t, f.Host, sysLseek, fd, 2, 0)
	f.g.call(t, f.Host, sysRead, 0, guestBase, 4)
	saved, err := json.Marshal(f.State())
	require.NoError(t, err)

	h, err := New(Config{Root: f.dir, Stdin: NewInput(strings.NewReader("0123456789"))})
	require.NoError(t, err)
	defer func() { require.NoError(t, h.Close()) }()
	var s State
	require.NoError(t, json.Unmarshal(saved, &s))
	require.NoError(t, h.Adopt(s))
	require.EqualValues(t, 3, f.g.call(t, h, sysRead, fd, guestBase, 3))
	require.Equal(t, "cde", string(f.g.mem[:3]))
	require.EqualValues(t, 6, f.g.call(t, h, sysRead, 0, guestBase, 10))
	require.Equal(t, "456789", string(f.g.mem[:6]))

	require.NoError(t, os.Remove(f.dir+"/file"))
	require.ErrorContains(t, h.Adopt(s), "descriptor 3 of the guest")
}

// TestStateSurvivesClose: a state can be restored after the guest closed and removed its file.
func TestStateSurvivesClose(t *testing.T) {
	f := newFixture(t, "", true)
	path := f.g.text(0, "file")
	fd := uint32(f.g.call(t, f.Host, sysOpen, path, 0x42, 0o600))
	f.g.call(t, f.Host, sysWrite, fd, f.g.text(100, "abc"), 3)
	f.g.call(t, f.Host, sysLseek, fd, 0, 0)
	s := f.State()
	f.g.call(t, f.Host, sysClose, fd)
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysRead, fd, guestBase, 3))
	f.SetState(s)
	require.EqualValues(t, 3, f.g.call(t, f.Host, sysRead, fd, guestBase+500, 3))
	require.Equal(t, "abc", string(f.g.mem[500:503]))
}

func TestWaitingForInputCanBeInterrupted(t *testing.T) {
	r, w := io.Pipe()
	in := NewInput(r)
	in.live = true
	var out bytes.Buffer
	h, err := New(Config{Stdin: in, Stdout: &out})
	require.NoError(t, err)
	halt := make(chan struct{})
	close(halt)
	h.Interrupt(halt)
	g := &guest{}
	g.regs = [16]uint32{0, guestBase, 4, 8: sysRead}
	require.Equal(t, Outcome{Known: true, Again: true}, h.ServeGNU(g))
	require.Equal(t, []uint32{0, guestBase, 4}, g.regs[:3], "the call can be made again")
	h.Interrupt(nil)
	go func() { _, _ = w.Write([]byte("hi")) }()
	require.Equal(t, Outcome{Known: true}, h.ServeGNU(g))
	require.EqualValues(t, 2, g.regs[0])
}

func TestAwaitInput(t *testing.T) {
	f := newFixture(t, "x", false)
	require.True(t, f.AwaitInput(nil))
	b, ok := f.Poll()
	require.True(t, ok)
	require.EqualValues(t, 'x', b)
	require.False(t, f.AwaitInput(nil), "the input is over")

	r, w := io.Pipe()
	in := NewInput(r)
	in.live = true
	h, err := New(Config{Stdin: in})
	require.NoError(t, err)
	halt := make(chan struct{})
	close(halt)
	require.False(t, h.AwaitInput(halt))
	go func() { _, _ = w.Write([]byte("y")) }()
	require.True(t, h.AwaitInput(nil))
	b, ok = h.Poll()
	require.True(t, ok)
	require.EqualValues(t, 'y', b)
}

func TestReset(t *testing.T) {
	f := newFixture(t, "abcdef", true)
	f.g.call(t, f.Host, sysRead, 0, guestBase, 3)
	fd := uint32(f.g.call(t, f.Host, sysOpen, f.g.text(0, "file"), 0x42, 0o600))
	f.g.call(t, f.Host, sysBrk, 0x20000)
	f.Reset()
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysClose, fd), "files are closed")
	require.EqualValues(t, 0x12000, f.g.call(t, f.Host, sysBrk, 0))
	f.g.call(t, f.Host, sysRead, 0, guestBase, 3)
	require.Equal(t, "def", string(f.g.mem[:3]), "input goes on")
	f.SetInput(NewInput(strings.NewReader("new")))
	f.g.call(t, f.Host, sysRead, 0, guestBase, 3)
	require.Equal(t, "new", string(f.g.mem[:3]))
}
