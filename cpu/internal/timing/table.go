package timing

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Number is one number of a core's table, or a list of them indexed by an option.
type Number struct {
	Name       string
	Core       string // the table that states it
	Value      uint8
	Table      []uint8
	Source     string
	Confidence string // documented, compiler or assumed
}

// at returns the entry of a list for an option value.
func (n Number) at(option uint8) (uint8, error) {
	if int(option) >= len(n.Table) {
		return 0, fmt.Errorf("has no entry for option value %d", option)
	}
	return n.Table[option], nil
}

// Table is the timing table of one core, inherited numbers included.
type Table struct {
	Core        string
	About       string
	Provisional bool
	Numbers     map[string]Number
}

// statement is a file of tables, as generated Go.
type statement struct {
	core, inherits string
	about          string
	provisional    bool
	numbers        []Number
}

// Cores returns the names of the cores that have a table.
func Cores() []string {
	var names []string
	for _, s := range stated {
		if s.core != family {
			names = append(names, s.core)
		}
	}
	return names
}

// family is the table that the EM cores share; it is no core.
const family = "em"

// ReadTable returns the table of a core. All callers share it; none changes it.
func ReadTable(core string) (*Table, error) {
	if !slices.Contains(Cores(), core) {
		return nil, fmt.Errorf("no timing table for core %q (known: %s)", core, strings.Join(Cores(), ", "))
	}
	return readTable(core), nil
}

// known holds the tables that have been read, by name: every new machine asks for one.
var known sync.Map

// readTable puts the numbers of a table and of those that it inherits together.
func readTable(core string) *Table {
	if t, ok := known.Load(core); ok {
		return t.(*Table)
	}
	i := slices.IndexFunc(stated, func(s statement) bool { return s.core == core })
	s := stated[i]
	t := &Table{Core: core, About: s.about, Provisional: s.provisional, Numbers: map[string]Number{}}
	if s.inherits != "" {
		for _, n := range readTable(s.inherits).Numbers {
			t.Numbers[n.Name] = n
		}
	}
	for _, n := range s.numbers {
		t.Numbers[n.Name] = n
	}
	known.Store(core, t)
	return t
}

// reader takes numbers out of a table by name and remembers what went wrong.
type reader struct {
	t    *Table
	used map[string]bool
	errs []error
}

func (r *reader) number(name string) Number {
	n, ok := r.t.Numbers[name]
	if !ok {
		r.errs = append(r.errs, fmt.Errorf("timing table of %s: %s is missing", r.t.Core, name))
	}
	r.used[name] = true
	return n
}

func (r *reader) value(name string) uint8 { return r.number(name).Value }

func (r *reader) choose(name string, option uint8) uint8 {
	v, err := r.number(name).at(option)
	if err != nil {
		r.errs = append(r.errs, fmt.Errorf("timing table of %s: %s %w", r.t.Core, name, err))
	}
	return v
}

func (r *reader) err() error {
	for name := range r.t.Numbers {
		if !r.used[name] {
			r.errs = append(r.errs, fmt.Errorf("timing table of %s: unknown number %s", r.t.Core, name))
		}
	}
	return errors.Join(r.errs...)
}
