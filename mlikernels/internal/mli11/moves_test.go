package mli11

import (
	"bufio"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// TestMoves: random moves against the rules, element by element: the source of an output position, zero outside of
// it, nothing written between.
func TestMoves(t *testing.T) {
	m := newTestMachine(t, "em7d", nn.Convergent)
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		rank := 1 + r.IntN(4)
		perm := r.Perm(rank)
		typ := []golden.MLIType{golden.FX8, golden.FX16}[n%2]
		lists := map[string][]int{"perm_dim": perm}
		shape := make([]int, rank)
		list := func(name string, limit int) []int {
			lists[name] = make([]int, rank)
			for d := range lists[name] {
				lists[name][d] = r.IntN(limit)
			}
			return lists[name]
		}
		size, step, offset := list("size", 3), list("sub_sample_step", 3), list("offset", 3)
		pre, post, to := list("padding_pre", 3), list("padding_post", 3), list("dst_offset", 3)
		want := make([]int, rank)
		for d := range rank {
			shape[d] = 1 + r.IntN(6)
			step[d]++
		}
		for d, p := range perm {
			if want[d] = size[p]; want[d] == 0 {
				want[d] = (shape[p]+step[p]-1)/step[p] + pre[p] + post[p]
			}
		}
		strides, room := make([]int, rank), 1
		for d := rank - 1; d >= 0; d-- {
			strides[d] = room
			room *= want[d] + to[d] + r.IntN(2)
		}
		cfg := make([]byte, mlistructs.Move.Size())
		for name, l := range lists {
			for d, v := range l {
				mlistructs.Move.PutAt(cfg, name, d, int64(v))
			}
		}
		for d, s := range strides {
			mlistructs.Move.PutAt(cfg, "dst_mem_stride", d, int64(s))
		}
		bytes := typ.Bits() / 8
		h := newHelper(m)
		x := tensorOf(typ, 3, shape, ramp(nn.Count(shape)))
		src := h.place(t, "src", x, kernel.Data)
		data := h.L.Place(kernel.Buffer{Name: "dst", Memory: kernel.Out, Size: room * bytes})
		expected := slices.Clone(h.L.Bytes(data, room*bytes))
		elems := kernel.Elements(x)
		for i := range nn.Count(want) {
			at := nn.Coordinates(i, want)
			from, place, inside := make([]int, rank), 0, true
			for d, p := range perm {
				from[p] = at[d]*step[p] + offset[p] - pre[p]
				inside = inside && from[p] >= 0 && from[p] < shape[p]
				place += (at[d] + to[d]) * strides[d]
			}
			clear(expected[place*bytes : (place+1)*bytes])
			if inside {
				j := nn.Index(from, shape)
				copy(expected[place*bytes:], elems[j*bytes:(j+1)*bytes])
			}
		}
		b := make([]byte, tensorSize)
		put32(b, tensorData, data)
		put32(b, tensorCapacity, uint32(room*bytes))
		out := h.Structure("tensor dst", b, true)
		require.Zero(t, h.call(t, "mli_mov_tensor_sync", src, h.Structure("configuration", cfg, false), out), "%d: %v %v", n, shape, lists)
		require.Equal(t, expected, h.L.Bytes(data, room*bytes), "%d: %v %v %v", n, shape, lists, strides)
		got := h.L.Bytes(out, tensorSize)
		require.EqualValues(t, rank, get32(got, tensorRank))
		require.EqualValues(t, typ, get32(got, tensorType))
		require.EqualValues(t, 3, got[tensorFrac])
		for d := range rank {
			require.EqualValues(t, want[d], get32(got, tensorShape+4*d))
			require.EqualValues(t, strides[d], get32(got, tensorStride+4*d))
		}
		put32(b, tensorCapacity, uint32((room-1)*bytes))
		if last := (want[0]+to[0]-1)*strides[0] + 1; rank == 1 && last == room {
			require.EqualValues(t, mli.StatusNotEnoughMem, h.call(t, "mli_mov_tensor_sync", src, h.Structure("configuration", cfg, false), h.Structure("tensor dst", b, true)))
		}
	}
}

