package semantics_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/isa"
)

const tableMarker = "<!-- The rest is generated: go generate ./cpu/internal/semantics -->\n"

// topics are the headings of the table, by the file that defines the functions.
var topics = []struct{ file, title string }{
	{"mac.go", "Integer multiply-accumulate, dual and two-lane"},
	{"dsp_acc.go", "Accumulator control"},
	{"dsp_lanes.go", "Fractional two-lane multiply"},
	{"dsp_dot.go", "Fractional dot products"},
	{"dsp_frac32.go", "Fractional 32 x 32"},
	{"dsp_frac16.go", "32 x 16"},
	{"dsp_complex.go", "Complex"},
	{"dsp_scalar.go", "Scalar saturation, rounding, division, square root"},
	{"sat.go", "Scalar saturating arithmetic"},
	{"dsp_vec.go", "Vector"},
	{"dsp_pack.go", "Pack and unpack"},
	{"mul.go", "Plain multiply"},
	{"mac_hs.go", "Dual 32 x 16 and quad 16 x 16 (HS)"},
	{"vec_hs.go", "64-bit vector (HS)"},
	{"", "Executed by the processor itself, or not modelled"},
}

var deviation = regexp.MustCompile(`DEVIATION\((\d+)\)`)

// origin is where a function is defined and which decisions apply to it: those of its own comment
// and of the comment that introduces its file.
type origin struct {
	file      string
	decisions []int
}

func origins(t *testing.T) map[string]origin {
	t.Helper()
	numbers := func(text string) (list []int) {
		for _, m := range deviation.FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(m[1])
			require.NoError(t, err)
			list = append(list, n)
		}
		return list
	}
	all := map[string]origin{}
	for path, file := range sources() {
		first := token.Pos(1 << 30)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				first = min(first, f.Pos())
				if f.Doc != nil {
					first = min(first, f.Doc.Pos())
				}
			}
		}
		var common []int
		for _, group := range file.Comments {
			if group.Pos() < first {
				common = append(common, numbers(group.Text())...)
			}
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				o := origin{file: path, decisions: slices.Clone(common)}
				if f.Doc != nil {
					o.decisions = append(o.decisions, numbers(f.Doc.Text())...)
				}
				all[strings.ToLower(f.Name.Name)] = o
			}
		}
	}
	return all
}

// dspOptions are the options that bring the instructions of the table.
const dspOptions = isa.AllMPY | isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.AGU | isa.DivRem

func confidence(c isa.Confidence) string {
	return map[isa.Confidence]string{
		isa.Certain: "certain", isa.Proved: "proved", isa.ByRule: "by rule", isa.Assumed: "assumed",
	}[c]
}

// renderTable returns the generated part of docs/dsp.md.
func renderTable(t *testing.T) string {
	t.Helper()
	count := 0
	from := origins(t)
	byFile := map[string][]*isa.Row{}
	tally := map[isa.Confidence]int{}
	for _, row := range isa.Rows() {
		if row.Needs&dspOptions == 0 {
			continue
		}
		file := ""
		if row.Model() == isa.Pure || from[row.Name].file != "" {
			file = from[strings.TrimSuffix(row.Name, "_s")].file
		}
		byFile[file] = append(byFile[file], row)
		tally[row.Confidence]++
		count++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d instructions: %d proved by running vendor-compiled code, %d certain from open sources, %d by rule, %d assumed.\n",
		count, tally[isa.Proved], tally[isa.Certain], tally[isa.ByRule], tally[isa.Assumed])
	listed := 0
	for _, topic := range topics {
		fmt.Fprintf(&b, "\n### %s\n\n| instruction | meaning | flags | accumulator | confidence | source | decisions |\n|---|---|---|---|---|---|---|\n", topic.title)
		for _, row := range byFile[topic.file] {
			listed++
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", row.Name, cell(row.Meaning),
				flagLetters(row), accumulator(row), confidence(row.Confidence), row.Source, decisions(row, from))
		}
	}
	require.Equal(t, count, listed, "a file of functions is missing from topics")
	return b.String()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func flagLetters(row *isa.Row) string {
	var s string
	for _, f := range []struct {
		bit  isa.FlagSet
		name string
	}{{isa.FlagZ, "Z"}, {isa.FlagN, "N"}, {isa.FlagC, "C"}, {isa.FlagV, "V"}} {
		if row.WritesFlags&f.bit != 0 {
			s += f.name
		}
	}
	return s
}

func accumulator(row *isa.Row) string {
	part := map[isa.AccSet]string{isa.AccLo: "lo", isa.AccHi: "hi", isa.AccWide: "lo, hi"}
	if wide := strings.Contains(row.Meaning, "acc ") && !strings.Contains(row.Meaning, "lanes"); wide {
		part[isa.AccWide] = "wide"
	}
	switch {
	case row.ReadsAcc != 0 && row.WritesAcc != 0:
		return "updates " + part[row.WritesAcc]
	case row.WritesAcc != 0:
		return "sets " + part[row.WritesAcc]
	case row.ReadsAcc != 0:
		return "reads"
	}
	return ""
}

func decisions(row *isa.Row, from map[string]origin) string {
	list := slices.Clone(from[strings.TrimSuffix(row.Name, "_s")].decisions)
	if n, ok := strings.CutPrefix(row.Source, "decision "); ok {
		if k, err := strconv.Atoi(n); err == nil {
			list = append(list, k)
		}
	}
	slices.Sort(list)
	var words []string
	for _, n := range slices.Compact(list) {
		words = append(words, strconv.Itoa(n))
	}
	return strings.Join(words, ", ")
}

// TestDocIsFresh holds the table of docs/dsp.md against rows and functions; -update rewrites it.
func TestDocIsFresh(t *testing.T) {
	goldenfile.Section(t, "../../../docs/dsp.md", tableMarker, "", renderTable(t))
}
