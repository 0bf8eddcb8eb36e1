package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/screen"
)

const (
	sortO0  = "../../../testdata/elf/small/sort-em4_dmips-O0.elf"
	sources = "../../../cmd/arcsim/testdata/src"
)

// stopped is a screen of a program that stands at a breakpoint.
func stopped(t testing.TB, w, h int) (*Screen, *debug.Debugger) {
	t.Helper()
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d"})
	require.NoError(t, err)
	require.NoError(t, m.LoadFile(sortO0))
	d, err := debug.New(m, debug.Options{SourceDirs: []string{sources}})
	require.NoError(t, err)
	s := New(Config{})
	s.Attach(d, nil)
	s.w, s.h = w, h
	s.look()
	_, err = d.Break("insertion", "", false)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(context.Background(), debug.Limits{}).Reason)
	s.look()
	return s, d
}

// show is the text of the screen with a line being typed.
func show(s *Screen) string {
	s.prompt = "(arcsim) "
	s.drawPanes()
	c, _, _ := s.frame(&s.edit)
	return c.String()
}

// TestLayouts: every layout at two sizes, as text.
func TestLayouts(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, name := range Layouts() {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				s, d := stopped(t, size[0], size[1])
				require.NoError(t, s.Layout("split", ""))
				require.NoError(t, s.Layout(name, ""))
				_, err := s.console.Write([]byte("\x1b[31mBreakpoint 1\x1b[0m, mix ()\nSearched 1\r\x1b[Kdone\n"))
				require.NoError(t, err)
				d.StepInst(context.Background(), 1, false)
				s.look()
				s.edit.insert("print h")
				goldenfile.File(t, fmt.Sprintf("testdata/%s-%dx%d.txt", name, size[0], size[1]), show(s))
			})
		}
	}
}

// TestAnySize: no size and no scrolling makes a pane fail or write outside its place.
func TestAnySize(t *testing.T) {
	s, _ := stopped(t, 80, 24)
	for _, name := range Layouts() {
		require.NoError(t, s.Layout(name, ""))
		for w := 20; w < 200; w += 60 {
			for h := 8; h < 70; h += 20 {
				s.w, s.h = w, h
				for _, win := range s.layout.windows() {
					require.NoError(t, s.Focus(win))
					for _, k := range []string{"page-up", "page-down", "page-down"} {
						s.scroll(key{name: k})
						lines := strings.Split(strings.TrimSuffix(show(s), "\n"), "\n")
						require.Len(t, lines, h)
					}
				}
			}
		}
	}
}

// TestDifference: the sequences sent for a frame make a terminal show it, from nothing and from another frame.
func TestDifference(t *testing.T) {
	s, d := stopped(t, 80, 24)
	term := screen.New(80, 24)
	var last *canvas
	for range 20 {
		s.drawPanes()
		c, _, _ := s.frame(&s.edit)
		text := difference(last, c, true)
		if last != nil {
			require.Less(t, len(text), 80*24, "a step changes a part")
		}
		_, err := term.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, c.String(), term.String())
		last = c
		d.StepInst(context.Background(), 1, false)
		s.look()
	}
	require.Empty(t, difference(last, last, true))
}

// TestWindows: focus goes around, heights are kept inside the screen, other names are refused.
func TestWindows(t *testing.T) {
	s, _ := stopped(t, 80, 24)
	require.NoError(t, s.Layout("regs", ""))
	require.NoError(t, s.Focus("next"))
	require.Equal(t, "regs", s.layout.focus)
	require.NoError(t, s.Focus("prev"))
	require.Equal(t, "cmd", s.layout.focus)
	require.EqualError(t, s.Focus("dsp"), `no window "dsp" here: there are regs, src, asm, cmd`)
	require.ErrorContains(t, s.Layout("all-of-it", ""), "there are src, asm, split, regs, dsp, mem, all")
	require.Error(t, s.Layout("mem", "1 +"))
	require.NoError(t, s.Height("cmd", "+3"))
	require.Contains(t, s.Windows(), "cmd   9 lines, has the keys")
	require.NoError(t, s.Height("cmd", "500"))
	show(s)
	require.NoError(t, s.Height("cmd", "5"))
	require.ErrorContains(t, s.Height("cmd", "-9"), "-4 lines is not possible")
	require.ErrorContains(t, s.Height("cmd", "x"), "no number of lines")
	require.ErrorContains(t, s.Height("mem", "3"), `no window "mem"`)
}

