package mlikernels

import (
	"fmt"
	"strings"

	"arcv2dsp"
)

// Verdict says in one line how a network runs on a core: how long it takes, what lies in which memory, and whether that
// fits.
type Verdict struct {
	Core     string   `json:"core"`
	MHz      int      `json:"mhz"`
	Cycles   uint64   `json:"cycles,omitempty"` // 0 when it did not run
	Millis   float64  `json:"ms,omitempty"`
	Memories []Filled `json:"memories,omitempty"`
	Fits     bool     `json:"fits"`
	Lacks    []Lack   `json:"lacks,omitempty"`
	Help     []string `json:"help,omitempty"`  // what would let it fit
	Notes    []string `json:"notes,omitempty"` // what the figures suppose
}

// DoesNotFitError says that memories of a core are too small for a network.
type DoesNotFitError struct{ Verdict *Verdict }

func (e *DoesNotFitError) Error() string { return e.Verdict.String() }

// Verdict judges the placement. cycles are those of a run, 0 for none.
func (p *Placement) Verdict(cycles uint64) *Verdict {
	v := &Verdict{Core: p.Board.Name, MHz: p.Board.MHz, Cycles: cycles, Fits: p.Fits(), Lacks: p.Lacks}
	v.Millis = float64(cycles) / float64(max(1, p.Board.MHz)) / 1000
	var assumed []string
	for _, m := range p.Memories {
		if m.Used == 0 {
			continue
		}
		v.Memories = append(v.Memories, m)
		if m.Waits == "assumed" {
			assumed = append(assumed, label(&m))
		}
	}
	switch {
	case p.Board.Flat && p.ram == 0:
		v.Notes = append(v.Notes, "memory is flat: RAM of any size that nothing waits for")
	case p.Board.Flat:
		v.Notes = append(v.Notes, "memory is flat: RAM that nothing waits for")
	}
	if len(assumed) > 0 {
		v.Notes = append(v.Notes, "wait states of "+strings.Join(assumed, ", ")+" are assumed")
	}
	if !v.Fits {
		v.Help = p.help()
	}
	return v
}

// Unplaced is the verdict on a run in which every call had memory of its own.
func Unplaced(cycles uint64, core string, settings ...arcv2dsp.Setting) (*Verdict, error) {
	board, err := NewBoard(core, settings...)
	if err != nil {
		return nil, err
	}
	p := Placement{Board: &Board{Name: board.Name, MHz: board.MHz}}
	v := p.Verdict(cycles)
	v.Notes = []string{"every call has as much of every memory as it wants"}
	return v, nil
}

// help tries which memory of the core, enlarged alone, would let the network fit.
func (p *Placement) help() (list []string) {
	for i, m := range p.Board.Memories {
		if !m.Coupled() || m.Size == 0 || sizeProperty[m.Name] == "" {
			continue
		}
		for factor := 2; factor <= mostHelp; factor *= 2 {
			board := *p.Board
			board.Memories = append([]BoardMemory(nil), p.Board.Memories...)
			for k := range board.Memories {
				if k == i || sizeProperty[board.Memories[k].Name] == sizeProperty[m.Name] {
					board.Memories[k].Size *= factor
				}
			}
			if other, err := place(p.network, &board, p.ram); err == nil && other.Fits() {
				if text := fmt.Sprintf("%s=%dK", sizeProperty[m.Name], m.Size*factor>>10); len(list) == 0 || list[len(list)-1] != text {
					list = append(list, text)
				}
				break
			}
		}
	}
	if !p.Board.Flat {
		list = append(list, "ram=all")
	}
	return list
}

// mostHelp is by which factor a memory is enlarged at most.
const mostHelp = 64

// sizeProperty names the property that sets the size of a memory of the core.
var sizeProperty = map[string]string{"xccm": "xy_size", "yccm": "xy_size", "dccm": "dccm_size", "iccm": "iccm0_size", "iccm1": "iccm1_size"}

// label is the name of a memory as people write it.
func label(m *Filled) string {
	switch m.Name {
	case "xccm":
		return "X"
	case "yccm":
		return "Y"
	case "iccm":
		if m.Used == m.Code {
			return "code"
		}
	}
	return strings.ToUpper(m.Name)
}

// kilo is bytes in K, rounded up.
func kilo(n int) int { return (n + 1023) >> 10 }

// room says how full a memory is.
func (m *Filled) room() string {
	const mega = 1 << 20
	switch {
	case m.Bytes == 0:
		return fmt.Sprintf("%s %d K", label(m), kilo(m.Used))
	case m.Bytes >= 4*mega && m.Bytes%mega == 0:
		return fmt.Sprintf("%s %d K of %d M", label(m), kilo(m.Used), m.Bytes/mega)
	}
	return fmt.Sprintf("%s %d of %d K", label(m), kilo(m.Used), kilo(m.Bytes))
}

// String is the verdict as a line.
func (v *Verdict) String() string {
	var parts []string
	if v.Cycles > 0 {
		parts = append(parts, fmt.Sprintf("%.3g ms", v.Millis))
	}
	for i := range v.Memories {
		parts = append(parts, v.Memories[i].room())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s at %d MHz", v.Core, v.MHz)
	if len(parts) > 0 {
		b.WriteString(": " + strings.Join(parts, ", "))
	}
	switch {
	case v.Fits && v.Memories != nil:
		b.WriteString(": fits")
	case !v.Fits:
		b.WriteString(": does not fit")
		sep := ", there is no room for "
		for _, l := range v.Lacks {
			fmt.Fprintf(&b, "%s%d K of %s", sep, kilo(l.Bytes), l.What)
			sep = " and "
		}
		if len(v.Help) > 0 {
			b.WriteString("; it fits with " + strings.Join(v.Help, " or "))
		}
	}
	if len(v.Notes) > 0 {
		b.WriteString(" (" + strings.Join(v.Notes, "; ") + ")")
	}
	return b.String()
}
