package mlikernels

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli11"
)

// object assembles a source into an object file.
func object(t *testing.T, name, text string) kernel.ForeignFile {
	t.Helper()
	o, err := asm.Assemble(asm.Options{CPU: "em9d"}, asm.Source{Name: name, Text: text})
	require.NoError(t, err)
	data, err := o.Bytes()
	require.NoError(t, err)
	return kernel.ForeignFile{Name: name, Data: data}
}

// foreignMachine loads a foreign library.
func foreignMachine(t *testing.T, f *kernel.Foreign) *kernel.Machine {
	t.Helper()
	lib, err := mli11.Collection().Link(f, kernel.Variant{})
	require.NoError(t, err)
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: "em7d", Library: lib, Limit: 100_000})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// wantsHelpers is a library that leaves everything to the run-time library.
const wantsHelpers = `
	.text
	.global mli_krn_relu_fx8
mli_krn_relu_fx8:
	j [blink]
	.word memcpy, memmove, memset, __ashldi3, __lshrdi3, __ashrdi3, __udivdi3, __umoddi3, __divdi3, __moddi3
`

// TestHelpers: the functions that compilers leave to their run-time library compute what Go does.
func TestHelpers(t *testing.T) {
	m := foreignMachine(t, &kernel.Foreign{Files: []kernel.ForeignFile{object(t, "wants.s", wantsHelpers)}})
	call := func(name string, args ...uint32) uint64 {
		entry, err := m.Entry(name)
		require.NoError(t, err)
		l := m.NewLayout()
		l.SetArgs(args...)
		rep, err := m.CallAt(context.Background(), entry, l)
		require.NoError(t, err, "%s %#x", name, args)
		return uint64(m.Core().Reg(1))<<32 | uint64(rep.R0)
	}
	r := rand.New(rand.NewPCG(1, 2))
	wide := func() uint64 { return r.Uint64() >> r.IntN(64) << r.IntN(20) }
	half := func(v uint64) (lo, hi uint32) { return uint32(v), uint32(v >> 32) }
	for range 300 {
		x, y := wide(), wide()
		if r.IntN(3) == 0 {
			x = -x
		}
		if y == 0 {
			y = 7
		}
		xl, xh := half(x)
		yl, yh := half(y)
		n := r.Uint32N(64)
		require.Equal(t, x<<n, call("__ashldi3", xl, xh, n), "%#x << %d", x, n)
		require.Equal(t, x>>n, call("__lshrdi3", xl, xh, n), "%#x >> %d", x, n)
		require.Equal(t, uint64(int64(x)>>n), call("__ashrdi3", xl, xh, n), "%#x >> %d, signed", x, n)
		require.Equal(t, x/y, call("__udivdi3", xl, xh, yl, yh), "%#x / %#x", x, y)
		require.Equal(t, x%y, call("__umoddi3", xl, xh, yl, yh), "%#x %% %#x", x, y)
		if r.IntN(2) == 0 {
			y = -y
			yl, yh = half(y)
		}
		if int64(x) == -1<<63 && int64(y) == -1 {
			continue
		}
		require.Equal(t, uint64(int64(x)/int64(y)), call("__divdi3", xl, xh, yl, yh), "%d / %d", int64(x), int64(y))
		require.Equal(t, uint64(int64(x)%int64(y)), call("__moddi3", xl, xh, yl, yh), "%d %% %d", int64(x), int64(y))
	}
	require.Equal(t, ^uint64(0), call("__udivdi3", 5, 0, 0, 0))

	move := func(name string, b []byte, to, second, n uint32) []byte {
		entry, err := m.Entry(name)
		require.NoError(t, err)
		l := m.NewLayout()
		at := l.Place(kernel.Buffer{Name: "buffer", Memory: kernel.Out, Bytes: bytes.Clone(b), Writable: true})
		if name != "memset" {
			second += at
		}
		l.SetArgs(at+to, second, n)
		rep, err := m.CallAt(context.Background(), entry, l)
		require.NoError(t, err)
		require.Equal(t, at+to, rep.R0)
		return l.Bytes(at, len(b))
	}
	for range 50 {
		b := make([]byte, 100)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		to, from, n := r.Uint32N(50), r.Uint32N(50), r.Uint32N(50)
		want := bytes.Clone(b)
		copy(want[to:to+n], b[from:from+n])
		require.Equal(t, want, move("memmove", b, to, from, n), "%d to %d, %d bytes", from, to, n)
		n = min(n, 49)
		want = bytes.Clone(b)
		copy(want[:n], b[50:50+n])
		require.Equal(t, want, move("memcpy", b, 0, 50, n))
		want = bytes.Clone(b)
		for i := range n {
			want[to+i] = byte(n)
		}
		require.Equal(t, want, move("memset", b, to, n, n))
	}
}

