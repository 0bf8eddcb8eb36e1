package dwarf

import (
	"debug/dwarf"
	"path"
	"slices"
	"sort"
	"strings"
)

// Range is an inclusive range of addresses, so that it can end at the top of the address space.
type Range struct{ First, Last uint32 }

// Contains tells whether an address is in the range.
func (r Range) Contains(addr uint32) bool { return r.First <= addr && addr <= r.Last }

// scope is the code of a function or of an inlined call.
type scope struct {
	name   string
	decl   Position
	call   Position // where an inlined call is
	ranges []Range
	calls  []*scope // inlined directly into this one
	entry  dwarf.Offset

	assembly bool
}

// Function is a function with code of its own.
type Function struct{ *scope }

// Name returns the name of the function.
func (f *Function) Name() string { return f.name }

// Assembly reports whether the function is written in assembly.
func (f *Function) Assembly() bool { return f.assembly }

// Decl returns where the function is declared; Line is 0 when that is unknown.
func (f *Function) Decl() Position { return f.decl }

// Ranges returns the addresses of the function's code.
func (f *Function) Ranges() []Range { return f.ranges }

// Entry returns the lowest address of the first range: where calls go.
func (f *Function) Entry() uint32 { return f.ranges[0].First }

type functionRange struct {
	Range
	function *Function
}

// Frame is one level of the source-level calls at an address.
type Frame struct {
	Function string   // "" when unknown
	At       Position // the position in that function; Line is 0 when unknown
	Inlined  bool     // the function was inlined into the next frame
}

// At returns the row of the line table that an address belongs to.
func (in *Info) At(addr uint32) (Row, bool) {
	n := sort.Search(len(in.rows), func(i int) bool { return in.rows[i].Addr > addr })
	// Rows do not overlap, except where sections that were linked to one address do.
	for i := n - 1; i >= 0 && i >= n-maxOverlap; i-- {
		if r := in.rows[i]; addr <= r.End {
			r.End++ // exclusive for users; 0 at the top of the address space
			return r, true
		}
	}
	return Row{}, false
}

// maxOverlap bounds the search among rows that overlap.
const maxOverlap = 16

// Rows returns the rows of the line table by address. End is exclusive.
func (in *Info) Rows() []Row {
	rows := append([]Row(nil), in.rows...)
	for i := range rows {
		rows[i].End++
	}
	return rows
}

// Files returns the source files that have code, sorted.
func (in *Info) Files() []string { return in.files }

// FindFiles returns the source files that a name means: the same path, or a path that ends with it.
func (in *Info) FindFiles(name string) []string {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	var found []string
	for _, f := range in.files {
		clean := path.Clean(strings.ReplaceAll(f, `\`, "/"))
		if clean == name || strings.HasSuffix(clean, "/"+name) {
			found = append(found, f)
		}
	}
	return found
}

// Addrs returns where to stop for a source line: the first address of each piece of code that the line
// starts, in the files that FindFiles gives. When the line has no code, the next one that has counts;
// actual is that line, 0 when there is none.
func (in *Info) Addrs(file string, line int) (addrs []uint32, actual int) {
	files := in.FindFiles(file)
	from := func(f string) []stop {
		stops := in.stops[f]
		return stops[sort.Search(len(stops), func(i int) bool { return stops[i].line >= line }):]
	}
	for _, f := range files {
		if stops := from(f); len(stops) > 0 && (actual == 0 || stops[0].line < actual) {
			actual = stops[0].line
		}
	}
	for _, f := range files {
		for _, s := range from(f) {
			if s.line != actual {
				break
			}
			addrs = append(addrs, s.addr)
		}
	}
	sort.Slice(addrs, func(i, j int) bool { return addrs[i] < addrs[j] })
	return in.oncePerFunction(addrs), actual
}

// Begins returns how many lines of a file start at an address.
func (in *Info) Begins(file string, addr uint32) int {
	n, last := 0, 0
	for _, s := range in.stops[file] { // by line
		if s.addr == addr && s.line != last {
			n, last = n+1, s.line
		}
	}
	return n
}

// oncePerFunction keeps the first address in each function (and inlined copy): a loop whose head is
// placed twice is one place for the user.
func (in *Info) oncePerFunction(addrs []uint32) []uint32 {
	seen := map[*scope]bool{}
	kept := addrs[:0]
	for _, a := range addrs {
		chain := in.scopes(a)
		if len(chain) > 0 {
			s := chain[len(chain)-1]
			if seen[s] {
				continue
			}
			seen[s] = true
		}
		kept = append(kept, a)
	}
	return kept
}

// Functions returns all functions with code, by address.
func (in *Info) Functions() []*Function { return in.functions }

// Function returns the function whose code an address belongs to, or nil.
func (in *Info) Function(addr uint32) *Function {
	n := sort.Search(len(in.ranges), func(i int) bool { return in.ranges[i].First > addr })
	for i := n - 1; i >= 0 && i >= n-maxOverlap; i-- {
		if in.ranges[i].Contains(addr) {
			return in.ranges[i].function
		}
	}
	return nil
}

// scopes returns the function and the inlined calls at an address, outermost first.
func (in *Info) scopes(addr uint32) []*scope {
	f := in.Function(addr)
	if f == nil {
		return nil
	}
	chain := []*scope{f.scope}
	for s := f.scope; s != nil; {
		var inner *scope
		for _, call := range s.calls {
			if call.contains(addr) {
				inner = call
				break
			}
		}
		if s = inner; s != nil {
			chain = append(chain, s)
		}
	}
	return chain
}

func (s *scope) contains(addr uint32) bool {
	return slices.ContainsFunc(s.ranges, func(r Range) bool { return r.Contains(addr) })
}

// Frames returns the source-level calls at an address, innermost first: the inlined ones and the
// function that has the code. It is empty when nothing is known about the address.
func (in *Info) Frames(addr uint32) []Frame {
	row, ok := in.At(addr)
	chain := in.scopes(addr)
	if len(chain) == 0 {
		if !ok {
			return nil
		}
		return []Frame{{At: row.Position}}
	}
	var frames []Frame
	at := row.Position
	for i := len(chain) - 1; i >= 0; i-- {
		frames = append(frames, Frame{Function: chain[i].name, At: at, Inlined: i > 0})
		at = chain[i].call
	}
	return frames
}
