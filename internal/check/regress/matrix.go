package regress

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
)

// Entry is a kernel with where it runs and how.
type Entry struct {
	Kernel  *mlikernels.Kernel
	Version map[string]string // by core: "AGU", "load", "" when there is none
	Points  int               // of its grid
}

// Catalog lists all kernels with the cores they are there for; that is found out by assembling.
func Catalog() ([]Entry, error) {
	cores := mlikernels.Cores()
	libs := newLibraries(nil, []bool{false, true}, allRoundings())
	shown := map[libraryKey]bool{} // of a library in several roundings, one is assembled
	for _, k := range mlikernels.Kernels() {
		shown[libraryKey{of: k.Of}] = true
		for _, agu := range []bool{false, true} {
			shown[keyOf(k.Of, agu, k.Roundings()[0])] = true
		}
	}
	maps.DeleteFunc(libs, func(key libraryKey, _ func() (*mlikernels.Library, error)) bool { return !shown[key] })
	if err := libs.build(); err != nil {
		return nil, err
	}
	var all []Entry
	for _, k := range mlikernels.Kernels() {
		e := Entry{Kernel: k, Version: map[string]string{}, Points: len(k.Grid())}
		plain, err := libs.get(libraryKey{of: k.Of})
		if err != nil {
			return nil, err
		}
		for _, core := range cores {
			lib, err := libs.get(keyOf(k.Of, mlikernels.HasAGU(core), k.Roundings()[0]))
			switch {
			case err != nil:
				return nil, err
			case lib.Entry(k.Symbol) == 0:
			case lib.Variant.AGU:
				e.Version[core] = "AGU"
				if plain == nil {
					continue
				}
				same, err := sameCode(lib, plain, k)
				if err != nil {
					return nil, err
				}
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
	file, err := elf.NewFile(bytes.NewReader(lib.Objects[i].Data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Source.File, err)
	}
	var all []byte
	for _, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", k.Source.File, s.Name, err)
		}
		all = append(all, data...)
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
	for _, c := range mlikernels.Collections() {
		if _, err := fmt.Fprintf(w, "%s\n\n", c.Title); err != nil {
			return err
		}
		if err := matrix(c, entries).Text(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d kernels. %s\n", len(entries), legend())
	return err
}

// ListFunctions prints a line for each function: its name, the short one that commands take as well, and the
// operators it computes.
func ListFunctions(w io.Writer, entries []Entry) error {
	t := &report.Table{Columns: []report.Column{{Name: "function"}, {Name: "short"}, {Name: "computes"}}}
	for _, e := range entries {
		var operators []string
		for _, op := range e.Kernel.Computes {
			operators = append(operators, op.String())
		}
		t.Add(e.Kernel.Name(), e.Kernel.Short(), strings.Join(operators, ", "))
	}
	return t.Text(w)
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

// calling has the conventions of a caller of the library.
const calling = "## Calling MLI 1.1\n\n" +
	"The interface is that of embARC MLI 1.1, declared in mlikernels/internal/mli11/include: the C calling convention,\n" +
	"structures of the same layout, a status as the result. Unless the status is MLI_STATUS_OK, nothing is\n" +
	"written. `libmli_arcv2.a` rounds to nearest even, `libmli_arcv2_up.a` rounds ties up.\n\n" +
	"Beside the registers that the convention gives up, a call changes the accumulators, the loop registers\n" +
	"and the registers of the AGU. DSP_CTRL is restored, and gp is the caller's throughout, so interrupts may\n" +
	"come at any time. MLI_STACK and MLI_STACK_PATCH in mli_config.h state the stack that a call takes.\n\n" +
	"Tensors may lie in any memory, at any multiple of the size of their elements. With AGU a call is fastest\n" +
	"when inputs are in X memory, weights and biases in Y and outputs in DCCM. Without AGU it is fastest when\n" +
	"tensors begin at word boundaries and channels that come last fill whole words. An output must not overlap\n" +
	"an input, but it may lie exactly over an input of a kernel that works element by element.\n\n" +
	"## Calling MLI 2.0\n\n" +
	"The functions of MLI 2.0 have the names of 1.1 and other structures, so a program links one of the two:\n" +
	"`libmli2_arcv2.a` or `libmli2_arcv2_up.a`, with the headers in include/mli2 of the export. arcsim calls\n" +
	"them `mli20:NAME`. The differences:\n\n" +
	"| | MLI 1.1 | MLI 2.0 |\n|---|---|---|\n" +
	"| tensor | 64 bytes; stride 0 stands for the stride without holes | 80 bytes; capacity in the container; strides are always given; a scalar has rank 0 and its value in the structure |\n" +
	"| output | the function fills in shape, strides, type | the caller describes everything; a function that determines the format fills it in |\n" +
	"| layouts | CHW and HWC, weights O first | HWC, weights O last; dilation, groups, transposed convolution |\n" +
	"| padding | on four sides | left and top move the window; right and bottom only bound the output |\n" +
	"| affine scales | 32 bits, one number of fractional bits for a tensor | 16 bits, each with fractional bits of its own |\n" +
	"| affine sums | 32-bit multiplier, rounded once | 16-bit multiplier; the sum loses up to 8 bits before the product and is kept in 16 bits; 16 bits of a bias count |\n" +
	"| fixed-point bias | added first | added last; the results differ only after an overflow |\n" +
	"| recurrent sums | input and state in one accumulator, shifted between the two (16 bits truncate, 8 bits round) | each input rounded by itself, then added with saturation |\n" +
	"| recurrent cells | basic RNN, LSTM; 3 integer bits before activations | rnn_dense, LSTM (10 fractional bits), GRU (11); backward; three roundings for the cell, where 1.1 has two |\n" +
	"| mean pooling | output in the format of the input | any output format, by the same product; affine with an 8-bit mantissa |\n" +
	"| elementwise | operands of one format, except in products | operands are converted to one format, the result to that of the output; affine |\n" +
	"| leaky ReLU | the greater or smaller of x and slope * x; 1.0 in Q.15 is -1.0 | max(0, x) + slope * min(0, x), a 16-bit slope normalized; prelu with slopes along an axis |\n" +
	"| tables | built in, 178 to 181 samples | provided by the caller, 320 to 358 samples, made by mli_krn_*_create_lut |\n" +
	"| softmax | over all elements, which are halved when differences leave the container | over lines along an axis, with differences in 32 bits |\n" +
	"| new | - | l2_normalize, argmax, prelu, GRU, affine everywhere, scratch memory in the configuration |\n" +
	"| gone | - | concat and padding2d (mli_mov), fx8 convolutions, CHW |\n\n" +
	"## Calling arcq\n\n" +
	"A function of arcq takes a pointer to a parameter block. The block is declared with the function in arcq.h,\n" +
	"which `arcsim kernels export` writes beside `libarcq.a`. It holds plain values: pointers to elements,\n" +
	"extents, prepared numbers. The result is 0 or an error code; after an error nothing is written.\n\n"

// ListMarkdown writes docs/kernels.md.
func ListMarkdown(w io.Writer, entries []Entry) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "<!-- Generated by go test ./internal/check/regress -update; do not edit. -->\n\n# Kernels\n\n"+
		"This page lists the functions of the kernel library, the way a program calls them, and the number of grid\n"+
		"points that they are checked on.\n\n"+
		"`arcsim kernels export --core CORE` writes archives and headers for a C program; benchmarks/cnn and\n"+
		"benchmarks/cifar10 are two such programs. `arcsim kernels show NAME` prints a source with its cycles.\n\n"+calling+"## Operators\n\n")
	for _, c := range mlikernels.Collections() {
		fmt.Fprintf(b, "### %s\n\n", c.Title)
		if err := matrix(c, entries).Markdown(b); err != nil {
			return err
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintf(b, "%s\n\n## Functions\n\nArguments are pointers, in this order. MLI sums in accumulators of the given width; a sum that\n"+
		"does not fit has no defined result. `arcsim regress` checks the grid points in every rounding mode on em9d\n"+
		"and em7d.\n\n", legend())
	t := &report.Table{Columns: []report.Column{{Name: "function"}, {Name: "arguments"},
		{Name: "accumulator", Align: report.Right}, {Name: "grid points", Align: report.Right}}}
	for _, e := range entries {
		bits := "-"
		if e.Kernel.AccBits != 0 {
			bits = fmt.Sprintf("%d bits", e.Kernel.AccBits)
		}
		t.Add("`"+e.Kernel.Name()+"`", strings.Join(e.Kernel.Arguments, ", "), bits, e.Points)
	}
	if err := t.Markdown(b); err != nil {
		return err
	}
	return b.Flush()
}
