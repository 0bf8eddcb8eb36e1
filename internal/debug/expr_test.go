package debug

import (
	"context"
	"testing"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"

	"github.com/stretchr/testify/require"
)

// atQuick stands in quick(a, 0, 199) of the sort program.
func atQuick(t testing.TB) *Debugger {
	t.Helper()
	d, _ := start(t, sortO0, Options{NoHistory: true})
	_, err := d.Break("quick", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(context.Background(), Limits{}).Reason)
	return d
}

// TestExpressions: values as C computes them, written as gdb writes them.
func TestExpressions(t *testing.T) {
	d := atQuick(t)
	require.NoError(t, d.m.SetRegister("r3", 0xc000_4000))
	require.NoError(t, d.m.SetRegister("acclo", uint64(0xff_ffff_fffe)))
	for _, row := range []struct{ expr, format, want, typ string }{
		{expr: "1 + 2 * 3", want: "7", typ: "int"},
		{expr: "(1 + 2) * 3", want: "9", typ: "int"},
		{expr: "10 - 4 - 3", want: "3", typ: "int"},
		{expr: "-7 / 2", want: "-3", typ: "int"},
		{expr: "-7 % 3", want: "-1", typ: "int"},
		{expr: "-1 > 1u", want: "1", typ: "int"},
		{expr: "0xffffffff", want: "4294967295", typ: "unsigned int"},
		{expr: "0xffffffff + 1", want: "0", typ: "unsigned int"},
		{expr: "2147483647 + 1", want: "-2147483648", typ: "int"},
		{expr: "2147483647ll + 1", want: "2147483648", typ: "long long"},
		{expr: "1 << 31", want: "-2147483648", typ: "int"},
		{expr: "-8 >> 1", want: "-4", typ: "int"},
		{expr: "0x80000000 >> 31", want: "1", typ: "unsigned int"},
		{expr: "6 & 3 | 8 ^ 1", want: "11", typ: "int"},
		{expr: "010", want: "8", typ: "int"},
		{expr: "0b101", want: "5", typ: "int"},
		{expr: "1.5e1 / 2", want: "7.5", typ: "double"},
		{expr: "0 || 1 && 0", want: "0", typ: "int"},
		{expr: "1 ? 2 : 3", want: "2", typ: "int"},
		{expr: "!5", want: "0", typ: "int"},
		{expr: "~0", want: "-1", typ: "int"},
		{expr: `'\n'`, want: `10 '\n'`, typ: "char"},
		{expr: `"ab"`, want: `"ab"`, typ: "char [3]"},
		{expr: "(char)300", want: "44 ','", typ: "char"},
		{expr: "(signed char)200", want: "-56 '\\310'", typ: "signed char"},
		{expr: "(short)0x18000", want: "-32768", typ: "short"},
		{expr: "(unsigned short)-1", want: "65535", typ: "unsigned short"},
		{expr: "(int)3.9", want: "3", typ: "int"},
		{expr: "(float)0.1", want: "0.1", typ: "float"},
		{expr: "(q15)0x4000", want: "0.5", typ: "q15"},
		{expr: "(q15)$r3", want: "0.5", typ: "q15"},
		{expr: "(q31)$r3", want: "-0.49999237060546875", typ: "q31"},
		{expr: "(q15)0.25 * 2", want: "0.5", typ: "double"},
		{expr: "(q15)7.0", want: "0.999969482421875", typ: "q15"},
		{expr: "(short[2])$r3", want: "{16384, -16384}", typ: "short [2]"},
		{expr: "$r3", format: "vh", want: "{16384, -16384}", typ: "int"},
		{expr: "$r3", format: "q15", want: "0.5", typ: "int"},
		{expr: "$r3", format: "x", want: "0xc0004000", typ: "int"},
		{expr: "$r3", format: "t", want: "11000000000000000100000000000000", typ: "int"},
		{expr: "$acclo", want: "-2", typ: "long long"},
		{expr: "$acc0.lo", want: "-2", typ: "long long"},
		{expr: "lo", want: "0", typ: "int"},
		{expr: "hi", want: "199", typ: "int"},
		{expr: "hi * 2 == 398 && v == a || v == c", want: "1", typ: "int"},
		{expr: "*v == c[0]", want: "1", typ: "int"},
		{expr: "&v[3] - v", want: "3", typ: "int"},
		{expr: "sizeof(c)", want: "800", typ: "unsigned int"},
		{expr: "sizeof(int *)", want: "4", typ: "unsigned int"},
		{expr: "(char *)&a[1] - (char *)a", want: "4", typ: "int"},
		{expr: "$pc == quick + 22", want: "1", typ: "int"},
		{expr: "checksum", want: "0", typ: "unsigned int"},
		{expr: "a[0] = 5, a[0] + 1", want: "6", typ: "int"},
		{expr: "$n = 3, ++$n, $n * $n", want: "16", typ: "int"},
	} {
		v, err := d.Eval(row.expr)
		require.NoError(t, err, row.expr)
		f, err := cexpr.ParseFormat(row.format)
		require.NoError(t, err)
		require.Equal(t, row.want, v.Format(f), row.expr)
		require.Equal(t, row.typ, v.Type.Name, row.expr)
	}
}

