package kernel

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp"
)

// Memories of a machine that runs kernels. The code and the data of a foreign library have memories of their size.
// Otherwise: code in ICCM, so that nothing is cached; inputs in X,
// weights in Y, outputs, structures and the stack in DCCM. Nothing else is mapped, so an access
// anywhere else is an exception. Cores without XY memory have everything in DCCM.
const (
	codeSize = 1 << 20
	dccmBase = 0x80000000
	dccmSize = 32 << 20

	foreignRoom     = 16 << 20 // bytes of code with constants, and of data that is written
	foreignDCCMSize = dccmSize + 2*foreignRoom
	xBase           = 0xc0000000
	yBase           = 0xe0000000
	xySize          = 8 << 20

	structsAt = dccmBase
	stackTop  = dccmBase + 1<<20
	outAt     = dccmBase + 8<<20
	dataAt    = dccmBase + 16<<20
	weightsAt = dccmBase + 24<<20

	// returnBelow is how far below the code the return address of kernels is, where there is a breakpoint.
	returnBelow = 0x10
)

// Memory that no call uses: tests put code and data there beside the library.
const (
	SpareCode = codeSize / 2
	SpareData = outAt - 64
)

// MaxBuffer is the greatest number of bytes that the inputs, the weights or the outputs of one call
// may take.
const MaxBuffer = 8 << 20

// Properties are the settings of a core that Machine uses, as -p takes them.
func Properties(agu AGU) []string { return properties(agu, codeSize, dccmSize) }

func properties(agu AGU, code, data int) []string {
	p := []string{"memory=none", "icache=0", "dcache=0", "iccm0_base=0", fmt.Sprintf("iccm0_size=%#x", code),
		fmt.Sprintf("dccm_base=%#x", uint32(dccmBase)), fmt.Sprintf("dccm_size=%#x", data)}
	if agu != NoAGU {
		p = append(p, fmt.Sprintf("xy_size=%#x", xySize))
	}
	return p
}

// Settings are the settings of a core with the memories that Machine uses: they go after files, which describe the
// core, and before single properties.
func Settings(of []arcv2dsp.Setting, agu AGU) []arcv2dsp.Setting {
	return withProperties(of, Properties(agu))
}

func withProperties(settings []arcv2dsp.Setting, properties []string) []arcv2dsp.Setting {
	var files, own, single []arcv2dsp.Setting
	for _, s := range settings {
		if s.TCF != "" || s.File != "" {
			files = append(files, s)
		} else {
			single = append(single, s)
		}
	}
	for _, p := range properties {
		own = append(own, arcv2dsp.Setting{Property: p, Origin: "kernel machine"})
	}
	return slices.Concat(files, own, single)
}

// ownProperties are those of a machine with the core's own memories: code of a core that has none for it lies in ICCM, so
// that nothing is cached.
func ownProperties(b *Board) []string {
	if b.OwnCode() {
		return nil
	}
	return []string{"icache=0", "iccm0_base=0", fmt.Sprintf("iccm0_size=%#x", codeSize), "ram=all"}
}

// RAM is the first address of a stretch, up to RAMEnd, that is RAM alone on a machine with the
// core's own memories.
const (
	RAM    = dccmBase + dccmSize
	RAMEnd = xBase
)

// MachineOptions describe the machine that kernels run on.
type MachineOptions struct {
	Core    string
	Engine  arcv2dsp.EngineKind
	Library *Library
	Limit   uint64 // cycles of one call, 0 for DefaultLimit
	// Settings are further properties of the core, after those of Properties. If they take the
	// coupled memory for code or data away, ram=all puts RAM there, behind caches alone.
	Settings []arcv2dsp.Setting
	// Wait is the number of extra cycles of each access to data. Only the reference engine has
	// them.
	Wait uint8
	// Own leaves the core its own memories; calls are made by Continue. Code is where the library is linked to.
	Own bool
	// Stack is the end of the stack of Own, StackSize its bytes.
	Stack     uint32
	StackSize int
}

// StackBytes is the stack that kernels of networks have in the core's own memories. Those with ports need a frame (244 bytes
// are the most in the networks of the project) and 1 K for a window of 16-bit data; those with loads also copy patches and rows
// there, rows of up to 8 K.
func StackBytes(agu AGU) int {
	if agu == LargeAGU {
		return 2 << 10
	}
	return 12 << 10
}

// FlatStack is where the stack ends on a machine with flat RAM.
const FlatStack = stackTop

// DefaultLimit is the number of cycles after which a kernel that does not return is ended.
const DefaultLimit = 2_000_000_000

