package mlikernels

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

// helperCall calls a helper function with structures laid out in c; what it left is in the images.
func helperCall(t *testing.T, m *Machine, symbol string, c *call, args ...uint32) uint32 {
	t.Helper()
	entry := m.opts.Library.Entry(symbol)
	require.NotZero(t, entry, symbol)
	require.NoError(t, m.m.Restore(m.clean))
	m.ctx = context.Background()
	for _, a := range c.arenas {
		require.NoError(t, m.write(a.base, a.image))
	}
	r0, _, err := m.call(entry, args)
	require.NoError(t, err)
	for _, a := range c.arenas {
		after := make([]byte, len(a.image))
		require.NoError(t, m.read(a.base, after))
		require.NoError(t, a.check(after))
		a.image = after
	}
	return r0
}

func newHelperCall(m *Machine) *call {
	c := &call{data: newArena(m.place.Data), weights: newArena(m.place.Weights), out: newArena(m.place.Out),
		structs: newArena(m.place.Structs)}
	c.arenas = []*arena{c.data, c.weights, c.out, c.structs}
	return c
}

func ramp(n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(i*37%251 - 125)
	}
	return v
}

func TestHelpersSizes(t *testing.T) {
	m := newTestMachine(t, "em9d", golden.Convergent)
	for _, typ := range []golden.Type{golden.FX8, golden.FX16, golden.SA8, golden.SA32} {
		x := &golden.Tensor{Type: typ, Shape: []int{2, 3, 5, 7}, Data: ramp(210), Dim: -1, Scale: []int32{77},
			ScaleFrac: -3, Zero: []int32{-9}, Frac: 11}
		c := newHelperCall(m)
		at := c.input("in", x, c.data)
		for dim, want := range []uint32{210, 105, 35, 7, 1, 1} {
			require.Equal(t, want, helperCall(t, m, "mli_hlp_count_elem_num", c, at, uint32(dim)))
		}
		require.EqualValues(t, typ.Bits()/8, helperCall(t, m, "mli_hlp_tensor_element_size", c, at))
		shift := helperCall(t, m, "mli_hlp_tensor_scale_shift", c, at)
		scale := helperCall(t, m, "mli_hlp_tensor_scale", c, at, 0)
		zero := int32(helperCall(t, m, "mli_hlp_tensor_zero_offset", c, at, 0))
		if typ.Affine() {
			require.Equal(t, []int32{-3, 77, -9}, []int32{int32(shift), int32(scale), zero})
		} else {
			require.Equal(t, []int32{11, 1, 0}, []int32{int32(shift), int32(scale), zero})
		}
	}
	perAxis := &golden.Tensor{Type: golden.SA8, Shape: []int{3}, Data: ramp(3), Dim: 0, Scale: []int32{5, 6, 7},
		Zero: []int32{1, -2, 3}, ScaleFrac: 20}
	c := newHelperCall(m)
	at := c.input("in", perAxis, c.data)
	for i := range uint32(3) {
		require.EqualValues(t, perAxis.Scale[i], helperCall(t, m, "mli_hlp_tensor_scale", c, at, i))
		require.EqualValues(t, perAxis.Zero[i], int32(helperCall(t, m, "mli_hlp_tensor_zero_offset", c, at, i)))
	}
	put32(c.structs.at(at, tensorSize), tensorType, 4)
	require.Zero(t, helperCall(t, m, "mli_hlp_tensor_element_size", c, at))
}

