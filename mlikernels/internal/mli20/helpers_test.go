package mli20

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// helper is a call of a function that is no kernel, with structures laid out for it.
type helper struct {
	placer
	m *kernel.Machine
}

func newHelper(m *kernel.Machine) *helper {
	return &helper{placer: placer{Placer: mli.NewPlacer(m.NewLayout(), nil)}, m: m}
}

// call calls the function; the layout has what it left.
func (h *helper) call(t *testing.T, symbol string, args ...uint32) uint32 {
	t.Helper()
	entry, err := h.m.Entry(symbol)
	require.NoError(t, err)
	h.L.SetArgs(args...)
	rep, err := h.m.CallAt(context.Background(), entry, h.L)
	require.NoError(t, err, symbol)
	return rep.R0
}

// place places a tensor with its data.
func (h *helper) place(t *testing.T, x *nn.Tensor) uint32 {
	t.Helper()
	return h.Input("in", x, kernel.Data)
}

// tensorOf is a tensor of a type with some format, scales along an axis when it is not negative.
func tensorOf(typ golden.MLIType, axis int, shape ...int) *nn.Tensor {
	x := nn.New(typ.Element(), shape...)
	for i := range x.Ints {
		x.Ints[i] = int64(i*37%251 - 125)
	}
	x.Format = nn.Format{Kind: nn.Fixed, Frac: -3}
	if typ.Affine() {
		n := 1
		if axis >= 0 {
			n = shape[axis]
		}
		x.Format = nn.Format{Kind: nn.Mantissa, Axis: axis}
		for i := range n {
			x.Format.Mantissas = append(x.Format.Mantissas, int32(1000+i))
			x.Format.Zeros = append(x.Format.Zeros, int64(7-i))
			x.Format.ScaleFracs = append(x.Format.ScaleFracs, i-2)
		}
	}
	return x
}

// TestFormats: the results of functions on the structure alone.
func TestFormats(t *testing.T) {
	m := newTestMachine(t, "em7d", nn.Convergent)
	for _, typ := range []golden.MLIType{golden.FX8, golden.FX16, golden.SA8, golden.SA32} {
		for axis := -1; axis < 2; axis++ {
			h := newHelper(m)
			x := tensorOf(typ, axis, 2, 3, 5, 7)
			at := h.place(t, x)
			for dim, want := range []uint32{210, 105, 35, 7, 0, 0} {
				require.Equal(t, want, h.call(t, "mli_hlp_count_elem_num", at, uint32(dim)))
			}
			require.EqualValues(t, typ.Bits()/8, h.call(t, "mli_hlp_tensor_element_size", at))
			for i := range 2 {
				scale, frac, zero := int64(1), -3, int64(0)
				if typ.Affine() {
					k := i
					if axis < 0 {
						k = 0
					}
					scale, frac, zero = int64(x.Format.Mantissas[k]), x.Format.ScaleFracs[k], x.Format.Zeros[k]
				}
				require.EqualValues(t, scale, int32(h.call(t, "mli_hlp_tensor_scale", at, uint32(i))))
				require.EqualValues(t, frac, int32(h.call(t, "mli_hlp_tensor_scale_shift", at, uint32(i))))
				require.EqualValues(t, zero, int32(h.call(t, "mli_hlp_tensor_zero_offset", at, uint32(i))))
			}
			require.EqualValues(t, 1, h.call(t, "mli_hlp_tensor_data_ptr_cmp", at, at))
		}
	}
	h := newHelper(m)
	for name, bits := range map[string]uint32{"sa8_sa8": 16, "fx16_fx16": 8, "fx16_fx8": 8} {
		require.Equal(t, bits, h.call(t, "mli_hlp_accu_guard_bits_"+name)&0xff)
	}
}

// TestStridesWithoutHoles: the strides that mli_hlp_set_tensor_mem_strides writes.
func TestStridesWithoutHoles(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	for _, shape := range [][]int{{4}, {3, 5}, {2, 3, 4}, {5, 1, 7, 2}} {
		h := newHelper(m)
		b := make([]byte, structs.Tensor.Size())
		structs.Tensor.Put(b, "rank", int64(len(shape)))
		for i, d := range shape {
			structs.Tensor.PutAt(b, "shape", i, int64(d))
		}
		at := h.Structure("tensor", b, true)
		h.call(t, "mli_hlp_set_tensor_mem_strides", at)
		for i, want := range kernel.Steps(shape, nil) {
			require.EqualValues(t, want, structs.Tensor.GetAt(h.L.Bytes(at, len(b)), "mem_stride", i))
		}
	}
}

