package kernel

import (
	"fmt"

	"arcv2dsp/nn"
)

// Memory is where a buffer of a call goes. Kernels with AGU ports are fastest when inputs, weights and
// outputs are in different memories.
type Memory uint8

// The memories. On a core with XY memory Data is X and Weights is Y.
const (
	Data    Memory = iota // inputs
	Weights               // weights, biases, tables, second operands
	Out                   // outputs, states, scratch
	Structs               // what arguments point to: tensors, configurations, parameter blocks
	memories
)

func (m Memory) String() string {
	return [...]string{Data: "inputs", Weights: "weights", Out: "outputs", Structs: "structures"}[m]
}

// Layout is a call as it lies in simulated memory: buffers, arguments, and where the results will be.
type Layout struct {
	job *Job
	// conventions are those of the library that is called.
	conventions Conventions
	arenas      [memories]*arena
	args        []uint32
	results     []result
	offset      uint32 // of the next data buffer from a word boundary
	written     bool   // the function has changed something
	top         uint32 // where the stack ends
}

// result is a result of the call: how to read it when the function returned.
type result struct {
	name string
	read func(Reader) (*nn.Tensor, error)
}

// Reader reads simulated memory.
type Reader interface {
	ReadMemory(addr uint32, b []byte) error
}

func newLayout(job *Job, place [memories]uint32, c Conventions) *Layout {
	l := &Layout{job: job, offset: job.Offset, conventions: c, top: stackTop}
	for m, base := range place {
		l.arenas[m] = newArena(base)
	}
	return l
}

// Buffer is memory a call needs.
type Buffer struct {
	Name     string
	Memory   Memory
	Bytes    []byte // what the function finds there
	Size     int    // without Bytes: room with a pattern in it
	Align    uint32 // a power of two, 4 when 0
	Writable bool
}

// Place puts a buffer into its memory, guards around it, and returns the address.
func (l *Layout) Place(b Buffer) uint32 { return l.place(b, 0) }

// place moves the buffer away from its alignment.
func (l *Layout) place(b Buffer, offset uint32) uint32 {
	if b.Align == 0 {
		b.Align = 4
	}
	a := l.arenas[b.Memory]
	if b.Bytes == nil {
		return a.space(b.Name, b.Size, b.Align, offset)
	}
	return a.add(b.Name, b.Bytes, b.Align, offset, b.Writable)
}

// nextOffset is where the next buffer of elements lies from a word boundary: at a whole element.
func (l *Layout) nextOffset(size int) uint32 {
	offset := l.offset
	l.offset += l.job.Skew
	return offset &^ uint32(min(size, 4)-1)
}

// placeTensor places the elements of a tensor, or room for them. A function may not write where no element is.
func (l *Layout) placeTensor(b Buffer, t *nn.Tensor) uint32 {
	addr := l.place(b, l.nextOffset(t.Type.Bytes()))
	buffers := l.arenas[b.Memory].buffers
	last := &buffers[len(buffers)-1]
	last.tensor, last.holes = t, l.Steps(b.Name, t.Shape).holes(t)
	return addr
}

// Input places the elements of an input, with holes where the job wants them.
func (l *Layout) Input(name string, t *nn.Tensor, m Memory) uint32 {
	return l.placeTensor(Buffer{Name: name, Memory: m, Bytes: l.Steps(name, t.Shape).spread(t)}, t)
}

// Strides are the strides of a tensor by its name as the job has them, nil when it has no holes.
func (l *Layout) Strides(name string) []int { return l.job.Strides[name] }

// Conventions are the expectations of the called library.
func (l *Layout) Conventions() *Conventions { return &l.conventions }

// Steps are the strides of a tensor by its name, with those that the job leaves open written out.
func (l *Layout) Steps(name string, shape []int) Strides { return Steps(shape, l.job.Strides[name]) }

// Room is how many bytes the buffer at an address has.
func (l *Layout) Room(addr uint32) int {
	for _, a := range l.arenas {
		for _, b := range a.buffers {
			if b.addr == addr {
				return b.size
			}
		}
	}
	return 0
}

// State places the elements of an input that the function also writes.
func (l *Layout) State(name string, t *nn.Tensor) uint32 {
	return l.placeTensor(Buffer{Name: name, Memory: Out, Bytes: l.Steps(name, t.Shape).spread(t), Writable: true}, t)
}

