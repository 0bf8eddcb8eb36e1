package mlikernels

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

// libraries are assembled once per variant for all tests.
var libraries sync.Map

func library(t testing.TB, v Variant) *Library {
	t.Helper()
	build, _ := libraries.LoadOrStore(v, sync.OnceValues(func() (*Library, error) { return Build(v) }))
	lib, err := build.(func() (*Library, error))()
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	return lib
}

// newTestMachine makes a core with the library in a rounding mode loaded.
func newTestMachine(t testing.TB, core string, round golden.Rounding) *Machine {
	t.Helper()
	m, err := NewMachine(MachineOptions{Core: core, Library: library(t, Variant{Round: round, AGU: HasAGU(core)})})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// check runs a job and compares status and outputs with what is wanted.
func check(m *Machine, k *Kernel, job *Job, want golden.Result) error {
	rep, err := m.Run(context.Background(), k, job, want)
	if err != nil {
		return err
	}
	if rep.Status != StatusOK {
		return fmt.Errorf("status %v", rep.Status)
	}
	for role, w := range want.Outputs {
		if err := Difference(rep.Outputs[role], w); err != nil {
			return fmt.Errorf("output %q: %w", role, err)
		}
	}
	return nil
}

// TestVectors runs every recorded case on the simulated kernels and wants what the library's own code
// gave, on a core with AGU ports and on one without.
func TestVectors(t *testing.T) {
	for _, core := range []string{"em9d", "em7d"} {
		for _, round := range []golden.Rounding{golden.Convergent, golden.Up} {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				files, err := filepath.Glob("../testdata/mli/v11_" + round.String() + "/*.jsonl.gz")
				require.NoError(t, err)
				seen := map[string]bool{}
				for _, file := range files {
					for c, err := range golden.CaseFile(file) {
						require.NoError(t, err)
						k, err := Lookup(c.Kernel)
						require.NoError(t, err)
						seen[c.Kernel] = true
						recorded := golden.Result{Outputs: map[string]*golden.Tensor{}}
						for _, role := range k.Golden.Outputs {
							recorded.Outputs[role] = c.Tensors[role]
						}
						require.NoError(t, check(m, k, &Job{Case: c}, recorded), "%s: %s case %d", file, c.Kernel, c.ID)
					}
				}
				require.Len(t, seen, len(Kernels()))
			})
		}
	}
}

// TestGridSample runs a part of the standard grid; the whole of it is the regression's.
func TestGridSample(t *testing.T) {
	for _, core := range []string{"em9d", "em7d"} {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			m := newTestMachine(t, core, golden.Convergent)
			for _, k := range Kernels() {
				for i, p := range k.Grid() {
					if i%8 != 0 {
						continue
					}
					job, want, err := k.Job(p, golden.Convergent, 7)
					require.NoError(t, err, p.Name)
					require.NoError(t, check(m, k, job, want), "%s %s", k.Symbol, p.Name)
				}
			}
		})
	}
}

// TestGenericNames: where MLI has specialised functions the general one has a second name.
func TestGenericNames(t *testing.T) {
	lib := library(t, Variant{AGU: true})
	n := 0
	for _, k := range Kernels() {
		require.NotZero(t, lib.Entry(k.Symbol), k.Symbol)
		if k.Config == ConfigConv || k.Config == ConfigPool {
			require.Equal(t, lib.Entry(k.Symbol), lib.Entry(k.Symbol+"_generic"), k.Symbol)
			n++
		}
	}
	require.Equal(t, 21, n)
}

// TestLargeFilters: filters beyond what the kernels without AGU ports copy onto the stack, and beyond
// what fits into an immediate or a short offset.
func TestLargeFilters(t *testing.T) {
	for _, core := range []string{"em9d", "em7d"} {
		m := newTestMachine(t, core, golden.Convergent)
		for _, k := range Kernels() {
			p := Point{Name: "large", style: styleBell, params: map[string]int{"stride_h": 1, "stride_w": 2, "pad_l": 1,
				"pad_r": 1, "pad_t": 1, "pad_b": 1, "relu": 1}}
			const channels = 2048
			switch k.Family {
			case "conv2d_chw":
				p.shapes = map[string][]int{"in": {channels, 3, 4}, "w": {2, channels, 3, 3}, "b": {2}}
			case "conv2d_hwc", "conv2d_nhwc":
				p.shapes = map[string][]int{"in": {3, 4, channels}, "w": {2, 3, 3, channels}, "b": {2}}
			case "depthwise_conv2d_chw":
				p.shapes = map[string][]int{"in": {2, 70, 90}, "w": {2, 1, 70, 80}, "b": {2}}
			case "depthwise_conv2d_hwcn":
				p.shapes = map[string][]int{"in": {70, 90, 2}, "w": {1, 70, 80, 2}, "b": {2}}
			default:
				continue
			}
			job, want, err := k.Job(p, golden.Convergent, 3)
			require.NoError(t, err, k.Symbol)
			require.NoError(t, check(m, k, job, want), "%s on %s", k.Symbol, core)
		}
	}
}

