package mlikernels

import (
	"fmt"
	"math"

	"arcv2dsp/mlikernels/golden"
)

// elementTypes numbers the element types as the C interface does.
var elementTypes = [...]uint32{golden.FX8: 0, golden.FX16: 1, golden.SA8: 2, golden.SA32: 3}

// call is one kernel call laid out in simulated memory.
type call struct {
	args    []uint32 // r0 upwards
	arenas  []*arena
	outputs []output
	data    *arena
	weights *arena
	out     *arena
	structs *arena
	offset  uint32 // of the next data buffer from a word boundary
	skew    uint32
}

// output is an output tensor of a call: where its structure and its data are.
type output struct {
	role   string
	tensor uint32
	data   uint32
	bytes  int
}

// newCall lays out a job. The expected results say how large the outputs are; the kernel learns
// their capacity, and nothing else about them but the formats the caller chooses.
func newCall(k *Kernel, job *Job, want golden.Result, p Placement) (*call, error) {
	c := &call{data: newArena(p.Data), weights: newArena(p.Weights), out: newArena(p.Out),
		structs: newArena(p.Structs), offset: p.Offset, skew: p.Skew}
	c.arenas = []*arena{c.data, c.weights, c.out, c.structs}
	for _, arg := range k.Args {
		v, err := c.argument(k, job, want, arg)
		if err != nil {
			return nil, fmt.Errorf("%s: argument %q: %w", k.Symbol, arg.Role, err)
		}
		c.args = append(c.args, v)
	}
	return c, nil
}

func (c *call) argument(k *Kernel, job *Job, want golden.Result, arg Arg) (uint32, error) {
	switch arg.Kind {
	case ArgIn:
		if job.Same == arg.Role {
			return c.args[0], nil
		}
		t, err := tensorOf(job.Case, arg.Role)
		if err != nil {
			return 0, err
		}
		at := c.data
		if arg.Second {
			at = c.weights
		}
		return c.input(arg.Role, t, at), nil
	case ArgConfig:
		return c.config(k, job)
	case ArgTensors:
		return c.tensorList(k, job)
	case ArgState:
		return c.state(job, arg, want)
	default:
		return c.output(job, arg, want)
	}
}

func tensorOf(c *golden.Case, role string) (*golden.Tensor, error) {
	t := c.Tensors[role]
	if t == nil || t.Data == nil {
		return nil, fmt.Errorf("the case has no tensor %q", role)
	}
	if len(t.Shape) > maxRank {
		return nil, fmt.Errorf("%d dimensions, at most %d", len(t.Shape), maxRank)
	}
	return t, checkFormat(t)
}

// checkFormat fails for formats that the structures cannot hold.
func checkFormat(t *golden.Tensor) error {
	if !t.Type.Affine() && t.Frac != int(uint8(t.Frac)) {
		return fmt.Errorf("%d fractional bits, a tensor holds 0 to %d", t.Frac, math.MaxUint8)
	}
	if t.Type.Affine() && t.ScaleFrac != int(int8(t.ScaleFrac)) {
		return fmt.Errorf("scales with %d fractional bits, a tensor holds %d to %d", t.ScaleFrac, math.MinInt8, math.MaxInt8)
	}
	return nil
}

// nextOffset is where the next data buffer lies from a word boundary.
func (c *call) nextOffset() uint32 {
	offset := c.offset
	c.offset += c.skew
	return offset
}

// input places a tensor and its data and returns the address of the structure.
func (c *call) input(name string, t *golden.Tensor, at *arena) uint32 {
	data := elements(t)
	addr := at.add(name, data, 4, c.nextOffset(), false)
	return c.structs.add("tensor "+name, c.tensor(t, addr, len(data)), 4, 0, false)
}

// tensor builds the structure of a tensor with its data at addr.
func (c *call) tensor(t *golden.Tensor, addr uint32, capacity int) []byte {
	b := make([]byte, tensorSize)
	put32(b, tensorData, addr)
	put32(b, tensorCapacity, uint32(capacity))
	for i, d := range t.Shape {
		put32(b, tensorShape+4*i, uint32(d))
	}
	put32(b, tensorRank, uint32(len(t.Shape)))
	put32(b, tensorType, elementTypes[t.Type])
	c.format(b, t)
	return b
}

