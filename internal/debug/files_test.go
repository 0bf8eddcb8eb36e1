package debug

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/dev/testkit/gnutools"

	"github.com/stretchr/testify/require"
)

// compiled builds a program of C files that starts at __start.
func compiled(t testing.TB, files map[string]string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"-mcpu=em4_dmips", "-g", "-w", "-ffreestanding", "-nostdlib", "-static", "-fno-pic", "-no-pie",
		"-Wl,-Ttext=0x1000", "-o", "program.elf"}, flags...)
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		args = append(args, name)
	}
	cmd := exec.Command(gnutools.Path(t, "gcc"), args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	return filepath.Join(dir, "program.elf")
}

// TestSameNamesInFiles: names that are static in several files are those of the selected frame's file,
// and a breakpoint on a function is on all that have its name, the inlined copies included.
func TestSameNamesInFiles(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, compiled(t, map[string]string{
		"x.c": "static int state = 1;\n" +
			"static int helper(int n) { state += n; return state; }\n" +
			"int first(int n) { return helper(n) + 1; }\n" +
			"static inline __attribute__((always_inline)) int both(int n) { return state ^ n; }\n" +
			"int second(int n) { return both(n); }\n" +
			"int (*copy)(int) = both;\n",
		"y.c": "int first(int);\nint second(int);\n" +
			"static int state = 100;\n" +
			"static short helper(int n, int m) { state -= n; return state + m; }\n" +
			"__asm__ (\".global __start\\n__start: mov sp,0x80000\\nmov fp,0\\nbl run\\nflag 1\\nnop\\nnop\\nnop\");\n" +
			"int run(void) {\n" +
			"int r = first(2); r += helper(3, 0xfff4); r += second(5);\n" +
			"return r; }\n",
	}, "-O0"), Options{})
	print := func(text string) int64 {
		v, err := d.Eval(text)
		require.NoError(t, err)
		return v.Num
	}

	p, err := d.Break("helper", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 2)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	require.EqualValues(t, 1, print("state"))
	inFirst, _ := d.Frame(0)
	require.Equal(t, "x.c", filepath.Base(inFirst.At.File))
	require.EqualValues(t, d.stackEntry(t), print("&helper"))
	stop := d.Continue(ctx, Limits{})
	require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason, stop.Text)
	require.EqualValues(t, 100, print("state"))
	require.EqualValues(t, d.stackEntry(t), print("&helper"))
	// The result is that of this function, a short.
	s, err := d.Finish(ctx)
	require.NoError(t, err)
	require.Equal(t, Finished, s.Reason)
	require.EqualValues(t, 85, s.Value.Num)

	require.EqualValues(t, 3, print("'x.c'::state"))
	require.EqualValues(t, 97, print("'y.c'::state + 0"))
	require.EqualValues(t, 4, print("run::r"))
	for text, want := range map[string]string{
		"'x.c'::nothing": `no variable "nothing" in file "x.c"`, "'z.c'::state": `no variable "state" in file "z.c"`,
		"first::n": "no frame is executing first", "first::m": `no variable "m" in function "first"`, "run::": "no variable", "nobody::x": "no variable",
	} {
		_, err := d.Eval(text)
		require.ErrorContains(t, err, want, text)
	}

	for file, line := range map[string]int{"x.c": 2, "y.c": 4} {
		p, err := d.Break(file+":helper", "", false)
		require.NoError(t, err)
		require.Len(t, p.Addrs, 1)
		row, _ := d.LineAt(p.Addrs[0])
		require.Equal(t, line, row.Line)
	}
	_, err = d.Break("x.c:run", "", false)
	require.ErrorContains(t, err, `function "run" not defined in "x.c"`)

	p, err = d.Break("both", "", false)
	require.NoError(t, err)
	require.Len(t, p.Addrs, 2, "its own code and the inlined copy")
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	frames, _ := d.Backtrace(0)
	require.Equal(t, "both", frames[0].Function)
	require.True(t, frames[0].Inlined)
	require.EqualValues(t, 3, print("state"))
}

