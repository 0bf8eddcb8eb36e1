package mli11

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/quant"
)

// quantRounding are the roundings of the library by those of package quant.
var quantRounding = map[nn.Rounding]quant.Rounding{nn.Convergent: quant.NearestEven, nn.Up: quant.HalfUp}

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
	require.NoError(t, err)
	return rep.R0
}

// place places a tensor with its data in a memory.
func (h *helper) place(t *testing.T, name string, x *nn.Tensor, m kernel.Memory) uint32 {
	t.Helper()
	return h.Input(name, x, m)
}

// empty places the structure of a tensor that is to be filled in, with room for its data.
func (h *helper) empty(x *nn.Tensor, room int) uint32 {
	return h.Structure("tensor out", h.tensor(x, h.L.Scratch("out", room, 4), room), true)
}

// fresh places room for a structure.
func (h *helper) fresh() uint32 {
	return h.L.Place(kernel.Buffer{Name: "tensor out", Memory: kernel.Structs, Size: tensorSize, Writable: true})
}

func ramp(n int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i*37%251 - 125)
	}
	return v
}

// tensorOf is a tensor of a type with some format.
func tensorOf(typ golden.MLIType, frac int, shape []int, data []int64) *nn.Tensor {
	x := &nn.Tensor{Type: typ.Element(), Shape: shape, Ints: data, Format: nn.Format{Kind: nn.Fixed, Frac: frac}}
	if typ.Affine() {
		x.Format = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{77}, ScaleFrac: -3, Zeros: []int64{-9}}
	}
	return x
}

func TestHelpersSizes(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	for _, typ := range []golden.MLIType{golden.FX8, golden.FX16, golden.SA8, golden.SA32} {
		h := newHelper(m)
		at := h.place(t, "in", tensorOf(typ, 11, []int{2, 3, 5, 7}, ramp(210)), kernel.Data)
		for dim, want := range []uint32{210, 105, 35, 7, 1, 1} {
			require.Equal(t, want, h.call(t, "mli_hlp_count_elem_num", at, uint32(dim)))
		}
		require.EqualValues(t, typ.Bits()/8, h.call(t, "mli_hlp_tensor_element_size", at))
		shift := h.call(t, "mli_hlp_tensor_scale_shift", at)
		scale := h.call(t, "mli_hlp_tensor_scale", at, 0)
		zero := int32(h.call(t, "mli_hlp_tensor_zero_offset", at, 0))
		if typ.Affine() {
			require.Equal(t, []int32{-3, 77, -9}, []int32{int32(shift), int32(scale), zero})
		} else {
			require.Equal(t, []int32{11, 1, 0}, []int32{int32(shift), int32(scale), zero})
		}
	}
	perAxis := tensorOf(golden.SA8, 0, []int{3}, ramp(3))
	perAxis.Format = nn.Format{Kind: nn.Mantissa, Axis: 0, Mantissas: []int32{5, 6, 7}, Zeros: []int64{1, -2, 3}, ScaleFrac: 20}
	h := newHelper(m)
	at := h.place(t, "in", perAxis, kernel.Data)
	for i := range uint32(3) {
		require.EqualValues(t, perAxis.Format.Mantissas[i], h.call(t, "mli_hlp_tensor_scale", at, i))
		require.EqualValues(t, perAxis.Format.Zeros[i], int32(h.call(t, "mli_hlp_tensor_zero_offset", at, i)))
	}
	put32(h.L.Bytes(at, tensorSize), tensorType, 4)
	require.Zero(t, h.call(t, "mli_hlp_tensor_element_size", at))
}

