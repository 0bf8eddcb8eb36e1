package main

import (
	"bytes"
	"fmt"
	"strings"

	"arcv2dsp/isa"
)

// fixedCases are the micro-operations that are not value functions: those of cpu/internal/uop/body as they stand there, loads and
// stores put together from its parts, and those that have functions of cpu/internal/semantics in them.
func (p *program) fixedCases() ([]leafCase, error) {
	var list caseList
	for _, topic := range bodyTopics {
		if topic == "memory.go" {
			for _, parted := range [...]bool{false, true} {
				list.accesses(p, false, parted)
				list.accesses(p, true, parted)
			}
		}
		for _, f := range p.bodies.operations(topic) {
			list.operation(p, f)
		}
		if topic == "branch.go" {
			if err := list.comparisons(p); err != nil {
				return nil, err
			}
		}
	}
	list.divisions(p)
	return list, nil
}

type caseList []leafCase

func (l *caseList) add(name, doc, body string) *leafCase {
	*l = append(*l, leafCase{name: name, doc: doc, body: body})
	return &(*l)[len(*l)-1]
}

// newWriter returns a writer of a case of its own.
func (p *program) newWriter() *writer {
	taken := map[string]bool{}
	return &writer{bodies: p.bodies, out: &bytes.Buffer{}, fresh: func(name string) string {
		free := name
		for n := 2; taken[free]; n++ {
			free = fmt.Sprintf("%s_%d", name, n)
		}
		taken[free] = true
		return free
	}}
}

func (l *caseList) operation(p *program, f *function) {
	w := p.newWriter()
	w.operation(f)
	l.add(f.name, f.docText(), w.out.String()).big = f.marked(largeMark)
}

// accesses adds the loads and stores, of a core without data cache or of one with, which may ask for parts of pages: each size with each
// address.
func (l *caseList) accesses(p *program, cached, parted bool) {
	sizes := []struct{ name, width, log string }{
		{"W", "W", "2"}, {"H", "H", "1"}, {"HX", "H", "1"}, {"B", "B", "0"}, {"BX", "B", "0"}, {"D", "D", "3"},
	}
	addresses := []struct {
		name, part  string
		back, store bool // it changes the base; stores have it, too
	}{{"", "Offset", false, true}, {"R", "Indexed", false, false}, {"AB", "Post", true, true}, {"AW", "Pre", true, true}}
	suffix := ""
	if cached {
		suffix = "C"
	}
	where := ""
	if parted {
		suffix += "P"
		where = ", maybe in a part of a page"
	}
	for _, load := range []bool{true, false} {
		for _, s := range sizes {
			way, access, kind := "Write", "Store"+s.name, "ST"
			if load {
				way, access, kind = "Read", "Load"+s.name, "LD"
			}
			f := p.bodies.parts[access]
			if f == nil {
				continue // stores extend nothing
			}
			for _, a := range addresses {
				if !load && !a.store {
					continue
				}
				w := p.newWriter()
				part := func(name string, results []string, args ...string) {
					w.call(p.bodies.parts[name], results, true, args)
				}
				found := []string{"addr"}
				if a.back {
					found = append(found, "back")
				}
				part(a.part, found, "c", "u")
				if parted {
					part(way, []string{"page"}, "c", "addr")
					part(way+"Part", []string{"h"}, "c", "u", "addr", "page", s.log)
				} else {
					part(way, []string{"h"}, "c", "addr")
				}
				if s.width == "B" {
					part("FitsB", nil, "h")
				} else {
					part("Fits"+s.width, nil, "c", "addr", "h")
				}
				if cached && s.name == "D" {
					part("OneLine", nil, "e", "addr")
				}
				switch {
				case cached && load:
					part("Front", nil, "c", "e", "addr")
				case cached:
					part("FrontStore", nil, "c", "e", "addr")
				}
				if load {
					part(access, []string{"v"}, "addr", "h")
				} else {
					part(access, nil, "c", "u", "addr", "h")
				}
				if a.back {
					part("WriteBack", nil, "c", "u", "back")
				}
				switch {
				case load && s.name == "D":
					part("LoadedPair", nil, "c", "u", "v")
				case load:
					part("Loaded", nil, "c", "u", "v")
				}
				l.add(kind+s.name+a.name+suffix, f.docText()+" "+p.bodies.parts[a.part].docText()+where, w.out.String())
			}
		}
	}
}

// caseOf is how the cases of a comparison are named.
func caseOf(kind isa.Comparison) string { return strings.ToUpper(kind.String()) }

// comparisons are the branches that compare, and what leaves the decision in a register, from the functions
// that decide. It is an error when a comparison has no function or a row names none.
func (l *caseList) comparisons(p *program) error {
	for _, r := range isa.Rows() {
		executed := r.Op
		if r.Exec != isa.Invalid {
			executed = r.Exec
		}
		if (isa.RowOf(executed).Shape == isa.ShapeCmpBr) != (r.Compare != isa.CompareNone) {
			return fmt.Errorf("isa: row %s: Shape and Compare do not agree", r.Name)
		}
	}
	for kind := isa.CompareNone + 1; kind < isa.NumComparisons; kind++ {
		f := p.comparisons[kind.String()]
		if f == nil {
			return fmt.Errorf("cpu/internal/semantics has no function Compare%s", kind)
		}
		x := &expander{sources: p.sources, bodies: p.bodies}
		x.part("Test", nil, "c", "u", x.body(f, nil)["taken"])
		set, err := prune(x.out.String())
		if err != nil {
			return err
		}
		x = &expander{sources: p.sources, bodies: p.bodies}
		x.leave("Choose", "blk", x.body(f, nil)["taken"])
		branch, err := prune(x.out.String())
		if err != nil {
			return err
		}
		l.add("BR"+caseOf(kind), "compare and branch", branch)
		l.add("TEST"+caseOf(kind), "a = 1 when the comparison holds, else 0", set)
	}
	return nil
}

// divisions leave the leaf for the driver, since what Go does about a divisor of 0 costs the other cases
// registers. Compiled code leaves those without a quotient to the reference engine.
func (l *caseList) divisions(p *program) {
	w := p.newWriter()
	w.operation(p.bodies.parts["FUNCTION"])
	for _, d := range [...]struct{ op, none, value string }{
		{"DIV", "NoQuotientSigned", "QuotientSigned"}, {"DIVU", "NoQuotient", "Quotient"},
		{"REM", "NoQuotientSigned", "RemainderSigned"}, {"REMU", "NoQuotient", "Remainder"},
	} {
		for _, v := range [...]variant{plain, flagged} {
			x := &expander{sources: p.sources, bodies: p.bodies, keep: p.keep}
			value := p.divisions[d.value]
			args := x.fetch(value, nil)
			x.part("Divisible", nil, x.expand(p.divisions[d.none], args[:2])[0])
			zf := x.expand(value, args)
			x.part("Quotient", nil, "c", "u", zf[0])
			if v == flagged {
				x.line(results["f"].text, zf[1])
			}
			x.line(results["z"].text, zf[0])
			l.add(d.op+v.suffix, strings.TrimSpace("leave for the driver to compute "+strings.ToLower(d.op)+" "+v.doc)+", the quotient also to d",
				w.out.String()).compiled = x.out.String()
		}
	}
}
