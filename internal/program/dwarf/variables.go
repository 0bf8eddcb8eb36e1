package dwarf

import (
	"debug/dwarf"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/steps"
)

// Variables are the variables and types of a program.
type Variables struct {
	types     typeReader
	order     binary.ByteOrder
	loc       []byte // .debug_loc
	lists     []byte // .debug_loclists
	globals   map[string][]*Variable
	scopes    []*Scope // functions, by their first address
	all       []*Variable
	functions map[functionOf]dwarf.Offset
	units     []string // names of the source files compiled
}

// functionOf names a function of a unit: those of two units may have the same name.
type functionOf struct {
	unit int
	name string
}

// Scope is a function, an inlined call or a block with the variables it declares.
type Scope struct {
	Function string // "" for a block
	Inlined  bool
	Vars     []*Variable // parameters first, in the order of the source
	ranges   []Range
	entry    uint32 // where it begins, which need not be its lowest address
	inner    []*Scope
	base     location // frame base
	origin   dwarf.Offset
	unit     int
}

// Variable is a variable or parameter.
type Variable struct {
	Name   string
	Param  bool
	Line   int
	set    *Variables
	typ    dwarf.Offset
	hasTyp bool
	where  location
	value  []byte // constant value
	origin dwarf.Offset
	unit   int
	public bool // known to other units by its name
}

// location is the place of a variable: one expression, or a list of expressions by address.
type location struct {
	expr    []byte
	list    int64
	hasList bool
	base    uint32 // base address of the unit
	v5      bool
}

func (l *location) known() bool { return l.expr != nil || l.hasList }

// Type returns the type of the variable.
func (v *Variable) Type() *Type {
	if !v.hasTyp {
		return voidType
	}
	return v.set.types.at(v.typ)
}

// ReadVariables collects the variables of a linked program; nil when it has no debug information.
func ReadVariables(f *elfarc.File) (_ *Variables, err error) {
	defer steps.Return(&err)
	sections := map[string][]byte{}
	for _, s := range f.Sections {
		if sections[s.Name] == nil {
			sections[s.Name] = s.Data
		}
	}
	if len(sections[".debug_info"]) == 0 {
		return nil, nil
	}
	v := &Variables{order: binary.LittleEndian, globals: map[string][]*Variable{}, functions: map[functionOf]dwarf.Offset{}, units: []string{""}, loc: sections[".debug_loc"], lists: sections[".debug_loclists"]}
	if f.BigEndian {
		v.order = binary.BigEndian
	}
	steps.Must(check(sections, v.order))
	d := steps.Must(debugData(sections))
	v.types = typeReader{data: d, types: map[dwarf.Offset]*Type{}, named: map[string]dwarf.Offset{}}
	c := variableCollector{
		set: v, budget: budget(sections), entries: len(sections[".debug_info"]) + 1,
		names: map[dwarf.Offset]*Variable{}, functions: map[dwarf.Offset]nameOf{},
		code: linkedCode(f, func(s *elfarc.Section) uint32 { return s.Addr }),
	}
	steps.Check(c.walk())
	c.resolve()
	sort.SliceStable(v.scopes, func(i, j int) bool { return v.scopes[i].ranges[0].First < v.scopes[j].ranges[0].First })
	return v, nil
}

// nameOf is the name of a function or where it is said.
type nameOf struct {
	name string
	from dwarf.Offset
}

// variableCollector walks the units.
type variableCollector struct {
	set       *Variables
	names     map[dwarf.Offset]*Variable // every variable entry, for abstract origins
	functions map[dwarf.Offset]nameOf
	code      liveCode
	budget    int
	entries   int
	base      uint32      // of the unit
	pending   []*Variable // of the unit level
	open      []*Scope
}

func (c *variableCollector) walk() error {
	r := c.set.types.data.Reader()
	depth := 0
	for {
		if c.entries--; c.entries < 0 {
			return errors.New(".debug_info: the entries do not end")
		}
		e, err := r.Next()
		if err != nil {
			return err
		}
		if e == nil {
			return nil
		}
		if e.Tag == 0 {
			if depth > 0 {
				depth--
				c.open = c.open[:depth]
			}
			continue
		}
		if e.Tag == dwarf.TagCompileUnit {
			depth, c.open = 0, nil
			low, _ := e.Val(dwarf.AttrLowpc).(uint64)
			c.base = uint32(low)
			name, _ := e.Val(dwarf.AttrName).(string)
			c.set.units = append(c.set.units, name)
		}
		var s *Scope
		if depth > 0 {
			s = c.open[depth-1]
		}
		inside, err := c.entry(e, s, depth)
		if err != nil {
			return err
		}
		if e.Children {
			if depth >= maxDepth {
				return fmt.Errorf(".debug_info: offset %#x: entries nested more than %d deep", e.Offset, maxDepth)
			}
			c.open = append(c.open[:depth], inside)
			depth++
		}
	}
}

