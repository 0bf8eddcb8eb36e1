package profile

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// WriteFolded writes cycles by stack of functions, a line each: names from the outermost to the
// innermost, separated by semicolons, and the number. Flame graph programs read it.
func (p *Profile) WriteFolded(w io.Writer) error {
	sum := map[string]uint64{}
	for _, c := range p.chains {
		var callers []string
		if c.Handler {
			callers = append(callers, "[handlers]")
		}
		for _, call := range slices.Backward(c.Calls) {
			callers = p.names.appendStack(callers, call)
		}
		for i := range c.Costs {
			stack := p.names.appendStack(slices.Clip(callers), c.Costs[i].PC)
			sum[strings.Join(stack, ";")] += c.Costs[i].Cycles()
		}
	}
	b := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(sum)) {
		if sum[stack] != 0 {
			fmt.Fprintf(b, "%s %d\n", stack, sum[stack])
		}
	}
	return b.Flush()
}

// folding replaces what separates names and numbers.
var folding = strings.NewReplacer(";", ":", " ", "_", "\n", "_")

// appendStack appends the functions at an address, inlined ones last.
func (n *names) appendStack(stack []string, pc uint32) []string {
	for _, f := range slices.Backward(n.at(pc)) {
		stack = append(stack, folding.Replace(f.Function))
	}
	return stack
}
