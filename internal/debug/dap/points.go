package dap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/google/go-dap"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

// Groups of breakpoints: a request replaces a whole one. Those of source files are the files.
const (
	functionGroup    = "function"
	instructionGroup = "instruction"
	dataGroup        = "data"
	fileGroup        = "file "
)

// point is a breakpoint or watchpoint of the client.
type point struct {
	*debug.Point
	log string // what to print instead of stopping, "" for a point that stops
}

// maxPoints bounds what one request can ask for.
const maxPoints = 4096

// wanted is a breakpoint that a client asks for.
type wanted struct {
	set                  func(condition string) *debug.Point
	condition, hits, log string
}

// replace makes the breakpoints of a group those of a request.
func (s *session) replace(group string, list []wanted) []protocol.Breakpoint {
	steps.Refuse(len(list) > maxPoints, "%d breakpoints, no more than %d are possible", len(list), maxPoints)
	s.clear(group)
	out := make([]protocol.Breakpoint, len(list))
	if s.args.NoDebug {
		return out
	}
	steps.Must(s.d.Select(0))
	for i, w := range list {
		var p *point
		if err := steps.Run(func() { p = s.place(w) }); err != nil {
			out[i] = protocol.Breakpoint{Message: err.Error()}
			continue
		}
		s.points[group] = append(s.points[group], p)
		out[i] = s.shown(p.Point)
	}
	return out
}

func (s *session) clear(group string) {
	for _, p := range s.points[group] {
		s.d.Delete(p.Point)
	}
	delete(s.points, group)
}

// place sets a breakpoint. Its decision counts hits that a condition on their number lets pass, and prints
// what a log point prints.
func (s *session) place(w wanted) *point {
	stops := steps.Must(hitCondition(w.hits))
	set := w.set(w.condition)
	p := &point{Point: set, log: w.log}
	if stops == nil && w.log == "" {
		return p
	}
	set.Decide = func(forwards bool) bool {
		switch {
		case !forwards:
			return w.log == ""
		case stops != nil && !stops(set.Hits):
			return false
		case w.log == "":
			return true
		}
		s.event("output", s.logged(p))
		return false
	}
	return p
}

// hitCondition reads a condition on the number of hits: N, ==N, >N, >=N, <N, <=N, %N.
func hitCondition(text string) (func(hits int) bool, error) {
	text = strings.ReplaceAll(text, " ", "")
	if text == "" {
		return nil, nil
	}
	digits := strings.TrimLeft(text, "=<>%")
	op := text[:len(text)-len(digits)]
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || op == "%" && n == 0 {
		return nil, fmt.Errorf("hit condition %q: write N, ==N, >N, >=N, <N, <=N or %%N", text)
	}
	tests := map[string]func(int) bool{
		"": func(h int) bool { return h == n }, "=": func(h int) bool { return h == n }, "==": func(h int) bool { return h == n },
		">": func(h int) bool { return h > n }, ">=": func(h int) bool { return h >= n }, "<": func(h int) bool { return h < n },
		"<=": func(h int) bool { return h <= n }, "%": func(h int) bool { return h%n == 0 },
	}
	if tests[op] == nil {
		return nil, fmt.Errorf("hit condition %q: write N, ==N, >N, >=N, <N, <=N or %%N", text)
	}
	return tests[op], nil
}

// logged is the text of a log point with the values of the expressions in its braces.
func (s *session) logged(p *point) protocol.OutputEventBody {
	var b strings.Builder
	rest := p.log
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		expr, tail, closed := strings.Cut(after, "}")
		if !found || !closed {
			if found {
				b.WriteString("{" + after)
			}
			break
		}
		if v, err := s.d.Eval(expr); err != nil {
			fmt.Fprintf(&b, "{%s: %v}", expr, err)
		} else {
			b.WriteString(s.d.Brief(v))
		}
		rest = tail
	}
	body := protocol.OutputEventBody{Category: "console", Output: b.String() + "\n"}
	if line, ok := s.d.LineAt(s.d.PC()); ok {
		body.Source, body.Line = s.sourceOf(line.File), s.toClient(line.Line)
	}
	return body
}

// shown is a breakpoint as the client sees it.
func (s *session) shown(p *debug.Point) protocol.Breakpoint {
	b := protocol.Breakpoint{Id: p.Number, Verified: true}
	if len(p.Addrs) == 0 {
		return b
	}
	b.InstructionReference = reference(p.Addrs[0])
	if line, ok := s.d.LineAt(p.Addrs[0]); ok {
		b.Source, b.Line = s.sourceOf(line.File), s.toClient(line.Line)
	}
	return b
}

// groupOf finds the group of a breakpoint.
func (s *session) groupOf(p *debug.Point) string {
	for group, list := range s.points {
		for _, q := range list {
			if q.Point == p {
				return group
			}
		}
	}
	return ""
}

// breakpointsBody is the answer to all requests that set breakpoints.
type breakpointsBody struct {
	Breakpoints []protocol.Breakpoint `json:"breakpoints"`
}

