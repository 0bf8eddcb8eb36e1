package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// parseBodies makes the package of the bodies with text in place of one of its files.
func parseBodies(t *testing.T, text string) *bodies {
	t.Helper()
	b, err := loadBodies(others)
	require.NoError(t, err)
	clear(b.parts)
	require.NoError(t, b.parse("move.go", "move.go", []byte("package body\nimport (\n\"arcv2dsp/cpu\"\n\"arcv2dsp/cpu/internal/uop\"\n)\n"+
		"var _ cpu.CPU\nvar _ uop.Uop\n"+text)))
	require.NoError(t, b.resolve())
	return b
}

// TestBodyRefusals gives the checker one micro-operation per rule.
func TestBodyRefusals(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"fine", "// A: does it\nfunc A(c *cpu.CPU, u *uop.Uop) {\nif c.R[u.B] == 0 {\nc.F = 1\nslow()\n}\nc.R[u.A] = 1\n}", ""},
		{"return in the middle", "// A: does it\nfunc A(c *cpu.CPU) {\nif c.F == 0 {\nreturn\n}\nc.F = 1\n}", "move.go:11:1: A: return in the middle"},
		{"loop", "// A: does it\nfunc A(c *cpu.CPU) {\nfor c.F < 3 {\nc.F++\n}\n}", "move.go:10:1: A: ForStmt is not allowed"},
		{"switch", "// A: does it\nfunc A(c *cpu.CPU) {\nswitch c.F {\n}\n}", "move.go:10:1: A: SwitchStmt is not allowed"},
		{"division", "// A: does it\nfunc A(c *cpu.CPU, u *uop.Uop) {\nc.F = u.Imm / u.X\n}", "move.go:10:13: A: division by a variable"},
		{"unmasked shift", "// A: does it\nfunc A(c *cpu.CPU, u *uop.Uop) {\nc.F = u.Imm << u.X\n}", "move.go:10:16: A: shift count is not masked to 32 bits"},
		{"package variable", "var v uint32\n// A: does it\nfunc A(c *cpu.CPU) {\nc.F = v\n}", "package variable v"},
		{"statements behind what leaves", "// A: does it\nfunc A(c *cpu.CPU) {\nslow()\nc.F = 1\n}", "move.go:10:1: A: statements behind what leaves"},
		{"method", "// A: does it\nfunc A(c *cpu.CPU) {\nc.F = c.Status32()\n}", "move.go:10:7: A: call of something other than a function"},
		{"more than an expression", "// A: does it\nfunc A(c *cpu.CPU, u *uop.Uop) {\nc.F = 1 + a(u)\n}\n" +
			"func a(u *uop.Uop) (v uint32) {\nv = u.X\nv++\nreturn\n}", "move.go:10:11: A: call of a, which is more than an expression, inside of one"},
		{"recursion", "// A: does it\nfunc A(c *cpu.CPU, u *uop.Uop) {\na(u)\n}\nfunc a(u *uop.Uop) {\na(u)\n}", "recursive call of a"},
		{"parameter", "// A: does it\nfunc A(p *cpu.CPU) {\np.F = 1\n}", "move.go:9:8: A: parameter p *cpu.CPU has no binding"},
		{"result", "// A: does it\nfunc A(c *cpu.CPU) (v uint32) {\nreturn c.F\n}", "A: a micro-operation returns nothing or (ex *uop.Edge, nb *uop.Block), not (v uint32)"},
		{"comment", "func A(c *cpu.CPU) {\nc.F = 1\n}", "move.go:8:1: A: the comment does not say what it does"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := parseBodies(t, tt.text).checkBodies()
			if tt.want == "" {
				require.Empty(t, list)
				return
			}
			require.ErrorContains(t, list, tt.want)
		})
	}
}

// TestBodies writes a micro-operation with parts that leave, return several values, and share names with it.
func TestBodies(t *testing.T) {
	b := parseBodies(t, `
// A: does it
//
//leaf:large
func A(c *cpu.CPU, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	v := u.X + 1
	_, w := parts(c, v<<1)
	if t := sum(v, w); t != 0 {
		c.F = t
	} else if v == 2 {
		c.F = w
	} else {
		exitBy(uop.ExitLoop, ex)
	}
	//leaf:unpark
	return way(blk, u.X > 2)
}

func parts(c *cpu.CPU, x uint32) (a, d uint32) {
	v := x &^ 1
	a = v + x
	if a == 0 {
		slow()
	}
	return a, v
}

func sum(x, y uint32) (z uint32) { return x*2 + y }

func way(blk *uop.Block, taken bool) (ex *uop.Edge, nb *uop.Block) {
	ex = &blk.Exits[0]
	if taken {
		ex = &blk.Exits[1]
	}
	return ex, ex.To
}
`)
	require.Empty(t, b.checkBodies())
	p := &program{bodies: b}
	w := p.newWriter()
	w.operation(b.parts["A"])
	require.Equal(t, `v := u.X + 1
x := v<<1
v_2 := x &^ 1
a := v_2 + x
if a == 0 {
goto slow
}
w := v_2
_ = a
if t := (v*2 + w); t != 0 {
c.F = t
} else if v == 2 {
c.F = w
} else {
return uop.ExitLoop, blk, u, ex
}
//unpark
ex = &blk.Exits[0]
if u.X > 2 {
ex = &blk.Exits[1]
}
nb = ex.To
goto next
`, w.out.String())
	require.True(t, b.parts["A"].marked(largeMark))
	require.Equal(t, "does it", b.parts["A"].docText())
}

// TestUnknownFile: a file of bodies that the generator would not read is an error.
func TestUnknownFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "cpu", "internal", "uop", "body"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cpu", "internal", "uop", "body", "other.go"), []byte("package body\n"), 0o644))
	_, err := loadBodies(newImporter(dir))
	require.ErrorContains(t, err, "other.go: bodyTopics of the generator does not name this file")
}
