package regress

import (
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// Entry is a kernel with where it runs and how.
type Entry struct {
	Kernel  *mlikernels.Kernel
	Version map[string]string // by core: "AGU", "load", "" when there is none
	Points  int               // of its grid
}

// Catalog lists all kernels with the cores they are there for; that is found out by assembling.
func Catalog() (_ []Entry, err error) {
	defer steps.Return(&err)
	cores := mlikernels.Cores()
	libs := newLibraries(nil, []mlikernels.AGU{mlikernels.NoAGU, mlikernels.LargeAGU}, allRoundings(), nil)
	shown := map[libraryKey]bool{} // of a library in several roundings, one is assembled
	for _, k := range mlikernels.Kernels() {
		shown[libraryKey{of: k.Of}] = true
		for _, agu := range []mlikernels.AGU{mlikernels.NoAGU, mlikernels.LargeAGU} {
			shown[keyOf(k.Of, agu, k.Roundings()[0])] = true
		}
	}
	maps.DeleteFunc(libs, func(key libraryKey, _ func() (*mlikernels.Library, error)) bool { return !shown[key] })
	steps.Check(libs.build())
	var all []Entry
	for _, k := range mlikernels.Kernels() {
		e := Entry{Kernel: k, Version: map[string]string{}, Points: len(k.Grid())}
		plain := steps.Must(libs.get(libraryKey{of: k.Of}))
		for _, core := range cores {
			lib, err := libs.get(keyOf(k.Of, mlikernels.AGUOf(core), k.Roundings()[0]))
			switch {
			case err != nil:
				return nil, err
			case lib.Entry(k.Symbol) == 0:
			case lib.Variant.AGU != mlikernels.NoAGU:
				e.Version[core] = "AGU"
				if plain == nil {
					continue
				}
				same := steps.Must(sameCode(lib, plain, k))
				if same {
					e.Version[core] = "load"
				}
			default:
				e.Version[core] = "load"
			}
		}
		all = append(all, e)
	}
	return all, nil
}

// sameCode reports whether a kernel is the same in two variants of its library. Their objects differ at least in the
// symbols that tell the variants apart.
func sameCode(a, b *mlikernels.Library, k *mlikernels.Kernel) (bool, error) {
	one, err := code(a, k)
	if err != nil {
		return false, err
	}
	other, err := code(b, k)
	return bytes.Equal(one, other), err
}

// code is the part of a kernel's object that lies in memory.
func code(lib *mlikernels.Library, k *mlikernels.Kernel) ([]byte, error) {
	i := slices.IndexFunc(lib.Objects, func(o mlikernels.Object) bool { return o.Path == k.Source.File })
	if i < 0 {
		return nil, fmt.Errorf("%s: the library has no object of it", k.Name())
	}
	file, err := elfarc.Read(lib.Objects[i].Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Source.File, err)
	}
	var all []byte
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 {
			all = append(all, s.Data...)
		}
	}
	return all, nil
}

// matrix is the operators of a library by types.
func matrix(c *mlikernels.Collection, entries []Entry) *report.Table {
	var operators []string
	rows := map[string]map[string]string{}
	for _, e := range entries {
		k := e.Kernel
		if k.Of != c {
			continue
		}
		if rows[k.Operator] == nil {
			rows[k.Operator] = map[string]string{}
			operators = append(operators, k.Operator)
		}
		rows[k.Operator][k.Types] = e.versions()
	}
	slices.Sort(operators)
	t := &report.Table{Columns: []report.Column{{Name: "operator"}}}
	for _, typ := range c.Types {
		t.Columns = append(t.Columns, report.Column{Name: typ, Min: 11})
	}
	for _, operator := range operators {
		row := []any{operator}
		for _, typ := range c.Types {
			row = append(row, cmp.Or(rows[operator][typ], "-"))
		}
		t.Add(row...)
	}
	return t
}

