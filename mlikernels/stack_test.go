package mlikernels

import (
	"context"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

// TestStack holds the figures of mli_config.h against what calls leave below the stack pointer.
func TestStack(t *testing.T) {
	header, err := Sources.ReadFile("include/mli_config.h")
	require.NoError(t, err)
	stated := func(name string) int {
		match := regexp.MustCompile(`#define ` + name + ` (\d+)\n`).FindSubmatch(header)
		require.NotNil(t, match, name)
		n, err := strconv.Atoi(string(match[1]))
		require.NoError(t, err)
		return n
	}
	const rounding = 64 // how much larger than the need a figure may be
	for _, core := range []string{"em9d", "em7d"} {
		m := newTestMachine(t, core, golden.Convergent)
		deepest := 0
		for _, k := range Kernels() {
			limit := stated("MLI_STACK")
			var points []Point
			for i, p := range k.Grid() {
				if i%4 == 0 {
					points = append(points, p)
				}
			}
			copied := largestCopied(k)
			points = append(points, copied...)
			if len(copied) > 0 && !HasAGU(core) {
				limit += stated("MLI_STACK_PATCH")
			}
			used := 0
			for _, p := range points {
				job, want, err := k.Job(p, golden.Convergent, 7)
				require.NoError(t, err)
				_, err = m.Run(context.Background(), k, job, want)
				require.NoError(t, err)
				used = max(used, stackUsed(t, m))
			}
			require.LessOrEqual(t, used, limit, "%s on %s", k.Symbol, core)
			if len(copied) > 0 && !HasAGU(core) {
				require.Greater(t, used, limit-2*rounding, "%s on %s", k.Symbol, core)
				continue
			}
			deepest = max(deepest, used)
		}
		if core == "em7d" {
			require.Greater(t, deepest, stated("MLI_STACK")-rounding)
		}
	}
}

// largestCopied are convolutions whose window, and whose filters if they are copied too, take the most
// stack, and some that are just too large.
func largestCopied(k *Kernel) []Point {
	const most, outputs = 16384, 4
	point := func(in, w []int) Point {
		return Point{Name: "patch", params: map[string]int{"stride_h": 1, "stride_w": 1},
			shapes: map[string][]int{"in": in, "w": w, "b": {w[0]}}}
	}
	head := 4
	if k.Golden.Bias == golden.SA32 {
		head = 8
	}
	fours := (most - outputs*head) / (4*2 + 4*outputs*k.Golden.Weights.Bits()/8)
	var points []Point
	for _, channels := range []int{4*fours - 1, 4*fours + 1} {
		switch k.Family {
		case "conv2d_chw":
			points = append(points, point([]int{channels, 2, 2}, []int{outputs, channels, 1, 1}))
		case "conv2d_hwc", "conv2d_nhwc":
			points = append(points, point([]int{2, 2, channels}, []int{outputs, 1, 1, channels}))
		}
	}
	if k.Family == "conv2d_chw" {
		channels := most / (k.Golden.Data.Bits() / 8)
		points = append(points, point([]int{channels, 1, 1}, []int{1, channels, 1, 1}))
	}
	return points
}

// stackUsed is how far below the stack's top the last call wrote: machines start with a pattern there.
func stackUsed(t *testing.T, m *Machine) int {
	t.Helper()
	b := make([]byte, stackFilled)
	at := stackTop - uint32(len(b))
	require.NoError(t, m.read(at, b))
	for i, v := range b {
		if v != pattern(at+uint32(i)) {
			return len(b) - i
		}
	}
	return 0
}
