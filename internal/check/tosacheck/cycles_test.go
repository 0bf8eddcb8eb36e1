package tosacheck

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// cyclesFile is embedded; its first line says where it comes from.
const (
	cyclesFile = "cycles.tsv"
	cyclesHead = "# operator, types, kernel, cycles per element on each core; written by go test ./internal/check/tosacheck -update\n"
)

// sampleElements is how many elements the small sample of an operator without windows has.
const sampleElements = 512

// sample is a call of an operator with element types, and k times as large in its first dimension.
func sample(s *tosa.Spec, types nn.Signature, k int) *nn.Call {
	registered, _ := tosa.Lookup(s.Name) // s may be a part of it, and kernels know the whole
	c := &nn.Call{Op: &registered.Operator, Attrs: nn.Attrs{}}
	in := func(t nn.Type, shape ...int) { c.In = append(c.In, numbers(t, shape...)) }
	out := func(shape ...int) { c.Out = []*nn.Tensor{{Type: types[len(types)-1], Shape: shape}} }
	every := func(shape ...int) { // all inputs and the output have the same shape
		for _, t := range types[:len(types)-1] {
			in(t, shape...)
		}
		out(shape...)
	}
	weighted := func(weight []int, channels int) { in(types[1], weight...); in(types[2], channels) }
	n := k * sampleElements
	switch s.Name {
	case "CONV2D", "DEPTHWISE_CONV2D":
		in(types[0], k, 8, 8, 16)
		weighted(map[string][]int{"CONV2D": {16, 3, 3, 16}, "DEPTHWISE_CONV2D": {3, 3, 16, 1}}[s.Name], 16)
		out(k, 8, 8, 16)
		c.Attrs = nn.Attrs{"pad": []int{1, 1, 1, 1}, "stride": []int{1, 1}, "dilation": []int{1, 1}, "acc_type": types[3]}
	case "CONV3D":
		in(types[0], k, 4, 8, 8, 8)
		weighted([]int{8, 3, 3, 3, 8}, 8)
		out(k, 4, 8, 8, 8)
		c.Attrs = nn.Attrs{"pad": []int{1, 1, 1, 1, 1, 1}, "stride": []int{1, 1, 1}, "dilation": []int{1, 1, 1}, "acc_type": types[3]}
	case "TRANSPOSE_CONV2D":
		in(types[0], k, 8, 8, 16)
		weighted([]int{16, 2, 2, 16}, 16)
		out(k, 16, 16, 16)
		c.Attrs = nn.Attrs{"out_pad": []int{0, 0, 0, 0}, "stride": []int{2, 2}, "acc_type": types[3]}
	case "FULLY_CONNECTED":
		in(types[0], k, 256)
		weighted([]int{64, 256}, 64)
		out(k, 64)
	case "MATMUL":
		in(types[0], k, 16, 64)
		in(types[1], k, 64, 16)
		out(k, 16, 16)
	case "AVG_POOL2D", "MAX_POOL2D":
		in(types[0], k, 8, 8, 16)
		out(k, 4, 4, 16)
		c.Attrs = nn.Attrs{"kernel": []int{2, 2}, "stride": []int{2, 2}, "pad": []int{0, 0, 0, 0}}
		if s.Name == "AVG_POOL2D" {
			c.Attrs["acc_type"] = map[bool]nn.Type{false: nn.I32, true: nn.F32}[types[0].Float()]
		}
	case "ARGMAX":
		in(types[0], 8*k, 64)
		out(8 * k)
		c.Attrs["axis"] = 1
	case "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_SUM", "REDUCE_PRODUCT":
		in(types[0], 8*k, 64)
		out(8*k, 1)
		c.Attrs["axis"] = 1
	case "CLAMP":
		every(n)
		c.Attrs["min_val"], c.Attrs["max_val"] = 10, 50
		if types[0].Float() {
			c.Attrs["min_val"], c.Attrs["max_val"] = 2.0, 5.0
		}
	case "MUL":
		in(types[0], n)
		in(types[1], n)
		c.In = append(c.In, nn.FromInts(nn.I8, []int{1}, []int64{0}))
		out(n)
	case "TABLE":
		in(types[0], n)
		in(types[1], map[nn.Type]int{nn.I8: 256, nn.I16: 513}[types[1]])
		out(n)
	case "RESCALE":
		in(types[0], n/64, 64)
		m, down := int64(1<<30), int64(50)
		if types[1] == nn.I16 {
			m, down = 1<<14, 50
		}
		c.In = append(c.In, nn.FromInts(types[1], []int{64}, slices.Repeat([]int64{m}, 64)), nn.FromInts(nn.I8, []int{64}, slices.Repeat([]int64{down}, 64)))
		out(n/64, 64)
		c.Attrs = nn.Attrs{"scale32": types[1] == nn.I32, "per_channel": true}
	case "CONCAT":
		in(types[0], n/2)
		in(types[0], n/2)
		out(n)
		c.Attrs["axis"] = 0
	case "PAD":
		in(types[0], n/64, 64)
		out(n/64, 68)
		c.Attrs = nn.Attrs{"padding": []int{0, 0, 2, 2}, "pad_const": 0}
	case "RESHAPE":
		in(types[0], n)
		out(n/2, 2)
		c.Attrs["shape"] = []int{n / 2, 2}
	case "REVERSE":
		every(n/64, 64)
		c.Attrs["axis"] = 1
	case "SLICE":
		in(types[0], n/32, 40)
		out(n/32, 32)
		c.Attrs = nn.Attrs{"start": []int{0, 4}, "size": []int{n / 32, 32}}
	case "TILE":
		in(types[0], n/64, 32)
		out(n/64, 64)
		c.Attrs["multiples"] = []int{1, 2}
	case "TRANSPOSE":
		in(types[0], n/64, 64)
		out(64, n/64)
		c.Attrs["perms"] = []int{1, 0}
	case "GATHER", "SCATTER":
		in(types[0], 1, n/32, 32)
		index := nn.New(nn.I32, 1, n/32)
		for i := range index.Ints {
			index.Ints[i] = int64(n/32 - 1 - i)
		}
		c.In = append(c.In, index)
		if s.Name == "SCATTER" {
			in(types[2], 1, n/32, 32)
		}
		out(1, n/32, 32)
	case "RESIZE":
		in(types[0], k, 5, 5, 16)
		out(k, 9, 9, 16)
		mode := "NEAREST"
		if types[0] != types[1] {
			mode = "BILINEAR"
		}
		c.Attrs = nn.Attrs{"scale": []int{2, 1, 2, 1}, "offset": []int{0, 0}, "border": []int{0, 0}, "mode": mode}
	default:
		every(n)
	}
	return c
}

