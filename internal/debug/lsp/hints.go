package lsp

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/isa"
)

// profiled is the listing of a run, as it was read.
type profiled struct {
	modified time.Time
	lines    []profile.Line
}

func (s *session) inlayHint(p struct {
	at
	Range stretch `json:"range"`
}) (any, error) {
	d, err := s.document(p.Document)
	if err != nil {
		return nil, err
	}
	hints := s.profileHints(d)
	if hints == nil {
		hints = s.loopHints(d)
	}
	hints = slices.DeleteFunc(hints, func(h inlayHint) bool {
		return h.Position.Line < p.Range.Start.Line || h.Position.Line > p.Range.End.Line
	})
	slices.SortFunc(hints, func(a, b inlayHint) int { return cmp.Compare(a.Position.Line, b.Position.Line) })
	return append([]inlayHint{}, hints...), nil
}

// watchProfile tells the client to ask for hints again when a run has written another listing.
func (s *session) watchProfile() {
	if !s.refreshes || s.shut {
		return
	}
	before := s.profile
	if s.readProfile(); s.profile != before {
		s.asked++
		s.send(map[string]any{"jsonrpc": "2.0", "id": fmt.Sprintf("hints %d", s.asked), "method": "workspace/inlayHint/refresh"})
	}
}

// maxListing is the size of the longest listing that is read.
const maxListing = 64 << 20

// readProfile reads the listing again when it is another one.
func (s *session) readProfile() *profiled {
	if s.opt.Profile == "" {
		return nil
	}
	name := filepath.FromSlash(s.sources.absolute(s.opt.Profile))
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // not written yet
	}
	if s.profile == nil || !s.profile.modified.Equal(info.ModTime()) {
		f, err := hostfile.Open(name, maxListing)
		if err != nil {
			return nil
		}
		defer func() { _ = f.Close() }() // only read
		lines, err := profile.ReadListing(f)
		if err != nil {
			return nil
		}
		s.profile = &profiled{modified: info.ModTime(), lines: lines}
	}
	return s.profile
}

// profileHints are the cycles of lines in the last profile; nil when it has none of the document, or the document is another one by
// now.
func (s *session) profileHints(d *document) []inlayHint {
	prof := s.readProfile()
	if prof == nil {
		return nil
	}
	name := filepath.FromSlash(d.path)
	info, err := os.Stat(name)
	if err != nil || info.ModTime().After(prof.modified) {
		return nil
	}
	if data, err := hostfile.Read(name, maxFile); err != nil || string(data) != d.text.string {
		return nil
	}
	var hints []inlayHint
	for _, l := range prof.lines {
		name := path.Clean(filepath.ToSlash(l.File))
		if name != d.path && !strings.HasSuffix(d.path, "/"+name) || l.Line > len(d.starts) {
			continue
		}
		label := counted(int(l.Cycles), "cycle")
		if l.Lost != "" {
			label += ": " + l.Lost
		}
		hints = append(hints, d.hint(d.starts[l.Line-1], label, fmt.Sprintf("executed %d times in %s", l.Executed, path.Base(s.opt.Profile))))
	}
	return hints
}

// hint is a note behind the statement at an offset.
func (d *document) hint(off int, label, tooltip string) inlayHint {
	st := d.statementAt(off)
	end := max(st.Operands.To, st.Word.To)
	for _, l := range st.Labels {
		end = max(end, labelEnd(d.text.string, l))
	}
	return inlayHint{Position: d.position(end), Label: label, Tooltip: tooltip, Padding: true}
}

// placed is an instruction of a section.
type placed struct {
	asm.PlacedInst
	isa.Inst
}

// loopHints are estimates of innermost loops: the cycles of a round at its end, and what is lost at each statement.
func (s *session) loopHints(d *document) []inlayHint {
	var hints []inlayHint
	for _, p := range s.programsOf(d) {
		file := p.file(d.path)
		if p.object == nil || file < 0 {
			continue
		}
		for _, body := range p.loops(s.core()) {
			hints = append(hints, s.estimate(d, file, body)...)
		}
		if len(hints) > 0 {
			break
		}
	}
	return hints
}

// estimate shows a loop.
func (s *session) estimate(d *document, file int, body []placed) []inlayHint {
	c := s.core()
	insts := make([]isa.Inst, len(body))
	for i := range body {
		insts[i] = body[i].Inst
	}
	lost := c.timing.Loop(insts)
	var all arcv2dsp.Stalls
	byPlace := map[int]*arcv2dsp.Stalls{}
	var order []int
	for i := range body {
		all.AddAll(&lost[i])
		if body[i].File != file {
			continue
		}
		off := body[i].Off
		if byPlace[off] == nil {
			byPlace[off] = &arcv2dsp.Stalls{}
			order = append(order, off)
		}
		byPlace[off].AddAll(&lost[i])
	}
	const about = "an estimate for %s: all instructions of the loop in order; memories, ports and caches are not in it"
	tooltip := fmt.Sprintf(about, c.name)
	var hints []inlayHint
	for _, off := range order {
		if text := lostText(byPlace[off]); text != "" {
			hints = append(hints, d.hint(off, text, tooltip))
		}
	}
	if len(order) > 0 {
		label := fmt.Sprintf("loop: %s for %s", counted(len(body)+int(all.Total()), "cycle"), counted(len(body), "instruction"))
		last := d.hint(order[len(order)-1], label, tooltip)
		if n := len(hints); n > 0 && hints[n-1].Position == last.Position {
			hints[n-1].Label += " · " + label
		} else {
			hints = append(hints, last)
		}
	}
	return hints
}

// lostText says what is lost, "load-use 1".
func lostText(s *arcv2dsp.Stalls) string {
	var parts []string
	for why, n := range s {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", arcv2dsp.StallReason(why), n))
		}
	}
	return strings.Join(parts, ", ")
}

// loops finds the innermost loops: those of lp, and those that a branch at the end leads back to the beginning of, when
// nothing else in them changes the flow of control.
func (p *program) loops(c *model) [][]placed {
	var code []placed
	for _, in := range p.index.Insts {
		if inst, ok := p.decode(in, c); ok {
			code = append(code, placed{in, inst})
		}
	}
	slices.SortStableFunc(code, func(a, b placed) int { return cmp.Or(cmp.Compare(a.Sect, b.Sect), cmp.Compare(a.Addr, b.Addr)) })
	var found [][]placed
	for i := range code {
		in := &code[i]
		target, ok := isa.Target(&in.Inst, in.Addr)
		if !ok || !in.Control() || in.Calls() {
			continue
		}
		at, there := slices.BinarySearchFunc(code, placed{PlacedInst: asm.PlacedInst{Sect: in.Sect, Addr: target}}, func(a, b placed) int {
			return cmp.Or(cmp.Compare(a.Sect, b.Sect), cmp.Compare(a.Addr, b.Addr))
		})
		switch {
		case in.Class() == isa.ClassLoop && at > i+1 && straight(code[i+1:at]):
			found = append(found, code[i+1:at])
		case in.Class() != isa.ClassLoop && there && at <= i && straight(code[at:i]):
			end := i + 1
			if in.Delay {
				end++
			}
			if end <= len(code) {
				found = append(found, code[at:end])
			}
		}
	}
	return found
}

// straight reports whether code lies in one section, one instruction behind the other, and nothing changes the flow of control.
func straight(code []placed) bool {
	for i := range code {
		if code[i].Control() || i > 0 && (code[i].Sect != code[0].Sect || code[i].Addr != code[i-1].Addr+uint32(code[i-1].Len)) {
			return false
		}
	}
	return true
}
