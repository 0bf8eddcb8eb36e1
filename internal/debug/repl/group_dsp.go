package repl

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/term/steps"
)

func dspCommands() []*command {
	return []*command{
		{name: "tensor", args: "ADDRESS [ROWS] [raw]", complete: completeExpr, short: "show an mli_tensor with its data",
			long: "ADDRESS is the address or the name of the structure. The elements are shown as the numbers they stand for, or with raw as they are stored.",
			run:  (*Session).tensor},
		{name: "insn", args: "MNEMONIC", short: "explain an instruction",
			run: (*Session).explain},
		{info: true, name: "dsp", min: 2, short: "show the accumulators, as integers and fixed-point numbers, and the modes",
			run: (*Session).dsp},
		{info: true, name: "agu", min: 2, short: "show the registers of the address generation unit and the accesses of its ports",
			run: (*Session).agu},
		{info: true, name: "loops", min: 3, short: "show the zero-overhead loop",
			run: (*Session).loop},
	}
}

func (s *Session) tensor(a args) {
	f := a.fields()
	raw, rows := false, 64
	for len(f) > 1 {
		last := f[len(f)-1]
		n, err := strconv.Atoi(last)
		if last == "raw" {
			raw = true
		} else if err == nil && n > 0 {
			rows = n
		} else {
			break
		}
		f = f[:len(f)-1]
	}
	addr := steps.Must(s.d.TensorAddr(strings.Join(f, " ")))
	t := steps.Must(s.d.Tensor(addr))
	s.print("%s\n", t.Head())
	lines, err := s.d.Rows(&t, raw, rows)
	for _, l := range lines {
		s.print("  %s\n", l)
	}
	steps.Check(err)
}

func (s *Session) explain(a args) {
	list := s.d.Instructions(a.text)
	steps.Refuse(len(list) == 0, "no instruction %q", a.text)
	for _, in := range list {
		s.print("%s: %s\n", in.Name, in.Meaning)
		if in.Reason != "" {
			s.print("  not modelled: %s\n", in.Reason)
		}
		if !in.Needs {
			s.print("  this core does not have it\n")
		}
	}
}

func (s *Session) dsp(_ args) {
	d := steps.Must(s.d.DSP())
	lane := func(name string, v int64, over bool) {
		mark := ""
		if over {
			mark = "  overflow"
		}
		s.print("%s  0x%02x:%08x  %14d  q31 %.12g  q15 %.10g%s\n", name, uint8(v>>32), uint32(v), v,
			math.Ldexp(float64(v), -31), math.Ldexp(float64(v), -15), mark)
	}
	lane("acclo", d.Lo, d.LoV)
	lane("acchi", d.Hi, d.HiV)
	s.print("acc    %s  (72 bits)\n", d.Wide)
	onOff := map[bool]string{true: "on", false: "off"}
	s.print("DSP_CTRL 0x%08x: rounding %s, guard bits %s, products doubled %s, saturated %v\n", d.Ctrl, d.Rounding, onOff[d.Guard],
		map[bool]string{true: "before accumulation", false: "on the way out"}[d.PreShift], d.Sat)
}

func (s *Session) agu(_ args) {
	u := steps.Must(s.d.AGU())
	used := false
	for _, part := range []struct {
		name string
		list []uint32
	}{{name: "ap", list: u.Pointers}, {name: "os", list: u.Offsets}, {name: "mod", list: u.Modifiers}} {
		for i := 0; i < len(part.list); i += 4 {
			row := part.list[i:min(i+4, len(part.list))]
			if !slices.ContainsFunc(row, func(v uint32) bool { return v != 0 }) {
				continue // not in use
			}
			used = true
			var text []string
			for j, v := range row {
				text = append(text, fmt.Sprintf("%-6s 0x%08x", fmt.Sprintf("%s%d", part.name, i+j), v))
			}
			s.print("%s\n", strings.Join(text, "   "))
		}
	}
	if !used {
		s.print("All registers of the address generation unit are zero.\n")
	}
	for n := range u.Modifiers {
		if text := u.Port(n); text != "" {
			s.print("%s\n", text)
		}
	}
}

func (s *Session) loop(_ args) {
	l := s.d.Loop()
	state := "not inside"
	if l.Active {
		state = "inside"
	}
	s.print("lp_start %s\nlp_end   %s\nlp_count %d, %s the loop\n", s.d.Locate(l.Start), s.d.Locate(l.End), l.Count, state)
}
