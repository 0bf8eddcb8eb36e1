package dap

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/google/go-dap"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/steps"
)

// container is something that has variables: a scope, or a value with parts.
type container struct {
	frame frameOf
	list  func(s *session) []protocol.Variable // of a scope
	expr  string                               // of a value; its parts are expressions of it
}

// hold keeps a container until the program moves and returns its reference.
func (s *session) hold(c container) int {
	s.handles = append(s.handles, c)
	return len(s.handles)
}

func (s *session) container(ref int) container {
	steps.Refuse(ref < 1 || ref > len(s.handles), "no variables %d: the program has moved", ref)
	return s.handles[ref-1]
}

func (s *session) scopes(a protocol.ScopesArguments) any {
	f := s.frame(a.FrameId)
	body := protocol.ScopesResponseBody{Scopes: []protocol.Scope{}}
	add := func(name, hint string, list func(s *session) []protocol.Variable) {
		ref := s.hold(container{frame: f, list: list})
		body.Scopes = append(body.Scopes, protocol.Scope{Name: name, PresentationHint: hint, VariablesReference: ref})
	}
	add("Arguments", "arguments", func(s *session) []protocol.Variable { return s.locals(f, true) })
	add("Locals", "locals", func(s *session) []protocol.Variable { return s.locals(f, false) })
	add("Registers", "registers", (*session).registers)
	if _, err := s.d.DSP(); err == nil {
		add("Accumulators", "registers", (*session).accumulators)
	}
	if _, err := s.d.AGU(); err == nil {
		add("Address generation", "registers", (*session).addressGeneration)
	}
	add("Timing", "", (*session).timing)
	return body
}

// maxVariables bounds what is told of an array at once.
const maxVariables = 1 << 12

func (s *session) variables(a protocol.VariablesArguments) any {
	c := s.container(a.VariablesReference)
	s.choose(c.frame)
	var list []protocol.Variable
	if c.list != nil {
		list = c.list(s)
	} else {
		list = s.parts(c, a.Start, a.Count)
	}
	if list == nil {
		list = []protocol.Variable{}
	}
	return protocol.VariablesResponseBody{Variables: list}
}

func (s *session) locals(f frameOf, params bool) []protocol.Variable {
	locals, err := s.d.Locals(params)
	if err != nil {
		return nil // without debug information there are none
	}
	var list []protocol.Variable
	for _, l := range locals {
		v := protocol.Variable{Name: l.Name, Type: l.Type, EvaluateName: l.Name}
		if l.Err != nil {
			v.Value = "<" + l.Err.Error() + ">"
		} else {
			s.describe(&v, l.Value, f)
		}
		list = append(list, v)
	}
	return list
}

// describe fills in what a value is; its parts are found by the variable's expression.
func (s *session) describe(v *protocol.Variable, value debug.Value, f frameOf) {
	v.Value, v.Type = s.d.Text(value, debug.Format{}), value.Type.Name
	if addr, ok := value.Addr(); ok {
		v.MemoryReference = reference(addr)
	}
	t := value.Type
	switch {
	case t.Kind == dwarf.KindPointer:
		v.MemoryReference = reference(uint32(value.Num))
		if to := t.Elem(); to.Kind == dwarf.KindVoid || to.Kind == dwarf.KindFunction || to.Size == 0 || value.Num == 0 {
			return
		}
	case t.Kind == dwarf.KindArray:
		v.IndexedVariables = int(min(t.Count, math.MaxInt32))
	case len(t.Fields) == 0:
		return
	}
	if v.EvaluateName != "" {
		v.VariablesReference = s.hold(container{frame: f, expr: v.EvaluateName})
	}
}

// parts are the members, elements or target of a value.
func (s *session) parts(c container, start, count int) []protocol.Variable {
	value := steps.Must(s.d.Eval(c.expr))
	t, base := value.Type, c.expr
	var names, exprs []string
	switch {
	case t.Kind == dwarf.KindPointer && len(t.Elem().Fields) == 0:
		names, exprs = []string{"*"}, []string{"*(" + base + ")"}
	case t.Kind == dwarf.KindArray:
		steps.Refuse(start < 0 || count < 0, "elements from %d, %d of them", start, count)
		if count == 0 || count > maxVariables {
			count = maxVariables
		}
		for i := start; i < int(t.Count) && i-start < count; i++ {
			names, exprs = append(names, fmt.Sprintf("[%d]", i)), append(exprs, fmt.Sprintf("(%s)[%d]", base, i))
		}
	default:
		op := "."
		if t.Kind == dwarf.KindPointer {
			t, op = t.Elem(), "->"
		}
		for i := range t.Fields {
			if name := t.Fields[i].Name; name != "" {
				names, exprs = append(names, name), append(exprs, fmt.Sprintf("(%s)%s%s", base, op, name))
			}
		}
	}
	list := make([]protocol.Variable, len(names))
	for i := range names {
		list[i] = protocol.Variable{Name: names[i], EvaluateName: exprs[i]}
		if v, err := s.d.Eval(exprs[i]); err != nil {
			list[i].Value = "<" + err.Error() + ">"
		} else {
			s.describe(&list[i], v, c.frame)
		}
	}
	return list
}

