package link

import (
	"debug/elf"
	"slices"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// collect leaves out the sections that nothing reachable refers to. The roots are the entry, the
// symbols wanted on the command line, and what the script keeps.
func (l *linker) collect(all []*section) {
	c := collector{link: l, byName: map[string][]*section{}, after: map[*section][]*section{}}
	for _, s := range all {
		s.live = false
		c.byName[s.name] = append(c.byName[s.name], s)
		if s.elf != nil && s.elf.Link != nil {
			if of := s.obj.section(s.elf.Link); of != nil {
				c.after[of] = append(c.after[of], s)
			}
		}
	}
	for _, s := range all {
		retain := s.elf != nil && s.elf.Flags&shfGNURetain != 0
		if s.alloc() && (s.keep || retain || s.typ == elf.SHT_NOTE && s.elf.Group == nil) {
			c.mark(s)
		}
	}
	roots := append([]string{l.script.entry.name}, l.opts.Undefined...)
	for _, name := range append(roots, l.script.externs...) {
		c.markSymbol(l.symbols[name])
	}
	for _, s := range l.symbols {
		if s.optional {
			c.markSymbol(s) // expressions of the script use it
		}
	}
	c.run()
	for _, s := range all {
		if !s.alloc() || isFrameSection(s.name) {
			// Debug information and unwind tables describe the object's code: they stay with it.
			s.live = s.keep || s.obj.anyLive()
		}
		if !s.live {
			s.reason = "nothing refers to it"
		}
	}
}

// shfGNURetain marks sections that must not be collected.
const shfGNURetain = 1 << 21

func isFrameSection(name string) bool { return name == ".eh_frame" }

// anyLive tells whether some code or data of the object is linked.
func (o *object) anyLive() bool {
	return slices.ContainsFunc(o.sections, func(s *section) bool { return s.alloc() && s.live && !isFrameSection(s.name) })
}

type collector struct {
	link   *linker
	byName map[string][]*section
	after  map[*section][]*section // SHF_LINK_ORDER sections, which describe another one
	work   []*section
}

func (c *collector) mark(s *section) {
	if s != nil && !s.live {
		s.live = true
		c.work = append(c.work, s)
	}
}

func (c *collector) markSymbol(s *symbol) {
	if s == nil {
		return
	}
	switch {
	case s.sec != nil:
		c.mark(s.sec)
	case s.kind == symUndefined:
		// The bounds of a section keep all of it.
		for _, prefix := range []string{"__start_", "__stop_"} {
			if name, ok := strings.CutPrefix(s.name, prefix); ok {
				for _, sec := range c.byName[name] {
					c.mark(sec)
				}
			}
		}
	}
}

func (c *collector) run() {
	for len(c.work) > 0 {
		s := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		for _, d := range c.after[s] {
			c.mark(d)
		}
		if s.elf == nil {
			continue
		}
		if g := s.elf.Group; g != nil {
			for _, m := range g.Members {
				c.mark(s.obj.section(m))
			}
		}
		if isFrameSection(s.name) {
			continue
		}
		for _, r := range s.elf.Relocs {
			if r.Type != elfarc.R_ARC_NONE {
				c.follow(s.obj, r.Sym)
			}
		}
	}
}

// follow marks what a relocation refers to.
func (c *collector) follow(o *object, es *elfarc.Symbol) {
	if es == nil {
		return
	}
	if s := o.globals[es]; s != nil {
		c.markSymbol(s)
		return
	}
	if es.Section != nil {
		c.mark(o.section(es.Section))
	}
}
