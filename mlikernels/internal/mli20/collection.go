package mli20

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// tree has the assembly sources and their includes.
//
//go:embed */*.s */*.inc
var tree embed.FS

// row describes how all functions of one operator are called, where their source is and which cases test them.
// The operator itself, with its types, is the golden model's.
type row struct {
	family string
	args   []mli.Argument
	config *mli.Configuration // what the configuration argument points to
	source source
	// special are the specialised names of each function: their endings, and their demands on the call.
	special []special
	grid    func(*function) []point
	// gates are the rows of weights per output of a recurrent cell, else 0.
	gates int
	// whole are the tensors that must not have holes.
	whole []string
	// products counts the multiply-accumulates of a call; nil without weights.
	products func(*nn.Call) uint64
	// rewrites: the function fills in more of the output's structure than the format.
	rewrites bool
}

// source says what the sources of an operator's functions are made of.
type source struct {
	title string
	equ   []string // symbols the body looks at: "NAME,value"
	body  string   // include
	// symbols are further symbols, which depend on the function.
	symbols func(*golden.MLI20Function) []string
}

// special is a specialised name: another entry of the function with a macro in front, which refuses calls the name
// does not promise.
type special struct {
	suffix string
	macro  string // with its operands
}

// function is a function of the library: its row, its types and its kernel.
type function struct {
	*row
	*golden.MLI20Function
	kernel *kernel.Kernel
}

// rows joins the lists of all topics.
func rows() []row {
	return slices.Concat(weightedRows(), poolRows(), elementwiseRows(), tableRows(), moveRows())
}

// functions joins the rows with the operators of the golden model. A row without an operator is a fault of the
// program.
var functions = sync.OnceValue(func() []*function {
	byFamily, used := map[string]*row{}, map[string]bool{}
	for _, r := range rows() {
		if byFamily[r.family] != nil {
			panic("mlikernels/internal/mli20: two rows for " + r.family)
		}
		byFamily[r.family] = &r
	}
	var all []*function
	for _, f := range golden.MLI20Functions() {
		r, ok := byFamily[f.Family]
		if !ok {
			continue
		}
		used[f.Family] = true
		all = append(all, newFunction(r, f))
	}
	if len(used) != len(byFamily) {
		panic("mlikernels/internal/mli20: a row without an operator")
	}
	slices.SortFunc(all, func(a, b *function) int { return strings.Compare(a.Name, b.Name) })
	return all
})

func newFunction(r *row, g *golden.MLI20Function) *function {
	f := &function{row: r, MLI20Function: g}
	k := &kernel.Kernel{
		Symbol:   g.Name,
		Source:   kernel.Source{File: path.Join(g.Family, g.Name+".s"), Text: r.source.text(f)},
		Computes: []*nn.Operator{g.Operator},
		Fits:     fits,
		ABI:      abi{row: r, function: g},
		Operator: g.Family,
		Types:    typeColumn(g),
		Unit:     kernel.Element,
		Grid:     f.points,
	}
	for _, s := range r.special {
		k.Aliases = append(k.Aliases, g.Name+s.suffix)
	}
	for _, a := range r.args {
		k.Arguments = append(k.Arguments, a.Label())
	}
	if r.config == mli.Pool {
		k.Unit, k.Taps = kernel.Output, mli.PoolTaps(false)
	}
	if r.products != nil {
		k.AccBits, k.Unit, k.Products = g.AccBits, kernel.MAC, r.products
	}
	f.kernel = k
	f.addLayers()
	return f
}

// fits refuses calls of the other build of the library.
func fits(c *nn.Call) error {
	if c.Attrs.Bool("full_accumulator") {
		return fmt.Errorf("the full accumulator: these kernels have that of builds for EM cores")
	}
	return nil
}

// typeColumn is the column of a function in lists.
func typeColumn(g *golden.MLI20Function) string {
	switch {
	case g.Suffix == "":
		return "any"
	case g.Data.Affine():
		return g.Data.String()
	}
	return g.Suffix
}

// typeTitles say what a column stands for.
var typeTitles = map[string]string{
	"fx8":          "8-bit",
	"fx16":         "16-bit",
	"fx16_fx8_fx8": "16-bit data, 8-bit weights and bias",
	"sa8":          "8-bit affine",
	"any":          "all types",
}

// typeIncludes are the includes with the symbols of each combination.
var typeIncludes = map[string]string{"fx8": "fx8.inc", "fx16": "fx16.inc", "fx16_fx8_fx8": "fx8w16d.inc", "sa8": "sa8.inc"}

// text is the source of a function: the includes of its types and of its body, and its names.
func (s source) text(f *function) string {
	var b strings.Builder
	column := typeColumn(f.MLI20Function)
	equ := s.equ
	if s.symbols != nil {
		equ = slices.Concat(equ, s.symbols(f.MLI20Function))
	}
	b.WriteString(mli.Body{Title: s.title, Types: typeTitles[column], Include: typeIncludes[column], Symbols: equ, Name: f.Name, File: s.body}.Source())
	for _, sp := range f.special {
		b.WriteString(mli.Function(f.Name+sp.suffix, fmt.Sprintf("\t%s\n\tb\t%s\n", sp.macro, f.Name)))
	}
	return b.String()
}

// Collection is the library.
var Collection = sync.OnceValue(func() *kernel.Collection {
	c := kernel.Collection{
		Name:        string(nn.MLI20),
		Title:       "MLI 2.0",
		Prefix:      "mli_krn_",
		Qualifier:   "mli20:",
		Tree:        tree,
		Include:     []string{"shared"},
		Texts:       mli.Texts(layoutText(), sampleIncludes()),
		Types:       []string{"fx8", "fx16", "fx16_fx8_fx8", "sa8", "any"},
		Roundings:   []nn.Rounding{nn.Convergent, nn.Up},
		BuildRounds: true,
		Symbols:     "MLI",
		Archives:    map[string]nn.Rounding{"libmli2_arcv2.a": nn.Convergent, "libmli2_arcv2_up.a": nn.Up},
		Headers:     headers,
	}
	for _, f := range functions() {
		c.Kernels = append(c.Kernels, f.kernel)
	}
	return kernel.NewCollection(c)
})
