// Command free lists the encodings that are free for new instructions, by family: go run ./isa/gen/free
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"arcv2dsp/isa"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "usage: free")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	list(out)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "free:", err)
		os.Exit(1)
	}
}

// list writes a line per family and value of bit 15.
func list(out io.Writer) {
	for _, family := range isa.FreeEncodings() {
		for _, kind := range []struct {
			bit15 isa.Bit15
			text  string
		}{
			{isa.FlagBit, "with .f, or bit 15 fixed"}, {isa.Bit15Zero, "Bit15Zero alone"}, {isa.Bit15One, "Bit15One alone"},
		} {
			var ops []uint8
			for _, m := range family.Free {
				if m.Bit15 == kind.bit15 {
					ops = append(ops, m.Op)
				}
			}
			if len(ops) > 0 {
				fmt.Fprintf(out, "%s, %s: %s\n", family.Name, kind.text, ranges(ops))
			}
		}
	}
}

// ranges writes ascending numbers, neighbours as a range.
func ranges(ops []uint8) string {
	var parts []string
	for i := 0; i < len(ops); {
		last := i
		for last+1 < len(ops) && ops[last+1] == ops[last]+1 {
			last++
		}
		text := fmt.Sprintf("0x%02x", ops[i])
		if last > i {
			text += fmt.Sprintf("-0x%02x", ops[last])
		}
		parts = append(parts, text)
		i = last + 1
	}
	return strings.Join(parts, " ")
}
