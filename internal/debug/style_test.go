package debug

import (
	"context"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// nodes has structures in arrays and arrays in structures. At -O2 head has no place behind the loop.
const nodes = `
struct node { struct node *next; int v; struct { short x, y; } q[2]; union { int i; char c[4]; } u; int arr[12]; }
nodes[2] = { { 0, 1, { { 1, 2 }, { 3, 4 } }, { 5 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } }, { 0, 2 } };
volatile int counter;
int __attribute__((noinline)) run(int n) {
	struct node *head = 0;
	for (int i = 0; i < 2; i++) { nodes[i].v += counter; head = &nodes[i + counter & 1]; }
	int v = head->v;
	counter = 8;
	counter = 12;
	counter = 13;
	return n + v;
}
__asm__ (".global __start\n__start: mov sp,0x80000\nmov fp,0\nbl run\nflag 1\nnop\nnop\nnop");
`

// TestStyle: set print pretty and set print elements write values as gdb 13.1 does.
func TestStyle(t *testing.T) {
	d, _ := start(t, compiled(t, map[string]string{"t.c": nodes}, "-O0"), Options{NoHistory: true})
	text := func(expr string) string {
		v, err := d.Eval(expr)
		require.NoError(t, err)
		return d.Text(v, Format{})
	}
	require.Equal(t, "{{next = 0x0, v = 1, q = {{x = 1, y = 2}, {x = 3, y = 4}}, u = {i = 5, c = \"\\005\"}, arr = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, "+
		"{next = 0x0, v = 2, q = {{x = 0, y = 0}, {x = 0, y = 0}}, u = {i = 0, c = \"\"}, arr = {0 <repeats 12 times>}}}", text("nodes"))
	d.Style.Pretty, d.Style.Elements = true, 3
	require.Equal(t, "{1, 2, 3...}", text("nodes[0].arr"))
	require.Equal(t, `{{
    next = 0x0,
    v = 1,
    q = {{
        x = 1,
        y = 2
      }, {
        x = 3,
        y = 4
      }},
    u = {
      i = 5,
      c = "\005"
    },
    arr = {1, 2, 3...}
  }, {
    next = 0x0,
    v = 2,
    q = {{
        x = 0,
        y = 0
      }, {
        x = 0,
        y = 0
      }},
    u = {
      i = 0,
      c = ""
    },
    arr = {0 <repeats 12 times>}
  }}`, text("nodes"))
	d.Style.Elements = 0
	require.Equal(t, "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}", text("nodes[0].arr"))
}

// TestTypeWithoutValue: the type of an expression is known where its value is optimized out, and to ask
// for it changes nothing.
func TestTypeWithoutValue(t *testing.T) {
	d, _ := start(t, compiled(t, map[string]string{"t.c": nodes}, "-O2"), Options{NoHistory: true})
	_, err := d.Break("t.c:9", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(context.Background(), Limits{}).Reason)
	_, err = d.Eval("head")
	require.ErrorContains(t, err, "value of head has been optimized out here")
	for expr, want := range map[string]string{
		"head": "struct node *", "*head": "struct node", "head->next->v": "int", "head->arr": "int [12]", "&head->u": "union {...} *",
		"counter = 5": "volatile int", "counter++": "volatile int", "sizeof(head)": "unsigned int",
	} {
		typ, err := d.TypeOf(expr)
		require.NoError(t, err, expr)
		require.Equal(t, want, typ.Name, expr)
	}
	for expr, want := range map[string]int64{"sizeof(head)": 4, "sizeof(*head)": 68, "sizeof(counter++)": 4, "counter": 8} {
		v, err := d.Eval(expr)
		require.NoError(t, err, expr)
		require.Equal(t, want, v.Num, expr)
	}
}

// TestWatchesTogether: a store that changes a variable and a condition on it stops at both watchpoints,
// forwards and backwards.
func TestWatchesTogether(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, compiled(t, map[string]string{"t.c": nodes}, "-O2"), Options{})
	for _, expr := range []string{"counter", "counter > 10"} {
		_, err := d.Watch(WriteWatch, expr, "")
		require.NoError(t, err)
	}
	type change struct {
		point    int
		old, new string
	}
	seen := func(s Stop) (list []change) {
		require.Equal(t, arcv2dsp.StopWatchpoint, s.Reason)
		for _, c := range s.Changes {
			list = append(list, change{point: c.Point.Number, old: c.Old, new: c.New})
		}
		return list
	}
	first, second, third := []change{{point: 1, old: "0", new: "8"}}, []change{{point: 1, old: "8", new: "12"}, {point: 2, old: "0", new: "1"}},
		[]change{{point: 1, old: "12", new: "13"}}
	for _, want := range [][]change{first, second, third} {
		require.Equal(t, want, seen(d.Continue(ctx, Limits{})))
	}
	require.Equal(t, []int{3, 1}, []int{d.Points()[0].Hits, d.Points()[1].Hits})
	s, err := d.ReverseContinue(ctx)
	require.NoError(t, err)
	require.Equal(t, third, seen(s))
	s, err = d.ReverseContinue(ctx)
	require.NoError(t, err)
	require.Equal(t, second, seen(s))
}