// TestTableCreation: the tables in the caller's memory are those of the library's record, which golden's tests
// compare; too small a memory is refused, and only the type is written then.
func TestTableCreation(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for name, want := range golden.MLI20Tables() {
			n := 2 * len(want.Data)
			require.EqualValues(t, n, newHelper(m).call(t, "mli_krn_"+name+"_get_lut_size"))
			for _, room := range []int{n, n - 1} {
				h := newHelper(m)
				s, b := structs.Table, kernel.Pattern(structs.Table.Size())
				data := h.L.Place(kernel.Buffer{Name: "samples", Memory: kernel.Weights, Size: n})
				s.Put(b, "data.mem.pi16", int64(data))
				s.Put(b, "data.capacity", int64(room))
				before := slices.Clone(b)
				at := h.Structure("table", b, true)
				status := mli.Status(h.call(t, "mli_krn_"+name+"_create_lut", at))
				got := h.L.Bytes(at, s.Size())
				require.EqualValues(t, elementTypes[golden.FX16], s.Get(got, "type"))
				if room < n {
					require.Equal(t, mli.StatusNotEnoughMem, status)
					s.Put(before, "type", int64(elementTypes[golden.FX16]))
					require.Equal(t, before, got)
					continue
				}
				require.Equal(t, mli.StatusOK, status)
				for member, v := range map[string]int{"length": len(want.Data), "in_frac_bits": want.InFrac, "out_frac_bits": want.OutFrac,
					"input_offset": want.Offset, "output_offset": 0} {
					require.EqualValues(t, v, s.Get(got, member), "%s of %s", member, name)
				}
				samples := h.L.Bytes(data, n)
				for i, v := range want.Data {
					require.EqualValues(t, v, int16(binary.LittleEndian.Uint16(samples[2*i:])), "%s %d", name, i)
				}
			}
		}
	}
}

// TestSubtensors: a box of a tensor with holes and scales along an axis.
func TestSubtensors(t *testing.T) {
	m := newTestMachine(t, "em7d", nn.Convergent)
	shape, offset, size := []int{4, 5, 6}, []int{1, 2, 3}, []int{2, 1, 3}
	for axis := -1; axis < 3; axis++ {
		for _, rank := range []int{3, 2} {
			h := newHelper(m)
			x := tensorOf(golden.SA8, axis, shape...)
			in := h.place(t, x)
			cfg := make([]byte, mlistructs.Sub.Size())
			for i := range shape {
				mlistructs.Sub.PutAt(cfg, "offset", i, int64(offset[i]))
				mlistructs.Sub.PutAt(cfg, "size", i, int64(size[i]))
			}
			mlistructs.Sub.Put(cfg, "sub_tensor_rank", int64(rank))
			out := h.L.Place(kernel.Buffer{Name: "out", Memory: kernel.Structs, Size: structs.Tensor.Size()})
			require.Equal(t, mli.StatusOK, mli.Status(h.call(t, "mli_hlp_create_subtensor", in, h.Structure("cfg", cfg, false), out)))
			a, b, s := h.L.Bytes(in, 80), h.L.Bytes(out, 80), structs.Tensor
			kept := []int{0, 1, 2}
			if rank == 2 {
				kept = []int{0, 2} // the dimension of one element
			}
			require.EqualValues(t, rank, s.Get(b, "rank"))
			skipped := 1*30 + 2*6 + 3
			require.EqualValues(t, s.Get(a, "data.mem.pi32")+int64(skipped), s.Get(b, "data.mem.pi32"))
			require.EqualValues(t, s.Get(a, "data.capacity")-int64(skipped), s.Get(b, "data.capacity"))
			for i, d := range kept {
				require.EqualValues(t, size[d], s.GetAt(b, "shape", i))
				require.Equal(t, s.GetAt(a, "mem_stride", d), s.GetAt(b, "mem_stride", i))
			}
			if axis < 0 {
				require.Equal(t, a[48:], b[48:])
				continue
			}
			require.EqualValues(t, slices.Index(kept, axis), s.Get(b, "el_params.sa.dim"))
			require.EqualValues(t, 2*offset[axis], s.Get(b, "el_params.sa.scale.mem.pi16")-s.Get(a, "el_params.sa.scale.mem.pi16"))
			require.EqualValues(t, offset[axis], s.Get(b, "el_params.sa.scale_frac_bits.mem.pi8")-s.Get(a, "el_params.sa.scale_frac_bits.mem.pi8"))
			require.EqualValues(t, s.Get(a, "el_params.sa.scale.capacity")-int64(2*offset[axis]), s.Get(b, "el_params.sa.scale.capacity"))
		}
	}
}

// move is a move as its rules say: by elements, one position after the other.
type move struct {
	shape, offset, size, step, dstOffset, perm, pre, post []int
}

