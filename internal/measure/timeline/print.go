package timeline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"arcv2dsp/internal/measure/report"
)

// Views are the parts of the printed form.
type Views struct {
	Summary, Pressure, Timeline bool
}

// DefaultWidth is how many cycles are drawn side by side.
const DefaultWidth = 80

// Print writes the views, beside those of an earlier recording if there is one. The timeline is cut into pages of width cycles.
func Print(w io.Writer, t *Trace, v Views, width int, e *Earlier) error {
	b := bufio.NewWriter(w)
	s := Summarize(t)
	var before *Summary
	var list []pair
	if e != nil {
		before = Summarize(e.Trace)
		list = pairs(before, s)
	}
	var errs []error
	if v.Summary {
		s.print(b)
		if e != nil {
			errs = append(errs, printCounts(b, e.Name, before, s))
		}
	}
	if v.Pressure {
		errs = append(errs, s.printPressure(b))
		if e != nil {
			errs = append(errs, printPairs(b, list))
		}
	}
	if v.Timeline {
		var is []string
		if e != nil {
			var was []string
			was, is = marks(e.Trace, t, list)
			fmt.Fprintf(b, "%s\n\nBefore, %s\n", marksLegend, e.Name)
			printTimeline(b, e.Trace, max(10, width), was)
			fmt.Fprint(b, "\nNow\n")
		}
		printTimeline(b, t, max(10, width), is)
	}
	return errors.Join(append(errs, b.Flush())...)
}

func (s *Summary) print(w io.Writer) {
	fmt.Fprintf(w, "Core:                 %s\n", s.Core)
	fmt.Fprintf(w, "Iterations:           %d\n", s.Iterations)
	fmt.Fprintf(w, "Instructions:         %d\n", s.Instructions)
	fmt.Fprintf(w, "Total Cycles:         %d\n", s.Cycles)
	fmt.Fprintf(w, "Lost Cycles:          %d%s\n", s.Cycles-s.Instructions, s.lost())
	fmt.Fprintf(w, "Issue Width:          1\n")
	fmt.Fprintf(w, "IPC:                  %.3f\n", s.IPC)
	fmt.Fprintf(w, "Cycles per Iteration: %.2f\n", s.PerIteration)
	fmt.Fprintf(w, "Bottleneck:           %s\n\n", s.Bottleneck)
}