// member is the expression of a variable in a container.
func (c container) member(s *session, name string) string {
	s.choose(c.frame)
	var list []protocol.Variable
	if c.list != nil {
		list = c.list(s)
	} else if digits, ok := strings.CutPrefix(name, "["); ok {
		n, _ := strconv.Atoi(strings.TrimSuffix(digits, "]")) // no number is element 0, whose name is another
		list = s.parts(c, n, 1)
	} else {
		list = s.parts(c, 0, 0)
	}
	i := slices.IndexFunc(list, func(v protocol.Variable) bool { return v.Name == name && v.EvaluateName != "" })
	steps.Refuse(i < 0, "%s is no variable that can be changed or watched here", name)
	return list[i].EvaluateName
}

func (s *session) registers() []protocol.Variable {
	f := steps.Must(s.d.Frame(s.d.Selected()))
	var list []protocol.Variable
	for i, r := range s.d.Registers() {
		name := strings.ToLower(r.Name)
		v := protocol.Variable{Name: name, EvaluateName: "$" + name, Type: "register"}
		n, ok := r.Value, true
		if i < 32 {
			var w uint32
			w, ok = f.Reg(uint8(i))
			n = uint64(w)
		} else if name == "pc" {
			n = uint64(f.PC)
		}
		switch {
		case !ok:
			v.Value = "<not saved>"
		case name == "pc" || name == "blink" || name == "ilink":
			v.Value, v.MemoryReference = s.d.Locate(uint32(n)), reference(uint32(n))
		case name == "status32":
			v.Value = fmt.Sprintf("0x%08x [%s]", n, debug.StatusText(uint32(n)))
		case r.Bits == 40:
			v.Value = fmt.Sprintf("0x%010x %d", n, int64(n<<24)>>24)
		default:
			v.Value, v.MemoryReference = fmt.Sprintf("0x%08x %d", n, int32(n)), reference(uint32(n))
		}
		list = append(list, v)
	}
	return list
}

// accumulators shows each lane as an integer and as fixed-point numbers.
func (s *session) accumulators() []protocol.Variable {
	d := steps.Must(s.d.DSP())
	var list []protocol.Variable
	add := func(name, expr, format string, a ...any) {
		list = append(list, protocol.Variable{Name: name, EvaluateName: expr, Value: fmt.Sprintf(format, a...)})
	}
	for _, lane := range []struct {
		name string
		n    int64
		over bool
	}{{name: "acclo", n: d.Lo, over: d.LoV}, {name: "acchi", n: d.Hi, over: d.HiV}} {
		add(lane.name, "$"+lane.name, "0x%02x:%08x %d", uint8(lane.n>>32), uint32(lane.n), lane.n)
		add(lane.name+" q31", "", "%.12g", math.Ldexp(float64(lane.n), -31))
		add(lane.name+" q15", "", "%.10g", math.Ldexp(float64(lane.n), -15))
		add(lane.name+" guard", "", "0x%02x", uint8(lane.n>>32))
		add(lane.name+" overflow", "", "%v", lane.over)
	}
	add("acc", "", "%s", d.Wide)
	add("rounding", "", "%s", d.Rounding)
	add("guard bits", "", "%v", d.Guard)
	add("products doubled", "", "%v", d.PreShift)
	add("saturated", "", "%v", d.Sat)
	add("dsp_ctrl", "$dsp_ctrl", "0x%08x", d.Ctrl)
	return list
}

func (s *session) addressGeneration() []protocol.Variable {
	agu := steps.Must(s.d.AGU())
	var list []protocol.Variable
	for _, group := range []struct {
		name, aux string
		values    []uint32
	}{{"ap", "agu_ap", agu.Pointers}, {"os", "agu_os", agu.Offsets}} {
		for i, v := range group.values {
			out := protocol.Variable{Name: fmt.Sprint(group.name, i), EvaluateName: fmt.Sprint("$", group.aux, i), Value: fmt.Sprintf("0x%08x %d", v, int32(v))}
			if group.name == "ap" {
				out.MemoryReference = reference(v)
			}
			list = append(list, out)
		}
	}
	for i, v := range agu.Modifiers {
		text := fmt.Sprintf("0x%08x", v)
		if port := agu.Port(i); port != "" {
			text += " " + port
		}
		list = append(list, protocol.Variable{Name: fmt.Sprint("mod", i), EvaluateName: fmt.Sprint("$agu_mod", i), Value: text})
	}
	return list
}