// format writes the element format into a tensor structure; scales per axis go into arrays.
func (c *call) format(b []byte, t *golden.Tensor) {
	if !t.Type.Affine() {
		b[tensorFrac] = uint8(t.Frac)
		return
	}
	put32(b, tensorDim, uint32(int32(t.Dim)))
	b[tensorScaleFrac] = uint8(int8(t.ScaleFrac))
	if t.Dim < 0 {
		put16(b, tensorZero, uint16(t.Zero[0]))
		put32(b, tensorScale, uint32(t.Scale[0]))
		return
	}
	zeros, scales := make([]byte, 2*len(t.Zero)), make([]byte, 4*len(t.Scale))
	for i, z := range t.Zero {
		put16(zeros, 2*i, uint16(z))
	}
	for i, s := range t.Scale {
		put32(scales, 4*i, uint32(s))
	}
	put32(b, tensorZero, c.structs.add("zero points", zeros, 4, 0, false))
	put32(b, tensorScale, c.structs.add("scales", scales, 4, 0, false))
}

// output places the space for an output tensor: over an input when the job says so.
func (c *call) output(job *Job, arg Arg, want golden.Result) (uint32, error) {
	t := want.Outputs[arg.Role]
	if t == nil {
		return 0, fmt.Errorf("the kernel has no such output")
	}
	if err := checkFormat(job.outFormat(arg.Role, t)); err != nil {
		return 0, err
	}
	n := t.Len() * t.Type.Bits() / 8
	var addr uint32
	if over := job.InPlace; over != "" {
		for i, b := range c.data.buffers {
			if b.name == over {
				addr, c.data.buffers[i].writable = b.addr, true
				n = max(n, b.size)
			}
		}
		for i, b := range c.weights.buffers {
			if b.name == over {
				addr, c.weights.buffers[i].writable = b.addr, true
				n = max(n, b.size)
			}
		}
		if addr == 0 {
			return 0, fmt.Errorf("no input %q to write over", over)
		}
	} else {
		addr = c.out.space(arg.Role, n, 4, c.nextOffset())
	}
	b := make([]byte, tensorSize)
	for i := range b {
		b[i] = pattern(uint32(i))
	}
	put32(b, tensorData, addr)
	put32(b, tensorCapacity, uint32(n))
	c.format(b, job.outFormat(arg.Role, t))
	s := c.structs.add("tensor "+arg.Role, b, 4, 0, true)
	c.outputs = append(c.outputs, output{role: arg.Role, tensor: s, data: addr,
		bytes: t.Len() * t.Type.Bits() / 8})
	return s, nil
}

// outFormat is the format the caller asks for in the output structure, in the type it will have.
func (j *Job) outFormat(role string, result *golden.Tensor) *golden.Tensor {
	f := *result
	if asked := j.Case.Tensors[role]; asked != nil && !f.Type.Affine() {
		f.Frac = asked.Frac
	}
	return &f
}

// state places a tensor that the kernel reads and writes, such as the cell of an LSTM.
func (c *call) state(job *Job, arg Arg, want golden.Result) (uint32, error) {
	t, err := tensorOf(job.Case, arg.Role)
	if err != nil {
		return 0, err
	}
	data := elements(t)
	addr := c.out.add(arg.Role, data, 4, c.nextOffset(), true)
	s := c.structs.add("tensor "+arg.Role, c.tensor(t, addr, len(data)), 4, 0, true)
	c.outputs = append(c.outputs, output{role: arg.Result, tensor: s, data: addr, bytes: len(data)})
	return s, nil
}

// tensorList places the inputs of concat and the array of pointers to them.
func (c *call) tensorList(k *Kernel, job *Job) (uint32, error) {
	var list []byte
	for _, role := range k.Golden.InputNames(job.Case) {
		t, err := tensorOf(job.Case, role)
		if err != nil {
			return 0, err
		}
		list = append(list, 0, 0, 0, 0)
		put32(list, len(list)-4, c.input(role, t, c.data))
	}
	return c.structs.add("tensor list", list, 4, 0, false), nil
}

