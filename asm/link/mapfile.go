package link

import (
	"bufio"
	"fmt"
	"io"
	"sort"
)

// writeMap writes where everything went, in the manner of GNU ld's map files.
func (l *linker) writeMap(to io.Writer) error {
	w := bufio.NewWriter(to)
	if len(l.pulled) > 0 {
		fmt.Fprintf(w, "Archive members\n\n")
		for _, p := range l.pulled {
			fmt.Fprintf(w, "%s\n", p.member)
			if p.symbol != "" {
				by := p.by
				if by == "" {
					by = "the linker"
				}
				fmt.Fprintf(w, "    %s wants %s\n", by, p.symbol)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "Discarded input sections\n\n")
	for _, o := range l.objects {
		for _, s := range o.sections {
			if s.out == nil && s.size > 0 {
				fmt.Fprintf(w, " %-16s %#10x %s: %s\n", s.name, s.size, s.obj.name, s.reason)
			}
		}
	}
	if len(l.script.regions) > 0 {
		fmt.Fprintf(w, "\nMemory\n\n%-16s %-10s %-10s %s\n", "name", "origin", "length", "used")
		l.mapRegions(w)
	}
	fmt.Fprintf(w, "\nSections\n")
	for _, s := range l.outputs {
		if s.out.kept && !s.out.discard {
			l.mapSection(w, s.out)
		}
	}
	return w.Flush()
}

func (l *linker) mapRegions(w io.Writer) {
	lay := &layout{link: l, rep: l.rep}
	if !lay.defineRegions() {
		return
	}
	for _, d := range l.script.regions {
		if d.alias != "" {
			fmt.Fprintf(w, "%-16s is %s\n", d.name, d.alias)
			continue
		}
		r := lay.regions[d.name]
		used := uint64(0)
		for _, s := range l.outputs {
			o := s.out
			if !o.kept || !o.alloc() {
				continue
			}
			inside := func(addr uint32) bool {
				return uint64(addr) >= r.origin && uint64(addr) < r.origin+r.length
			}
			if inside(o.addr) {
				used += uint64(o.size)
			} else if inside(o.lma) && o.lma != o.addr {
				used += uint64(o.size)
			}
		}
		fmt.Fprintf(w, "%-16s 0x%08x %#-10x %#x\n", d.name, r.origin, r.length, used)
	}
}

func (l *linker) mapSection(w io.Writer, o *outputSection) {
	fmt.Fprintf(w, "\n%-16s 0x%08x %#10x", o.name, o.addr, o.size)
	if o.lma != o.addr {
		fmt.Fprintf(w, " load address 0x%08x", o.lma)
	}
	fmt.Fprintln(w)
	type line struct {
		addr uint32
		text string
	}
	bySection := map[*section][]*symbol{}
	var lines []line
	lay := &layout{link: l, rep: l.rep}
	for _, s := range l.order {
		switch {
		case s.sec != nil:
			bySection[s.sec] = append(bySection[s.sec], s)
		case s.kind == symScript && s.index == o:
			lines = append(lines, line{addr: uint32(s.result.abs()), text: s.name + " (script)"})
		}
	}
	for _, in := range o.inputs {
		lines = append(lines, line{addr: o.addr + in.off, text: fmt.Sprintf("%#10x %s", in.size, in)})
		syms := bySection[in]
		sort.SliceStable(syms, func(i, j int) bool { return syms[i].addr < syms[j].addr })
		for _, s := range syms {
			lines = append(lines, line{addr: uint32(s.value(lay).abs()), text: "           " + s.name})
		}
	}
	for _, p := range o.pieces {
		if p.data != nil {
			lines = append(lines, line{addr: o.addr + p.off, text: fmt.Sprintf("%#10x data %x", len(p.data), p.data)})
		} else {
			lines = append(lines, line{addr: o.addr + p.off, text: fmt.Sprintf("%#10x fill %x", p.size, p.fill)})
		}
	}
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].addr < lines[j].addr })
	for _, x := range lines {
		fmt.Fprintf(w, "  0x%08x %s\n", x.addr, x.text)
	}
}