func TestHelperConvert(t *testing.T) {
	for _, round := range Collection().Roundings {
		m := newTestMachine(t, "em9d", round)
		for _, from := range []golden.MLIType{golden.FX8, golden.FX16} {
			for _, to := range []golden.MLIType{golden.FX8, golden.FX16} {
				for _, frac := range [][2]int{{7, 7}, {7, 4}, {4, 7}, {15, 7}, {0, 15}, {20, 1}, {3, 3}} {
					x := tensorOf(from, frac[0], []int{5, 50}, ramp(250))
					if from == golden.FX16 {
						for i := range x.Ints {
							x.Ints[i] = x.Ints[i]*255 + int64(i)
						}
					}
					h := newHelper(m)
					in := h.place(t, "in", x, kernel.Data)
					size := 250 * to.Bits() / 8
					out := h.empty(tensorOf(to, frac[1], nil, nil), size)
					require.Zero(t, h.call(t, "mli_hlp_convert_tensor", in, out))
					s := h.L.Bytes(out, tensorSize)
					require.Equal(t, []uint32{2, 5, 50},
						[]uint32{get32(s, tensorRank), get32(s, tensorShape), get32(s, tensorShape+4)})
					got := kernel.Decode(to.Element(), []int{250}, h.L.Bytes(get32(s, tensorData), size))
					f, g := quant.QFormat{Bits: from.Bits(), Frac: frac[0]}, quant.QFormat{Bits: to.Bits(), Frac: frac[1]}
					for i, v := range x.Ints {
						require.Equal(t, f.Convert(v, g, quantRounding[round]), got.Ints[i], "%v %v %v %d", from, to, frac, v)
					}
				}
			}
		}
		h := newHelper(m)
		in := h.place(t, "in", tensorOf(golden.FX8, 0, []int{4}, ramp(4)), kernel.Data)
		for _, row := range []struct {
			bytes  int
			typ    golden.MLIType
			status mli.Status
		}{{3, golden.FX8, mli.StatusNotEnoughMem}, {7, golden.FX16, mli.StatusNotEnoughMem}, {16, golden.SA32, mli.StatusNotSupported}} {
			out := h.empty(tensorOf(row.typ, 0, nil, nil), row.bytes)
			require.EqualValues(t, row.status, h.call(t, "mli_hlp_convert_tensor", in, out))
		}
		require.EqualValues(t, mli.StatusBadTensor, h.call(t, "mli_hlp_convert_tensor", in, 0))
	}
}

// subtensor reads the tensor a helper made, element by element through its strides.
func subtensor(t *testing.T, h *helper, at uint32, typ golden.MLIType) (shape []int, elems []int64) {
	t.Helper()
	s := h.L.Bytes(at, tensorSize)
	rank := int(get32(s, tensorRank))
	require.LessOrEqual(t, rank, mli.MaxRank)
	strides, contiguous := make([]int, rank), 1
	for d := range rank {
		shape = append(shape, int(get32(s, tensorShape+4*d)))
	}
	n := 1
	for d := rank - 1; d >= 0; d-- {
		strides[d] = int(int32(get32(s, tensorStride+4*d)))
		if strides[d] == 0 {
			strides[d] = contiguous
		}
		contiguous *= shape[d]
		n *= shape[d]
	}
	size := typ.Bits() / 8
	base := get32(s, tensorData)
	last := uint32(0)
	for i := range n {
		offset := 0
		for d, at := range nn.Coordinates(i, shape) {
			offset += at * strides[d]
		}
		addr := base + uint32(offset*size)
		last = max(last, addr+uint32(size)-base)
		elems = append(elems, kernel.Decode(typ.Element(), []int{1}, h.L.Bytes(addr, size)).Ints...)
	}
	require.GreaterOrEqual(t, get32(s, tensorCapacity), last)
	return shape, elems
}

func TestHelperPointToSubtensor(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	for _, typ := range []golden.MLIType{golden.FX8, golden.FX16} {
		x := tensorOf(typ, 6, []int{4, 3, 5}, ramp(60))
		for _, row := range []struct {
			start []uint32
			first uint8
			want  mli.Status
		}{
			{[]uint32{1}, 2, mli.StatusOK}, {[]uint32{0}, 4, mli.StatusOK}, {[]uint32{2, 1}, 1, mli.StatusOK},
			{[]uint32{3, 2, 4}, 1, mli.StatusOK}, {[]uint32{3, 1, 1}, 4, mli.StatusOK},
			{[]uint32{4}, 1, mli.StatusBadFuncCfg}, {[]uint32{3}, 2, mli.StatusBadFuncCfg}, {[]uint32{1, 1}, 0, mli.StatusBadFuncCfg},
			{nil, 1, mli.StatusBadFuncCfg}, {[]uint32{0, 0, 0, 0}, 1, mli.StatusBadFuncCfg},
		} {
			h := newHelper(m)
			in := h.place(t, "in", x, kernel.Data)
			cfg := make([]byte, 20)
			for i, v := range row.start {
				put32(cfg, 4*i, v)
			}
			cfg[16], cfg[17] = uint8(len(row.start)), row.first
			out := h.fresh()
			status := h.call(t, "mli_hlp_point_to_subtensor", in, h.Structure("cfg", cfg, false), out)
			require.Equal(t, row.want, mli.Status(status), "%v", row)
			if row.want != mli.StatusOK {
				continue
			}
			n := len(row.start)
			shape, elems := subtensor(t, h, out, typ)
			require.Equal(t, append([]int{int(row.first)}, x.Shape[n:]...), shape)
			offset := 0
			for d := range x.Shape {
				offset *= x.Shape[d]
				if d < n {
					offset += int(row.start[d])
				}
			}
			require.Equal(t, x.Ints[offset:offset+len(elems)], elems)
			require.EqualValues(t, 6, h.L.Bytes(out, tensorSize)[tensorFrac])
		}
	}
}

