package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// fewest is how many faults the tables have at least.
const fewest = 380

// TestRows: every row's place is in its file exactly once, and its test is there. Whoever changes such a line changes the
// row with it.
func TestRows(t *testing.T) {
	rows, err := readRows(tables)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(rows), fewest)
	tree := os.DirFS("../../..")
	names := map[string]bool{}
	for _, r := range rows {
		require.False(t, names[r.name], "two rows are named %q", r.name)
		names[r.name] = true
		if err := r.verify(tree); err != nil {
			t.Errorf("internal/dev/mutants/%v", err)
		}
	}
}

// TestFaultsAreCaught switches on every fault.
func TestFaultsAreCaught(t *testing.T) {
	level.NeedsLong(t, "it builds the tests of most packages and runs one for each fault")
	t.Chdir("../../..")
	var out bytes.Buffer
	living, err := check(t.Context(), &out, tables, "", false)
	t.Log(out.String())
	require.NoError(t, err)
	require.Zero(t, living, "faults that no test sees")
}

// sample is a tree with a place for faults in a function, in a value and in assembly.
var sample = fstest.MapFS{
	"asm/asm.go": {Data: []byte("package asm\n\nfunc Assemble(opts Options) error {\n\treturn nil\n}\n")},
	"a/a.go": {Data: []byte(`package a

var limit = 7

func half(n int) (int, error) {
	if n < 0 {
		return 0, nil
	}
	return n / 2, nil
}

func set(p *int) {
	*p = 3
}

const fixed = 2
`)},
	"a/a_test.go": {Data: []byte("package a\n\nfunc TestHalf(t *testing.T) {\n}\n")},
	"a/k.inc":     {Data: []byte("\tadd\tr0,r0,1\n\tj_s\t[blink]\n")},
	"b/b.go":      {Data: []byte("package b\n\nfunc moved() int {\n\treturn 1\n}\n")},
}

// TestCheck: in a small module, what becomes of a fault that a test sees, of one that no test sees, and of a test that fails
// without any.
func TestCheck(t *testing.T) {
	level.NeedsPlain(t, "it builds tests")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module m\n\ngo 1.26\n",
		"asm/asm.go":  "package asm\n\ntype Options struct{ Defsym map[string]int64 }\n\nfunc Assemble(opts Options) int64 {\n\treturn opts.Defsym[\"MUTANT\"]\n}\n",
		"a/a.go":      "package a\n\nvar limit = 7\n\nfunc Half(n int) int {\n\tif n < 0 {\n\t\treturn limit\n\t}\n\treturn n / 2\n}\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(6) != 3 || Half(-1) != 7 {\n\t\tt.Fatal()\n\t}\n}\n\nfunc TestBad(t *testing.T) { t.Fatal(\"always\") }\n",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	t.Chdir(dir)
	const table = `# area
seen
a/a.go
a TestHalf
-	return n / 2
+	return n / 3

value
a/a.go
a TestHalf
-var limit = 7
+var limit = 8

unseen
a/a.go
a TestHalf
-	if n < 0 {
+	if n < 0 && n > -100 {

# other
bad
a/a.go
a TestBad
-var limit = 7
+var limit = 8
`
	tables := fstest.MapFS{"rows.txt": {Data: []byte(table)}}
	var out bytes.Buffer
	living, err := check(t.Context(), &out, tables, "^area", false)
	require.NoError(t, err)
	require.Equal(t, 1, living, out.String())
	require.Regexp(t, `LIVES +[0-9.]+ s  unseen\n(.*\n)*area +2 of +3 caught\nLIVES: unseen \(a/a.go, rows.txt:14\); TestHalf of a passes\n2 of 3 caught\n$`, out.String())
	_, err = check(t.Context(), &out, tables, "bad", false)
	require.ErrorContains(t, err, "the tests of a fail without a fault:\n=== RUN   TestBad")
	out.Reset()
	_, err = check(t.Context(), &out, tables, "seen$", true)
	require.ErrorContains(t, err, "the tests of a fail without a fault", "-which runs all tests of the package")
}

