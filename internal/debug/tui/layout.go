package tui

import (
	"fmt"
	"slices"
	"strings"
)

// Windows.
const (
	winSource = "src"
	winAsm    = "asm"
	winRegs   = "regs"
	winDSP    = "dsp"
	winMem    = "mem"
	winCmd    = "cmd"
)

// Layouts returns the names of the layouts: src, asm and split show code, all shows everything, and the others
// put a window above the code.
func Layouts() []string { return []string{winSource, winAsm, "split", winRegs, winDSP, winMem, "all"} }

// rect is where a window is; its first line is the title.
type rect struct {
	name       string
	x, y, w, h int
}

// layout is the arrangement that the user chose.
type layout struct {
	code    []string // src, asm or both
	extra   string   // the window above the code, "" for none
	all     bool
	focus   string
	heights map[string]int // those that the user set
}

func newLayout(hasSource bool) layout {
	l := layout{code: []string{winAsm}, all: true, focus: winCmd, heights: map[string]int{}}
	if hasSource {
		l.code = []string{winSource, winAsm}
	}
	return l
}

// choose is layout NAME; next and prev go around.
func (l *layout) choose(name string) error {
	if name == "next" || name == "prev" {
		step := map[string]int{"next": 1, "prev": len(Layouts()) - 1}[name]
		name = Layouts()[(slices.Index(Layouts(), l.name())+step)%len(Layouts())]
	}
	switch name {
	case winSource, winAsm:
		l.code, l.extra, l.all = []string{name}, "", false
	case "split":
		l.code, l.extra, l.all = []string{winSource, winAsm}, "", false
	case winRegs, winDSP, winMem:
		l.extra, l.all = name, false
	case "all":
		l.all = true
	default:
		return fmt.Errorf("no layout %q: there are %s", name, strings.Join(Layouts(), ", "))
	}
	if !slices.Contains(l.windows(), l.focus) {
		l.focus = winCmd
	}
	return nil
}

func (l *layout) name() string {
	switch {
	case l.all:
		return "all"
	case l.extra != "":
		return l.extra
	case len(l.code) > 1:
		return "split"
	}
	return l.code[0]
}

// windows are those of the layout, in the order of the focus.
func (l *layout) windows() []string {
	var list []string
	if l.extra != "" && !l.all {
		list = append(list, l.extra)
	}
	list = append(list, l.code...)
	if l.all {
		list = append(list, winRegs, winDSP, winMem)
	}
	return append(list, winCmd)
}

// look moves the focus.
func (l *layout) look(name string) error {
	list := l.windows()
	switch at := slices.Index(list, l.focus); {
	case name == "next":
		name = list[(at+1)%len(list)]
	case name == "prev":
		name = list[(at+len(list)-1)%len(list)]
	case !slices.Contains(list, name):
		return fmt.Errorf("no window %q here: there are %s", name, strings.Join(list, ", "))
	}
	l.focus = name
	return nil
}

// minHeight is that of a window: its title and a line.
const minHeight = 2

// place divides the screen: windows above, one line of status, the console below.
func (l *layout) place(w, h int) (list []rect, status int) {
	cmd := l.height(winCmd, max(h/4, 4), h-1-minHeight)
	status = h - cmd - 1
	if l.all {
		left := w * 55 / 100
		right := []string{winRegs, winDSP, winMem}
		share := map[string]int{winRegs: 8, winDSP: 6, winMem: 4}
		list = append(l.column(l.code, nil, 0, 0, left, status), l.column(right, share, left+1, 0, w-left-1, status)...)
	} else {
		list = l.column(l.windows()[:len(l.windows())-1], nil, 0, 0, w, status)
	}
	return append(list, rect{winCmd, 0, status + 1, w, cmd}), status
}

// height is that of a window: the one that the user set, else one that suits, inside bounds.
func (l *layout) height(name string, suits, most int) int {
	if n, ok := l.heights[name]; ok {
		suits = n
	}
	return max(min(suits, most), 1)
}

// column puts windows below each other, in equal parts or by shares; the last one takes the rest.
func (l *layout) column(names []string, share map[string]int, x, y, w, h int) []rect {
	var list []rect
	total := 0
	for _, n := range names {
		total += max(share[n], 1)
	}
	for i, n := range names {
		part := max(share[n], 1)
		rest := (len(names) - i - 1) * minHeight
		height := h
		if i < len(names)-1 {
			height = l.height(n, max(h*part/total, minHeight), h-rest)
		}
		list = append(list, rect{n, x, y, w, height})
		y, h, total = y+height, h-height, total-part
	}
	return list
}