// written is the shape of what is written, and of dst.
func (v move) written() (w, dst []int) {
	for i, p := range v.perm {
		c := v.size[p]
		if c == 0 {
			c = v.shape[p] - v.offset[p] + v.pre[p] + v.post[p]
		}
		n := (c + v.step[p] - 1) / v.step[p]
		w, dst = append(w, n), append(dst, n+v.dstOffset[i])
	}
	return w, dst
}

// source is where an element comes from, false for a zero.
func (v move) source(at []int) ([]int, bool) {
	src := make([]int, len(at))
	for i, p := range v.perm {
		src[p] = at[i]*v.step[p] + v.offset[p] - v.pre[p]
		if src[p] < 0 || src[p] >= v.shape[p] {
			return nil, false
		}
	}
	return src, true
}

// randomMove is a move of a tensor of up to four dimensions.
func randomMove(r *rand.Rand) move {
	rank := 1 + r.IntN(4)
	v := move{perm: r.Perm(rank)}
	for range rank {
		n := 1 + r.IntN(6)
		off := r.IntN(n)
		size := 0
		if r.IntN(2) == 0 {
			size = 1 + r.IntN(n-off)
		}
		v.shape, v.offset, v.size = append(v.shape, n), append(v.offset, off), append(v.size, size)
		v.step, v.dstOffset = append(v.step, 1+r.IntN(3)), append(v.dstOffset, r.IntN(3))
		v.pre, v.post = append(v.pre, r.IntN(3)), append(v.post, r.IntN(3))
	}
	if r.IntN(3) == 0 { // an easy one
		for i := range rank {
			v.step[i], v.pre[i], v.post[i] = 1, 0, 0
		}
		slices.Sort(v.perm)
	}
	return v
}

// TestMoves: random moves of every type, with holes in dst and scales along an axis, against the rules by element.
func TestMoves(t *testing.T) {
	cases := level.Count(1600, 400, 60)
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		r := rand.New(rand.NewPCG(1, 2))
		for n := range cases {
			v := randomMove(r)
			typ := []golden.MLIType{golden.FX8, golden.FX16, golden.SA8, golden.SA32}[n%4]
			axis := -1
			if typ.Affine() && n%3 == 0 {
				axis = r.IntN(len(v.shape))
			}
			require.NoError(t, checkMove(t, m, r, v, tensorOf(typ, axis, v.shape...)), "%s %d: %+v %v along %d", core, n, v, typ, axis)
		}
	}
}

// TestMoveOntoItself: a tensor that is moved to where it lies stays, with and without scales along an axis. One that would
// be written over itself elsewhere is refused.
func TestMoveOntoItself(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, axis := range []int{-1, 2} {
			x := tensorOf(golden.SA8, axis, 3, 5, 4)
			for offset := range int64(2) {
				h := newHelper(m)
				src := h.Structure("tensor itself", slices.Clone(h.L.Bytes(h.place(t, x), structs.Tensor.Size())), true)
				cfg := make([]byte, mlistructs.Move.Size())
				for i := range 4 {
					mlistructs.Move.PutAt(cfg, "sub_sample_step", i, 1)
					mlistructs.Move.PutAt(cfg, "perm_dim", i, int64(i))
				}
				mlistructs.Move.PutAt(cfg, "offset", 1, offset)
				mlistructs.Move.PutAt(cfg, "size", 1, 5-offset)
				before := slices.Clone(h.L.Bytes(src, structs.Tensor.Size()))
				status := mli.Status(h.call(t, "mli_mov_tensor_sync", src, h.Structure("configuration", cfg, false), src))
				if offset > 0 {
					require.NotEqual(t, mli.StatusOK, status)
					continue
				}
				require.Equal(t, mli.StatusOK, status)
				require.Equal(t, before[:structs.Tensor.Offset("mem_stride")], h.L.Bytes(src, structs.Tensor.Offset("mem_stride")))
				data := uint32(structs.Tensor.Get(h.L.Bytes(src, structs.Tensor.Size()), "data.mem.pi32"))
				require.Equal(t, kernel.Elements(x), h.L.Bytes(data, x.Len()))
			}
		}
	}
}

