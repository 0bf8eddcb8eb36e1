package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// others are the packages that sources of the tests import: read once.
var others = newImporter(root)

// TestGeneratedFilesAreFresh generates again and compares. It also proves that the order of the
// output does not depend on anything but the sources, and that the generator reads no source of the
// standard library and starts no tool: the second time it can do neither.
func TestGeneratedFilesAreFresh(t *testing.T) {
	files, err := generate(root)
	require.NoError(t, err)
	was := build.Default.GOROOT
	defer func() { build.Default.GOROOT = was }()
	build.Default.GOROOT = t.TempDir()
	t.Setenv("GOROOT", build.Default.GOROOT)
	t.Setenv("PATH", "")
	again, err := generate(root)
	require.NoError(t, err)
	require.Contains(t, files, "../pure_gen.go")
	for name, text := range files {
		require.Equal(t, string(text), string(again[name]))
		have, err := os.ReadFile(filepath.Join(root, "cpu", "fast", name))
		require.NoError(t, err)
		if string(have) != string(text) {
			t.Errorf("cpu/fast/%s is stale: run go generate ./cpu/fast", name)
		}
	}
}

// parse makes sources of one semantics file.
func parse(t *testing.T, text string) *sources {
	t.Helper()
	s, err := load(others)
	require.NoError(t, err)
	clear(s.instructions)
	file, err := parser.ParseFile(s.fset, "sem.go", "package semantics\n"+text, parser.ParseComments)
	require.NoError(t, err)
	_, err = s.check("x/semantics", []*ast.File{file})
	require.NoError(t, err)
	return s
}

// TestRefusals gives the checker one function per rule.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{"return in the middle", "func A(x uint32) (z uint32) {\nif x == 0 {\nreturn 1\n}\nreturn x\n}",
			"sem.go:4:1: A: return in the middle (single exit only)"},
		{"no return", "func A(x uint32) (z uint32) {\nfor {\n}\n}", "sem.go:5:1: A: the last statement must be the return"},
		{"loop", "func A(x uint32) (z uint32) {\nfor z < x {\nz++\n}\nreturn\n}", "sem.go:3:1: A: ForStmt is not allowed"},
		{"switch", "func A(x uint32) (z uint32) {\nswitch x {\n}\nreturn\n}", "sem.go:3:1: A: SwitchStmt is not allowed"},
		{"defer", "func A(x uint32) (z uint32) {\ndefer B()\nreturn\n}\nfunc B() {}", "A: DeferStmt is not allowed"},
		{"closure", "func A(x uint32) (z uint32) {\nf := func() uint32 { return 1 }\nz = f()\nreturn\n}", "FuncLit is not allowed"},
		{"composite", "func A(x uint32) (z uint32) {\nz = [2]uint32{1, 2}[x&1]\nreturn\n}", "IndexExpr is not allowed"},
		{"division", "func A(x, y uint32) (z uint32) {\nz = x / y\nreturn\n}", "sem.go:3:7: A: division by a variable"},
		{"division by a constant is fine", "func A(x, y uint32) (z uint32) {\nz = x / 3\nreturn\n}", ""},
		{"signed shift", "func A(x uint32) (z uint32) {\nn := int32(x)\nz = x << (n & 31)\nreturn\n}", "signed shift count"},
		{"unmasked shift", "func A(x, y uint32) (z uint32) {\nz = x << y\nreturn\n}", "sem.go:3:10: A: shift count is not masked to 32 bits"},
		{"mask too wide", "func A(x, y uint32) (z uint32) {\nz = x << (y & 63)\nreturn\n}", "not masked to 32 bits"},
		{"mask by a variable set once", "func A(x, y uint32) (z uint32) {\nn := y & 31\nz = x << n\nreturn\n}", ""},
		{"mask by subtraction", "func A(x, y uint32) (z uint32) {\nz = x << (31 - y&31)\nreturn\n}", ""},
		{"package variable", "var v uint32\nfunc A(x uint32) (z uint32) {\nz = v\nreturn\n}", "package variable v"},
		{"pointer", "func A(x uint32) (z uint32) {\np := &x\nz = *p\nreturn\n}", "pointers and channels are not allowed"},
		{"recursion", "func A(x uint32) (z uint32) {\nz = b(x)\nreturn\n}\nfunc b(x uint32) (z uint32) {\nz = b(x)\nreturn\n}", "recursive call of b"},
		{"operand without binding", "func A(w uint32) (z uint32) {\nz = w\nreturn\n}", `operand name "w" has no binding`},
		{"operand of another type", "func A(x uint64) (z uint32) {\nz = uint32(x)\nreturn\n}", "operand x has type uint64, the binding is uint32"},
		{"result without binding", "func A(x uint32) (r uint32) {\nr = x\nreturn\n}", `result name "r" has no binding`},
		{"unnamed result", "func A(x uint32) uint32 {\nreturn x\n}", "results must have names"},
		{"foreign function", "import \"arcv2dsp/cpu/internal/fpunit\"\nfunc A(x64, y64, wide uint64) (z uint32) {\n_, z = fpunit.Add(x64, y64, 0, 0)\nreturn\n}", "call of Add"},
		{"no single instruction", "import \"math/bits\"\nfunc A(x uint32) (z uint32) {\nz = bits.Reverse32(x)\nreturn\n}", "bits.Reverse32 is not one instruction"},
		{"left to the reference engine", "// A divides.\n//\n//engine:reference\nfunc A(x, y uint32) (z uint32) {\nreturn x / y\n}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := parse(t, tt.text).checkAll()
			if tt.want == "" {
				require.Empty(t, list)
				return
			}
			require.NotEmpty(t, list)
			require.Contains(t, list.Error(), tt.want)
			require.True(t, strings.HasPrefix(list.Error(), "sem.go:"))
		})
	}
}