// numbers are elements that leave every result within its type: 0 to 7, of truth values 0 and 1, and where
// they are shifts or divisors none that is refused.
func numbers(t nn.Type, shape ...int) *nn.Tensor {
	x := nn.New(t, shape...)
	for i := range x.Floats {
		x.Floats[i] = float32(1 + i*5%7)
	}
	for i := range x.Ints {
		x.Ints[i] = int64(1 + i*5%7)
		if t == nn.Bool {
			x.Ints[i] &= 1
		}
	}
	return x
}

// machines are the cores of the table, each with what it runs.
func machines(t *testing.T) map[string]func(*mlikernels.Kernel) *mlikernels.Machine {
	made := map[string]*mlikernels.Machine{}
	all := map[string]func(*mlikernels.Kernel) *mlikernels.Machine{}
	for _, core := range cycleCores {
		all[core.name] = func(k *mlikernels.Kernel) *mlikernels.Machine {
			key := core.name + k.Of.Name
			if made[key] != nil {
				return made[key]
			}
			o := mlikernels.MachineOptions{Core: core.template}
			for _, p := range core.properties {
				o.Settings = append(o.Settings, arcv2dsp.Setting{Property: p, Origin: "test"})
			}
			board, err := mlikernels.NewBoard(core.template, o.Settings...)
			require.NoError(t, err)
			o.Library, err = k.Of.Build(k.Of.Variant(board.AGU, nn.Double))
			require.NoError(t, err)
			require.Empty(t, o.Library.Missing)
			m, err := mlikernels.NewMachine(o)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, m.Close()) })
			made[key] = m
			return m
		}
	}
	return all
}

// measured runs a sample and gives its cycles, checking what it computes.
func measured(t *testing.T, m *mlikernels.Machine, k *mlikernels.Kernel, c *nn.Call) uint64 {
	t.Helper()
	job, err := mlikernels.NewJob(c)
	require.NoError(t, err, "%s %v", c.Op.Name, c.In[0].Type)
	rep, err := m.Run(context.Background(), k, job)
	require.NoError(t, err)
	require.True(t, rep.OK(), rep.Status)
	for role, want := range job.Want {
		require.NoError(t, mlikernels.Difference(rep.Results[role], want), "%s: %s", k.Symbol, role)
	}
	return rep.Cycles
}