// TestMoveCost: rows without holes between them are moved as one, whatever the rank, so a map costs as much as a line.
func TestMoveCost(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	cycles := func(shape ...int) uint64 {
		h := newHelper(m)
		x := tensorOf(golden.SA8, -1, shape...)
		cfg := make([]byte, mlistructs.Move.Size())
		for i := range 4 {
			mlistructs.Move.PutAt(cfg, "sub_sample_step", i, 1)
			mlistructs.Move.PutAt(cfg, "perm_dim", i, int64(i))
		}
		src := h.place(t, x)
		data := h.L.Place(kernel.Buffer{Name: "dst", Memory: kernel.Out, Size: x.Len()})
		b := make([]byte, structs.Tensor.Size())
		structs.Tensor.Put(b, "data.mem.pi32", int64(data))
		structs.Tensor.Put(b, "data.capacity", int64(x.Len()))
		out := h.Structure("tensor dst", b, true)
		entry, err := m.Entry("mli_mov_tensor_sync")
		require.NoError(t, err)
		h.L.SetArgs(src, h.Structure("configuration", cfg, false), out)
		rep, err := m.CallAt(context.Background(), entry, h.L)
		require.NoError(t, err)
		require.Zero(t, rep.R0)
		return rep.Cycles
	}
	line := cycles(16384)
	for _, shape := range [][]int{{1, 1, 128, 128}, {32, 32, 16}, {16, 16, 8, 8}} {
		require.Less(t, cycles(shape...), line+1000, "%v", shape)
	}
}

// checkMove makes one move and compares everything it leaves.
func checkMove(t *testing.T, m *kernel.Machine, r *rand.Rand, v move, x *nn.Tensor) error {
	t.Helper()
	h, s, bytes := newHelper(m), structs.Tensor, x.Type.Bytes()
	rank := len(v.shape)
	w, dst := v.written()
	holes := r.IntN(2) == 0
	strides, n := make([]int, rank), 1
	for i := rank - 1; i >= 0; i-- {
		strides[i] = n
		n *= dst[i]
		if holes {
			n += r.IntN(3)
		}
	}
	cfg := make([]byte, mlistructs.Move.Size())
	for i := range rank {
		for member, list := range map[string][]int{"offset": v.offset, "size": v.size, "sub_sample_step": v.step, "dst_offset": v.dstOffset,
			"perm_dim": v.perm, "padding_pre": v.pre, "padding_post": v.post} {
			mlistructs.Move.PutAt(cfg, member, i, int64(list[i]))
		}
		if holes {
			mlistructs.Move.PutAt(cfg, "dst_mem_stride", i, int64(strides[i]))
		}
	}
	room := kernel.Strides(strides).Room(dst) * bytes
	src := h.place(t, x)
	data := h.L.Place(kernel.Buffer{Name: "dst", Memory: kernel.Out, Size: room})
	before := slices.Clone(h.L.Bytes(data, room))
	b := make([]byte, s.Size())
	s.Put(b, "data.mem.pi32", int64(data))
	s.Put(b, "data.capacity", int64(room))
	out := h.Structure("tensor dst", b, true)
	if status := mli.Status(h.call(t, "mli_mov_tensor_sync", src, h.Structure("configuration", cfg, false), out)); status != mli.StatusOK {
		return fmt.Errorf("status %v", status)
	}
	got := h.L.Bytes(out, s.Size())
	for i := range rank {
		if s.GetAt(got, "shape", i) != int64(dst[i]) || s.GetAt(got, "mem_stride", i) != int64(strides[i]) {
			return fmt.Errorf("dimension %d is %d by %d, want %d by %d", i, s.GetAt(got, "shape", i), s.GetAt(got, "mem_stride", i), dst[i], strides[i])
		}
	}
	if x.Format.Kind == nn.Mantissa && x.Format.Axis >= 0 && s.Get(got, "el_params.sa.dim") != int64(slices.Index(v.perm, x.Format.Axis)) {
		return fmt.Errorf("scales along %d", s.Get(got, "el_params.sa.dim"))
	}
	// A copy between equal shapes without holes is all of the tensor.
	whole := slices.Equal(dst, v.shape) && slices.IsSorted(v.perm) && slices.Max(v.step) == 1 && slices.Max(v.pre) == 0 && slices.Max(v.post) == 0 &&
		slices.Equal(strides, kernel.Steps(dst, nil))
	if whole {
		w, v.offset, v.dstOffset = dst, make([]int, rank), make([]int, rank)
	}
	want := before
	elems := kernel.Elements(x)
	for i := range nn.Count(w) {
		at := nn.Coordinates(i, w)
		place := 0
		for d := range rank {
			place += (at[d] + v.dstOffset[d]) * strides[d]
		}
		e := make([]byte, bytes)
		if from, ok := v.source(at); ok {
			k := nn.Index(from, v.shape) * bytes
			copy(e, elems[k:k+bytes])
		}
		copy(want[place*bytes:], e)
	}
	if !slices.Equal(want, h.L.Bytes(data, room)) {
		return fmt.Errorf("elements differ")
	}
	return nil
}