// config places the configuration structure of the kernel's family.
func (c *call) config(k *Kernel, job *Job) (uint32, error) {
	p := job.Case.Params
	var b []byte
	var err error
	bytesAt := func(size int, fields map[int]string) {
		b = make([]byte, size)
		for at, name := range fields {
			v := p.Int(name)
			if b[at] = uint8(v); v != int(b[at]) {
				err = fmt.Errorf("%s is %d, a configuration holds 0 to %d", name, v, math.MaxUint8)
			}
		}
	}
	switch k.Config {
	case ConfigConv:
		bytesAt(convSize, map[int]string{convStrideW: "stride_w", convStrideH: "stride_h", convPadL: "pad_l",
			convPadR: "pad_r", convPadT: "pad_t", convPadB: "pad_b"})
		put32(b, convRelu, uint32(p.Int("relu")))
	case ConfigPool:
		bytesAt(poolSize, map[int]string{poolKernelW: "kernel_w", poolKernelH: "kernel_h",
			poolStrideW: "stride_w", poolStrideH: "stride_h", poolPadL: "pad_l", poolPadR: "pad_r",
			poolPadT: "pad_t", poolPadB: "pad_b"})
	case ConfigRNN:
		ir := c.scratch(job, k)
		b = make([]byte, rnnSize)
		put32(b, rnnMode, uint32(p.Int("mode")))
		put32(b, rnnAct, uint32(p.Int("act")))
		put32(b, rnnIR, ir)
	case ConfigReLU:
		b = make([]byte, reluSize)
		put32(b, 0, uint32(p.Int("relu")))
	case ConfigPermute:
		b = make([]byte, permuteSize)
		for i, d := range p.Lists["perm"] {
			if i == permuteSize {
				return 0, fmt.Errorf("more than %d axes", permuteSize)
			}
			b[i] = uint8(d)
		}
	case ConfigPadding:
		bytesAt(paddingSize, map[int]string{paddingL: "pad_l", paddingR: "pad_r", paddingT: "pad_t", paddingB: "pad_b"})
	case ConfigConcat:
		bytesAt(concatSize, map[int]string{concatNum: "tensors_num", concatAxis: "axis"})
	default:
		return 0, fmt.Errorf("no configuration")
	}
	return c.structs.add("configuration", b, 4, 0, false), err
}

// irGates is how many rows of outputs the intermediate tensor of a recurrent cell has at most.
const irGates = 4

// scratch places the intermediate tensor of a recurrent cell.
func (c *call) scratch(job *Job, k *Kernel) uint32 {
	n := irGates
	if prev := job.Case.Tensors["prev_out"]; prev != nil {
		n *= prev.Len()
	}
	t := &golden.Tensor{Type: k.Golden.Data, Shape: []int{n}, Dim: -1}
	size := n * t.Type.Bits() / 8
	addr := c.out.space("ir", size, 4, c.nextOffset())
	return c.structs.add("tensor ir", c.tensor(t, addr, size), 4, 0, true)
}

// elements is the data of a tensor in memory order.
func elements(t *golden.Tensor) []byte {
	switch t.Type.Bits() {
	case 8:
		b := make([]byte, len(t.Data))
		for i, v := range t.Data {
			b[i] = uint8(v)
		}
		return b
	case 16:
		b := make([]byte, 2*len(t.Data))
		for i, v := range t.Data {
			put16(b, 2*i, uint16(v))
		}
		return b
	default:
		b := make([]byte, 4*len(t.Data))
		for i, v := range t.Data {
			put32(b, 4*i, uint32(v))
		}
		return b
	}
}

// decode reads n elements of a type back.
func decode(t golden.Type, b []byte) []int32 {
	var out []int32
	for size := t.Bits() / 8; len(b) >= size; b = b[size:] {
		switch size {
		case 1:
			out = append(out, int32(int8(b[0])))
		case 2:
			out = append(out, int32(int16(get16(b, 0))))
		default:
			out = append(out, int32(get32(b, 0)))
		}
	}
	return out
}