// timing shows what the program has cost, all of it and since the last stop.
func (s *session) timing() []protocol.Variable {
	total, ran := s.d.Stats()
	core, provisional := s.d.Timing()
	if provisional {
		core += ", provisional"
	}
	list := []protocol.Variable{{Name: "cycles as", Value: core}}
	add := func(name string, all, since uint64) {
		list = append(list, protocol.Variable{Name: name, Value: fmt.Sprintf("%d, %d since the last stop", all, since)})
	}
	add("instructions", total.Insts, ran.Insts)
	add("cycles", total.Cycles, ran.Cycles)
	all, since := total.Reasons(), ran.Reasons()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		add("lost: "+name, all[name], since[name])
	}
	return list
}

func (s *session) setVariable(a protocol.SetVariableArguments) any {
	c := s.container(a.VariablesReference)
	expr := c.member(s, a.Name)
	v := s.change(c.frame, expr, a.Value)
	return protocol.SetVariableResponseBody{Value: v.Value, Type: v.Type, VariablesReference: v.VariablesReference, IndexedVariables: v.IndexedVariables}
}

func (s *session) setExpression(a protocol.SetExpressionArguments) any {
	f := s.given(a.FrameId)
	v := s.change(f, a.Expression, a.Value)
	return protocol.SetExpressionResponseBody{Value: v.Value, Type: v.Type, VariablesReference: v.VariablesReference, IndexedVariables: v.IndexedVariables}
}

// change assigns to an expression and describes what it then is.
func (s *session) change(f frameOf, expr, value string) (v protocol.Variable) {
	s.choose(f)
	steps.Must(s.d.Eval(fmt.Sprintf("%s = (%s)", expr, value)))
	s.choose(f)
	now := steps.Must(s.d.Eval(expr))
	v.EvaluateName = expr
	s.describe(&v, now, f)
	return v
}

// given is the frame of a request, the innermost one when it names none.
func (s *session) given(id int) frameOf {
	if id == 0 {
		return frameOf{}
	}
	return s.frame(id)
}

// promptPrefix begins a line of the debug console that is a command of the prompt, as in other debuggers.
const promptPrefix = "-exec "

func (s *session) evaluate(a protocol.EvaluateArguments) any {
	f := s.given(a.FrameId)
	s.choose(f)
	if line, ok := strings.CutPrefix(a.Expression, promptPrefix); ok {
		return s.command(line)
	}
	text, format := a.Expression, debug.Format{}
	if a.Format != nil && a.Format.Hex {
		format.Letter = 'x'
	}
	if i := strings.LastIndexByte(text, ','); i > 0 { // x,q15 as watch windows have it
		if f, err := cexpr.ParseFormat(strings.TrimSpace(text[i+1:])); err == nil {
			text, format = text[:i], f
		}
	}
	v := steps.Must(s.d.Eval(text))
	out := protocol.Variable{EvaluateName: text}
	s.describe(&out, v, f)
	if format != (debug.Format{}) {
		out.Value = s.d.Text(v, format)
	}
	return protocol.EvaluateResponseBody{
		Result: out.Value, Type: out.Type, VariablesReference: out.VariablesReference, IndexedVariables: out.IndexedVariables,
		MemoryReference: out.MemoryReference,
	}
}

// command executes a line of the prompt. One that moves the program is told as a stop.
func (s *session) command(line string) any {
	if s.program.Prompt == nil {
		steps.Check(errors.New("this server has no prompt"))
	}
	before := s.d.Position()
	var out strings.Builder
	steps.Check(s.program.Prompt.Execute(s.ctx, line, &out))
	if s.d.Position() != before {
		s.arrived(outcome{stop: s.d.Last()})
	}
	return protocol.EvaluateResponseBody{Result: strings.TrimSuffix(out.String(), "\n")}
}

func (s *session) completions(a protocol.CompletionsArguments) any {
	f := s.given(a.FrameId)
	s.choose(f)
	column := a.Column
	if !s.zero {
		column--
	}
	text := []rune(a.Text)
	column = max(0, min(column, len(text)))
	complete, expr := s.d.Complete, string(text[:column])
	if line, ok := strings.CutPrefix(expr, promptPrefix); ok && s.program.Prompt != nil {
		complete, expr = s.program.Prompt.Complete, line
	}
	word, names := complete(expr)
	length := len([]rune(word))
	body := protocol.CompletionsResponseBody{Targets: []protocol.CompletionItem{}}
	for _, name := range names[:min(len(names), debug.MaxCompletions)] {
		body.Targets = append(body.Targets, protocol.CompletionItem{Label: strings.TrimSpace(name), Start: column - length, Length: length})
	}
	return body
}