// TestCycles measures what arcsim kernels list --tosa shows: each operator with each combination of types, on each core.
// Every combination that computes has a kernel, and its cycles lie in a window about those that are noted.
func TestCycles(t *testing.T) {
	level.NeedsPlain(t, "measures every operator on every core")
	var b strings.Builder
	b.WriteString(cyclesHead)
	on := machines(t)
	for _, s := range integerSpecs() {
		if !s.Computes() {
			continue
		}
		for _, set := range s.Sets {
			small, large := sample(s, set.Types, 1), sample(s, set.Types, 2)
			if err := small.Prepare(); s.Name == "RESCALE" && set.Types[0] == nn.I48 && set.Types[1] == nn.I32 {
				require.Equal(t, nn.Error, nn.OutcomeOf(err)) // these types never go together
				fmt.Fprintf(&b, "%s\t%s\t%s%s\n", s.Name, set.Types, neverValid, strings.Repeat("\t"+neverValid, len(cycleCores)))
				continue
			} else {
				require.NoError(t, err, "%s %s", s.Name, set.Types)
			}
			require.NoError(t, large.Prepare(), "%s %s", s.Name, set.Types)
			k, err := mlikernels.Choose(small)
			require.NoError(t, err, "%s %s", s.Name, set.Types)
			fmt.Fprintf(&b, "%s\t%s\t%s", s.Name, set.Types, k.Symbol)
			for _, core := range cycleCores {
				m := on[core.name](k)
				more := measured(t, m, k, large) - measured(t, m, k, small)
				fmt.Fprintf(&b, "\t%.2f", float64(more)/float64(cycleElements(large)-cycleElements(small)))
			}
			b.WriteString("\n")
		}
	}
	if goldenfile.Update() {
		goldenfile.File(t, cyclesFile, b.String())
	}
	now, err := measurements(b.String())
	require.NoError(t, err)
	have, err := os.ReadFile(cyclesFile)
	require.NoError(t, err)
	noted, err := measurements(string(have))
	require.NoError(t, err)
	require.Len(t, noted, len(now), "run go test ./internal/check/tosacheck -update")
	for key, m := range now {
		require.Equal(t, noted[key].kernel, m.kernel, "%v: run go test ./internal/check/tosacheck -update", key)
		for i, cycles := range m.cycles {
			if m.kernel != neverValid {
				require.InEpsilon(t, number(t, noted[key].cycles[i]), number(t, cycles), cycleWindow,
					"%v on %s: run go test ./internal/check/tosacheck -update", key, cycleCores[i].name)
			}
		}
	}
}

// cycleWindow is how far cycles may be from those that are noted, as a part of them.
const cycleWindow = 0.05

// number reads cycles.
func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// TestElementwiseCycles holds the elementwise operators on em9d to 2 cycles for 8 bits and 3 for 16 and 32. Two
// need more: a quotient takes the divider 33 cycles, and an interpolated entry is 10 instructions.
func TestElementwiseCycles(t *testing.T) {
	known, err := measurements(cyclesText)
	require.NoError(t, err)
	longer := map[string]float64{"INTDIV i32,i32,i32": 37, "TABLE i16,i16,i32": 10}
	checked := 0
	for _, s := range integerSpecs() {
		if !strings.Contains(s.Chapter, "elementwise") && !strings.Contains(s.Chapter, "comparison") && !strings.Contains(s.Chapter, "activation") && s.Name != "CAST" {
			continue
		}
		for _, set := range s.Sets {
			limit := 2.0
			if slices.ContainsFunc(set.Types, func(t nn.Type) bool { return t.Bits() > 8 }) {
				limit = 3
			}
			limit = max(limit, longer[s.Name+" "+set.Types.String()])
			cycles := number(t, known[[2]string{s.Name, set.Types.String()}].cycles[0])
			require.LessOrEqual(t, cycles, limit, "%s %s", s.Name, set.Types)
			checked++
		}
	}
	require.Greater(t, checked, 50)
}

// TestRescaleCycles holds every way of RESCALE per channel on em9d to 10 cycles per element.
func TestRescaleCycles(t *testing.T) {
	s, ok := tosa.Lookup("RESCALE")
	require.True(t, ok)
	on := machines(t)["em9d"]
	for _, way := range []struct {
		double bool
		shifts [2]int64 // of channels in turn
	}{{shifts: [2]int64{40, 30}}, {double: true, shifts: [2]int64{40, 42}}, {double: true, shifts: [2]int64{40, 30}}, {double: true, shifts: [2]int64{30, 28}}} {
		for _, set := range s.Sets {
			if way.double && set.Types[1] == nn.I16 || set.Types[0] == nn.I48 && set.Types[1] == nn.I32 {
				continue
			}
			cycles := func(k int) uint64 {
				c := sample(s, set.Types, k)
				c.Attrs["double_round"] = way.double
				for i := range c.In[2].Ints {
					c.In[2].Ints[i] = way.shifts[i%2]
				}
				require.NoError(t, c.Prepare())
				kernel, err := mlikernels.Choose(c)
				require.NoError(t, err)
				return measured(t, on(kernel), kernel, c)
			}
			per := float64(cycles(2)-cycles(1)) / sampleElements
			require.LessOrEqual(t, per, 10.0, "%s double_round %v shifts %v", set.Types, way.double, way.shifts)
			t.Logf("%s double_round %v shifts %v: %.2f", set.Types, way.double, way.shifts, per)
		}
	}
}

// cycleElements is the divisor of a call's cycles: elements of the output, of reductions those of
// the input.
func cycleElements(c *nn.Call) int { return max(c.In[0].Len()*reduces[c.Op.Name], c.Out[0].Len()) }

// reduces has 1 for the operators whose input counts.
var reduces = map[string]int{"ARGMAX": 1, "REDUCE_ALL": 1, "REDUCE_ANY": 1, "REDUCE_MAX": 1, "REDUCE_MIN": 1, "REDUCE_SUM": 1, "REDUCE_PRODUCT": 1}