// TestReferenceRefusals gives the calls of the reference engine functions that it cannot call.
func TestReferenceRefusals(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"no result", "func ADD(x, y uint32) {\n}", "sem.go:2:1: ADD: no result"},
		{"unnamed result", "func ADD(x, y uint32) uint32 {\nreturn x\n}", `ADD: result name "" has no binding`},
		{"unknown result", "func ADD(x, y uint32) (r uint32) {\nreturn x\n}", `ADD: result name "r" has no binding`},
		{"unknown operand", "func ADD(x, w uint32) (z uint32) {\nreturn x\n}", `ADD: operand name "w" has no binding`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &program{sources: parse(t, tt.text)}
			_, err := p.referenceFile()
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "sem.go:2")
		})
	}
}

// TestExpansion copies a function with calls, shadowing and several results.
func TestExpansion(t *testing.T) {
	s := parse(t, `
const one = 1

func A(x, y uint32) (z, f uint32) {
	v, w := pair(x, y+one)
	if v > w {
		v := max(v, half(w))
		z = v
	} else if half(v) == 2 {
		z = w
	}
	f = half(half(z))
	return
}

func pair(a, b uint32) (c, d uint32) {
	a += b
	return a, b ^ a
}

func half(a uint32) (h uint32) {
	h = a >> 1
	return
}
`)
	require.Empty(t, s.checkAll())
	x := &expander{sources: s}
	results := x.expand(s.instructions["A"], []string{"x", "y"})
	require.Equal(t, []string{"z_1", "f_1"}, results)
	text := x.out.String()
	require.Contains(t, text, "var b_2 uint32 = y + uint32(1)", "argument of pair")
	require.Contains(t, text, "c_2, d_2 = a_2, b_2 ^ a_2")
	require.NotContains(t, text, "pair(")
	require.NotContains(t, text, "half(")
	_, err := formatted([]byte("package p\nfunc f(x, y uint32) {\n" + text + "}\n"))
	require.NoError(t, err)
}

// TestPrune gives the pruner what expansions look like and compares with what somebody would write.
func TestPrune(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"dropped result", "x := c.R[u.b]\nvar z_1 uint32\n_ = z_1\nvar f_1 uint32\n_ = f_1\nz_1, f_1 = x+1, x>>31\nc.R[u.a] = z_1",
			"x := c.R[u.b]\nc.R[u.a] = x + 1\n"},
		{"dropped branch", "x := c.R[u.b]\nvar q_1 uint32\nif x != 0 {\nq_1 = 1\n}\nc.F = x", "x := c.R[u.b]\nc.F = x\n"},
		{"zero value", "x := c.R[u.b]\nvar q_1 uint32\n_ = q_1\nif x != 0 {\nq_1 = 1\n}\nc.F = q_1",
			"x := c.R[u.b]\nvar q_1 uint32\nif x != 0 {\nq_1 = 1\n}\nc.F = q_1\n"},
		{"untyped value", "x := c.R[u.b]\nvar q_1 uint32\nq_1 = 1\nif x != 0 {\nq_1 = x\n}\nc.F = q_1",
			"x := c.R[u.b]\nvar q_1 uint32 = 1\nif x != 0 {\nq_1 = x\n}\nc.F = q_1\n"},
		{"parallel assignment that must stay one", "x := c.R[u.b]\ny := c.R[u.c]\nif x < y {\nx, y = y, x\n}\nc.R[u.a] = x\nc.F = y",
			"x := c.R[u.b]\ny := c.R[u.c]\nif x < y {\nx, y = y, x\n}\nc.R[u.a] = x\nc.F = y\n"},
		{"memory is read where it was", "x := c.R[u.b]\nc.R[u.a] = 0\nc.F = x", "x := c.R[u.b]\nc.R[u.a] = 0\nc.F = x\n"},
		{"what changes does not move", "var a_1 uint32 = c.F\nvar b_1 uint32\nb_1 = a_1 + 1\na_1 = c.Sticky\nc.F = b_1\nc.R[u.a] = a_1",
			"a_1 := c.F\nb_1 := a_1 + 1\na_1 = c.Sticky\nc.F = b_1\nc.R[u.a] = a_1\n"},
		{"half of a call", "var s_1 uint64\nvar c_1 uint64\ns_1, c_1 = bits.Add64(c.A, c.B, 0)\nc.F = s_1",
			"s_1, _ := bits.Add64(c.A, c.B, 0)\nc.F = s_1\n"},
		{"carried by a loop", "lo := c.Lo\nhi := c.Hi\nfor ; n > 0; n-- {\nvar z_1 int64\nz_1 = lo + 1\nlo = z_1\nvar y_1 int64\ny_1 = hi\n}\nc.Lo = lo",
			"lo := c.Lo\nfor ; n > 0; n-- {\nz_1 := lo + 1\nlo = z_1\n}\nc.Lo = lo\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := prune(tt.body)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	_, err := prune("x := (")
	require.ErrorContains(t, err, "body to prune")
}

// TestMissingComparison takes the function of a comparison away.
func TestMissingComparison(t *testing.T) {
	s, err := load(others)
	require.NoError(t, err)
	b, err := loadBodies(others)
	require.NoError(t, err)
	p := &program{sources: s, bodies: b}
	require.NoError(t, new(caseList).comparisons(p))
	delete(s.comparisons, "LT")
	require.EqualError(t, new(caseList).comparisons(p), "cpu/internal/semantics has no function CompareLT")
}