// stackEntry is the entry of the function that the program is in.
func (d *Debugger) stackEntry(t testing.TB) uint32 {
	t.Helper()
	s, _, ok := d.m.Symbols().At(d.PC())
	require.True(t, ok)
	return s.Addr
}

// TestValuesAsGDB: values of a C program as gdb 13.1 for arc-elf32 writes them; offsets are hexadecimal
// here, and floats have the digits they need.
func TestValuesAsGDB(t *testing.T) {
	d, _ := start(t, compiled(t, map[string]string{"v.c": `
enum color { RED, GREEN = 5, BLUE };
struct node { int val; struct node *next; char name[8]; enum color col; };
typedef unsigned int u32;
typedef int (*binop)(int, int);
static int add(int a, int b) { return a + b; }
struct { int (*fn)(int, int); const char *str; } gbig = { add, "a string" };
struct node nodes[2] = { { 0, &nodes[1], "n0", GREEN }, { 10, 0, "n1", RED } };
binop ops[1] = { add };
const char *msg = "hello\n\"world\"\001\377";
unsigned char bytes[5] = { 0, 0x80, '?', 1 };
signed char small = -3;
float gf = 1.5f, fa[3] = { 0.1f, 1e20f, -0.0f };
double gd = -2.25;
int arr[4] = { 1, 2, 3, 4 };
u32 u = 7;
int __start(void) { static int once = 11; return once + ops[0](nodes[0].val, 1) + gbig.fn(u, 2); }
`}, "-O0"), Options{NoHistory: true})
	at := func(name string) string {
		v, err := d.Eval("&" + name)
		require.NoError(t, err)
		return v.Format(Format{Letter: 'x'})
	}
	for _, row := range []struct{ expr, format, want string }{
		{expr: "&arr[2]", want: "(int *) " + at("arr[2]") + " <arr+0x8>"},
		{expr: "msg", want: "0x1000 \"hello\\n\\\"world\\\"\\001\\377\""},
		{expr: "gbig", want: "{fn = " + at("add") + " <add>, str = 0x1000 \"a string\"}"},
		{expr: "gbig.fn", want: "(int (*)(int, int)) " + at("add") + " <add>"},
		{expr: "ops[0]", want: "(binop) " + at("add") + " <add>"},
		{expr: "nodes[0].next", want: "(struct node *) " + at("nodes[1]") + " <nodes+0x14>"},
		{expr: "nodes[1]", want: `{val = 10, next = 0x0, name = "n1", col = RED}`},
		{expr: "GREEN", want: "GREEN"},
		{expr: "nodes[0].col == GREEN", want: "1"},
		{expr: "BLUE", format: "d", want: "6"},
		{expr: "bytes", want: `"\000\200?\001"`},
		{expr: "small", want: `-3 '\375'`},
		{expr: "bytes[0]", want: `0 '\000'`},
		{expr: "fa", want: "{0.1, 1e+20, -0}"},
		{expr: "fa", format: "x", want: "{0x3dcccccd, 0x60ad78ec, 0x80000000}"},
		{expr: "gf", format: "x", want: "0x3fc00000"},
		{expr: "gd", format: "x", want: "0xc002000000000000"},
		{expr: "&arr[1]", format: "a", want: at("arr[1]") + " <arr+0x4>"},
		{expr: "(int *)0x7000", want: "(int *) 0x7000"},
		{expr: "__start::once", want: "11"},
		{expr: "arr[0]++", want: "1"},
		{expr: "arr[0]", want: "2"},
		{expr: "arr[0]-- + 1", want: "3"},
		{expr: "arr[0]", want: "1"},
	} {
		v, err := d.Eval(row.expr)
		require.NoError(t, err, row.expr)
		f, err := cexpr.ParseFormat(row.format)
		require.NoError(t, err)
		got := d.Text(v, f)
		if i := strings.Index(row.want, `0x1000 "`); i >= 0 { // where the linker puts strings
			got = regexp.MustCompile(`0x[0-9a-f]+ "`).ReplaceAllString(got, `0x1000 "`)
		}
		require.Equal(t, row.want, got, "%s /%s", row.expr, row.format)
	}
	_, err := d.Eval("arr[0]++ = 1")
	require.ErrorContains(t, err, "not an lvalue")
	for text, want := range map[string]string{
		"binop": "int (*)(int, int)", "u32": "unsigned int", "gbig.fn": "int (*)(int, int)", "gf": "float", "struct node *": "struct node {\n" +
			"    int val;\t/* offset 0 */\n    struct node *next;\t/* offset 4 */\n    char name[8];\t/* offset 8 */\n    enum color col;\t/* offset 16 */\n} *",
	} {
		typ, err := d.TypeOf(text)
		require.NoError(t, err, text)
		require.Equal(t, want, cexpr.Declaration(typ), text)
	}
	typ, err := d.TypeOf("gbig")
	require.NoError(t, err)
	require.Contains(t, cexpr.Declaration(typ), "    int (*fn)(int, int);")
	require.True(t, strings.HasPrefix(cexpr.Declaration(typ), "struct {\n"), "it has no name")

	lines, _, err := d.Examine(0, Format{Letter: 't', Size: 'b'}, 4)
	require.NoError(t, err)
	require.Regexp(t, `:\t[01]{8}$`, lines[0])
}

