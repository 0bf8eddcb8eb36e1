package netc

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// preamble defines what the source needs before its tables.
const preamble = `
/* Where arrays go: NETWORK_ARENA is for activations, scratch and state, NETWORK_CONSTANTS for weights and tables. The
 * kernels are fastest with the first in X memory and the second in Y memory. */
#ifndef NETWORK_ARENA
#define NETWORK_ARENA
#endif
#ifndef NETWORK_CONSTANTS
#define NETWORK_CONSTANTS
#endif

typedef uint32_t word __attribute__((may_alias));
`

// copyText moves what does not lie in its place. Inlined, with an address of a placement, GCC warns of a loop that would wrap.
const copyText = `
static void __attribute__((noinline)) copy(void *to, const void *from, uint32_t bytes)
{
    uint32_t i = 0;
    if (to == from)
        return;
    if ((((uint32_t)to | (uint32_t)from) & 3) == 0)
        for (; i + 4 <= bytes; i += 4)
            *(word *)((char *)to + i) = *(const word *)((const char *)from + i);
    for (; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}
`

// source is the library: data, calls, and the functions of the header.
func (c *compiler) source() (string, error) {
	for i := range c.nodes {
		if err := c.layer(i); err != nil {
			return "", fmt.Errorf("operator %d %s: %w", i, c.graph.Nodes[i].Op.Name, err)
		}
	}
	if err := c.functions(); err != nil {
		return "", err
	}
	var head strings.Builder
	include := ""
	if slices.ContainsFunc(c.nodes, func(n node) bool { return n.block != nil }) {
		include = "#include \"arcq.h\"\n"
	}
	fmt.Fprintf(&head, "/* %s: weights, parameter blocks and calls of kernels. */\n%s#include \"%s.h\"\n%s", c.name, include, c.name, preamble)
	if strings.Contains(c.text.String(), " copy(") {
		head.WriteString(copyText)
	}
	for k, text := range []string{quantizeText, dequantizeText} {
		if slices.ContainsFunc(c.nodes, func(n node) bool { return n.convert != nil && n.convert.toFloats == (k == 1) }) {
			head.WriteString(text)
		}
	}
	head.WriteString("\n")
	if c.placement != nil {
		c.placedArrays(&head)
	}
	if c.arena > 0 && c.placement == nil {
		fmt.Fprintf(&head, "static uint32_t arena[%d] NETWORK_ARENA;\n\n", c.arena/wordBytes)
	}
	if c.state > 0 && c.placement == nil {
		fmt.Fprintf(&head, "static uint32_t state[%d] NETWORK_ARENA;\n\n", c.state/wordBytes)
	}
	fmt.Fprintf(&head, "/* What the caller gave to %[1]s_begin. */\nstatic struct %[1]s_in given_in;\nstatic struct %[1]s_out given_out;\n\n", c.name)
	return head.String() + c.text.String(), nil
}

// initial is the state before the first run.
func (c *compiler) initial() []byte {
	b := make([]byte, c.state)
	variables := nn.Initial(c.graph)
	for v, at := range c.plan.Of {
		if at != nn.Absent && c.plan.Buffers[at].Memory == inState {
			copy(b[c.plan.Buffers[at].Offset:], mlikernels.Elements(variables[v]))
		}
	}
	return b
}