func (c *variableCollector) unit() int { return len(c.set.units) - 1 }

// entry takes over one entry; s is the scope it is in. The result is the scope of its children.
func (c *variableCollector) entry(e *dwarf.Entry, s *Scope, depth int) (*Scope, error) {
	name, _ := e.Val(dwarf.AttrName).(string)
	switch e.Tag {
	case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine, dwarf.TagLexDwarfBlock:
		if e.Tag != dwarf.TagLexDwarfBlock {
			c.functions[e.Offset] = nameOf{name: name, from: reference(e)}
			declared, _ := e.Val(dwarf.AttrDeclaration).(bool)
			key := functionOf{unit: c.unit(), name: name}
			if _, have := c.set.functions[key]; name != "" && !(declared && have) {
				c.set.functions[key] = e.Offset
			}
		}
		fresh, err := c.scope(e)
		if err != nil {
			return nil, err
		}
		switch {
		case fresh == nil && e.Tag == dwarf.TagLexDwarfBlock:
			return s, nil
		case fresh == nil:
			return &Scope{}, nil // an abstract function: its variables are named, nobody finds the scope
		case e.Tag == dwarf.TagSubprogram:
			c.set.scopes = append(c.set.scopes, fresh)
		case s != nil:
			s.inner = append(s.inner, fresh)
		}
		return fresh, nil
	case dwarf.TagVariable, dwarf.TagFormalParameter:
		v := c.variable(e, name)
		c.names[e.Offset] = v
		switch {
		case depth == 1:
			c.pending = append(c.pending, v)
		case s != nil:
			s.Vars = append(s.Vars, v)
			c.set.all = append(c.set.all, v)
		}
		return nil, nil
	case dwarf.TagStructType, dwarf.TagUnionType, dwarf.TagEnumerationType, dwarf.TagTypedef, dwarf.TagBaseType:
		declared, _ := e.Val(dwarf.AttrDeclaration).(bool)
		if _, have := c.set.types.named[name]; name != "" && !declared && !have {
			c.set.types.named[name] = e.Offset
		}
		return nil, nil
	}
	return s, nil
}

func (c *variableCollector) scope(e *dwarf.Entry) (*Scope, error) {
	if e.Val(dwarf.AttrLowpc) == nil && e.Val(dwarf.AttrRanges) == nil {
		return nil, nil
	}
	ranges, err := c.set.types.data.Ranges(e)
	if err != nil {
		return nil, err
	}
	if c.budget -= len(ranges) + 1; c.budget < 0 {
		return nil, fmt.Errorf(".debug_info: offset %#x: more address ranges than the file can hold", e.Offset)
	}
	s := &Scope{Inlined: e.Tag == dwarf.TagInlinedSubroutine, unit: c.unit()}
	for _, r := range ranges {
		if r[0] < r[1] && r[1] <= 1<<32 && c.code.has(e, r) {
			s.ranges = append(s.ranges, Range{First: uint32(r[0]), Last: uint32(r[1] - 1)})
		}
	}
	if s.ranges == nil {
		return nil, nil
	}
	s.entry = s.ranges[0].First
	switch at := e.Val(dwarf.AttrEntrypc).(type) {
	case uint64:
		if at < 1<<32 && s.Contains(uint32(at)) {
			s.entry = uint32(at)
		}
	case int64: // from the first address
		if off := uint32(at); s.Contains(s.entry + off) {
			s.entry += off
		}
	}
	if e.Tag != dwarf.TagLexDwarfBlock {
		s.origin = e.Offset
	}
	s.base = c.location(e, dwarf.AttrFrameBase)
	return s, nil
}

func (c *variableCollector) variable(e *dwarf.Entry, name string) *Variable {
	v := &Variable{
		Name: name, Param: e.Tag == dwarf.TagFormalParameter, Line: number(e.Val(dwarf.AttrDeclLine)),
		set: c.set, origin: reference(e), where: c.location(e, dwarf.AttrLocation), unit: c.unit(),
	}
	v.public, _ = e.Val(dwarf.AttrExternal).(bool)
	v.typ, v.hasTyp = e.Val(dwarf.AttrType).(dwarf.Offset)
	switch k := e.Val(dwarf.AttrConstValue).(type) {
	case int64:
		v.value = binary.LittleEndian.AppendUint64(nil, uint64(k))
	case []byte:
		v.value = k
	}
	return v
}

func (c *variableCollector) location(e *dwarf.Entry, a dwarf.Attr) location {
	f := e.AttrField(a)
	if f == nil {
		return location{}
	}
	switch val := f.Val.(type) {
	case []byte:
		return location{expr: append([]byte{}, val...), base: c.base}
	case int64:
		return location{list: val, hasList: true, base: c.base, v5: f.Class == dwarf.ClassLocList || len(c.set.loc) == 0}
	}
	return location{}
}