// TestEditor: keys of the line, history, completion.
func TestEditor(t *testing.T) {
	var e editor
	e.history = []string{"first", "second"}
	e.begin()
	press := func(in string) string {
		for data := []byte(in); len(data) > 0; {
			k, n := nextKey(data)
			require.Positive(t, n, "%q", in)
			e.edit(k)
			data = data[n:]
		}
		return string(e.text)
	}
	require.Equal(t, "print é", press("prnt é\x1b[H\x1b[C\x1b[Ci\x1b[F"))
	require.Equal(t, "print ", press("\x7f"))
	require.Equal(t, "second", press("\x1b[A"))
	require.Equal(t, "first", press("\x1bOA\x1b[A"))
	require.Equal(t, "print ", press("\x1b[B\x1b[B\x1b[B"))
	require.Equal(t, "print x y", press("x y"))
	require.Equal(t, "print x ", press("\x17"))
	require.Equal(t, "rint x ", press("\x01\x04"))
	require.Equal(t, "", press("\x05\x15"))
	words := func(line string) (string, []string) { return line, []string{"info line", "info locals"} }
	require.Nil(t, e.complete(words))
	require.Equal(t, "info l", string(e.text))
	require.Equal(t, []string{"info line", "info locals"}, e.complete(words))
	_, n := nextKey([]byte("\x1b["))
	require.Zero(t, n, "not all of it")
}

// TestSearch: Ctrl-R finds lines entered before, the latest first, and Ctrl-G gives the line back.
func TestSearch(t *testing.T) {
	s := New(Config{Size: func() (int, int, error) { return 80, 24, nil }})
	s.edit.history = []string{"break main", "print x", "break fir", "print é", "stepi"}
	s.edit.begin()
	s.edit.insert("half a line")
	press := func(in string) string {
		for data := []byte(in); len(data) > 0; {
			k, n := nextKey(data)
			data = data[n:]
			if s.edit.search == nil || !s.edit.searchKey(k) {
				s.edit.edit(k)
			}
		}
		return string(s.edit.text)
	}
	require.Equal(t, "half a line", press("\x12"))
	require.Equal(t, "break fir", press("brea"))
	require.Equal(t, "(search)`brea': ", s.edit.search.prompt())
	require.Equal(t, "break main", press("\x12"))
	require.Equal(t, "break main", press("\x12"), "there is no other")
	require.Equal(t, "(no earlier line)`brea': ", s.edit.search.prompt())
	require.Equal(t, "half a line", press("\x07"))
	require.Nil(t, s.edit.search)
	require.Equal(t, "print é", press("\x12print é"))
	require.Equal(t, "print é", press("\x7f\x7f"), "the last line with what is left")
	require.Equal(t, "print é!", press("\x05!"), "any other key takes the line")
	require.Equal(t, "break fir", press("\x15\x12fir\x1b[C"))
	require.Equal(t, "print x", press("\x1b[A"), "up goes on from the line that was found")
}

// FuzzConsole: nothing that a program prints leaves its place or hangs.
func FuzzConsole(f *testing.F) {
	f.Add([]byte("\x1b[31mred\x1b[0m\ta\rb\x1b[K\n\x1b]0;title\a\xff\xe4\xb8\xad"), 80, 5)
	f.Fuzz(func(t *testing.T, text []byte, w, h int) {
		var c console
		for len(text) > 0 {
			n := min(len(text), 7)
			_, _ = c.Write(text[:n])
			text = text[n:]
		}
		w, h = 1+w&127, 1+h&63
		out, x, y := c.draw(w, h, "(arcsim) ", &editor{})
		if out.w != w || out.h != h || x < 0 || x >= w || y >= h {
			t.Fatalf("%d x %d cells, cursor at %d, %d", out.w, out.h, x, y)
		}
		for _, v := range out.cells {
			if v.r < ' ' || v.r == 0x7f {
				t.Fatalf("%q", v.r)
			}
		}
	})
}
