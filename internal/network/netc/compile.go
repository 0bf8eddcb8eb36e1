package netc

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// board has the files that are the same for every network, but for its name.
//
//go:embed board
var board embed.FS

// nameMark stands for the name of the network in the files of the folder board, archiveMark for that of the library's archive.
const (
	nameMark    = "NETWORK_NAME"
	archiveMark = "NETWORK_KERNELS"
)

// Program is a network as a C library, with a program that runs it on the simulator.
type Program struct {
	Name      string                 // what its symbols begin with
	Files     map[string][]byte      // by name
	Library   *mlikernels.Collection // the kernels it calls
	Layers    int
	Arena     int // bytes for activations and scratch
	Bound     int // what lives at one time: no arena is smaller
	State     int // bytes that live from run to run
	Constants int // bytes of weights, tables and parameter blocks
}

// Options say what is written.
type Options struct {
	Name string // of the library; it becomes a C identifier
	// Inputs are, for each input of the network, one tensor per step: the program for the simulator runs the steps and
	// prints the outputs.
	Inputs [][]*nn.Tensor
	// Placement gives everything an address in the memories of a core or board, the same as in a measured run; nil leaves
	// that to the linker.
	Placement *mlikernels.Placement
}

// Compile writes a checked network as C.
func Compile(g *nn.Graph, o Options) (_ *Program, err error) {
	defer steps.Return(&err)
	c := &compiler{graph: g, name: Identifier(o.Name), constants: map[string]string{}, placement: o.Placement}
	if c.placement != nil {
		c.graph = c.placement.Graph
	}
	steps.Check(c.lower())
	steps.Check(c.place())
	program := steps.Must(c.program(o.Inputs))
	source := steps.Must(c.source())
	p := &Program{Name: c.name, Library: c.library, Layers: len(c.nodes), Arena: c.arena, Bound: c.bound(), State: c.state, Constants: c.constantBytes,
		Files: map[string][]byte{c.name + ".c": []byte(source), c.name + ".h": []byte(c.header()), "program.c": []byte(program)}}
	if c.placement != nil {
		p.Files[c.name+".ld"] = []byte(c.script())
	}
	archive := steps.Must(c.archive())
	list := steps.Must(fs.ReadDir(board, "board"))
	for _, f := range list {
		text := steps.Must(fs.ReadFile(board, "board/"+f.Name()))
		p.Files[f.Name()] = []byte(strings.NewReplacer(nameMark, c.name, archiveMark, archive).Replace(string(text)))
	}
	return p, nil
}

// archive is the archive of kernels that round as the network does.
func (c *compiler) archive() (string, error) {
	rounding := c.graph.Nodes[0].Rounding
	for i, n := range c.nodes {
		if n.Kernel != nil {
			rounding = c.graph.Nodes[i].Rounding
		}
	}
	only := ""
	for name, r := range c.library.Archives {
		if r == rounding {
			return name, nil
		}
		only = name
	}
	if len(c.library.Archives) == 1 { // its kernels take the rounding with every call
		return only, nil
	}
	return "", fmt.Errorf("no archive of %s rounds %s", c.library.Name, rounding)
}

// Identifier makes a C identifier of a name: other letters become underscores.
func Identifier(name string) string {
	var text strings.Builder
	for _, r := range strings.ToLower(name) {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			r = '_'
		}
		if text.Len() == 0 && r >= '0' && r <= '9' {
			text.WriteString("net_")
		}
		text.WriteRune(r)
	}
	switch text.String() {
	case "", "main", "program", "arcq":
		return "net_" + text.String()
	}
	return text.String()
}

// compiler is a network that is being compiled.
type compiler struct {
	graph   *nn.Graph
	name    string
	nodes   []node
	library *mlikernels.Collection
	plan    *nn.Plan // nil with a placement

	placement *mlikernels.Placement

	arena int
	state int

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
	if c.placement != nil {
		c.takePlacement()
		return nil
	}
	c.plan, err = nn.NewPlan(c.within(), nn.PlanOptions{
		Memories: []nn.Memory{
			inArena:     {Name: "arena", Takes: []nn.Class{nn.Activation, nn.Scratch}},
			inState:     {Name: "state", Takes: []nn.Class{nn.State}},
			inConstants: {Name: "constants", Takes: []nn.Class{nn.Weights}},
		},
		Align: wordBytes, InPlace: func(i int) bool { return c.nodes[i].Kernel != nil && c.nodes[i].Kernel.InPlace },
		Scratch: func(i int, _ *nn.Call) int { return c.nodes[i].Scratch },
	})
	if err != nil {
		return err
	}
	c.arena, c.state = words(c.plan.Used[inArena]), words(c.plan.Used[inState])
	return nil
}

// within is the graph without the floats at its ends: the caller has room for them.
func (c *compiler) within() *nn.Graph {
	g := *c.graph
	g.Inputs, g.Outputs, g.Nodes = nil, nil, nil
	for _, v := range c.graph.Inputs {
		if !c.atEnd(v) {
			g.Inputs = append(g.Inputs, v)
		}
	}
	for _, v := range c.graph.Outputs {
		if !c.atEnd(v) {
			g.Outputs = append(g.Outputs, v)
		}
	}
	for i, n := range c.graph.Nodes {
		if to := c.nodes[i].convert; to != nil && to.end != nn.Absent {
			if to.toFloats {
				n.Out = nil
			} else {
				n.In = nil
			}
		}
		g.Nodes = append(g.Nodes, n)
	}
	return &g
}

// atEnd reports whether a value is floats at an end of the network, in the room of the caller.
func (c *compiler) atEnd(v int) bool {
	for i := range c.nodes {
		if to := c.nodes[i].convert; to != nil && to.end != nn.Absent && to.float == v {
			return true
		}
	}
	return false
}

// bound is the greatest sum of buffers of the arena that live at one time.
func (c *compiler) bound() int {
	if c.placement != nil {
		return c.arena
	}
	most := 0
	for at := -1; at < len(c.nodes); at++ {
		sum := 0
		for _, b := range c.plan.Buffers {
			if b.Memory == inArena && b.First <= at && at <= b.Last {
				sum += words(b.Bytes)
			}
		}
		most = max(most, sum)
	}
	return most
}

// words rounds bytes up to whole words.
func words(n int) int { return (n + wordBytes - 1) / wordBytes * wordBytes }

// errNoPlace says that a value lies nowhere: nothing uses it.
var errNoPlace = errors.New("nothing uses it")

// address is where a value lies, as C writes it.
func (c *compiler) address(value int, offset uint32) (string, error) {
	if v := &c.graph.Values[value]; v.Constant() {
		name := c.constant(fmt.Sprintf("value%d", value), mlikernels.Elements(v.Tensor), nil)
		return fmt.Sprintf("(void *)((char *)%s + %d)", name, offset), nil
	}
	if c.placement != nil {
		if spot := c.placement.Values[value]; spot.Memory != "" {
			return fmt.Sprintf("(void *)%#x", spot.At+offset), nil
		}
		return "", fmt.Errorf("value %s: %w", c.graph.Values[value].Name, errNoPlace)
	}
	b := c.plan.Of[value]
	if b == nn.Absent {
		return "", fmt.Errorf("value %s: %w", c.graph.Values[value].Name, errNoPlace)
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