func TestHelperCreateSubtensor(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	x := tensorOf(golden.FX16, 6, []int{2, 4, 3, 5}, ramp(120))
	for _, row := range []struct {
		offset, size [4]uint32
		rank         uint32
		shape        []int
		want         mli.Status
	}{
		{offset: [4]uint32{0, 1, 1, 2}, size: [4]uint32{2, 2, 2, 3}, rank: 4, shape: []int{2, 2, 2, 3}},
		{offset: [4]uint32{1, 1, 0, 2}, size: [4]uint32{1, 2, 3, 3}, rank: 3, shape: []int{2, 3, 3}},
		{offset: [4]uint32{1, 1, 0, 2}, size: [4]uint32{1, 2, 3, 3}, rank: 4, shape: []int{1, 2, 3, 3}},
		{offset: [4]uint32{1, 3, 2, 0}, size: [4]uint32{1, 1, 1, 5}, rank: 1, shape: []int{5}},
		{offset: [4]uint32{1, 3, 2, 0}, size: [4]uint32{1, 1, 1, 5}, rank: 2, shape: []int{1, 5}},
		{offset: [4]uint32{0, 3, 0, 4}, size: [4]uint32{2, 1, 3, 1}, rank: 2, shape: []int{2, 3}},
		{offset: [4]uint32{1, 3, 2, 4}, size: [4]uint32{1, 1, 1, 1}, rank: 1, shape: []int{1}},
		{size: [4]uint32{2, 2, 2, 2}, rank: 3, want: mli.StatusBadFuncCfg},
		{size: [4]uint32{2, 0, 2, 2}, rank: 4, want: mli.StatusBadFuncCfg},
		{offset: [4]uint32{1}, size: [4]uint32{2, 1, 1, 1}, rank: 4, want: mli.StatusBadFuncCfg},
		{offset: [4]uint32{2}, size: [4]uint32{1, 1, 1, 1}, rank: 4, want: mli.StatusBadFuncCfg},
		{size: [4]uint32{1, 1, 1, 1}, rank: 0, want: mli.StatusBadFuncCfg},
		{size: [4]uint32{1, 1, 1, 1}, rank: 5, want: mli.StatusBadFuncCfg},
	} {
		h := newHelper(m)
		in := h.place(t, "in", x, kernel.Data)
		cfg := make([]byte, 36)
		for d := range 4 {
			put32(cfg, 4*d, row.offset[d])
			put32(cfg, 16+4*d, row.size[d])
		}
		put32(cfg, 32, row.rank)
		out := h.fresh()
		status := h.call(t, "mli_hlp_create_subtensor", in, h.Structure("cfg", cfg, false), out)
		require.Equal(t, row.want, mli.Status(status), "%v", row)
		if row.want != mli.StatusOK {
			continue
		}
		shape, elems := subtensor(t, h, out, golden.FX16)
		require.Equal(t, row.shape, shape, "%v", row)
		var want []int64
		for i := range x.Ints {
			inside := true
			for d, at := range nn.Coordinates(i, x.Shape) {
				inside = inside && at >= int(row.offset[d]) && at < int(row.offset[d]+row.size[d])
			}
			if inside {
				want = append(want, x.Ints[i])
			}
		}
		require.Equal(t, want, elems, "%v", row)
	}
}
