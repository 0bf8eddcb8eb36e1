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
	p.stacks(func(stack []string, cycles uint64) {
		for i, name := range stack {
			stack[i] = folding.Replace(name)
		}
		sum[strings.Join(stack, ";")] += cycles
	})
	b := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(sum)) {
		if sum[stack] != 0 {
			fmt.Fprintf(b, "%s %d\n", stack, sum[stack])
		}
	}
	return b.Flush()
}

// handlers stands for what exceptions and interrupts have called.
const handlers = "[handlers]"

// stacks calls to with the functions at each instruction, the outermost first, and the cycles of the instruction there.
// The slice is to's own.
func (p *Profile) stacks(to func(stack []string, cycles uint64)) {
	for _, c := range p.chains {
		var callers []string
		if c.Handler {
			callers = append(callers, handlers)
		}
		for _, call := range slices.Backward(c.Calls) {
			callers = p.names.appendStack(callers, call)
		}
		for i := range c.Costs {
			to(p.names.appendStack(slices.Clone(callers), c.Costs[i].PC), c.Costs[i].Cycles())
		}
	}
}

// folding replaces what separates names and numbers.
var folding = strings.NewReplacer(";", ":", " ", "_", "\n", "_")

// appendStack appends the functions at an address, inlined ones last.
func (n *names) appendStack(stack []string, pc uint32) []string {
	for _, f := range slices.Backward(n.at(pc)) {
		stack = append(stack, f.Function)
	}
	return stack
}
