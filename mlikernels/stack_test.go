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
			if k.Family == "conv2d_chw" { // the largest window that is copied
				channels := 16384 / (k.Golden.Data.Bits() / 8)
				points = append(points, Point{Name: "patch", params: map[string]int{"stride_h": 1, "stride_w": 1},
					shapes: map[string][]int{"in": {channels, 1, 1}, "w": {1, channels, 1, 1}, "b": {1}}})
				if !HasAGU(core) {
					limit += stated("MLI_STACK_PATCH")
				}
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
			if k.Family == "conv2d_chw" && !HasAGU(core) {
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

// stackUsed is how far below the stack's top the last call wrote: machines start with it zero.
func stackUsed(t *testing.T, m *Machine) int {
	t.Helper()
	b := make([]byte, 32<<10)
	require.NoError(t, m.read(stackTop-uint32(len(b)), b))
	for i, v := range b {
		if v != 0 {
			return len(b) - i
		}
	}
	return 0
}