// layer writes the data and the function of one operator.
func (c *compiler) layer(i int) error {
	n := &c.nodes[i]
	if n.convert != nil {
		statement, err := c.convertLayer(n.convert)
		if err != nil {
			return err
		}
		fmt.Fprintf(&c.text, "static int layer%d(void)\n{\n    %s\n    return 0;\n}\n\n", i, statement)
		return nil
	}
	if c.placement != nil {
		c.placedLayer(i)
		return nil
	}
	names := make([]string, len(n.Parts))
	// A part that others point to comes before them: those without pointers, then the rest, the block last.
	order := make([]int, len(n.Parts))
	for j := range order {
		order[j] = j
	}
	block := nn.Absent
	if n.block != nil {
		block = n.Args[0].Part
	}
	rank := func(j int) int {
		switch {
		case j == block:
			return 2
		case len(n.Parts[j].Pointers) > 0:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	for _, j := range order {
		p := &n.Parts[j]
		if n.Values[j] != nn.Absent {
			continue
		}
		if _, room := n.Room[j]; room {
			continue
		}
		pointers := map[int]string{}
		for _, to := range p.Pointers {
			at, err := c.target(i, to, names)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			pointers[to.At] = at
		}
		if j == block {
			c.constantBytes += p.Size
			fmt.Fprintf(&c.text, "static const struct %s layer%d_%s = %s;\n\n", n.block.Name, i, p.Name, n.block.Initializer(p.Bytes, pointers))
			continue
		}
		name := fmt.Sprintf("layer%d_%s", i, strings.ReplaceAll(p.Name, " ", "_"))
		if slices.ContainsFunc(n.Parts[:j], func(q mlikernels.Part) bool { return q.Name == p.Name }) {
			name = fmt.Sprintf("%s_%d", name, j)
		}
		if p.Writable {
			names[j] = c.structure(name, p.Bytes, pointers)
			continue
		}
		names[j] = c.constant(name, p.Bytes, pointers)
	}
	if n.block != nil {
		fmt.Fprintf(&c.text, "static int layer%d(void)\n{\n    return %s(&layer%d_%s);\n}\n\n", i, n.Kernel.Symbol, i, n.Parts[block].Name)
		return nil
	}
	return c.structuresLayer(i, names)
}

// structuresLayer writes the function of an operator whose kernel takes structures of MLI. Its header would want them in MLI's
// own types; words in the same order are the same to the kernel.
func (c *compiler) structuresLayer(i int, names []string) error {
	n := &c.nodes[i]
	var args []string
	for _, a := range n.Args {
		to, err := c.target(i, a, names)
		if err != nil {
			return fmt.Errorf("argument %d: %w", a.At, err)
		}
		args = append(args, to)
	}
	parameters := strings.TrimSuffix(strings.Repeat("const void *, ", len(args)), ", ")
	fmt.Fprintf(&c.text, "int %s(%s);\n\nstatic int layer%d(void)\n{\n    return %s(%s);\n}\n\n", n.Kernel.Symbol, parameters, i, n.Kernel.Symbol,
		strings.Join(args, ", "))
	return nil
}

// structure writes an array of words that a kernel may write to.
func (c *compiler) structure(name string, b []byte, pointers map[int]string) string {
	fmt.Fprintf(&c.text, "static uint32_t %s[%d] = {%s};\n\n", name, max(1, words(len(b))/wordBytes), wordList(b, pointers))
	return name
}

// target is the object of a pointer of a part of node i, as C writes it.
func (c *compiler) target(i int, to mlikernels.Pointer, names []string) (string, error) {
	n := &c.nodes[i]
	if v := n.Values[to.Part]; v != nn.Absent {
		return c.address(v, to.Offset)
	}
	if at, room := n.Room[to.Part]; room {
		return fmt.Sprintf("(void *)((char *)arena + %d)", c.scratchAt(i)+at+int(to.Offset)), nil
	}
	if names[to.Part] == "" {
		return "", fmt.Errorf("%s points back", n.Parts[to.Part].Name)
	}
	return fmt.Sprintf("(void *)((char *)%s + %d)", names[to.Part], to.Offset), nil
}

// constant writes an array of words unless there is an equal one, and returns its name.
func (c *compiler) constant(name string, b []byte, pointers map[int]string) string {
	list := wordList(b, pointers)
	if have, ok := c.constants[list]; ok {
		return have
	}
	c.constants[list] = name
	c.constantBytes += words(len(b))
	fmt.Fprintf(&c.text, "static const uint32_t %s[%d] NETWORK_CONSTANTS = {%s};\n\n", name, max(1, words(len(b))/wordBytes), list)
	return name
}

// lineWords is how many words a line of an array has.
const lineWords = 8

// wordList writes bytes as words; some words are addresses.
func wordList(b []byte, pointers map[int]string) string {
	if len(b) == 0 {
		return "0"
	}
	var text strings.Builder
	padded := append(slices.Clone(b), make([]byte, words(len(b))-len(b))...)
	for at := 0; at < len(padded); at += wordBytes {
		if at/wordBytes%lineWords == 0 {
			text.WriteString("\n   ")
		}
		if to, ok := pointers[at]; ok {
			fmt.Fprintf(&text, " (uint32_t)%s,", to)
			continue
		}
		fmt.Fprintf(&text, " 0x%08x,", binary.LittleEndian.Uint32(padded[at:]))
	}
	text.WriteString("\n")
	return text.String()
}

// quoted is a C string with a name from a file, which may hold anything.
func quoted(name string) string {
	var text strings.Builder
	for _, r := range name {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\?`, r) {
			r = '_'
		}
		text.WriteRune(r)
	}
	return `"` + text.String() + `"`
}