// Machine is a simulated core with a library loaded. Calls are independent of each other: each starts
// from the same state. It serves one goroutine.
type Machine struct {
	m     *arcv2dsp.Machine
	opts  MachineOptions
	clean *arcv2dsp.Snapshot
	// interrupts says that interrupts come during calls; owned is the memory that their handlers
	// write.
	interrupts bool
	owned      []span
	place      [memories]uint32
	ends       [memories]uint32 // where the memory of an arena ends and nothing follows, 0 where something does
	x, y       bool             // inputs are in X memory, weights in Y memory
}

// NewMachine makes a core and loads the library. Data lies in X and Y memory when the library uses
// the AGU.
func NewMachine(o MachineOptions) (*Machine, error) {
	if !o.Own {
		o.Stack, o.StackSize = stackTop, stackFilled
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Wait != 0 {
		o.Engine = arcv2dsp.EngineReference
	}
	board, err := NewBoard(o.Core, o.Settings...)
	if err == nil && o.Library.Foreign == nil {
		err = board.RunsVariant(o.Library.Collection, o.Library.Variant) // a foreign library may have been built for less
	}
	if err != nil {
		return nil, err
	}
	agu := min(board.AGU, o.Library.Variant.AGU)
	settings := Settings(o.Settings, agu)
	switch {
	case o.Own:
		settings = withProperties(o.Settings, ownProperties(board))
	case o.Library.Foreign != nil:
		settings = withProperties(o.Settings, properties(agu, int(o.Library.codeSize()), foreignDCCMSize))
	}
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: o.Core, Settings: settings, Engine: o.Engine, HostIO: arcv2dsp.HostNone,
		Wait: map[string]uint8{"dccm": o.Wait, "xccm": o.Wait, "yccm": o.Wait}})
	if err != nil {
		return nil, err
	}
	if err := m.Load(o.Library.Image); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	for v := range uint8(exceptionVectors) {
		m.OnException(v, arcv2dsp.StopBefore)
	}
	m.SetBreakpoint(o.Library.returnTo())
	k := &Machine{m: m, opts: o, place: [memories]uint32{Data: dataAt, Weights: weightsAt, Out: outAt, Structs: structsAt}}
	if agu != NoAGU {
		k.findXY()
	}
	for _, arena := range []Memory{Data, Weights} {
		k.ends[arena] = k.endOf(k.place[arena])
	}
	if err := k.soil(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	k.owned = o.Library.written()
	k.clean = m.Snapshot()
	return k, nil
}

// findXY puts inputs into X memory and weights into Y memory. X may be a part of DCCM: inputs stay there then.
func (k *Machine) findXY() {
	for _, r := range k.m.Regions() {
		switch r.Name {
		case "xccm":
			k.place[Data], k.x = r.Base, true
		case "yccm":
			k.place[Weights], k.y = r.Base, true
		}
	}
}

// endOf is where the memory at an address ends, 0 when other memory follows or an arena lies in it behind the address.
func (k *Machine) endOf(addr uint32) uint32 {
	end := uint32(0)
	for _, r := range k.m.Regions() {
		if r.Contains(addr) {
			end = r.Base + uint32(r.Size) // 0 at the end of all memory
		}
	}
	for _, r := range k.m.Regions() {
		if r.Contains(end) {
			return 0
		}
	}
	for _, other := range k.place {
		if other > addr && other < end {
			return 0
		}
	}
	return end
}

// Interrupts tells the machine that interrupts come during calls, and where their handlers keep data: r29
// is theirs, and so is this memory.
func (k *Machine) Interrupts(addr, size uint32) {
	k.interrupts = true
	k.owned = append(k.owned, span{from: addr, to: addr + size})
}

// Change changes the state that every call starts from.
func (k *Machine) Change(f func(m *arcv2dsp.Machine) error) error {
	if err := k.m.Restore(k.clean); err != nil {
		return err
	}
	if err := f(k.m); err != nil {
		return err
	}
	k.clean = k.m.Snapshot()
	return nil
}

// Core is the simulated core as the last call left it.
func (k *Machine) Core() *arcv2dsp.Machine { return k.m }

// Memories names the memories in which the data of calls lies.
func (k *Machine) Memories() string {
	interleaved := false
	for _, s := range k.m.Core().Options() {
		interleaved = interleaved || s.Name == "nsim_isa_xy_interleave" && s.Value == "1"
	}
	switch {
	case !k.y:
		for _, r := range k.m.Regions() {
			if r.Name == "dccm" {
				return "DCCM"
			}
		}
		return "RAM"
	case !k.x && interleaved:
		return "Y interleaved"
	case !k.x:
		return "Y"
	case interleaved:
		return "X/Y interleaved"
	}
	return "X/Y"
}

// Close releases the machine.
func (k *Machine) Close() error { return k.m.Close() }
