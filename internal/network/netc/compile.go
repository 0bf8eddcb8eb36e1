package netc

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// board has the files that are the same for every network.
//
//go:embed board
var board embed.FS

// Program is a network as a C program.
type Program struct {
	Files     map[string][]byte      // by name
	Library   *mlikernels.Collection // the kernels it calls
	Layers    int
	Arena     int // bytes for activations and scratch
	State     int // bytes that live from run to run
	Constants int // bytes of weights, tables and parameter blocks
}

// Compile writes a checked network as C. inputs are, for each input of the network, one tensor per step: the
// program runs the steps and prints the outputs.
func Compile(g *nn.Graph, inputs [][]*nn.Tensor) (*Program, error) {
	c := &compiler{graph: g, constants: map[string]string{}}
	if err := c.lower(); err != nil {
		return nil, err
	}
	if err := c.place(); err != nil {
		return nil, err
	}
	data, err := c.inputs(inputs)
	if err != nil {
		return nil, err
	}
	network, err := c.network()
	if err != nil {
		return nil, err
	}
	p := &Program{Library: c.library, Layers: len(c.nodes), Arena: c.arena, State: c.state, Constants: c.constantBytes,
		Files: map[string][]byte{"network.c": []byte(network), "network.h": []byte(c.header()), "inputs.c": []byte(data)}}
	list, err := fs.ReadDir(board, "board")
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		if p.Files[f.Name()], err = fs.ReadFile(board, "board/"+f.Name()); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// compiler is a network that is being compiled.
type compiler struct {
	graph   *nn.Graph
	nodes   []node
	library *mlikernels.Collection
	plan    *nn.Plan
	arena   int
	state   int

	text          strings.Builder   // definitions, each before its use
	constants     map[string]string // names of arrays by their elements: equal ones are there once
	constantBytes int
}

// The memories of the plan. Constants are arrays of their own; the plan only counts them.
const (
	inArena = iota
	inState
	inConstants
)

// wordBytes is the alignment of everything.
const wordBytes = 4

// place gives activations, scratch and states their places. Operators work in place where their kernels can.
func (c *compiler) place() (err error) {
	c.plan, err = nn.NewPlan(c.graph, nn.PlanOptions{
		Memories: []nn.Memory{
			inArena:     {Name: "arena", Takes: []nn.Class{nn.Activation, nn.Scratch}},
			inState:     {Name: "state", Takes: []nn.Class{nn.State}},
			inConstants: {Name: "constants", Takes: []nn.Class{nn.Weights}},
		},
		Align: wordBytes, InPlace: func(i int) bool { return c.nodes[i].Kernel.InPlace },
		Scratch: func(i int, _ *nn.Call) int { return c.nodes[i].Scratch },
	})
	if err != nil {
		return err
	}
	c.arena, c.state = words(c.plan.Used[inArena]), words(c.plan.Used[inState])
	return nil
}

// words rounds bytes up to whole words.
func words(n int) int { return (n + wordBytes - 1) / wordBytes * wordBytes }

// address is where a value lies, as C writes it.
func (c *compiler) address(value int, offset uint32) (string, error) {
	b := c.plan.Of[value]
	if b == nn.Absent || c.plan.Buffers[b].Memory == inConstants {
		return "", fmt.Errorf("value %s is constant, or nothing uses it", c.graph.Values[value].Name)
	}
	name := "arena"
	if c.plan.Buffers[b].Memory == inState {
		name = "state"
	}
	return fmt.Sprintf("(void *)((char *)%s + %d)", name, c.plan.Buffers[b].Offset+int(offset)), nil
}

// scratchAt is where the scratch of a node lies.
func (c *compiler) scratchAt(i int) int {
	for _, b := range c.plan.Buffers {
		if b.Class == nn.Scratch && b.First == i {
			return b.Offset
		}
	}
	return 0
}

// inputs are the elements of the inputs, step by step.
func (c *compiler) inputs(inputs [][]*nn.Tensor) (string, error) {
	g := c.graph
	if len(inputs) != len(g.Inputs) {
		return "", fmt.Errorf("%d inputs, the network has %d", len(inputs), len(g.Inputs))
	}
	var arrays, table strings.Builder
	steps := 1
	for i, list := range inputs {
		if i == 0 {
			steps = len(list)
		}
		if len(list) != steps {
			return "", fmt.Errorf("input %d has %d steps, input 0 has %d", i, len(list), steps)
		}
		var b []byte
		for step, t := range list {
			want := g.Values[g.Inputs[i]].Tensor
			if t.Type != want.Type || t.Len() != want.Len() {
				return "", fmt.Errorf("input %d in step %d is %s%v, the network takes %s%v",
					i, step, t.Type, t.Shape, want.Type, want.Shape)
			}
			b = append(b, mlikernels.Elements(t)...)
		}
		fmt.Fprintf(&arrays, "static const uint32_t input%d[%d] = {%s};\n\n", i, max(1, words(len(b))/wordBytes), wordList(b, nil))
		fmt.Fprintf(&table, "    input%d,\n", i)
	}
	return fmt.Sprintf("/* Inputs of the network, step after step. */\n#include \"network.h\"\n\n%sconst int network_steps = %d;\n\n"+
		"const void *const network_data[NETWORK_INPUTS] = {\n%s};\n", arrays.String(), steps, table.String()), nil
}
