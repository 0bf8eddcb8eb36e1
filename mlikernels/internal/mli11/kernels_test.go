package mli11

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mlitest"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// testCores are one core with AGU ports and one without.
var testCores = mlitest.Cores

// suite is the library under test.
var suite = mlitest.Suite{Collection: Collection}

// newTestMachine makes a core with the library in a rounding mode loaded.
func newTestMachine(t testing.TB, core string, round nn.Rounding) *kernel.Machine {
	t.Helper()
	return suite.Machine(t, core, round, kernel.MachineOptions{})
}

// lookup finds a function.
func lookup(t testing.TB, name string) *function {
	t.Helper()
	i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == "mli_krn_"+name })
	require.GreaterOrEqual(t, i, 0, name)
	return functions()[i]
}

// newJob computes what a call must give.
func newJob(t testing.TB, c *nn.Call) *kernel.Job {
	t.Helper()
	job, err := kernel.NewJob(c)
	require.NoError(t, err, c.Op.Name)
	return job
}

// check runs a job and compares status and outputs with what is wanted.
func check(m *kernel.Machine, f *function, job *kernel.Job) error {
	return mlitest.Check(m, f.kernel, job)
}

// TestVectors runs every recorded call: all functions have some but those that MLI does not have.
func TestVectors(t *testing.T) {
	suite.Vectors(t, "../../../nn/internal/golden/mli11/recorded/calls/*.jsonl.gz", func(t *testing.T, calls map[string]int) {
		for _, f := range functions() {
			require.NotEqual(t, f.own, calls[f.Name] > 0, "%s: recorded, or not MLI's", f.Name)
		}
	})
}

// TestGridSample runs a part of the standard grid; the whole of it is the regression's.
func TestGridSample(t *testing.T) {
	for _, core := range testCores {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			m := newTestMachine(t, core, nn.Convergent)
			for _, f := range functions() {
				for i, p := range f.points() {
					if i%8 != 0 || !level.Wants(i/8, 3, 11) {
						continue
					}
					job, err := p.Job(nn.Convergent, 7)
					require.NoError(t, err, p.Name)
					require.NoError(t, check(m, f, job), "%s %s", f.Name, p.Name)
				}
			}
		})
	}
}

// TestHoles: tensors with holes and operands of rank 0, in every function that takes them.
func TestHoles(t *testing.T) {
	level.NeedsPlain(t, "runs what the grid has in random tensors, too")
	for _, core := range testCores {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			m := newTestMachine(t, core, nn.Convergent)
			ran := map[string]int{}
			for _, f := range functions() {
				for _, p := range append(f.apart(), f.values()...) {
					job, err := f.job(p, nn.Convergent, 11)
					require.NoError(t, err, p.name)
					require.NoError(t, check(m, f, job), "%s %s", f.Name, p.name)
					ran[f.Family]++
				}
			}
			families := slices.Sorted(maps.Keys(ran))
			require.Equal(t, []string{"avepool_chw", "avepool_hwc", "conv2d_hwc", "conv2d_nhwc", "depthwise_conv2d_hwcn", "eltwise_add",
				"eltwise_max", "eltwise_min", "eltwise_mul", "eltwise_sub", "fully_connected", "leaky_relu", "maxpool_chw",
				"maxpool_hwc"}, families)
			for _, name := range families {
				require.GreaterOrEqual(t, ran[name], 8, name)
			}
		})
	}
}

// TestGenericNames: where MLI has specialised functions the general one has a second name.
func TestGenericNames(t *testing.T) {
	lib := suite.Library(t, kernel.Variant{AGU: kernel.LargeAGU})
	n := 0
	for _, f := range functions() {
		require.NotZero(t, lib.Entry(f.Name), f.Name)
		if f.config == convConfiguration || f.config == mli.Pool {
			require.Equal(t, lib.Entry(f.Name), lib.Entry(f.Name+"_generic"), f.Name)
			n++
		}
	}
	require.Equal(t, 21, n)
}

// TestLargeFilters: filters beyond what the kernels without AGU ports copy onto the stack, and beyond
// what fits into an immediate or a short offset.
func TestLargeFilters(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, f := range functions() {
			if f.config != convConfiguration {
				continue
			}
			p := point{name: "large", style: mli.Bell, params: map[string]int{"stride_h": 1, "stride_w": 2, "pad_l": 1,
				"pad_r": 1, "pad_t": 1, "pad_b": 1, "relu": 1}}
			const channels = 2048
			p.shapes = map[string][]int{"in": f.order.maps(3, 4, channels), "w": f.order.weights(2, channels, 3, 3), "b": {2}}
			if f.order.depthwise {
				p.shapes = map[string][]int{"in": f.order.maps(70, 90, 2), "w": f.order.weights(2, 2, 70, 80), "b": {2}}
			}
			job, err := f.job(p, nn.Convergent, 3)
			require.NoError(t, err, f.Name)
			require.NoError(t, check(m, f, job), "%s on %s", f.Name, core)
		}
	}
}