// TestWatchFollows: a watched expression follows its pointers and indices, as with gdb 13.1,
// forwards and backwards; with -location it does not.
func TestWatchFollows(t *testing.T) {
	ctx := context.Background()
	const text = `
struct node { struct node *next; int val; } nodes[3] = { { &nodes[1], 10 }, { &nodes[2], 20 }, { 0, 30 } };
int i, arr[4] = { 1, 1, 3, 4 };
static void touch(struct node *p) { p->val++; }
int sum(struct node *n)
{
	int s = 0;
	while (n) {
		touch(n);
		s += n->val;
		n = n->next;
		i = i + 1;
	}
	return s;
}
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nmov r0,nodes\nbl sum\nflag 1\nnop\nnop\nnop");
`
	path := compiled(t, map[string]string{"w.c": text}, "-O0")
	at := func(expr string) (*Debugger, func() string) {
		d, _ := start(t, path, Options{})
		_, err := d.Break("sum", "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		_, err = d.Watch(WriteWatch, expr, "")
		require.NoError(t, err)
		return d, func() string {
			s := d.Continue(ctx, Limits{})
			if s.Reason != arcv2dsp.StopWatchpoint || len(s.Changes) == 0 {
				return s.Reason.String() + s.Text
			}
			return s.Changes[0].Old + " " + s.Changes[0].New
		}
	}
	d, next := at("n->val")
	first := d.word(t, 4)
	var way []Position
	for _, want := range []string{"10 11", "11 20", "20 21", "21 30", "30 31", "31 " + first} {
		require.Equal(t, want, next())
		way = append(way, d.Position())
	}
	require.Contains(t, next(), "deleted because the program has left the block")
	_, err := d.Watch(WriteWatch, "arr[i]", "")
	require.NoError(t, err)

	// Backwards a watchpoint stops before the instruction.
	_, err = d.GoTo(ctx, way[5].Insts)
	require.NoError(t, err)
	require.Len(t, d.Points(), 1)
	_, err = d.Watch(WriteWatch, "n->val", "")
	require.NoError(t, err)
	d.Delete(d.Points()[0])
	for k := 4; k >= 0; k-- {
		s, err := d.ReverseContinue(ctx)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason, k)
		require.Equal(t, way[k+1].Insts-1, d.Position().Insts, k)
	}

	_, next = at("arr[i]")
	for _, want := range []string{"1 3", "3 4", "exit"} { // from the first to the second is no change
		require.Equal(t, want, next())
	}
	_, next = at("-location n->val")
	for _, want := range []string{"10 11", "exit"} {
		require.Equal(t, want, next())
	}
	_, err = d.Watch(WriteWatch, "-l $r0", "")
	require.ErrorContains(t, err, "not in memory")
}