// row1 is a table of one row.
func row1(t *testing.T, lines string) []row {
	t.Helper()
	rows, err := parseRows("rows.txt", "# area\nname\n"+lines)
	require.NoError(t, err)
	rows[0].number = 1
	return rows
}

// TestFaulty: what stands in the overlay.
func TestFaulty(t *testing.T) {
	for _, c := range []struct{ name, rows, file, want string }{
		{name: "a function with results", file: "a/a.go", rows: "a/a.go\na TestHalf\n-\tif n < 0 {\n+\tif n <= 0 {\n",
			want: "func half(n int) (int, error) { if mutant == 1 { return func() (int, error) {\n\tif n <= 0 {\n\t\treturn 0, nil\n\t}\n\treturn n / 2, nil\n}() };\n\tif n < 0 {"},
		{name: "a function without", file: "a/a.go", rows: "a/a.go\na TestHalf\n-*p = 3\n+*p = 4\n", want: "func set(p *int) { if mutant == 1 { func() {\n*p = 4\n}(); return };\n\t*p = 3\n}"},
		{name: "a value", file: "a/a.go", rows: "a/a.go\na TestHalf\n-var limit = 7\n+var limit = 8\n", want: "var limit = mutantPick(1, 7, 8)\n"},
		{name: "a constant", file: "a/a.go", rows: "a/a.go\na TestHalf\n-const fixed = 2\n+const fixed = 3\n", want: "const right_fixed = 2\nvar fixed = mutantPick(1, right_fixed, 3)\n"},
		{name: "assembly", file: "a/k.inc", rows: "a/k.inc\na TestHalf\n-\tadd\tr0,r0,1\n+\tadd\tr0,r0,2\n",
			want: "\t.if MUTANT==1\n\tadd\tr0,r0,2\n\t.else\n\tadd\tr0,r0,1\n\t.endif\n\tj_s\t[blink]\n"},
		{name: "the assembler", file: "asm/asm.go", rows: "a/k.inc\na TestHalf\n-\tadd\tr0,r0,1\n+\tnop\n", want: `"MUTANT": int64(mutant)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := writeOverlay(sample, dir, row1(t, c.rows))
			require.NoError(t, err)
			text, err := os.ReadFile(dir + "/sources/" + c.file)
			require.NoError(t, err)
			require.Contains(t, string(text), c.want)
		})
	}
}

// TestRowThatNoLongerFits names what is wrong with it.
func TestRowThatNoLongerFits(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{name: "gone", rows: "a/a.go\na TestHalf\n-gone\n+new\n", want: `a/a.go: the text "gone" stands there 0 times and must stand once`},
		{name: "twice", rows: "a/a.go\na TestHalf\n-}\n+ }\n", want: `the text "}" stands there 3 times`},
		{name: "moved", rows: "a/a.go\na TestHalf\n-return 1\n+return 2\n", want: "(the text stands in b/b.go)"},
		{name: "a head", rows: "a/a.go\na TestHalf\n-func set(p *int) {\n+func set(p *int32) {\n", want: "neither in the body of a function nor in the value of a variable"},
		{name: "no code", rows: "a/a.go\na TestHalf\n-if n < 0 {\n+if n < {\n", want: "the fault is no Go code"},
		{name: "no test", rows: "a/a.go\na TestHalves\n-if n < 0 {\n+if n < 1 {\n", want: "a has no test TestHalves"},
		{name: "no file", rows: "a/c.go\na TestHalf\n-if n < 0 {\n+if n < 1 {\n", want: "(the text stands in a/a.go)"},
	} {
		rows := row1(t, c.rows)
		require.ErrorContains(t, rows[0].verify(sample), c.want, c.name)
	}
	for lines, want := range map[string]string{
		"a/a.go\na TestHalf\n": "a row stands in an area and has a file, a test, and lines", "a/a.go\na\n-x\n+y\n": `"a" is no folder and test`,
		"a/a.go\na TestHalf\nx\n": "begins with none of", "a/a.go\na TestHalf\n x\n": "no line differs",
	} {
		_, err := parseRows("rows.txt", "# area\nname\n"+lines)
		require.ErrorContains(t, err, want, lines)
	}
}