// TestLargeWindows: means of as many taps as a lane or a half holds the sum of, and of more, over channels
// in whole words and over single ones.
func TestLargeWindows(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, f := range functions() {
			if f.config != mli.Pool || f.Family == "maxpool_chw" {
				continue
			}
			for _, rows := range []int{16, 17} {
				for _, channels := range []int{8, 3} {
					for _, style := range []mli.Style{mli.Uniform, mli.Extreme} {
						p := point{name: "large", style: style, params: map[string]int{"kernel_w": 16, "kernel_h": rows,
							"stride_w": 1, "stride_h": 2, "pad_l": 3, "pad_r": 0, "pad_t": 0, "pad_b": 1},
							shapes: map[string][]int{"in": f.order.maps(rows+2, 18, channels)}}
						job, err := f.job(p, nn.Convergent, 3)
						require.NoError(t, err, f.Name)
						if style == mli.Extreme {
							in := job.Input("in")
							for i := range in.Ints { // the sum of all taps is the most negative there is
								in.Ints[i], _ = in.Type.Range()
							}
							job = newJob(t, job.Call)
						}
						require.NoError(t, check(m, f, job), "%s on %s, %d rows of %d channels", f.Name, core, rows, channels)
					}
				}
			}
		}
	}
}

// TestFarZeroPoints: convolutions of data whose distance from the zero point is more than a half holds.
func TestFarZeroPoints(t *testing.T) {
	f := lookup(t, "conv2d_nhwc_sa8_sa8_sa32")
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, zero := range []int64{-128, 127, -129, 128, -32767, 32767} {
			p := point{name: "far", style: mli.Uniform, params: map[string]int{"stride_h": 1, "stride_w": 1},
				shapes: map[string][]int{"in": {8, 8, 3}, "w": {4, 3, 3, 3}, "b": {4}}}
			job, err := f.job(p, nn.Convergent, 3)
			require.NoError(t, err)
			job.Input("in").Format.Zeros = []int64{zero}
			w := job.Input("w").Ints
			for i := range w { // their sum is zero, as the products of the zero point are
				w[i] = int64(i%3-1) * 16
			}
			require.NoError(t, check(m, f, newJob(t, job.Call)), "zero point %d on %s", zero, core)
		}
	}
}

// TestBytes: kernels that take four 8-bit elements at once, on all pairs of elements at each place of a word.
func TestBytes(t *testing.T) {
	const n, places = 4096, 4
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, f := range functions() {
			if !byElement(f) || f.Data != golden.FX8 {
				continue
			}
			for part := range places * (1 << 16) / n {
				if !level.Wants(part, 1, 9) {
					continue
				}
				p := point{name: "pairs", style: mli.Uniform, params: map[string]int{"relu": part & 3},
					shapes: map[string][]int{"in": {n}, "in1": {n}, "in2": {n}, "slope": {1}}}
				job, err := f.job(p, nn.Convergent, uint64(part))
				require.NoError(t, err, f.Name)
				for i := range n {
					pair := (part/places*n + i + part%places) * 6561 // odd: all pairs, neighbours far apart
					for role, v := range map[string]int{"in": pair, "in1": pair, "in2": pair >> 8} {
						if x := job.Input(role); x != nil {
							x.Ints[i] = int64(int8(v))
						}
					}
				}
				require.NoError(t, check(m, f, newJob(t, job.Call)), "%s on %s, part %d", f.Name, core, part)
			}
		}
	}
}

// byElement reports whether an operator computes each element of its output from those of its inputs at
// the same place, without a table.
func byElement(f *function) bool {
	switch f.source.body {
	case "eltwise.inc", "relu.inc", "leaky_relu.inc":
		return true
	}
	return false
}

// TestManyFractionalBits: four products of 2^30 and 40 bits to drop are 2^-8, which rounds to 0.
func TestManyFractionalBits(t *testing.T) {
	k := lookup(t, "fully_connected_fx16").kernel
	fixed := func(frac int, v int64, shape ...int) *nn.Tensor {
		x := &nn.Tensor{Type: nn.I16, Shape: shape, Format: nn.Format{Kind: nn.Fixed, Frac: frac}}
		x.Alloc()
		for i := range x.Ints {
			x.Ints[i] = v
		}
		return x
	}
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for drop, want := range map[int]int64{18: 1 << 14, 30: 4, 32: 1, 33: 0, 40: 0} {
			c := &nn.Call{Op: k.Computes[0], In: []*nn.Tensor{fixed(20, -1<<15, 4), fixed(20, -1<<15, 1, 4), fixed(20, 0, 1)},
				Out: []*nn.Tensor{{Type: nn.I16, Shape: []int{1}, Format: nn.Format{Kind: nn.Fixed, Frac: 40 - drop}}}}
			require.NoError(t, c.Prepare())
			rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
			require.NoError(t, err)
			require.Equal(t, []int64{want}, rep.Results["out"].Ints, "%d bits dropped on %s", drop, core)
		}
	}
}
