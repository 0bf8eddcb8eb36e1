package mli20

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// The user tests of moves and of parts of tensors call functions whose configuration no file has. It is here, as the
// published tests have it; that a checksum of 32 bits is equal says that it is the right one.

// userMove is the configuration of a move as it differs from that of a copy.
type userMove struct {
	offset, size, step, dstOffset, dstStride, perm []int
	left, right, top, bottom                       int
	prefilled                                      string // the array that dst has before the move; empty for none
}

// userMoves are the moves in the order of their cases.
var userMoves = []userMove{
	{}, {}, {}, {}, // copies
	{offset: []int{1, 2, 2}, size: []int{3, 6, 2}, dstStride: []int{28, 4, 1}},
	{offset: []int{1, 2, 2}, size: []int{3, 6, 2}, dstStride: []int{28, 4, 1}},
	{dstOffset: []int{16, 8}, prefilled: "test_4_out_data"},
	{left: 3, right: 3, top: 2, bottom: 2},
	{left: 3, right: 3, top: 2, bottom: 2},
	{perm: []int{1, 0, 2, 3}},
	{perm: []int{1, 0, 2, 3}},
	{step: []int{2, 2, 1, 1}},
	{offset: []int{1, 1}, left: 1, right: 1, top: 1, bottom: 1},
	{offset: []int{1, 1}, left: 1, right: 1, top: 1, bottom: 1},
	{step: []int{4, 2, 1, 1}, dstStride: []int{8, 1}, perm: []int{1, 0, 2, 3}},
	{step: []int{2, 2, 2, 1}, perm: []int{2, 0, 1, 3}, right: 2, top: 2},
	{step: []int{2, 2, 2, 1}, perm: []int{2, 0, 1, 3}, right: 2, top: 2},
	{offset: []int{0, 3}, step: []int{1, 3, 1, 1}, left: 5, right: 5},
	{offset: []int{0, 3}, step: []int{1, 3, 1, 1}, left: 5, right: 5},
	{offset: []int{7}, step: []int{3, 1, 1, 1}, top: 16, bottom: 4},
	{offset: []int{7}, step: []int{3, 1, 1, 1}, top: 16, bottom: 4},
	{offset: []int{2, 4}, size: []int{4, 8}, step: []int{2, 3, 1, 1}},
	{offset: []int{7}, step: []int{3, 1, 1, 1}, dstStride: []int{3}, top: 16, bottom: 4},
}

