package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"arcv2dsp/internal/debug"
)

// Config has the terminal of a screen and its preferences.
type Config struct {
	In      *os.File  // keys
	Out     io.Writer // the terminal
	Size    func() (w, h int, err error)
	Color   bool
	History string // file of the lines entered, "" for none
	// Complete returns the word at the end of a line and the words that it may become.
	Complete func(line string) (word string, list []string)
}

// Screen is the full-screen view on a terminal. While it is off it passes on the bytes that are
// written to it.
type Screen struct {
	cfg Config
	d   *debug.Debugger

	mu      sync.Mutex
	on      bool
	term    terminal
	w, h    int
	layout  layout
	view    view
	values  map[string]uint64 // of this stop
	at      debug.Position
	panes   map[string]*canvas // as they were at the last stop
	titles  map[string]string
	status  *canvas
	console console
	prompt  string
	edit    editor
	loaded  bool   // the history was
	keys    []byte // typed and not yet read
	prefix  bool   // Ctrl-X was typed
	running bool
	shown   *canvas // what the terminal shows
	drawn   time.Time
}

// MinWidth and MinHeight are the size of the smallest terminal on which everything has a place. On
// a smaller one the panes are cut.
const (
	MinWidth  = 80
	MinHeight = 24
)

// New returns a screen that is off.
func New(cfg Config) *Screen {
	return &Screen{
		cfg: cfg, view: view{scroll: map[string]int{}, before: map[string]uint64{}}, panes: map[string]*canvas{}, titles: map[string]string{},
	}
}

// Attach gives the screen its debugger and the function that completes a line.
func (s *Screen) Attach(d *debug.Debugger, complete func(line string) (string, []string)) {
	s.d, s.cfg.Complete = d, complete
	s.layout = newLayout(d.HasLines())
}

// Colored reports whether the screen shows colours.
func (s *Screen) Colored() bool { return s.cfg.Color }

// Enabled reports whether the screen is on.
func (s *Screen) Enabled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on
}

// Enable takes the terminal.
func (s *Screen) Enable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enable()
}

func (s *Screen) enable() error {
	if s.on {
		return nil
	}
	if err := s.resize(); err != nil {
		return fmt.Errorf("no full-screen view: %w", err)
	}
	if err := s.term.begin(s.cfg.In); err != nil {
		return fmt.Errorf("no full-screen view: %w", err)
	}
	if !s.loaded {
		s.loaded = true
		s.edit.history = readHistory(s.cfg.History)
	}
	s.on, s.shown = true, nil
	_, err := io.WriteString(s.cfg.Out, "\x1b[?1049h\x1b[2J")
	return err
}

// Disable gives the terminal back as it was.
func (s *Screen) Disable() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.disable()
}

func (s *Screen) disable() error {
	if !s.on {
		return nil
	}
	s.on = false
	_, err := io.WriteString(s.cfg.Out, "\x1b[0m\x1b[?25h\x1b[?1049l")
	return errors.Join(err, s.term.end())
}

// suspend stops the process, as Ctrl-Z does everywhere, and takes the terminal again when the shell lets it go on.
func (s *Screen) suspend() error {
	if err := s.disable(); err != nil {
		return err
	}
	return errors.Join(suspend(), s.enable())
}

// resize asks for the size of the terminal.
func (s *Screen) resize() error {
	w, h, err := s.cfg.Size()
	if err != nil {
		return err
	}
	if w != s.w || h != s.h {
		s.w, s.h, s.shown = max(w, 20), max(h, 8), nil
	}
	return nil
}

// Layout is the command of that name; at is the address that the memory window shows from now on, "" for the one
// it has.
func (s *Screen) Layout(name, at string) error {
	if at != "" {
		if _, err := s.d.EvalAddr(at); err != nil {
			return err
		}
		s.view.memory, s.view.scroll[winMem] = at, 0
	}
	return s.layout.choose(name)
}

// Focus is the command of that name.
func (s *Screen) Focus(name string) error { return s.layout.look(name) }

// Windows lists the windows of the layout with their heights, the one with the keys first.
func (s *Screen) Windows() []string {
	var list []string
	rects, _ := s.layout.place(max(s.w, MinWidth), max(s.h, MinHeight))
	for _, r := range rects {
		text := fmt.Sprintf("%-5s %d lines", r.name, r.h)
		if r.name == s.layout.focus {
			text += ", has the keys"
		}
		list = append(list, text)
	}
	return list
}

// Height is winheight NAME [+|-]LINES.
func (s *Screen) Height(name, lines string) error {
	rects, _ := s.layout.place(max(s.w, MinWidth), max(s.h, MinHeight))
	for _, r := range rects {
		if r.name != name {
			continue
		}
		n, err := strconv.Atoi(strings.TrimLeft(lines, "+"))
		if err != nil {
			return fmt.Errorf("%q is no number of lines", lines)
		}
		if lines[0] == '+' || lines[0] == '-' {
			n += r.h
		}
		if n < 1 {
			return fmt.Errorf("a window of %d lines is not possible", n)
		}
		s.layout.heights[name] = n
		return nil
	}
	return fmt.Errorf("no window %q in this layout", name)
}

