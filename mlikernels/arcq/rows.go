package arcq

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// row is one kernel of the library.
type row struct {
	symbol   string // "arcq_clamp_s8"
	doc      string // one line about its result
	operator string // in lists
	types    string // in lists, one of typeColumns
	body     string // include with the code, in the folder of its name up to the first dot
	equ      []string
	params   *cstruct.Struct
	walks    int               // tensors of the walk in params or in records, 0 for none
	records  *cstruct.Struct   // what params points to, nil when that is elements
	tables   []*cstruct.Struct // further records that params points to
	computes []*nn.Operator
	// fits says why the kernel cannot take a legal call; nil when it takes all.
	fits func(*nn.Call) error
	// fill places the tensors of a call and fills the parameter block in.
	fill func(*params, *nn.Call)
	// work counts the multiply-accumulates of a call; nil for kernels without.
	work    func(*nn.Call) uint64
	accBits int
	rounds  []nn.Rounding // that it tells apart; nil when it rounds nothing
	grid    func(g *grid)
}

// rows lists the kernels. Each operator has a file of its own with its rows.
func rows() []row {
	return slices.Concat(
		products(), // before convolutions: windows of one cell are products
		convolutions(),
		generalConvolutions(),
		matrixProducts(),
		svdfs(),
		recurrent(),
		signals(),
		clamps(),
		pairs(),
		softmaxes(),
		normalizations(),
		quotients(),
		bilinears(),
		unaries(),
		pickers(),
		reductions(),
		rescales(),
		tables(),
		moves(),
		pools(),
		gemms(),
	)
}

// walk is the structure of the walk, nil for none.
func (r row) walk() *cstruct.Struct { return walkStructs[r.walks] }

// operator finds an operator of a library. One that is not there is a fault of the program.
func operator(lib nn.Library, name string) *nn.Operator {
	op, ok := golden.Operators().Lookup(lib, name)
	if !ok {
		panic(fmt.Sprintf("mlikernels/arcq: there is no %s of %s", name, lib))
	}
	return op
}

// source is the text of a kernel: symbols and the include with its code, under its name.
func (r row) source() kernel.Source {
	folder, _, _ := strings.Cut(r.body, ".")
	var b strings.Builder
	fmt.Fprintf(&b, "; %s: %s.\n\n", r.symbol, r.doc)
	for _, e := range r.equ {
		fmt.Fprintf(&b, "\t.equ\t%s\n", e)
	}
	fmt.Fprintf(&b, "\t.text\n\t.align\t4\n\t.global\t%[1]s\n\t.type\t%[1]s,@function\n%[1]s:\n\t.include \"%[2]s\"\n\t.size\t%[1]s,.-%[1]s\n",
		r.symbol, r.body)
	return kernel.Source{File: path.Join(folder, r.symbol+".s"), Text: b.String()}
}

func (r row) kernel() *kernel.Kernel {
	k := &kernel.Kernel{
		Symbol: r.symbol, Source: r.source(), Computes: r.computes, Fits: r.fits, ABI: abi{row: r},
		Operator: r.operator, Types: r.types, Arguments: []string{"params"}, AccBits: r.accBits, Unit: kernel.Element,
		Rounds: r.rounds, InPlace: r.inPlace(),
	}
	if k.Rounds == nil {
		k.Rounds = []nn.Rounding{nn.Double}
	}
	if r.work != nil {
		k.Unit, k.Work = kernel.MAC, r.work
	}
	k.Grid = func() []kernel.Point {
		g := &grid{row: r}
		r.grid(g)
		return g.points
	}
	return k
}