// Scratch places room the function may use; size is that of its elements.
func (l *Layout) Scratch(name string, bytes, size int) uint32 {
	return l.place(Buffer{Name: name, Memory: Out, Size: bytes}, l.nextOffset(size))
}

// Output places room for an output, over an input where the job says so, and returns the address and the size.
func (l *Layout) Output(name string, t *nn.Tensor) (addr uint32, room int, err error) {
	n := l.Steps(name, t.Shape).Room(t.Shape) * t.Type.Bytes()
	if l.job.InPlace == "" {
		return l.placeTensor(Buffer{Name: name, Memory: Out, Size: n}, t), n, nil
	}
	for _, m := range []Memory{Data, Weights} {
		buffers := l.arenas[m].buffers
		for i, b := range buffers {
			if b.name == l.job.InPlace {
				buffers[i].writable = true
				return b.addr, max(n, b.size), nil
			}
		}
	}
	return 0, 0, fmt.Errorf("no input %q to write over", l.job.InPlace)
}

// Arg appends an argument: r0 to r7, the ninth and those behind it on the stack.
func (l *Layout) Arg(v uint32) { l.args = append(l.args, v) }

// registerArgs is the number of arguments that go into registers, maxArgs is the greatest number of arguments.
const registerArgs, maxArgs = 8, 16

// stack is where the stack pointer is when the function begins: at the arguments that are no registers.
func (l *Layout) stack() uint32 { return l.top - 4*uint32(max(0, len(l.args)-registerArgs)) }

// Result says how a result is read when the function returned success.
func (l *Layout) Result(name string, read func(Reader) (*nn.Tensor, error)) {
	l.results = append(l.results, result{name: name, read: read})
}

// ResultAt reads a result that lies at an address with the type, shape and format of t.
func (l *Layout) ResultAt(name string, t *nn.Tensor, addr uint32) {
	typ, shape, format, strides := t.Type, t.Shape, t.Format, l.Steps(name, t.Shape)
	l.Result(name, func(r Reader) (*nn.Tensor, error) {
		b := make([]byte, strides.Room(shape)*typ.Bytes())
		if err := r.ReadMemory(addr, b); err != nil {
			return nil, err
		}
		out, err := strides.Gather(typ, shape, b)
		if err != nil {
			return nil, err
		}
		out.Format = format
		return out, nil
	})
}

// SetArgs replaces all arguments.
func (l *Layout) SetArgs(args ...uint32) { l.args = args }

// Args are the arguments, in their order.
func (l *Layout) Args() []uint32 { return l.args }

// Bytes are n bytes of the buffer at an address: the function's input, or its result. They may be
// changed before the call. It is nil for addresses outside the layout.
func (l *Layout) Bytes(addr uint32, n int) []byte {
	for _, a := range l.arenas {
		if addr >= a.base && addr-a.base <= uint32(len(a.image)) && n <= len(a.image)-int(addr-a.base) {
			return a.at(addr, n)
		}
	}
	return nil
}

// Written reports whether the function has changed any byte of the layout.
func (l *Layout) Written() bool { return l.written }

// Piece is a buffer of a layout.
type Piece struct {
	Name string
	Addr uint32
	Size int
}

// Pieces lists the buffers in a memory.
func (l *Layout) Pieces(m Memory) []Piece {
	var all []Piece
	for _, b := range l.arenas[m].buffers {
		all = append(all, Piece{Name: b.name, Addr: b.addr, Size: b.size})
	}
	return all
}

// near says where an address lies that is in no buffer.
func (l *Layout) near(addr uint32) string {
	best, distance := "in no buffer", ^uint32(0)
	for _, a := range l.arenas {
		for _, b := range a.buffers {
			end := b.addr + uint32(b.size)
			if addr >= end && addr-end < distance {
				distance = addr - end
				best = fmt.Sprintf("%d bytes past the end of %s", distance+1, b.name)
			}
			if addr < b.addr && b.addr-addr < distance {
				distance = b.addr - addr
				best = fmt.Sprintf("%d bytes before %s", distance, b.name)
			}
		}
	}
	return best
}