// configuration has mli_mov_cfg_all fill in the configuration.
func (v userMove) configuration(t *testing.T, h *helper) uint32 {
	t.Helper()
	words := func(name string, list []int, rest int) uint32 {
		var b []byte
		for i := range mli.MaxRank {
			n := rest
			if i < len(list) {
				n = list[i]
			}
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		return h.Structure(name, b, false)
	}
	perm := []byte{0, 1, 2, 3}
	for i, d := range v.perm {
		perm[i] = byte(d)
	}
	cfg := h.L.Place(kernel.Buffer{Name: "configuration", Memory: kernel.Structs, Size: mlistructs.Move.Size(), Writable: true})
	status := h.call(t, "mli_mov_cfg_all", cfg, words("offsets", v.offset, 0), words("sizes", v.size, 0), words("steps", v.step, 1),
		words("dst offsets", v.dstOffset, 0), words("dst strides", v.dstStride, 0), h.Structure("axes", perm, false),
		uint32(v.left), uint32(v.right), uint32(v.top), uint32(v.bottom))
	require.Equal(t, mli.StatusOK, mli.Status(status))
	return cfg
}

// run makes the move and returns the checksum over the memory of both tensors. Elements of dst have other values before.
func (v userMove) run(t *testing.T, m *kernel.Machine, c *golden.MLIUserCase, arrays map[string][]float64) uint32 {
	t.Helper()
	in, out := c.Tensors["in"], c.Tensors["out"]
	first := newHelper(m)
	cfg := slices.Clone(first.L.Bytes(v.configuration(t, first), mlistructs.Move.Size()))

	h := newHelper(m)
	memory := c.Memory("out")
	before := &nn.Tensor{Type: out.Type, Shape: out.Shape, Ints: slices.Clone(out.Ints)}
	if v.prefilled != "" {
		before.Ints = slices.Clone(quantized(t, arrays[v.prefilled], out).Ints)
	}
	for i := range before.Ints {
		at, moved := nn.Coordinates(i, out.Shape), true
		for d, n := range v.dstOffset {
			moved = moved && at[d] >= n
		}
		if moved {
			before.Ints[i] = ^out.Ints[i]
		}
	}
	scatter(memory, before, c.Strides["out"])
	src := h.memory(t, "in", in, c.Memory("in"), c.Strides["in"])
	dst := h.memory(t, "out", out, memory, c.Strides["out"])
	status := h.call(t, "mli_mov_tensor_sync", src, h.Structure("configuration", cfg, false), dst)
	require.Equal(t, mli.StatusOK, mli.Status(status), c.Descr)
	s := structs.Tensor
	b := h.L.Bytes(dst, s.Size())
	for i, n := range out.Shape {
		require.EqualValues(t, n, s.GetAt(b, "shape", i), c.Descr)
		require.EqualValues(t, c.Strides["out"][i], s.GetAt(b, "mem_stride", i), c.Descr)
	}
	return h.checksum(src, dst)
}

// scatter writes the elements of a tensor into memory with holes.
func scatter(memory []byte, x *nn.Tensor, strides []int) {
	elems, size := kernel.Elements(x), x.Type.Bytes()
	for i := range x.Len() {
		place := 0
		for d, n := range nn.Coordinates(i, x.Shape) {
			place += n * strides[d]
		}
		copy(memory[place*size:(place+1)*size], elems[i*size:])
	}
}

// memory places a tensor with the memory it lies in, and returns its structure, which functions may fill in.
func (h *helper) memory(t *testing.T, role string, x *nn.Tensor, memory []byte, strides []int) uint32 {
	t.Helper()
	s := structs.Tensor
	b := h.tensor(role, x, h.L.Place(kernel.Buffer{Name: role, Memory: kernel.Data, Bytes: memory, Writable: true}))
	s.Put(b, "data.capacity", int64(len(memory)))
	for i, n := range strides {
		s.PutAt(b, "mem_stride", i, int64(n))
	}
	return h.Structure("tensor "+role, b, true)
}

// checksum is that over the memory of tensors, one after the other.
func (h *helper) checksum(tensors ...uint32) uint32 {
	s, sum := structs.Tensor, uint32(0)
	for _, at := range tensors {
		b := h.L.Bytes(at, s.Size())
		sum = crc32.Update(sum, crc32.IEEETable, h.L.Bytes(uint32(s.Get(b, "data.mem.pi32")), int(s.Get(b, "data.capacity"))))
	}
	return sum
}

// userPart is a case of mli_hlp_create_subtensor.
type userPart struct {
	descr        string
	of           *nn.Tensor // type, shape and format of the tensor
	offset, size []int
	rank         int
	phase        int // of the filler of holes: four bytes that repeat, by the place the tensor has in memory
}

// partStrides are those of all tensors of these cases.
var partStrides = []int{36, 6, 3, 1}

// userParts are the cases: a box at the origin, and one elsewhere with a dimension fewer, of every format.
func userParts() []userPart {
	scale := nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{17416}, Zeros: []int64{0}, ScaleFrac: 22}
	scales := nn.Format{Kind: nn.Mantissa, Axis: 3, Mantissas: []int32{7521, 19715, 8708}, Zeros: []int64{0, 0, 0}, ScaleFracs: []int{22, 23, 21}}
	var all []userPart
	for _, of := range []struct {
		first, second string
		typ           golden.MLIType
		format        nn.Format
		phase         int
	}{
		{"FX16 tensor", "FX16 tensor (rank & offset)", golden.FX16, nn.Format{Kind: nn.Fixed, Frac: 15}, 0},
		{"FX8 tensor", "FX8 tensor (rank & offset)", golden.FX8, nn.Format{Kind: nn.Fixed, Frac: 7}, 2},
		{"SA8 tensor", "SA8 tensor (rank & offset)", golden.SA8, scale, 1},
		{"SA8 tensor per axis", "SA8 per axis (rank & offset)", golden.SA8, scales, 1},
		{"SA32 tensor", "SA32 tensor (rank & offset)", golden.SA32, scale, 0},
		{"SA32 tensor per axis", "SA32 per axis (rank & offset)", golden.SA32, scales, 0},
	} {
		x := &nn.Tensor{Type: of.typ.Element(), Shape: []int{4, 3, 1, 3}, Format: of.format}
		all = append(all, userPart{descr: of.first, of: x, offset: []int{0, 0, 0, 0}, size: []int{2, 2, 1, 2}, rank: 4, phase: of.phase},
			userPart{descr: of.second, of: x, offset: []int{1, 2, 0, 1}, size: []int{3, 1, 1, 2}, rank: 3, phase: of.phase})
	}
	return all
}

// run describes the part and returns the checksum over the memory of the tensor and of its part.
func (p userPart) run(t *testing.T, m *kernel.Machine, arrays map[string][]float64) uint32 {
	t.Helper()
	h := newHelper(m)
	memory := make([]byte, kernel.Strides(partStrides).Room(p.of.Shape)*p.of.Type.Bytes())
	for i := range memory {
		memory[i] = []byte{0xde, 0xad, 0xbe, 0xef}[(i+p.phase)%4]
	}
	x := quantized(t, arrays["input_1_data"], p.of)
	scatter(memory, x, partStrides)
	in := h.memory(t, "in", x, memory, partStrides)
	cfg := make([]byte, mlistructs.Sub.Size())
	for i := range p.offset {
		mlistructs.Sub.PutAt(cfg, "offset", i, int64(p.offset[i]))
		mlistructs.Sub.PutAt(cfg, "size", i, int64(p.size[i]))
	}
	mlistructs.Sub.Put(cfg, "sub_tensor_rank", int64(p.rank))
	out := h.L.Place(kernel.Buffer{Name: "out", Memory: kernel.Structs, Size: structs.Tensor.Size(), Writable: true})
	status := h.call(t, "mli_hlp_create_subtensor", in, h.Structure("configuration", cfg, false), out)
	require.Equal(t, mli.StatusOK, mli.Status(status), p.descr)
	return h.checksum(in, out)
}