// TestMoveConfigurations: the bytes of the functions that build configurations, and the life of a handle.
func TestMoveConfigurations(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	h := newHelper(m)
	words := func(v ...uint32) uint32 {
		b := make([]byte, 4*len(v))
		for i, w := range v {
			put32(b, 4*i, w)
		}
		return h.Structure("list", b, false)
	}
	cfg := h.L.Place(kernel.Buffer{Name: "cfg", Memory: kernel.Structs, Size: mlistructs.Move.Size(), Writable: true})
	get := func(member string) (list []int64) {
		for d := range mli.MaxRank {
			list = append(list, mlistructs.Move.GetAt(h.L.Bytes(cfg, mlistructs.Move.Size()), member, d))
		}
		return list
	}
	a, b, c := words(1, 2, 3, 4), words(5, 6, 7, 8), words(9, 10, 11, 12)
	require.Zero(t, h.call(t, "mli_mov_cfg_for_slice", cfg, a, b, c))
	require.Equal(t, []int64{1, 2, 3, 4}, get("offset"))
	require.Equal(t, []int64{5, 6, 7, 8}, get("size"))
	require.Equal(t, []int64{9, 10, 11, 12}, get("dst_mem_stride"))
	require.Equal(t, []int64{1, 1, 1, 1}, get("sub_sample_step"))
	require.Equal(t, []int64{0, 1, 2, 3}, get("perm_dim"))
	require.Zero(t, h.call(t, "mli_mov_cfg_for_padding2d_chw", cfg, 1, 2, 3, 4, c))
	require.Equal(t, []int64{0, 3, 1, 0}, get("padding_pre"))
	require.Equal(t, []int64{0, 4, 2, 0}, get("padding_post"))
	require.Equal(t, []int64{0, 0, 0, 0}, get("offset"))
	require.EqualValues(t, mli.StatusBadFuncCfg, h.call(t, "mli_mov_cfg_for_copy", 0))

	handle := h.L.Place(kernel.Buffer{Name: "handle", Memory: kernel.Structs, Size: mlistructs.Handle.Size(), Writable: true})
	require.EqualValues(t, mli.StatusNotEnoughMem, h.call(t, "mli_mov_acquire_handle", 1, handle), "no channel is there yet")
	require.Zero(t, h.call(t, "mli_mov_acquire_handle", 0, handle))
	require.EqualValues(t, 1, mlistructs.Handle.Get(h.L.Bytes(handle, mlistructs.Handle.Size()), "state"))
	require.Zero(t, h.call(t, "mli_mov_isdone", handle))
	require.Zero(t, h.call(t, "mli_mov_start", handle, 0, 0, 0))
	require.EqualValues(t, 1, h.call(t, "mli_mov_isdone", handle))
	require.Zero(t, h.call(t, "mli_mov_wait", handle))
	require.Zero(t, h.call(t, "mli_mov_set_num_dma_ch", 2, 3))
	require.Zero(t, h.call(t, "mli_mov_release_handle", handle))
	require.Zero(t, mlistructs.Handle.Get(h.L.Bytes(handle, mlistructs.Handle.Size()), "state"))
}

// TestAllNames: every public name of MLI 1.1 is one of the library's.
func TestAllNames(t *testing.T) {
	file, err := os.Open(shared.Path(t, "facts/mli11_names.tsv"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	names := 0
	lib := suite.Library(t, kernel.Variant{AGU: kernel.LargeAGU})
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, _, _ := strings.Cut(lines.Text(), "\t")
		if strings.HasPrefix(name, "mli_") {
			require.NotZero(t, lib.Entry(name), name)
			names++
		}
	}
	require.Greater(t, names, 400)
}
