package report

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Terminal reports whether w is a terminal, and how wide it is.
func Terminal(w io.Writer) (width int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return width, true
}

// Color reports whether output to w may be coloured: a terminal, and NO_COLOR is not set.
func Color(w io.Writer) bool {
	_, tty := Terminal(w)
	return tty && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// Colours of words that must be seen.
const (
	Red   = "\x1b[31m"
	Green = "\x1b[32m"
	Bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// Paint colours text when w may be coloured.
func Paint(w io.Writer, colour, text string) string {
	if !Color(w) {
		return text
	}
	return colour + text + plain
}

// refresh is how often the progress line is rewritten.
const refresh = 250 * time.Millisecond

// Progress is one line on a terminal that is rewritten as work goes on. Where there is no terminal it
// writes nothing. It may be used by several goroutines.
type Progress struct {
	w     io.Writer
	width int
	now   func() time.Time

	mu    sync.Mutex
	last  time.Time
	shown bool
}

// NewProgress starts a progress line on w.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w, now: time.Now}
	p.width, _ = Terminal(w)
	return p
}

// Update shows a new text, unless the line was rewritten a moment ago.
func (p *Progress) Update(text func() string) {
	if p.width == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Sub(p.last) < refresh {
		return
	}
	p.last, p.shown = now, true
	line := []rune(text())
	if len(line) >= p.width {
		line = line[:p.width-1]
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", string(line))
}

// Done removes the line.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}

// patience is how long a command may be silent on a terminal.
const patience = 2 * time.Second

// Waiting shows on w that something goes on when it takes long, until the function it returns is called.
func Waiting(w io.Writer, text func(passed time.Duration) string) (done func()) {
	progress := NewProgress(w)
	begin, ended, gone := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(patience)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				progress.Update(func() string { return text(time.Since(begin)) })
			case <-ended:
				progress.Done()
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-gone
	}
}