func (s *session) setBreakpoints(a protocol.SetBreakpointsArguments) any {
	file := a.Source.Path
	if file == "" {
		file = a.Source.Name
	}
	steps.Refuse(file == "", "the source has no path")
	if len(a.Breakpoints) == 0 {
		for _, line := range a.Lines {
			a.Breakpoints = append(a.Breakpoints, protocol.SourceBreakpoint{Line: line})
		}
	}
	var list []wanted
	for _, b := range a.Breakpoints {
		list = append(list, wanted{condition: b.Condition, hits: b.HitCondition, log: b.LogMessage, set: func(condition string) *debug.Point {
			return steps.Must(s.d.BreakLine(s.nameOf(file), s.fromClient(b.Line), condition))
		}})
	}
	out := s.replace(fileGroup+file, list)
	for i := range out {
		if !out[i].Verified {
			out[i].Line = a.Breakpoints[i].Line
		}
		out[i].Source = &a.Source
	}
	return breakpointsBody{out}
}

func (s *session) setFunctionBreakpoints(a protocol.SetFunctionBreakpointsArguments) any {
	var list []wanted
	for _, b := range a.Breakpoints {
		list = append(list, wanted{condition: b.Condition, hits: b.HitCondition, set: func(condition string) *debug.Point {
			return steps.Must(s.d.Break(b.Name, condition, false))
		}})
	}
	return breakpointsBody{s.replace(functionGroup, list)}
}

func (s *session) setInstructionBreakpoints(a protocol.SetInstructionBreakpointsArguments) any {
	var list []wanted
	for _, b := range a.Breakpoints {
		list = append(list, wanted{condition: b.Condition, hits: b.HitCondition, set: func(condition string) *debug.Point {
			return steps.Must(s.d.BreakAddress(address(b.InstructionReference, b.Offset), condition))
		}})
	}
	return breakpointsBody{s.replace(instructionGroup, list)}
}

func (s *session) setDataBreakpoints(a protocol.SetDataBreakpointsArguments) any {
	var list []wanted
	for _, b := range a.Breakpoints {
		list = append(list, wanted{condition: b.Condition, hits: b.HitCondition, set: func(condition string) *debug.Point {
			kind, ok := accessKinds[b.AccessType]
			steps.Refuse(!ok, "unknown access %q", b.AccessType)
			return steps.Must(s.d.Watch(kind, b.DataId, condition))
		}})
	}
	return breakpointsBody{s.replace(dataGroup, list)}
}

var accessKinds = map[protocol.DataBreakpointAccessType]debug.PointKind{
	"": debug.WriteWatch, "write": debug.WriteWatch, "read": debug.ReadWatch, "readWrite": debug.AccessWatch,
}

// dataBreakpointInfo describes how a variable can be watched: in memory where it is now, else by its value.
func (s *session) dataBreakpointInfo(a protocol.DataBreakpointInfoArguments) any {
	expr, level := a.Name, frameOf{}
	switch {
	case a.VariablesReference != 0:
		c := s.container(a.VariablesReference)
		if err := steps.Run(func() { expr = c.member(s, a.Name) }); err != nil {
			return protocol.DataBreakpointInfoResponseBody{Description: err.Error()}
		}
		level = c.frame
	case a.FrameId != 0:
		f := s.frame(a.FrameId)
		level = f
	}
	s.choose(level)
	v, err := s.d.Eval(expr)
	if err != nil {
		return protocol.DataBreakpointInfoResponseBody{Description: err.Error()}
	}
	if _, ok := v.Addr(); ok {
		return protocol.DataBreakpointInfoResponseBody{
			DataId: "-location " + expr, Description: expr, AccessTypes: []protocol.DataBreakpointAccessType{"read", "write", "readWrite"},
		}
	}
	return protocol.DataBreakpointInfoResponseBody{DataId: expr, Description: expr, AccessTypes: []protocol.DataBreakpointAccessType{"write"}}
}

// exceptionFilters are the exceptions that can stop the program in their handler. Faults that nothing handles
// always stop it.
func exceptionFilters() []protocol.ExceptionBreakpointsFilter {
	var list []protocol.ExceptionBreakpointsFilter
	for _, h := range debug.Exceptions() {
		list = append(list, protocol.ExceptionBreakpointsFilter{Filter: h.Name, Label: h.Title, Description: "Stop in the handler of this exception"})
	}
	return list
}

func (s *session) setExceptionBreakpoints(a protocol.SetExceptionBreakpointsArguments) any {
	out := make([]protocol.Breakpoint, len(a.Filters))
	known := map[string]bool{}
	for _, h := range s.d.Handlings() {
		known[h.Name] = true
		h.Stop = slices.Contains(a.Filters, h.Name) && !s.args.NoDebug || !h.Pass // those that do not pass end the run
		h.Print = h.Stop
		steps.Check(s.d.Handle(h))
	}
	for i, name := range a.Filters {
		out[i].Verified = known[name]
		if !known[name] {
			out[i].Message = fmt.Sprintf("no exception %q", name)
		}
	}
	return breakpointsBody{out}
}

func (s *session) breakpointLocations(a protocol.BreakpointLocationsArguments) any {
	last := max(a.EndLine, a.Line)
	steps.Refuse(last-a.Line > maxPoints, "lines %d to %d are too many", a.Line, last)
	body := protocol.BreakpointLocationsResponseBody{Breakpoints: []protocol.BreakpointLocation{}}
	for line := a.Line; line <= last; line++ {
		addrs, err := s.d.LineAddrs(s.nameOf(a.Source.Path), s.fromClient(line))
		if err != nil {
			continue
		}
		for _, at := range addrs {
			if row, ok := s.d.LineAt(at); ok && row.Line == s.fromClient(line) {
				body.Breakpoints = append(body.Breakpoints, protocol.BreakpointLocation{Line: line})
				break
			}
		}
	}
	return body
}