func (s *Summary) lost() string {
	var parts []string
	for _, reason := range reasonsOf(s.Stalls) {
		parts = append(parts, fmt.Sprintf("%s %d", reason, s.Stalls[reason]))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// number writes a pressure, - for none.
func number(v float64) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", v)
}

func (s *Summary) printPressure(w io.Writer) error {
	fmt.Fprintln(w, "Resource pressure per iteration, in cycles:")
	t := &report.Table{}
	row := make([]any, 0, len(s.Resources))
	for _, r := range s.Resources {
		t.Columns = append(t.Columns, report.Column{Name: r, Align: report.Right})
		row = append(row, number(s.Pressure[r]))
	}
	t.Add(row...)
	if err := t.Text(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nInstructions: executions, cycles per execution, latency, resource pressure per iteration:")
	t = &report.Table{Columns: []report.Column{{Name: "address"}, {Name: "times", Align: report.Right},
		{Name: "cycles", Align: report.Right}, {Name: "min", Align: report.Right}, {Name: "max", Align: report.Right},
		{Name: "latency", Align: report.Right}}}
	shown := s.Resources[1:]
	for _, r := range shown {
		t.Columns = append(t.Columns, report.Column{Name: r, Align: report.Right})
	}
	t.Columns = append(t.Columns, report.Column{Name: "instruction"}, report.Column{Name: "lost for"})
	for _, l := range s.Lines {
		row := []any{fmt.Sprintf("%08x", l.PC), l.Executions, fmt.Sprintf("%.2f", float64(l.Cycles)/float64(l.Executions)),
			l.Min, l.Max, l.Latency}
		for _, r := range shown {
			row = append(row, number(l.Pressure[r]))
		}
		t.Add(append(row, l.Text, strings.Join(l.Why, ", "))...)
	}
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// alphabet holds the letters of the drawing with their meanings.
var alphabet = []struct {
	letter  byte
	meaning string
}{
	{letter: Fetch, meaning: "fetch"},
	{letter: Decode, meaning: "decode"},
	{letter: Wait, meaning: "waits"},
	{letter: Execute, meaning: "executes"},
	{letter: Bank, meaning: "waits for a memory"},
	{letter: Last, meaning: "last cycle of execution"},
	{letter: Order, meaning: "waits for older instructions"},
	{letter: Write, meaning: "write-back"},
}

// Legend explains the letters.
func Legend() string {
	var list []string
	for _, l := range alphabet {
		list = append(list, string(l.letter)+" "+l.meaning)
	}
	return strings.Join(list, ", ")
}

func printTimeline(w io.Writer, t *Trace, width int, marks []string) {
	fmt.Fprintf(w, "Timeline: %s\n", Legend())
	rows := Draw(t)
	label := 0
	for i := range t.Steps {
		label = max(label, len(labelOf(&t.Steps[i])))
	}
	label = max(label, len("Index")) + 1
	mark := func(int) string { return "" }
	if marks != nil {
		label += 2
		mark = func(step int) string { return fmt.Sprintf("%1s ", marks[step]) }
	}
	first, end := 0, uint64(0)
	for _, r := range rows {
		end = max(end, r.Column+uint64(len(r.Letters)))
	}
	for base := uint64(0); base < end; base += uint64(width) {
		cols := int(min(uint64(width), end-base))
		printRuler(w, base, cols, label)
		for first < len(rows) && rows[first].done() <= base {
			first++
		}
		for i := first; i < len(rows) && rows[i].Column < base+uint64(cols); i++ {
			if rows[i].done() <= base {
				continue
			}
			s := &t.Steps[i]
			fmt.Fprintf(w, "%-*s%s  %s", label, mark(i)+labelOf(s), rows[i].window(base, cols), t.text[s.PC])
			if why := s.Why(); why != "" && rows[i].Column >= base {
				fmt.Fprintf(w, "   ; %s", why)
			}
			fmt.Fprintln(w)
		}
	}
}

func labelOf(s *Step) string { return fmt.Sprintf("[%d,%d]", s.Iteration, s.Index) }

// done is the column after the last letter.
func (r Row) done() uint64 { return r.Column + uint64(len(r.Letters)) }

// window is the part of a row in the given columns; a dot marks every fifth empty one.
func (r Row) window(base uint64, cols int) string {
	b := make([]byte, cols)
	for i := range b {
		at := base + uint64(i)
		switch {
		case at >= r.Column && at < r.done():
			b[i] = r.Letters[at-r.Column]
		case at%5 == 0:
			b[i] = '.'
		default:
			b[i] = ' '
		}
	}
	return string(b)
}

// printRuler numbers the columns: the digits of alternate tens are on alternate lines.
func printRuler(w io.Writer, base uint64, cols, label int) {
	upper, lower := make([]byte, cols), make([]byte, cols)
	for i := range cols {
		at := base + uint64(i)
		digit := byte('0' + at%10)
		upper[i], lower[i] = ' ', digit
		if at/10%2 == 1 {
			upper[i], lower[i] = digit, ' '
		}
	}
	name := ""
	if base > 0 {
		name = fmt.Sprintf("%d", base)
	}
	if head := strings.TrimRight(string(upper), " "); name != "" || head != "" {
		fmt.Fprintf(w, "\n%-*s%s", label, name, head)
	}
	fmt.Fprintln(w)
	fmt.Fprintf(w, "%-*s%s\n", label, "Index", strings.TrimRight(string(lower), " "))
}