// Refresh draws everything again.
func (s *Screen) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = nil
}

// drawEvery is the interval at which output of a running program is shown.
const drawEvery = 40 * time.Millisecond

// Write implements io.Writer.
func (s *Screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.on {
		return s.cfg.Out.Write(text)
	}
	n, _ := s.console.Write(text) // it keeps everything
	s.console.back = 0
	if time.Since(s.drawn) < drawEvery {
		return n, nil
	}
	return n, s.draw(nil)
}

// keyWait is the longest wait for keys before the size of the terminal is checked.
const keyWait = 50 * time.Millisecond

// Line reads a line with the prompt at the end of the console. abandoned means that the user gave it up.
func (s *Screen) Line(prompt string) (line string, abandoned bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look()
	s.prompt = prompt
	s.edit.begin()
	for {
		if err := s.resize(); err != nil {
			return "", false, err
		}
		s.drawPanes()
		if err := s.draw(&s.edit); err != nil {
			return "", false, err
		}
		for {
			k, ok, err := s.key()
			if err != nil {
				return "", false, err
			}
			if !ok {
				break
			}
			if line, done, abandoned, err := s.press(k); done || err != nil {
				return line, abandoned, err
			}
		}
	}
}

// look notes the place where the program has stopped.
func (s *Screen) look() {
	now := remembered(s.d, &s.view)
	if at := s.d.Position(); at != s.at || s.values == nil {
		if s.values != nil {
			s.view.before = s.values
		}
		s.at = at
		delete(s.view.scroll, winSource)
		delete(s.view.scroll, winAsm)
	}
	s.values = now
}

// key returns the next key; ok is false when none came in time. The lock is free meanwhile.
func (s *Screen) key() (k key, ok bool, err error) {
	for {
		if len(s.keys) > 0 {
			if k, n := nextKey(s.keys); n > 0 {
				s.keys = s.keys[n:]
				return k, true, nil
			}
		}
		s.mu.Unlock()
		in, err := s.term.read(keyWait)
		s.mu.Lock()
		if err != nil {
			return key{}, false, err
		}
		if len(in) == 0 {
			if len(s.keys) == 1 && s.keys[0] == 0x1b { // the key Escape alone
				s.keys = nil
			}
			w, h, err := s.cfg.Size()
			if err == nil && (w != s.w || h != s.h) {
				return key{}, false, nil
			}
			continue
		}
		s.keys = append(s.keys, in...)
	}
}

// press executes a key. done means that the line has ended.
func (s *Screen) press(k key) (line string, done, abandoned bool, err error) {
	if s.prefix {
		s.prefix = false
		switch {
		case k.r == 'a' || k.name == "ctrl-a":
			return "tui disable", true, false, nil
		case k.r == 'o' || k.name == "ctrl-o":
			err = s.layout.look("next")
		case k.r == '1':
			err = s.layout.choose(winSource)
		case k.r == '2':
			err = s.layout.choose("next")
		}
		return "", false, false, s.redraw(err)
	}
	if s.edit.search != nil && s.edit.searchKey(k) {
		return "", false, false, s.redraw(nil)
	}
	switch k.name {
	case "enter":
		line = string(s.edit.text)
		_, _ = s.console.Write([]byte(s.prompt + line + "\n")) // it keeps everything
		s.console.back = 0
		s.remember(line)
		s.edit.begin()
		return line, true, false, s.draw(nil)
	case "ctrl-c":
		_, _ = s.console.Write([]byte(s.prompt + string(s.edit.text) + "^C\n"))
		s.edit.begin()
		return "", true, true, nil
	case "ctrl-d":
		if len(s.edit.text) == 0 {
			return "", true, false, io.EOF
		}
	case "ctrl-x":
		s.prefix = true
		return "", false, false, nil
	case "ctrl-z":
		return "", false, false, errors.Join(s.suspend(), s.redraw(nil))
	case "ctrl-l":
		s.shown = nil
		return "", false, false, s.redraw(nil)
	case "tab":
		if s.cfg.Complete != nil {
			if list := s.edit.complete(s.cfg.Complete); len(list) > 0 {
				_, _ = s.console.Write([]byte(s.prompt + string(s.edit.text) + "\n" + strings.Join(list, "  ") + "\n"))
			}
		}
		return "", false, false, s.redraw(nil)
	}
	if !s.scroll(k) {
		s.edit.edit(k)
	}
	return "", false, false, s.redraw(nil)
}

// scroll moves the contents of the window that has the keys.
func (s *Screen) scroll(k key) bool {
	page := max(s.h/3, 1)
	step, ok := map[string]int{"up": -1, "down": 1, "page-up": -page, "page-down": page}[k.name]
	switch {
	case !ok || s.layout.focus == winCmd && (step == 1 || step == -1):
		return false
	case s.layout.focus == winCmd:
		s.console.back = max(s.console.back-step, 0)
	default:
		s.view.scroll[s.layout.focus] += step
	}
	return true
}

