package timing

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed tables/*.toml
var tables embed.FS

// Number is one number of a core's table, or a list of them indexed by an option.
type Number struct {
	Value      uint8   `toml:"value"`
	Table      []uint8 `toml:"table"`
	Source     string  `toml:"source"`
	Confidence string  `toml:"confidence"` // documented, compiler or assumed

	Core string `toml:"-"` // the table that states it
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

type header struct {
	Name        string `toml:"name"`
	Inherits    string `toml:"inherits"`
	About       string `toml:"about"`
	Provisional bool   `toml:"provisional"`
}

// Cores returns the names of the cores that have a table.
func Cores() []string {
	entries, err := fs.ReadDir(tables, "tables")
	if err != nil {
		panic(err) // embedded
	}
	var names []string
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".toml"); name != family {
			names = append(names, name)
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
	return readTable(core)
}

// known holds the tables that have been read, by name: every new machine asks for one.
var known sync.Map

func readTable(core string) (*Table, error) {
	if t, ok := known.Load(core); ok {
		return t.(*Table), nil
	}
	t, err := parseTable(core)
	if err == nil {
		known.Store(core, t)
	}
	return t, err
}

func parseTable(core string) (*Table, error) {
	file := "tables/" + core + ".toml"
	text, err := tables.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var raw map[string]toml.Primitive
	meta, err := toml.Decode(string(text), &raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var h header
	numbers := map[string]Number{}
	for key, prim := range raw {
		if key == "core" {
			err = meta.PrimitiveDecode(prim, &h)
		} else {
			n := Number{Core: core}
			err = meta.PrimitiveDecode(prim, &n)
			numbers[key] = n
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, key, err)
		}
	}
	if extra := meta.Undecoded(); len(extra) != 0 {
		return nil, fmt.Errorf("%s: unknown key %s", file, extra[0])
	}
	if h.Name != core {
		return nil, fmt.Errorf("%s: names itself %q", file, h.Name)
	}
	t := &Table{Core: core, About: h.About, Provisional: h.Provisional, Numbers: map[string]Number{}}
	if h.Inherits != "" {
		base, err := readTable(h.Inherits)
		if err != nil {
			return nil, err
		}
		maps.Copy(t.Numbers, base.Numbers)
	}
	maps.Copy(t.Numbers, numbers)
	return t, nil
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
