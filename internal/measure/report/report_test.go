package report

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sample() *Table {
	t := &Table{Columns: []Column{{Name: "kernel"}, {Name: "cycles", Align: Right}, {Name: "note"}}}
	t.Add("relu", uint64(1234567), "ω")
	t.Rule()
	t.Add("conv", 12.345)
	return t
}

func TestTable(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(*Table, *strings.Builder) error
		want  string
	}{
		{name: "text", write: func(t *Table, b *strings.Builder) error { return t.Text(b) }, want: "" +
			"kernel     cycles  note\n" +
			"-----------------------\n" +
			"relu    1,234,567  ω\n" +
			"-----------------------\n" +
			"conv        12.35\n"},
		{name: "markdown", write: func(t *Table, b *strings.Builder) error { return t.Markdown(b) }, want: "" +
			"| kernel | cycles | note |\n|---|---:|---|\n| relu | 1,234,567 | ω |\n| conv | 12.35 |  |\n"},
		{name: "tsv", write: func(t *Table, b *strings.Builder) error { return t.TSV(b) }, want: "" +
			"kernel\tcycles\tnote\nrelu\t1,234,567\tω\nconv\t12.35\t\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			require.NoError(t, c.write(sample(), &b))
			require.Equal(t, c.want, b.String())
		})
	}
}

// TestWidthsCountLetters: a letter of two bytes takes one place.
func TestWidthsCountLetters(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "a"}, {Name: "b"}}}
	table.Add("ωω", "x")
	table.Add("abc", "y")
	var b strings.Builder
	require.NoError(t, table.Text(&b))
	require.Equal(t, "a    b\n------\nωω   x\nabc  y\n", b.String())
}

func TestThousands(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567",
		18446744073709551615: "18,446,744,073,709,551,615"} {
		require.Equal(t, want, Thousands(n))
	}
}

// TestProgress: the line is cut to the terminal, rewritten no more often than it can be read, and
// gone at the end; without a terminal nothing is written.
func TestProgress(t *testing.T) {
	var b strings.Builder
	clock := time.Unix(100, 0)
	p := &Progress{w: &b, width: 6, now: func() time.Time { return clock }}
	show := func(s string) { p.Update(func() string { return s }) }
	show("first line")
	show("too soon")
	clock = clock.Add(refresh)
	show("2")
	p.Done()
	p.Done()
	require.Equal(t, "\rfirst\x1b[K\r2\x1b[K\r\x1b[K", b.String())

	b.Reset()
	p = NewProgress(&b)
	p.Update(func() string { t.Error("nobody sees it"); return "" })
	p.Done()
	require.Empty(t, b.String())
	require.Equal(t, "word", Paint(&b, Red, "word"))
}

func TestJUnit(t *testing.T) {
	var b strings.Builder
	require.NoError(t, JUnit(&b, "all", [][2]string{{"seed", "1"}}, []Test{
		{Suite: "a", Name: "one", Time: 1500 * time.Millisecond},
		{Suite: "b", Name: "two", Failure: "is <3>", Detail: "details"},
		{Suite: "a", Name: "three", Skipped: "no time"},
	}))
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Time  string `xml:"time,attr"`
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &got))
	require.Equal(t, 3, got.Tests)
	require.Equal(t, 1, got.Failures)
	require.Equal(t, 1, got.Skipped)
	require.Len(t, got.Suites, 2)
	require.Equal(t, "a", got.Suites[0].Name)
	require.Equal(t, 2, got.Suites[0].Tests)
	require.Equal(t, "1.500", got.Suites[0].Time)
	require.Equal(t, "is <3>", got.Suites[1].Cases[0].Failure.Message)
	require.Equal(t, "details", got.Suites[1].Cases[0].Failure.Text)
}