// TestLargeWindows: means of as many taps as a lane or a half holds the sum of, and of more, over channels
// in whole words and over single ones.
func TestLargeWindows(t *testing.T) {
	for _, core := range []string{"em9d", "em7d"} {
		m := newTestMachine(t, core, golden.Convergent)
		for _, k := range Kernels() {
			if k.Family != "avepool_chw" && k.Family != "avepool_hwc" && k.Family != "maxpool_hwc" {
				continue
			}
			for _, rows := range []int{16, 17} {
				for _, channels := range []int{8, 3} {
					for _, style := range []style{styleUniform, styleExtreme} {
						p := Point{Name: "large", style: style, params: map[string]int{"kernel_w": 16, "kernel_h": rows,
							"stride_w": 1, "stride_h": 2, "pad_l": 3, "pad_r": 0, "pad_t": 0, "pad_b": 1}}
						p.shapes = map[string][]int{"in": {rows + 2, 18, channels}}
						if k.Family == "avepool_chw" {
							p.shapes = map[string][]int{"in": {channels, rows + 2, 18}}
						}
						job, want, err := k.Job(p, golden.Convergent, 3)
						require.NoError(t, err, k.Symbol)
						in := job.Case.Tensors["in"]
						if style == styleExtreme {
							for i := range in.Data { // the sum of all taps is the most negative there is
								in.Data[i] = -1 << (in.Type.Bits() - 1)
							}
							want, err = golden.Run(job.Case)
							require.NoError(t, err, k.Symbol)
						}
						require.NoError(t, check(m, k, job, want), "%s on %s, %d rows of %d channels", k.Symbol, core, rows, channels)
					}
				}
			}
		}
	}
}

// TestFarZeroPoints: convolutions of data whose distance from the zero point is more than a half holds.
func TestFarZeroPoints(t *testing.T) {
	k, err := Lookup("mli_krn_conv2d_nhwc_sa8_sa8_sa32")
	require.NoError(t, err)
	for _, core := range []string{"em9d", "em7d"} {
		m := newTestMachine(t, core, golden.Convergent)
		for _, zero := range []int32{-128, 127, -129, 128, -32767, 32767} {
			p := Point{Name: "far", style: styleUniform, params: map[string]int{"stride_h": 1, "stride_w": 1},
				shapes: map[string][]int{"in": {8, 8, 3}, "w": {4, 3, 3, 3}, "b": {4}}}
			job, _, err := k.Job(p, golden.Convergent, 3)
			require.NoError(t, err)
			job.Case.Tensors["in"].Zero = []int32{zero}
			w := job.Case.Tensors["w"].Data
			for i := range w { // their sum is zero, as the products of the zero point are
				w[i] = int32(i%3-1) * 16
			}
			want, err := golden.Run(job.Case)
			require.NoError(t, err)
			require.Empty(t, want.Overflows)
			require.NoError(t, check(m, k, job, want), "zero point %d on %s", zero, core)
		}
	}
}

// TestBytes: kernels that take four 8-bit elements at once, on all pairs of elements at each place of a word.
func TestBytes(t *testing.T) {
	const n, places = 4096, 4
	for _, core := range []string{"em9d", "em7d"} {
		m := newTestMachine(t, core, golden.Convergent)
		for _, k := range Kernels() {
			flat := strings.HasPrefix(k.Family, "eltwise") || k.Family == "relu" || k.Family == "leaky_relu"
			if !flat || k.Golden.Data != golden.FX8 {
				continue
			}
			for part := range places * (1 << 16) / n {
				p := Point{Name: "pairs", style: styleUniform, params: map[string]int{"relu": part & 3},
					shapes: map[string][]int{"in": {n}, "in1": {n}, "in2": {n}, "slope": {1}}}
				job, _, err := k.Job(p, golden.Convergent, uint64(part))
				require.NoError(t, err, k.Symbol)
				for i := range n {
					pair := (part/places*n + i + part%places) * 6561 // odd: all pairs, neighbours far apart
					for role, v := range map[string]int{"in": pair, "in1": pair, "in2": pair >> 8} {
						if x := job.Case.Tensors[role]; x != nil {
							x.Data[i] = int32(int8(v))
						}
					}
				}
				want, err := golden.Run(job.Case)
				require.NoError(t, err, k.Symbol)
				require.NoError(t, check(m, k, job, want), "%s on %s, part %d", k.Symbol, core, part)
			}
		}
	}
}