func (s *Screen) redraw(err error) error {
	s.drawPanes()
	return errors.Join(err, s.draw(&s.edit))
}

// drawPanes draws the windows from the state of the debugger while the program does not run.
func (s *Screen) drawPanes() {
	rects, _ := s.layout.place(s.w, s.h)
	for _, r := range rects {
		if p := panes[r.name]; p != nil {
			s.titles[r.name], s.panes[r.name] = p(s.d, &s.view, max(r.w, 1), max(r.h-1, 0))
		}
	}
	s.status = status(s.d, s.w)
}

// frame puts the windows together. Panes are as they were drawn last: the program may be running. e is the
// line being typed, nil while a command is executed.
func (s *Screen) frame(e *editor) (out *canvas, x, y int) {
	out = newCanvas(s.w, s.h)
	rects, line := s.layout.place(s.w, s.h)
	for _, r := range rects {
		if r.name == winCmd {
			prompt := s.prompt
			switch {
			case e == nil:
				prompt = ""
			case e.search != nil:
				prompt = e.search.prompt()
			}
			c, cx, cy := s.console.draw(r.w, r.h, prompt, e)
			out.copy(c, r.x, r.y, r.w, r.h)
			x, y = r.x+cx, r.y+cy
			if cy < 0 {
				y = -1
			}
			continue
		}
		look := bar
		if r.name == s.layout.focus {
			look = chosen
		}
		title := newCanvas(r.w, 1)
		title.put(1, 0, look, s.titles[r.name])
		title.fill(0, 0, look)
		out.copy(title, r.x, r.y, r.w, 1)
		if c := s.panes[r.name]; c != nil {
			out.copy(c, r.x, r.y+1, r.w, r.h-1)
		}
	}
	if s.running {
		c := newCanvas(s.w, 1)
		c.put(1, 0, bar, "running; Ctrl-C stops the program")
		c.fill(0, 0, bar)
		out.copy(c, 0, line, s.w, 1)
	} else if s.status != nil {
		out.copy(s.status, 0, line, s.w, 1)
	}
	return out, x, y
}

// draw brings the terminal up to date.
func (s *Screen) draw(e *editor) error {
	out, x, y := s.frame(e)
	text := difference(s.shown, out, s.cfg.Color)
	if e == nil || y < 0 {
		text += "\x1b[?25l"
	} else {
		text += fmt.Sprintf("\x1b[%d;%dH\x1b[?25h", y+1, x+1)
	}
	s.shown, s.drawn = out, time.Now()
	_, err := io.WriteString(s.cfg.Out, text)
	return err
}

// difference is the text that turns a terminal that shows one canvas into one that shows another.
// Without the first canvas everything is drawn.
func difference(from, to *canvas, color bool) string {
	var b strings.Builder
	if from == nil || from.w != to.w || from.h != to.h {
		from = nil
		b.WriteString("\x1b[0m\x1b[2J")
	}
	column := 1
	if color {
		column = 0
	}
	last, at := style(255), -1
	for i, v := range to.cells {
		if from != nil && from.cells[i] == v || from == nil && v == (cell{' ', normal}) {
			continue
		}
		if at != i || i%to.w == 0 {
			fmt.Fprintf(&b, "\x1b[%d;%dH", i/to.w+1, i%to.w+1)
		}
		if v.s != last {
			fmt.Fprintf(&b, "\x1b[%sm", codes[v.s][column])
			last = v.s
		}
		b.WriteRune(v.r)
		at = i + 1
	}
	if last != 255 {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// Running returns a context that Ctrl-C ends, for a command that runs the program. Until stop is
// called the screen follows changes of the terminal's size, and other keys are kept for the next
// line.
func (s *Screen) Running(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	s.mu.Lock()
	s.running = true
	err := s.draw(nil)
	s.mu.Unlock()
	if err != nil {
		cancel() // nobody could stop it
	}
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		defer func() {
			if r := recover(); r != nil {
				_ = s.Disable() // the panic is the cause
				panic(r)
			}
		}()
		s.follow(done, cancel)
	}()
	return ctx, func() {
		close(done)
		<-over
		cancel()
		s.mu.Lock()
		s.running = false
		s.mu.Unlock()
	}
}

// follow watches the terminal while the program runs.
func (s *Screen) follow(done <-chan struct{}, interrupt func()) {
	for {
		select {
		case <-done:
			return
		default:
		}
		in, err := s.term.read(keyWait)
		s.mu.Lock()
		for _, c := range in {
			switch c {
			case ctrlC:
				interrupt()
			case ctrlZ:
				err = errors.Join(err, s.suspend())
			default:
				s.keys = append(s.keys, c)
			}
		}
		before := [2]int{s.w, s.h}
		err = errors.Join(err, s.resize())
		if before != [2]int{s.w, s.h} || len(in) == 0 && time.Since(s.drawn) >= drawEvery {
			err = errors.Join(err, s.draw(nil))
		}
		s.mu.Unlock()
		if err != nil {
			interrupt() // the terminal is gone
			<-done
			return
		}
	}
}