// resolve follows abstract origins and sorts out the globals.
func (c *variableCollector) resolve() {
	all := append(c.set.all, c.pending...)
	for _, v := range all {
		for o, hops := v.origin, 0; o != 0 && hops < 8; hops++ {
			from := c.names[o]
			if from == nil {
				break
			}
			if v.Name == "" {
				v.Name = from.Name
			}
			if !v.hasTyp {
				v.typ, v.hasTyp = from.typ, from.hasTyp
			}
			if v.Line == 0 {
				v.Line = from.Line
			}
			v.public = v.public || from.public
			if v.value == nil && !v.where.known() {
				v.value = from.value
			}
			o = from.origin
		}
	}
	for _, v := range c.pending {
		if v.where.known() || v.value != nil {
			c.set.globals[v.Name] = append(c.set.globals[v.Name], v)
		}
	}
	c.set.all = nil
	var name func(s *Scope)
	name = func(s *Scope) {
		for o, hops := s.origin, 0; o != 0 && hops < 8; hops++ {
			f := c.functions[o]
			if s.Function = f.name; f.name != "" {
				break
			}
			o = f.from
		}
		for _, in := range s.inner {
			name(in)
		}
	}
	for _, s := range c.set.scopes {
		name(s)
	}
}

// Contains tells whether an address is in the scope.
func (s *Scope) Contains(addr uint32) bool {
	return slices.ContainsFunc(s.ranges, func(r Range) bool { return r.Contains(addr) })
}

// At returns the scopes at an address, innermost first; the last is the function. Inlined calls are
// among them.
func (v *Variables) At(pc uint32) []*Scope {
	if v == nil {
		return nil
	}
	n := sort.Search(len(v.scopes), func(i int) bool { return v.scopes[i].ranges[0].First > pc })
	for i := n - 1; i >= 0; i-- {
		if !v.scopes[i].Contains(pc) {
			continue
		}
		chain := []*Scope{v.scopes[i]}
		for s := v.scopes[i]; s != nil; {
			var next *Scope
			for _, in := range s.inner {
				if in.Contains(pc) {
					next = in
					break
				}
			}
			if s = next; s != nil {
				chain = append([]*Scope{s}, chain...)
			}
		}
		return chain
	}
	return nil
}

// Entries returns the addresses where a function begins: its own code, and each place where it was
// inlined.
func (v *Variables) Entries(function string) (own, inlined []uint32) {
	if v == nil || function == "" {
		return nil, nil
	}
	var visit func(s *Scope)
	visit = func(s *Scope) {
		if s.Function == function {
			if s.Inlined {
				inlined = append(inlined, s.entry)
			} else {
				own = append(own, s.entry)
			}
		}
		for _, in := range s.inner {
			visit(in)
		}
	}
	for _, s := range v.scopes {
		visit(s)
	}
	return own, inlined
}

// Global finds the variable outside functions to which a name refers in code at pc: that of the
// same source file, else one that other files see, else any.
func (v *Variables) Global(name string, pc uint32) (*Variable, bool) {
	if v == nil || len(v.globals[name]) == 0 {
		return nil, false
	}
	unit, best := v.unitAt(pc), v.globals[name][0]
	for _, g := range v.globals[name] {
		if g.unit == unit {
			return g, true
		}
		if g.public && !best.public {
			best = g
		}
	}
	return best, true
}

// GlobalIn finds a variable outside functions of a source file, which is named by its path or the end
// of that.
func (v *Variables) GlobalIn(name, file string) (*Variable, bool) {
	if v == nil {
		return nil, false
	}
	for _, g := range v.globals[name] {
		if unit := v.units[g.unit]; unit == file || strings.HasSuffix(unit, "/"+file) {
			return g, true
		}
	}
	return nil, false
}

// unitAt returns the unit whose code is at an address, -1 when none is known.
func (v *Variables) unitAt(pc uint32) int {
	if chain := v.At(pc); len(chain) > 0 {
		return chain[len(chain)-1].unit
	}
	return -1
}

// Globals returns the names of all variables outside functions, sorted.
func (v *Variables) Globals() []string {
	if v == nil {
		return nil
	}
	var names []string
	for name := range v.globals {
		if name != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Function returns the type of a function that is known in the source file whose code is at pc; nil when
// it is unknown.
func (v *Variables) Function(name string, pc uint32) *Type {
	if v == nil {
		return nil
	}
	off, ok := v.functions[functionOf{unit: v.unitAt(pc), name: name}]
	if !ok {
		return nil
	}
	return v.types.at(off)
}

// TypeByName finds a structure ("struct s" or "s"), typedef or base type.
func (v *Variables) TypeByName(name string) (*Type, bool) {
	if v == nil {
		return nil, false
	}
	off, ok := v.types.named[name]
	if !ok {
		return nil, false
	}
	return v.types.at(off), true
}

// TypeNames returns the names of structures, enumerations, typedefs and base types, sorted.
func (v *Variables) TypeNames() []string {
	if v == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(v.types.named))
}