func TestHelperConvert(t *testing.T) {
	for _, round := range []golden.Rounding{golden.Convergent, golden.Up} {
		m := newTestMachine(t, "em9d", round)
		for _, from := range []golden.Type{golden.FX8, golden.FX16} {
			for _, to := range []golden.Type{golden.FX8, golden.FX16} {
				for _, frac := range [][2]int{{7, 7}, {7, 4}, {4, 7}, {15, 7}, {0, 15}, {20, 1}, {3, 3}} {
					x := &golden.Tensor{Type: from, Shape: []int{5, 50}, Frac: frac[0], Data: ramp(250), Dim: -1}
					if from == golden.FX16 {
						for i := range x.Data {
							x.Data[i] = x.Data[i]*255 + int32(i)
						}
					}
					c := newHelperCall(m)
					in := c.input("in", x, c.data)
					size := 250 * to.Bits() / 8
					b := c.tensor(&golden.Tensor{Type: to, Frac: frac[1], Dim: -1}, c.out.space("out", size, 4, 0), size)
					out := c.structs.add("tensor out", b, 4, 0, true)
					require.Zero(t, helperCall(t, m, "mli_hlp_convert_tensor", c, in, out))
					s := c.structs.at(out, tensorSize)
					require.Equal(t, []uint32{2, 5, 50},
						[]uint32{get32(s, tensorRank), get32(s, tensorShape), get32(s, tensorShape+4)})
					got := decode(to, c.out.at(get32(s, tensorData), size))
					f, g := golden.Format{Bits: from.Bits(), Frac: frac[0]}, golden.Format{Bits: to.Bits(), Frac: frac[1]}
					for i, v := range x.Data {
						require.EqualValues(t, f.Convert(int64(v), g, round), got[i], "%v %v %v %d", from, to, frac, v)
					}
				}
			}
		}
		c := newHelperCall(m)
		in := c.input("in", &golden.Tensor{Type: golden.FX8, Shape: []int{4}, Data: ramp(4), Dim: -1}, c.data)
		for _, row := range []struct {
			bytes  int
			typ    golden.Type
			status Status
		}{{3, golden.FX8, StatusNotEnoughMem}, {7, golden.FX16, StatusNotEnoughMem}, {16, golden.SA32, StatusNotSupported}} {
			format := &golden.Tensor{Type: row.typ, Dim: -1, Scale: []int32{1}, Zero: []int32{0}}
			b := c.tensor(format, c.out.space("out", row.bytes, 4, 0), row.bytes)
			out := c.structs.add("tensor out", b, 4, 0, true)
			require.EqualValues(t, row.status, helperCall(t, m, "mli_hlp_convert_tensor", c, in, out))
		}
		require.EqualValues(t, StatusBadTensor, helperCall(t, m, "mli_hlp_convert_tensor", c, in, 0))
	}
}

// subtensor reads the tensor a helper made, element by element through its strides.
func subtensor(t *testing.T, c *call, at uint32, typ golden.Type) (shape []int, elems []int32) {
	t.Helper()
	s := c.structs.at(at, tensorSize)
	rank := int(get32(s, tensorRank))
	require.LessOrEqual(t, rank, maxRank)
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
		for d, at := range coordinates(i, shape) {
			offset += at * strides[d]
		}
		addr := base + uint32(offset*size)
		last = max(last, addr+uint32(size)-base)
		elems = append(elems, decode(typ, c.data.at(addr, size))[0])
	}
	require.GreaterOrEqual(t, get32(s, tensorCapacity), last)
	return shape, elems
}

func TestHelperPointToSubtensor(t *testing.T) {
	m := newTestMachine(t, "em9d", golden.Convergent)
	for _, typ := range []golden.Type{golden.FX8, golden.FX16} {
		x := &golden.Tensor{Type: typ, Shape: []int{4, 3, 5}, Data: ramp(60), Frac: 6, Dim: -1}
		for _, row := range []struct {
			start []uint32
			first uint8
			want  Status
		}{
			{[]uint32{1}, 2, StatusOK}, {[]uint32{0}, 4, StatusOK}, {[]uint32{2, 1}, 1, StatusOK},
			{[]uint32{3, 2, 4}, 1, StatusOK}, {[]uint32{3, 1, 1}, 4, StatusOK},
			{[]uint32{4}, 1, StatusBadFuncCfg}, {[]uint32{3}, 2, StatusBadFuncCfg}, {[]uint32{1, 1}, 0, StatusBadFuncCfg},
			{nil, 1, StatusBadFuncCfg}, {[]uint32{0, 0, 0, 0}, 1, StatusBadFuncCfg},
		} {
			c := newHelperCall(m)
			in := c.input("in", x, c.data)
			cfg := make([]byte, 20)
			for i, v := range row.start {
				put32(cfg, 4*i, v)
			}
			cfg[16], cfg[17] = uint8(len(row.start)), row.first
			out := c.structs.space("tensor out", tensorSize, 4, 0)
			status := helperCall(t, m, "mli_hlp_point_to_subtensor", c, in, c.structs.add("cfg", cfg, 4, 0, false), out)
			require.Equal(t, row.want, Status(status), "%v", row)
			if row.want != StatusOK {
				continue
			}
			n := len(row.start)
			shape, elems := subtensor(t, c, out, typ)
			require.Equal(t, append([]int{int(row.first)}, x.Shape[n:]...), shape)
			offset := 0
			for d := range x.Shape {
				offset *= x.Shape[d]
				if d < n {
					offset += int(row.start[d])
				}
			}
			require.Equal(t, x.Data[offset:offset+len(elems)], elems)
			require.EqualValues(t, 6, c.structs.at(out, tensorSize)[tensorFrac])
		}
	}
}