// TestForeignFiles: a mistake in a file of a library gives one line.
func TestForeignFiles(t *testing.T) {
	stub := "\t.text\n\t.global mli_krn_relu_fx8\nmli_krn_relu_fx8:\n\tj [blink]\n"
	good := object(t, "good.o", stub)
	other := object(t, "dir/other.o", "\t.text\n\t.global f\nf:\tj [blink]\n")
	for name, row := range map[string]struct {
		files []kernel.ForeignFile
		want  string
	}{
		"no file of a kind":  {[]kernel.ForeignFile{{Name: "text", Data: []byte("hello")}}, "text is no object, archive or program"},
		"empty":              {[]kernel.ForeignFile{{Name: "empty"}}, "empty is no object, archive or program"},
		"object cut off":     {[]kernel.ForeignFile{{Name: "cut.o", Data: good.Data[:len(good.Data)/2]}}, "cut.o: "},
		"archive cut off":    {[]kernel.ForeignFile{{Name: "cut.a", Data: []byte("!<arch>\nx.o/            0           0     0     644     999       `\n")}}, "cut.a: "},
		"archive of nothing": {[]kernel.ForeignFile{{Name: "no.a", Data: []byte("!<arch>\n")}}, "no.a: there is no object in the library"},
		"no function of it":  {[]kernel.ForeignFile{other}, "dir/other.o defines no function of MLI 1.1"},
		"defined twice":      {[]kernel.ForeignFile{good, object(t, "again.o", stub)}, "mli_krn_relu_fx8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mli11.Collection().Link(&kernel.Foreign{Files: row.files}, kernel.Variant{})
			require.ErrorContains(t, err, row.want)
		})
	}
	for name, row := range map[string]struct{ text, want string }{
		"code": {text: stub + "\t.space 0x1000000\n", want: "large.o has 16777220 bytes of code and constants, there is room for 16777216"},
		"data": {text: stub + "\t.data\n\t.word 1\n\t.space 0x1000000\n", want: "large.o has 16777220 bytes of data, there is room for 16777216"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mli11.Collection().Link(&kernel.Foreign{Files: []kernel.ForeignFile{object(t, "large.o", row.text)}}, kernel.Variant{})
			require.EqualError(t, err, row.want)
		})
	}
	m := foreignMachine(t, &kernel.Foreign{Files: []kernel.ForeignFile{object(t, "most.o", "\t.text\n\t.space 0xfffc00\n"+stub+"\t.data\n\t.space 0xfffffc\n\t.word 7\n")}})
	entry, err := m.Entry("mli_krn_relu_fx8")
	require.NoError(t, err)
	require.Greater(t, entry, uint32(0xfffc00))
	_, err = m.CallAt(context.Background(), entry, m.NewLayout())
	require.NoError(t, err)
	for i := range len(good.Data) { // no part of an object makes the linker panic
		_, _ = mli11.Collection().Link(&kernel.Foreign{Files: []kernel.ForeignFile{{Name: "part.o", Data: good.Data[:i]}}}, kernel.Variant{})
	}
}

// TestConventions: settings that are taken, and those refused.
func TestConventions(t *testing.T) {
	var c kernel.Conventions
	for _, text := range []string{"dsp_ctrl=0x1f", "unaligned=yes", "strides=spelled", "types=fx8:8,fx16:0x10", "round=up", "define=copy:memcpy"} {
		require.NoError(t, c.Set(text))
	}
	require.Equal(t, uint32(0x1f), *c.DSPControl)
	require.True(t, c.Unaligned && c.Spelled)
	require.Equal(t, uint32(16), c.TypeNumber("fx16", 1))
	require.Equal(t, uint32(2), c.TypeNumber("sa8", 2))
	require.Equal(t, "memcpy", c.Define["copy"])
	for _, text := range []string{"", "x", "dsp_ctrl", "dsp_ctrl=", "dsp_ctrl=1z", "unaligned=maybe", "strides=1", "types=fx8", "types=fx8:", "types=:1",
		"types=fx8:-1", "round=down", "define=a", "outputs=x", "loads=x", "metaware=yes"} {
		require.Error(t, c.Set(text), text)
	}
	var known kernel.Conventions
	require.NoError(t, known.Set("metaware"))
	require.Equal(t, uint32(0x17), *known.DSPControl)
	require.True(t, known.Unaligned && known.Spelled && !known.Bare)
	require.Equal(t, []string{"metaware"}, known.Given)
	require.NoError(t, known.Set("outputs=bare"))
	require.NoError(t, known.Set("loads=ahead"))
	require.True(t, known.Bare && known.Ahead)
}

// TestDefine: a function that the library calls by another name than the helper has.
func TestDefine(t *testing.T) {
	f := &kernel.Foreign{Files: []kernel.ForeignFile{object(t, "renamed.o", `
	.text
	.global mli_krn_relu_fx8
mli_krn_relu_fx8:
	b _copy
`)}}
	m := foreignMachine(t, f)
	entry, err := m.Entry("mli_krn_relu_fx8")
	require.NoError(t, err)
	l := m.NewLayout()
	_, err = m.CallAt(context.Background(), entry, l)
	require.ErrorContains(t, err, "calls _copy, which no file of renamed.o defines")

	require.NoError(t, f.Conventions.Set("define=_copy:memcpy"))
	m = foreignMachine(t, f)
	entry, err = m.Entry("mli_krn_relu_fx8")
	require.NoError(t, err)
	l = m.NewLayout()
	at := l.Place(kernel.Buffer{Name: "buffer", Memory: kernel.Out, Bytes: []byte{1, 2, 3, 4}, Writable: true})
	l.SetArgs(at, at+2, 2)
	_, err = m.CallAt(context.Background(), entry, l)
	require.NoError(t, err)
	require.Equal(t, []byte{3, 4, 3, 4}, l.Bytes(at, 4))
}
