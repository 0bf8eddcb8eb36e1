package mli11

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// tree has the assembly sources, their includes and the C headers.
//
//go:embed */*.s */*.inc include/*.h
var tree embed.FS

// function is a function of the library: its row, its types and its kernel.
type function struct {
	family
	*golden.MLI11Function
	kernel *kernel.Kernel
}

// functions joins the rows with the operators of the golden model. A row without an operator, or an
// operator without a row, is a fault of the program.
var functions = sync.OnceValue(func() []*function {
	rows, used := families(), map[string]bool{}
	var all []*function
	for _, f := range golden.MLI11Functions() {
		row, ok := rows[f.Family]
		if !ok {
			panic("mlikernels/internal/mli11: no row for " + f.Name)
		}
		used[f.Family] = true
		all = append(all, newFunction(row, f))
	}
	if len(used) != len(rows) {
		panic("mlikernels/internal/mli11: a row without an operator")
	}
	slices.SortFunc(all, func(a, b *function) int { return strings.Compare(a.Name, b.Name) })
	for _, r := range referenceTable {
		r.addTo(all)
	}
	return all
})

func newFunction(row family, g *golden.MLI11Function) *function {
	f := &function{family: row, MLI11Function: g}
	k := &kernel.Kernel{
		Symbol:   g.Name,
		Aliases:  aliases()[g.Name],
		Source:   kernel.Source{File: path.Join(g.Family, g.Name+".s"), Text: row.source.text(g, row.weights())},
		Computes: []*nn.Operator{g.Operator},
		ABI:      abi{family: &f.family, function: g},
		Operator: g.Family,
		Types:    types(g),
		Unit:     kernel.Element,
	}
	for _, a := range row.args {
		k.Arguments = append(k.Arguments, a.Label())
	}
	if row.notation == poolNotation {
		k.Unit, k.Taps = kernel.Output, mli.PoolTaps(row.order.channelsFirst)
	}
	if row.weights() {
		k.AccBits, k.Unit, k.Products = g.AccBits, kernel.MAC, f.products
	}
	k.Grid = f.points
	if row.notation != nil {
		k.Notation = &kernel.Notation{Form: row.notation.Form, Parse: f.parse}
	}
	f.kernel = k
	return f
}

// weights reports whether the operator sums products with weights.
func (f family) weights() bool { return slices.Contains(f.args, mli.Weights) }

// types is the column of a function in lists.
func types(g *golden.MLI11Function) string {
	if g.Data.Affine() {
		return g.Data.String()
	}
	return g.Suffix
}

// typeTitles say what a column stands for, with weights and without.
var typeTitles = map[string][2]string{
	"fx8":     {"8-bit", "8-bit data, weights and bias"},
	"fx16":    {"16-bit", "16-bit data, weights and bias"},
	"fx8w16d": {"", "16-bit data, 8-bit weights and bias"},
	"sa8":     {"8-bit affine", "8-bit affine"},
}

// text is the source of a function: the includes of its types and of its body, and its names.
func (s source) text(g *golden.MLI11Function, weights bool) string {
	title := typeTitles[types(g)][0]
	if weights {
		title = typeTitles[types(g)][1]
	}
	var b strings.Builder
	b.WriteString(mli.Body{Title: s.title, Types: title, Include: types(g) + ".inc", Symbols: s.equ, Name: g.Name, File: s.body}.Source())
	if s.generic {
		fmt.Fprintf(&b, "\tGENERIC\t%s\n", g.Name)
	}
	for _, name := range aliases()[g.Name] {
		fmt.Fprintf(&b, "\tALIAS\t%s,%s\n", name, g.Name)
	}
	for _, t := range s.tables {
		fmt.Fprintf(&b, "\t.include \"%s\"\n", t)
	}
	return b.String()
}

// products counts the multiply-accumulates of a call at every position of a window, padding included.
func (f *function) products(c *nn.Call) uint64 {
	w, b := c.Input("w"), c.Input("b")
	if f.gates == 0 {
		return uint64(c.Out[0].Len() * (w.Len() / b.Len()))
	}
	steps := 1
	if c.Attrs.Int("mode") != 0 {
		steps = c.Input("in").Shape[0]
	}
	return uint64(steps * w.Len())
}

// Collection is the library.
var Collection = sync.OnceValue(func() *kernel.Collection {
	c := kernel.Collection{
		Name:        string(nn.MLI11),
		Title:       "MLI 1.1",
		Prefix:      "mli_krn_",
		Tree:        tree,
		Include:     []string{"shared"},
		Texts:       mli.Texts(layoutText(), nil),
		Types:       referenceTypes[:],
		Roundings:   []nn.Rounding{nn.Convergent, nn.Up},
		BuildRounds: true,
		Symbols:     "MLI",
		Archives:    map[string]nn.Rounding{"libmli_arcv2.a": nn.Convergent, "libmli_arcv2_up.a": nn.Up},
		Headers:     headers,
	}
	for _, f := range functions() {
		c.Kernels = append(c.Kernels, f.kernel)
	}
	return kernel.NewCollection(c)
})

// aliasText has the specialised names of MLI 1.1.
//
//go:embed aliases.tsv
var aliasText string

// aliases are the specialised names of each function.
var aliases = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(aliasText) {
		name, of, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(line, "#") {
			all[of] = append(all[of], name)
		}
	}
	return all
})

// headers are the C headers by name.
func headers() (map[string]string, error) {
	names, err := fs.Glob(tree, "include/*.h")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := tree.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[path.Base(name)] = string(text)
	}
	return files, nil
}
