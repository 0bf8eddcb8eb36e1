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

// header declares what a program sees of the network.
func (c *compiler) header() string {
	return fmt.Sprintf(`/* A network as calls of kernels. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdint.h>

#define NETWORK_LAYERS %d
#define NETWORK_INPUTS %d
#define NETWORK_OUTPUTS %d

struct network_tensor {
    const char *name;
    void *data;
    uint32_t bytes;
};

struct network_layer {
    const char *name;
    int (*run)(void); /* 0, or the status of the kernel that refused */
};

/* The layers run in this order. Inputs are to be written before every run, for their room is used again. */
extern const struct network_layer network_layers[NETWORK_LAYERS];
extern const struct network_tensor network_inputs[NETWORK_INPUTS];
extern const struct network_tensor network_outputs[NETWORK_OUTPUTS];

/* What main runs the network on: the elements of each input, step after step. */
extern const int network_steps;
extern const void *const network_data[NETWORK_INPUTS];

#endif
`, len(c.nodes), len(c.graph.Inputs), len(c.graph.Outputs))
}

// network is the source with the data and the calls.
func (c *compiler) network() (string, error) {
	var head strings.Builder
	head.WriteString("/* Weights, parameter blocks and calls. Macros say where arrays go: the kernels are fastest with\n" +
		" * NETWORK_ARENA in X memory and NETWORK_CONSTANTS in Y memory. */\n#include \"arcq.h\"\n#include \"network.h\"\n\n" +
		"#ifndef NETWORK_ARENA\n#define NETWORK_ARENA\n#endif\n#ifndef NETWORK_CONSTANTS\n#define NETWORK_CONSTANTS\n#endif\n\n")
	if c.arena > 0 {
		fmt.Fprintf(&head, "static uint32_t arena[%d] NETWORK_ARENA;\n\n", c.arena/wordBytes)
	}
	if c.state > 0 {
		fmt.Fprintf(&head, "static uint32_t state[%d] = {%s};\n\n", c.state/wordBytes, wordList(c.initial(), nil))
	}
	for i := range c.nodes {
		if err := c.layer(i); err != nil {
			return "", fmt.Errorf("operator %d %s: %w", i, c.graph.Nodes[i].Op.Name, err)
		}
	}
	fmt.Fprintf(&c.text, "const struct network_layer network_layers[NETWORK_LAYERS] = {\n")
	for i := range c.nodes {
		fmt.Fprintf(&c.text, "    {%s, layer%d},\n", quoted(c.graph.Nodes[i].Op.Name), i)
	}
	c.text.WriteString("};\n")
	if err := c.tensors("network_inputs[NETWORK_INPUTS]", c.graph.Inputs); err != nil {
		return "", err
	}
	if err := c.tensors("network_outputs[NETWORK_OUTPUTS]", c.graph.Outputs); err != nil {
		return "", err
	}
	return head.String() + c.text.String(), nil
}

// tensors writes a table of values.
func (c *compiler) tensors(declarator string, values []int) error {
	fmt.Fprintf(&c.text, "\nconst struct network_tensor %s = {\n", declarator)
	for _, v := range values {
		at, err := c.address(v, 0)
		if err != nil {
			return err
		}
		fmt.Fprintf(&c.text, "    {%s, %s, %d},\n", quoted(c.graph.Values[v].Name), at, c.graph.Values[v].Tensor.Bytes())
	}
	c.text.WriteString("};\n")
	return nil
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
	names := make([]string, len(n.Parts))
	// A part that others point to comes before them: those without pointers, then the rest, the block last.
	order := make([]int, len(n.Parts))
	for j := range order {
		order[j] = j
	}
	rank := func(j int) int {
		switch {
		case j == n.Params:
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
		if j == n.Params {
			c.constantBytes += p.Size
			fmt.Fprintf(&c.text, "static const struct %s layer%d_%s = %s;\n\n", n.block.Name, i, p.Name, n.block.Initializer(p.Bytes, pointers))
			continue
		}
		name := fmt.Sprintf("layer%d_%s", i, p.Name)
		if slices.ContainsFunc(n.Parts[:j], func(q mlikernels.Part) bool { return q.Name == p.Name }) {
			name = fmt.Sprintf("%s_%d", name, j)
		}
		names[j] = c.constant(name, p.Bytes, pointers)
	}
	fmt.Fprintf(&c.text, "static int layer%d(void)\n{\n    return %s(&layer%d_%s);\n}\n\n", i, n.Kernel.Symbol, i, n.Parts[n.Params].Name)
	return nil
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

// wordList writes bytes as words, in place of some of them addresses.
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