// versions names the versions of a kernel over all cores.
func (e Entry) versions() string {
	found := map[string]bool{}
	for _, v := range e.Version {
		found[v] = true
	}
	switch {
	case found["AGU"] && found["load"]:
		return "AGU, load"
	case found["AGU"]:
		return "AGU"
	case found["load"]:
		return "load"
	}
	return "missing"
}

// legend explains the matrix.
func legend() string {
	var with, without []string
	for _, c := range mlikernels.Cores() {
		if mlikernels.AGUOf(c) != mlikernels.NoAGU {
			with = append(with, c)
		} else {
			without = append(without, c)
		}
	}
	return fmt.Sprintf("AGU: %s use address generation ports; load: %s, and all cores\nwhere it stands alone, use loads and stores.",
		strings.Join(with, " and "), strings.Join(without, " and "))
}

// ListText prints the matrix for people.
func ListText(w io.Writer, entries []Entry) (err error) {
	defer steps.Return(&err)
	for _, c := range mlikernels.Collections() {
		steps.Must(fmt.Fprintf(w, "%s\n\n", c.Title))
		steps.Check(matrix(c, entries).Text(w))
		steps.Must(fmt.Fprintln(w))
	}
	_, err = fmt.Fprintf(w, "%d kernels. %s\n", len(entries), legend())
	return err
}

// ListFunctions prints a line for each function: its name, the short one that commands take as well, and the
// operators it computes.
func ListFunctions(w io.Writer) error {
	t := &report.Table{Columns: []report.Column{{Name: "function"}, {Name: "short"}, {Name: "computes"}}}
	for _, k := range mlikernels.Kernels() {
		t.Add(k.Name(), k.Short(), strings.Join(computed(k), ", "))
	}
	return t.Text(w)
}

// FunctionsJSON writes the functions for other programs. Nothing is assembled for it.
func FunctionsJSON(w io.Writer) error {
	type entry struct {
		Symbol   string   `json:"symbol"`
		Short    string   `json:"short"`
		Library  string   `json:"library"`
		Computes []string `json:"computes"`
	}
	list := []entry{}
	for _, k := range mlikernels.Kernels() {
		list = append(list, entry{Symbol: k.Name(), Short: k.Short(), Library: k.Of.Name, Computes: computed(k)})
	}
	return report.JSON(w, map[string]any{"schema": 1, "functions": list})
}

// computed names the operators that a kernel computes.
func computed(k *mlikernels.Kernel) []string {
	operators := make([]string, len(k.Computes))
	for i, op := range k.Computes {
		operators[i] = op.String()
	}
	return operators
}

// CaseNames are the cases of a kernel, its typical one first, then its layers and its grid.
func CaseNames(k *mlikernels.Kernel) []string {
	names := []string{k.Typical().Name}
	for _, c := range slices.Concat(k.Layers, k.Grid()) {
		if c.Name != names[0] {
			names = append(names, c.Name)
		}
	}
	return names
}

// CasesJSON writes the names of the cases for other programs.
func CasesJSON(w io.Writer, k *mlikernels.Kernel) error {
	return report.JSON(w, map[string]any{"schema": 1, "kernel": k.Name(), "cases": CaseNames(k)})
}

// entryJSON is an entry of kernels list --json.
type entryJSON struct {
	Symbol   string            `json:"symbol"`
	Operator string            `json:"operator"`
	Type     string            `json:"type"`
	Versions map[string]string `json:"versions"`
	Points   int               `json:"grid_points"`
}

// ListJSON writes the kernels for other programs.
func ListJSON(w io.Writer, entries []Entry) error {
	list := []entryJSON{}
	for _, e := range entries {
		list = append(list, entryJSON{Symbol: e.Kernel.Name(), Operator: e.Kernel.Operator, Type: e.Kernel.Types,
			Versions: e.Version, Points: e.Points})
	}
	return report.JSON(w, map[string]any{"schema": 1, "kernels": list})
}
