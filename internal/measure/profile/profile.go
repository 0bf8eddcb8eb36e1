package profile

import (
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/program/source"
)

// Profile is the counts of a run, with the symbols that name its addresses.
type Profile struct {
	Program string // file name
	Total   arcv2dsp.Stats

	m       *arcv2dsp.Machine
	chains  []arcv2dsp.CallChain
	names   *names
	sources *source.Files
}

// New returns a profile of the program in a machine. Its sources are looked for beside the file and in dirs. The debug
// information of the program may be damaged: then err is set, and the profile has symbols only.
func New(m *arcv2dsp.Machine, program string, chains []arcv2dsp.CallChain, dirs ...string) (*Profile, error) {
	p := &Profile{Program: program, m: m, chains: chains, sources: source.New(fileOf(m, program), dirs)}
	var err error
	p.names, err = newNames(m)
	for _, c := range chains {
		for i := range c.Costs {
			cost := &c.Costs[i]
			p.Total.Insts += cost.Insts
			p.Total.Cycles += cost.Cycles()
			p.Total.Stalls.AddAll(&cost.Stalls)
		}
	}
	return p, err
}

// fileOf is the file that the program was read from.
func fileOf(m *arcv2dsp.Machine, program string) string {
	if im := m.Image(); im != nil {
		return im.Name
	}
	return program
}

// Reasons are the reasons for lost cycles, in their order.
func reasons() []arcv2dsp.StallReason {
	list := make([]arcv2dsp.StallReason, len(arcv2dsp.Stalls{}))
	for i := range list {
		list[i] = arcv2dsp.StallReason(i)
	}
	return list
}

// flat adds up the costs of each instruction over all chains.
func (p *Profile) flat() map[uint32]*arcv2dsp.Cost {
	sum := map[uint32]*arcv2dsp.Cost{}
	for _, c := range p.chains {
		for i := range c.Costs {
			cost := &c.Costs[i]
			to := sum[cost.PC]
			if to == nil {
				to = &arcv2dsp.Cost{PC: cost.PC}
				sum[cost.PC] = to
			}
			to.Insts += cost.Insts
			to.Stalls.AddAll(&cost.Stalls)
		}
	}
	return sum
}

func hex(addr uint32) string { return fmt.Sprintf("0x%08x", addr) }

// names puts names to addresses.
type names struct {
	m      *arcv2dsp.Machine
	lines  *dwarf.Info // nil without debug information
	frames map[uint32][]dwarf.Frame
}

func newNames(m *arcv2dsp.Machine) (*names, error) {
	n := &names{m: m, frames: map[uint32][]dwarf.Frame{}}
	im := m.Image()
	if im == nil {
		return n, nil
	}
	debug, err := dwarf.Open(im.Name, im.ELF)
	if err != nil {
		return nil, err
	}
	n.lines, err = debug.Lines()
	return n, err
}

// at returns the source-level calls at an address, innermost first; there is always one.
func (n *names) at(pc uint32) []dwarf.Frame {
	if f, ok := n.frames[pc]; ok {
		return f
	}
	var f []dwarf.Frame
	if n.lines != nil {
		f = n.lines.Frames(pc)
	}
	if len(f) == 0 {
		f = []dwarf.Frame{{}}
		if n.lines != nil {
			if row, ok := n.lines.At(pc); ok {
				f[0].At = row.Position
			}
		}
	}
	for i := range f {
		if f[i].Function == "" {
			f[i].Function = n.function(pc).name
		}
	}
	n.frames[pc] = f
	return f
}

// function is a piece of code with a name.
type function struct {
	name  string
	entry uint32
}

// function returns the function by the symbols that an address belongs to.
func (n *names) function(pc uint32) function {
	if s, _, ok := n.m.Symbols().At(pc); ok {
		return function{name: s.Name, entry: s.Addr}
	}
	return function{name: hex(pc &^ 0xfff), entry: pc &^ 0xfff}
}

// position returns the source line of an address; Line is 0 when that is unknown.
func (n *names) position(pc uint32) dwarf.Position {
	if n.lines == nil {
		return dwarf.Position{}
	}
	row, _ := n.lines.At(pc)
	return row.Position
}
