package regress

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/internal/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// Entry is a kernel with where it runs and how.
type Entry struct {
	Kernel  *mlikernels.Kernel
	Type    string            // "fx8", "fx16", "fx8w16d", "sa8"
	Version map[string]string // by core: "AGU", "load", "" when there is none
	Points  int               // of its grid
}

// types are the combinations of element types, in the order of the matrix.
var types = []string{"fx8", "fx16", "fx8w16d", "sa8"}

// typeOf is the column of a kernel.
func typeOf(k *mlikernels.Kernel) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(k.Symbol, "mli_krn_"), k.Family+"_")
	return strings.TrimSuffix(rest, "_sa8_sa32")
}

// Catalog lists all kernels with the cores they are there for; that is found out by assembling.
func Catalog() ([]Entry, error) {
	cores := dspCores()
	libs, err := build(mlikernels.Sources, cores, []golden.Rounding{golden.Convergent})
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, k := range mlikernels.Kernels() {
		e := Entry{Kernel: k, Type: typeOf(k), Version: map[string]string{}, Points: len(k.Grid())}
		for _, core := range cores {
			switch lib := libs[variant(core, golden.Convergent)]; {
			case lib.Entry(k.Symbol) == 0:
			case mlikernels.HasAGU(core) && !slices.Equal(code(lib, k), code(libs[mlikernels.Variant{}], k)):
				e.Version[core] = "AGU"
			default:
				e.Version[core] = "load"
			}
		}
		all = append(all, e)
	}
	return all, nil
}

// code is the object of a kernel, nil when there is none.
func code(lib *mlikernels.Library, k *mlikernels.Kernel) []byte {
	for _, o := range lib.Objects {
		if o.Path == k.Source() {
			return o.Data
		}
	}
	return nil
}

// matrix is operators by types and cores.
func matrix(entries []Entry) *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "operator"}}}
	for _, typ := range types {
		t.Columns = append(t.Columns, report.Column{Name: typ, Min: 11})
	}
	rows := map[string]map[string]string{}
	var order []string
	for _, e := range entries {
		if rows[e.Kernel.Family] == nil {
			rows[e.Kernel.Family] = map[string]string{}
			order = append(order, e.Kernel.Family)
		}
		rows[e.Kernel.Family][e.Type] = e.versions()
	}
	slices.Sort(order)
	for _, family := range order {
		row := []any{family}
		for _, typ := range types {
			cell := rows[family][typ]
			if cell == "" {
				cell = "-"
			}
			row = append(row, cell)
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
	for _, c := range dspCores() {
		if mlikernels.HasAGU(c) {
			with = append(with, c)
		} else {
			without = append(without, c)
		}
	}
	return fmt.Sprintf("AGU: %s use address generation ports; load: %s, and all cores\nwhere it stands alone, use loads and stores.",
		strings.Join(with, " and "), strings.Join(without, " and "))
}

// ListText prints the matrix for people.
func ListText(w io.Writer, entries []Entry) error {
	if err := matrix(entries).Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d kernels. %s\n", len(entries), legend())
	return err
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
		list = append(list, entryJSON{Symbol: e.Kernel.Symbol, Operator: e.Kernel.Family, Type: e.Type,
			Versions: e.Version, Points: e.Points})
	}
	return report.JSON(w, map[string]any{"schema": 1, "kernels": list})
}

// calling is what a caller of the library has to know.
const calling = "## Calling\n\n" +
	"The interface is that of embARC MLI 1.1, declared in mlikernels/include: the C calling convention, structures\n" +
	"of the same layout, a status as the result; nothing is written when it is not MLI_STATUS_OK. `libmli_arcv2.a`\n" +
	"rounds to nearest even, `libmli_arcv2_up.a` rounds ties up.\n\n" +
	"Besides what the convention gives up, a call changes the accumulators, the loop registers and the AGU's.\n" +
	"DSP_CTRL is restored, and gp is the caller's throughout: interrupts may come at any time. MLI_STACK and\n" +
	"MLI_STACK_PATCH in mli_config.h say how much stack a call takes.\n\n" +
	"Tensors lie in any memory, at any multiple of their elements' size. With AGU a call is fastest when inputs are\n" +
	"in X memory, weights and biases in Y and outputs in DCCM, without AGU when tensors begin at word boundaries and\n" +
	"channels that come last fill whole words. An output overlaps no input, but may lie exactly over an input of a\n" +
	"kernel that works element by element.\n\n"

// ListMarkdown writes docs/kernels.md.
func ListMarkdown(w io.Writer, entries []Entry) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "<!-- Generated by go test ./internal/regress -update; do not edit. -->\n\n# Kernels\n\n"+
		"The functions of the kernel library: which there are, how a program calls them, what they were checked on.\n"+
		"`arcsim kernels export --core CORE` writes archives and headers for a C program, benchmarks/cnn is one; `arcsim\n"+
		"kernels show NAME` prints a source with its cycles.\n\n"+calling+"## Operators\n\n")
	if err := matrix(entries).Markdown(b); err != nil {
		return err
	}
	fmt.Fprintf(b, "\n%s\n\n## Functions\n\nArguments are pointers, in this order. MLI sums in accumulators of the given width: sums\n"+
		"that do not fit have no right result. Grid points are checked by `arcsim regress` in both rounding modes on\n"+
		"em9d and em7d.\n\n", legend())
	t := &report.Table{Columns: []report.Column{{Name: "function"}, {Name: "arguments"},
		{Name: "accumulator", Align: report.Right}, {Name: "grid points", Align: report.Right}}}
	for _, e := range entries {
		bits := "-"
		if e.Kernel.MACs() {
			bits = fmt.Sprintf("%d bits", e.Kernel.Golden.AccBits)
		}
		t.Add("`"+e.Kernel.Symbol+"`", arguments(e.Kernel), bits, e.Points)
	}
	if err := t.Markdown(b); err != nil {
		return err
	}
	return b.Flush()
}

// argumentNames are the names of the arguments in the C headers, by role.
var argumentNames = map[string]string{"w": "weights", "b": "bias", "cell_in": "cell"}

func arguments(k *mlikernels.Kernel) string {
	var list []string
	for _, a := range k.Args {
		name := a.Role
		switch a.Kind {
		case mlikernels.ArgConfig:
			name = "cfg"
		case mlikernels.ArgTensors:
			name = "inputs"
		}
		if n := argumentNames[name]; n != "" {
			name = n
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}