// TestExpressionErrors: each error points at its column.
func TestExpressionErrors(t *testing.T) {
	d := atQuick(t)
	for _, row := range []struct {
		expr   string
		column int
		msg    string
	}{
		{expr: "", column: 0, msg: "an expression is expected"},
		{expr: "1 +", column: 3, msg: "the expression ends too early"},
		{expr: "1 + * 2 2", column: 8, msg: "unexpected \"2\""},
		{expr: "(1 + 2", column: 6, msg: "\")\" is expected at the end"},
		{expr: "hi + hj_", column: 5, msg: "no symbol"},
		{expr: "1 / (hi - 199)", column: 2, msg: "division by zero"},
		{expr: "hi.x", column: 3, msg: "has no members"},
		{expr: "3 = 4", column: 2, msg: "not an lvalue"},
		{expr: "&3", column: 0, msg: "not in memory"},
		{expr: "1 ` 2", column: 2, msg: "invalid character"},
		{expr: "a + 0x", column: 4, msg: "invalid number"},
		{expr: "'abc", column: 0, msg: "unmatched"},
		{expr: "quick(1)", column: 5, msg: "functions of the program are called while it stands"},
		{expr: "*(int *)0x7fffffff", column: 0, msg: ""},
		{expr: "(unsigned nothing)1", column: 10, msg: "is expected"},
		{expr: "a[1.5]", column: 1, msg: "an index is an integer"},
		{expr: "lo * 2.0 & 1", column: 9, msg: "does not apply"},
	} {
		v, err := d.Eval(row.expr)
		if row.msg == "" {
			continue // flat memory reads everywhere: only that nothing breaks
		}
		require.Error(t, err, "%s = %v", row.expr, v)
		e, ok := cexpr.AsError(err)
		require.True(t, ok, row.expr)
		require.Equal(t, row.column, e.Column, "%s: %s", row.expr, e.Msg)
		require.Contains(t, e.Msg, row.msg, row.expr)
	}
}

// FuzzExpression: no text makes compiling or evaluating panic or hang.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"1+2*(3-4)", "(q15)$r3", "a[1]@3", "*v == c[0]", "&v[3] - v", "$acc0.lo", "\"x\"[0]", "(short[2])$r3", "1?2:3", "sizeof(int*)", "$1+$$2", "lo=5"} {
		f.Add(s)
	}
	d := atQuick(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := d.Eval(text)
		if err != nil {
			if e, ok := cexpr.AsError(err); ok && (e.Column < 0 || e.Column > len(text)) {
				t.Fatalf("%q: column %d", text, e.Column)
			}
			return
		}
		v.Format(Format{})
		for _, letter := range "xduotacsfzvq" {
			v.Format(Format{Letter: byte(letter), Frac: 15})
		}
	})
}