// word reads a number in memory as a watchpoint shows it.
func (d *Debugger) word(t testing.TB, addr uint32) string {
	t.Helper()
	v, err := d.Eval(fmt.Sprintf("*(int*)%#x", addr))
	require.NoError(t, err)
	return v.Format(Format{})
}

// TestWatchInRegister: a pointer in a register is followed, too, into what the frame calls, forwards and
// backwards, until the frame is left. The values are those that gdb 13.1 shows.
func TestWatchInRegister(t *testing.T) {
	ctx := context.Background()
	const text = `
struct node { struct node *next; int val; } nodes[3] = { { &nodes[1], 10 }, { &nodes[2], 20 }, { 0, 30 } };
static __attribute__((noinline)) void touch(struct node *p) { p->val++; }
__attribute__((noinline)) int sum(struct node *first)
{
	register struct node *n __asm__ ("r13") = first;
	int s = 0;
	while (n) {
		touch(n);
		s += n->val;
		n = n->next;
	}
	return s;
}
int run(void) { return sum(nodes) + sum(nodes); }
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nbl run\nflag 1\nnop\nnop\nnop");
`
	d, _ := start(t, compiled(t, map[string]string{"w.c": text}, "-O0"), Options{})
	_, err := d.Break("w.c:8", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	_, err = d.Watch(ReadWatch, "n->val", "")
	require.ErrorContains(t, err, "n->val is where a register says: -location n->val watches")
	fixed, err := d.Watch(AccessWatch, "-location n->val", "")
	require.NoError(t, err)
	require.True(t, fixed.inMem)
	d.Delete(fixed)

	next := func() string {
		s := d.Continue(ctx, Limits{})
		if s.Reason != arcv2dsp.StopWatchpoint || len(s.Changes) == 0 {
			return s.Reason.String() + s.Text
		}
		return s.Changes[0].Old + " " + s.Changes[0].New
	}
	for call, values := range [][]string{
		{"10 11", "11 20", "20 21", "21 30", "30 31"}, {"11 12", "12 21", "21 22", "22 31", "31 32"},
	} {
		if call > 0 {
			_, err := d.Break("w.c:8", "n == nodes", true)
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		}
		_, err := d.Watch(WriteWatch, "n->val", "")
		require.NoError(t, err)
		way := []Position{}
		for _, want := range values {
			require.Equal(t, want, next())
			way = append(way, d.Position())
		}
		for k := len(way) - 2; k >= 0; k-- {
			s, err := d.ReverseContinue(ctx)
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason, k)
			if k < len(way)-2 {
				require.Equal(t, way[k+1].Insts-1, d.Position().Insts, k)
			}
		}
		back := func() Stop {
			s, err := d.ReverseContinue(ctx)
			require.NoError(t, err)
			return s
		}
		back()
		require.Equal(t, way[0].Insts-1, d.Position().Insts)
		require.Equal(t, "touch", d.stack0(t))
		for _, want := range values { // the first one is in what the frame called
			require.Equal(t, want, next())
		}
		for range values {
			back()
		}
		row, _ := d.LineAt(back().PC)
		require.Equal(t, 6, row.Line, "n gets its first value")
		require.Equal(t, HistoryStart, back().Reason, "what happened in an earlier call is not of this frame")
		d.DeleteAll()
		_, err = d.GoTo(ctx, way[0].Insts-1)
		require.NoError(t, err)
		_, err = d.Break("w.c:11", "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		_, err = d.Watch(WriteWatch, "n->val", "")
		require.NoError(t, err)
		for _, want := range values[1:] {
			require.Equal(t, want, next())
		}
		require.Regexp(t, `^31 |^32 `, next(), "the pointer is zero")
		require.Contains(t, next(), "deleted because the program has left the block")
		require.Empty(t, d.Points())
	}
}

// TestTypesAsGDB: types with functions, arrays and qualifiers as gdb 13.1 writes them, which puts a blank
// behind the stars of const pointers.
func TestTypesAsGDB(t *testing.T) {
	d, _ := start(t, compiled(t, map[string]string{"t.c": `
typedef int (*binop)(int, char *);
typedef unsigned int u32;
struct node { int v; struct node *next; int (*cmp)(const struct node *, const struct node *); void (*hook[2])(u32, ...); };
static int add(int a, char *b) { return a + *b; }
static u32 vary(const char *fmt, ...) { return *fmt; }
static void noargs(void) {}
static int old() { return 1; }
static int (*choose(int n))(int, char *) { return n ? add : 0; }
int (*table[3])(int, char *) = { add };
int (*(*maker)(int))(int, char *) = choose;
const char *const names[2] = { "a", "b" };
char *const fixed = 0;
int matrix[3][4];
int (*row)[4] = matrix;
struct node root;
binop op = add;
binop ops[2];
volatile int flag;
const struct node *cn = &root;
static void use(int (*f)(int), int a[4], struct node n, binop b) { }
static struct node *walk(struct node *n, u32 depth) { return n; }
int run(void) { use(0, 0, root, op); walk(cn, 3); noargs(); return old() + vary("x", 1) + choose(1)(1, "a") + flag; }
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nbl run\nflag 1\nnop\nnop\nnop");
`}, "-O0"), Options{NoHistory: true})
	for _, row := range []struct{ expr, whatis, ptype string }{
		{expr: "add", whatis: "int (int, char *)"},
		{expr: "&add", whatis: "int (*)(int, char *)"},
		{expr: "vary", whatis: "u32 (const char *, ...)", ptype: "unsigned int (const char *, ...)"},
		{expr: "noargs", whatis: "void (void)"},
		{expr: "old", whatis: "int ()"},
		{expr: "choose", whatis: "int (*(int))(int, char *)"},
		{expr: "use", whatis: "void (int (*)(int), int *, struct node, binop)"},
		{expr: "run", whatis: "int (void)"},
		{expr: "table", whatis: "int (*[3])(int, char *)"},
		{expr: "&table", whatis: "int (*(*)[3])(int, char *)"},
		{expr: "table[0]", whatis: "int (*)(int, char *)"},
		{expr: "maker", whatis: "int (*(*)(int))(int, char *)"},
		{expr: "names", whatis: "const char *const [2]"},
		{expr: "fixed", whatis: "char *const"},
		{expr: "&matrix", whatis: "int (*)[3][4]"},
		{expr: "row", whatis: "int (*)[4]"},
		{expr: "op", whatis: "binop", ptype: "int (*)(int, char *)"},
		{expr: "ops", whatis: "binop [2]", ptype: "int (*[2])(int, char *)"},
		{expr: "&op", whatis: "binop *", ptype: "int (**)(int, char *)"},
		{expr: "root.cmp", whatis: "int (*)(const struct node *, const struct node *)"},
		{expr: "root.hook", whatis: "void (*[2])(u32, ...)"},
		{expr: "flag", whatis: "volatile int"},
	} {
		typ, err := d.TypeOf(row.expr)
		require.NoError(t, err, row.expr)
		require.Equal(t, row.whatis, typ.Name, row.expr)
		if row.ptype == "" {
			row.ptype = row.whatis
		}
		require.Equal(t, row.ptype, cexpr.Declaration(typ), row.expr)
	}
	for text, want := range map[string]string{"binop": "int (*)(int, char *)", "u32": "unsigned int", "op": "binop", "struct node": "struct node"} {
		name, err := d.WhatIs(text)
		require.NoError(t, err)
		require.Equal(t, want, name, text)
	}
	typ, err := d.TypeOf("walk")
	require.NoError(t, err)
	require.Equal(t, "struct node {\n    int v;\t/* offset 0 */\n    struct node *next;\t/* offset 4 */\n"+
		"    int (*cmp)(const struct node *, const struct node *);\t/* offset 8 */\n"+
		"    void (*hook[2])(u32, ...);\t/* offset 12 */\n} *(struct node *, u32)", cexpr.Declaration(typ))
	v, err := d.Eval("add")
	require.NoError(t, err)
	require.Regexp(t, `^\{int \(int, char \*\)\} 0x[0-9a-f]+ <add>$`, d.Text(v, Format{}))
}