func TestHelperCreateSubtensor(t *testing.T) {
	m := newTestMachine(t, "em9d", golden.Convergent)
	x := &golden.Tensor{Type: golden.FX16, Shape: []int{2, 4, 3, 5}, Data: ramp(120), Frac: 6, Dim: -1}
	for _, row := range []struct {
		offset, size [4]uint32
		rank         uint32
		shape        []int
		want         Status
	}{
		{offset: [4]uint32{0, 1, 1, 2}, size: [4]uint32{2, 2, 2, 3}, rank: 4, shape: []int{2, 2, 2, 3}},
		{offset: [4]uint32{1, 1, 0, 2}, size: [4]uint32{1, 2, 3, 3}, rank: 3, shape: []int{2, 3, 3}},
		{offset: [4]uint32{1, 1, 0, 2}, size: [4]uint32{1, 2, 3, 3}, rank: 4, shape: []int{1, 2, 3, 3}},
		{offset: [4]uint32{1, 3, 2, 0}, size: [4]uint32{1, 1, 1, 5}, rank: 1, shape: []int{5}},
		{offset: [4]uint32{1, 3, 2, 0}, size: [4]uint32{1, 1, 1, 5}, rank: 2, shape: []int{1, 5}},
		{offset: [4]uint32{0, 3, 0, 4}, size: [4]uint32{2, 1, 3, 1}, rank: 2, shape: []int{2, 3}},
		{offset: [4]uint32{1, 3, 2, 4}, size: [4]uint32{1, 1, 1, 1}, rank: 1, shape: []int{1}},
		{size: [4]uint32{2, 2, 2, 2}, rank: 3, want: StatusBadFuncCfg},
		{size: [4]uint32{2, 0, 2, 2}, rank: 4, want: StatusBadFuncCfg},
		{offset: [4]uint32{1}, size: [4]uint32{2, 1, 1, 1}, rank: 4, want: StatusBadFuncCfg},
		{offset: [4]uint32{2}, size: [4]uint32{1, 1, 1, 1}, rank: 4, want: StatusBadFuncCfg},
		{size: [4]uint32{1, 1, 1, 1}, rank: 0, want: StatusBadFuncCfg},
		{size: [4]uint32{1, 1, 1, 1}, rank: 5, want: StatusBadFuncCfg},
	} {
		c := newHelperCall(m)
		in := c.input("in", x, c.data)
		cfg := make([]byte, 36)
		for d := range 4 {
			put32(cfg, 4*d, row.offset[d])
			put32(cfg, 16+4*d, row.size[d])
		}
		put32(cfg, 32, row.rank)
		out := c.structs.space("tensor out", tensorSize, 4, 0)
		status := helperCall(t, m, "mli_hlp_create_subtensor", c, in, c.structs.add("cfg", cfg, 4, 0, false), out)
		require.Equal(t, row.want, Status(status), "%v", row)
		if row.want != StatusOK {
			continue
		}
		shape, elems := subtensor(t, c, out, x.Type)
		require.Equal(t, row.shape, shape, "%v", row)
		var want []int32
		for i := range x.Data {
			inside := true
			for d, at := range coordinates(i, x.Shape) {
				inside = inside && at >= int(row.offset[d]) && at < int(row.offset[d]+row.size[d])
			}
			if inside {
				want = append(want, x.Data[i])
			}
		}
		require.Equal(t, want, elems, "%v", row)
	}
}
