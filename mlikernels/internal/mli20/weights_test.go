package mli20

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
)

// TestSmallAGU: a core whose AGU has fewer pointers than the kernels use runs those without ports, the IoT Development
// Kit for one.
func TestSmallAGU(t *testing.T) {
	require.Equal(t, kernel.SmallAGU, kernel.AGUOf("iotdk-em9d"))
	for _, round := range Collection().Roundings {
		lib := suite.Library(t, Collection().Variant(kernel.SmallAGU, round))
		require.Equal(t, kernel.NoAGU, lib.Variant.AGU)
		m, err := kernel.NewMachine(kernel.MachineOptions{Core: "iotdk-em9d", Library: lib})
		require.NoError(t, err)
		for _, f := range functions() {
			for i, p := range f.points() {
				if i%4 != 0 || !level.Wants(i/4, 3, 41) {
					continue
				}
				job, err := p.Job(round, 3)
				require.NoError(t, err, p.Name)
				require.NoError(t, check(m, f, job), "%s/%s", f.Name, p.Name)
			}
		}
		require.NoError(t, m.Close())
	}
}

// TestSpecialisedNames: a specialised name gives what the function gives for the windows it is for, and refuses others.
func TestSpecialisedNames(t *testing.T) {
	level.NeedsPlain(t, "each of the names has a grid")
	machines := map[string]*kernel.Machine{}
	for _, core := range testCores {
		machines[core] = newTestMachine(t, core, nn.Convergent)
	}
	for _, f := range functions() {
		if len(f.kernel.Aliases) == 0 {
			continue
		}
		points, jobs := f.points(), map[string]*kernel.Job{}
		for _, p := range points {
			job, err := p.Job(nn.Convergent, 5)
			require.NoError(t, err, p.Name)
			jobs[p.Name] = job
		}
		for _, m := range machines {
			for _, name := range f.kernel.Aliases {
				entry, err := m.Entry(name)
				require.NoError(t, err)
				_, suffix, _ := strings.Cut(name, f.Name)
				var kh, kw int
				_, err = fmt.Sscanf(suffix, "_k%dx%d", &kh, &kw)
				require.NoError(t, err, name)
				fits := 0
				for i, p := range points {
					job := jobs[p.Name]
					a := job.Attrs
					got := [2]int{a.Int("kernel_h"), a.Int("kernel_w")}
					if w := job.Input("w"); w != nil {
						got = [2]int{w.Shape[0], w.Shape[1]}
					}
					wanted := got == [2]int{kh, kw} && (!strings.Contains(suffix, "str2") || a.Int("stride_h") == 2 && a.Int("stride_w") == 2)
					if !wanted && i%8 != 0 {
						continue
					}
					rep, err := m.RunAt(context.Background(), entry, f.kernel, job)
					require.NoError(t, err, "%s %s", name, p.Name)
					if !wanted {
						require.False(t, rep.OK(), "%s %s", name, p.Name)
						continue
					}
					fits++
					require.True(t, rep.OK(), "%s %s: %s", name, p.Name, rep.Status)
					require.NoError(t, kernel.Difference(rep.Results["out"], job.Want["out"]), "%s %s", name, p.Name)
				}
				require.NotZero(t, fits, "%s: no case has its window", name)
			}
		}
	}
}

// wrongCall is a fault of a call: a member of a structure with a value that the function must refuse.
type wrongCall struct {
	family, piece, member string
	value                 int64
	want                  mli.Status
	affine                bool // only affine functions look at it
	fixed                 bool // only those on fixed-point data
}

// wrongCalls are faults of calls with weights and windows. Pieces are named as the layout names them.
func wrongCalls() []wrongCall {
	var all []wrongCall
	tensors := map[string][]string{"in": {"conv2d_hwcn", "transpose_conv2d_hwcn", "fully_connected", "lstm_cell", "maxpool_hwc"},
		"w": {"conv2d_hwcn", "depthwise_conv2d_hwcn", "fully_connected"}, "b": {"group_conv2d_hwcn", "fully_connected", "gru_cell"},
		"out": {"conv2d_hwcn", "transpose_conv2d_hwcn", "fully_connected", "avepool_hwc"}, "w_in": {"lstm_cell", "gru_cell"},
		"in0": {"rnn_dense"}, "w0": {"rnn_dense"}, "cell": {"lstm_cell"}, "prev_out": {"gru_cell"}}
	for name, families := range tensors {
		for _, f := range families {
			piece := "tensor " + name
			all = append(all,
				wrongCall{family: f, piece: piece, member: "data.mem.pi32", value: 0, want: mli.StatusBadTensor},
				wrongCall{family: f, piece: piece, member: "rank", value: 5, want: mli.StatusBadTensor},
				wrongCall{family: f, piece: piece, member: "data.capacity", value: 0, want: mli.StatusNotEnoughMem},
				wrongCall{family: f, piece: piece, member: "mem_stride", value: 0, want: mli.StatusBadTensor},
				wrongCall{family: f, piece: piece, member: "shape", value: 0, want: mli.StatusBadTensor},
				wrongCall{family: f, piece: piece, member: "el_type", value: 4, want: mli.StatusTypeMismatch, fixed: true})
		}
	}
	for _, f := range []string{"conv2d_hwcn", "depthwise_conv2d_hwcn", "group_conv2d_hwcn", "transpose_conv2d_hwcn"} {
		for member, value := range map[string]int64{"stride_width": 0, "stride_height": 0, "padding_left": 255, "padding_right": 255,
			"padding_top": 255, "padding_bottom": 255, "dilation_width": 0, "dilation_height": 0, "relu.type": 4} {
			all = append(all, wrongCall{family: f, piece: "configuration", member: member, value: value, want: mli.StatusBadFuncCfg})
		}
		all = append(all, wrongCall{family: f, piece: "tensor in", member: "el_params.sa.dim", value: 0, want: mli.StatusBadTensor, affine: true},
			wrongCall{family: f, piece: "tensor in", member: "el_params.sa.zero_point.mem.i16", value: 128, want: mli.StatusIncompatibleTensors, affine: true},
			wrongCall{family: f, piece: "tensor out", member: "el_params.sa.zero_point.mem.i16", value: -129, want: mli.StatusIncompatibleTensors, affine: true},
			wrongCall{family: f, piece: "tensor in", member: "el_params.sa.scale.mem.i16", value: 0, want: mli.StatusBadTensor, affine: true},
			wrongCall{family: f, piece: "tensor b", member: "el_params.fx.frac_bits", value: 100, want: mli.StatusIncompatibleTensors, fixed: true},
			wrongCall{family: f, piece: "tensor out", member: "el_params.fx.frac_bits", value: 100, want: mli.StatusIncompatibleTensors, fixed: true})
	}
	for _, f := range []string{"maxpool_hwc", "avepool_hwc"} {
		for member, value := range map[string]int64{"kernel_width": 0, "kernel_height": 255, "stride_width": 0, "stride_height": 0, "padding_left": 255, "padding_bottom": 255} {
			all = append(all, wrongCall{family: f, piece: "configuration", member: member, value: value, want: mli.StatusBadFuncCfg})
		}
	}
	for _, f := range []string{"lstm_cell", "gru_cell"} {
		all = append(all, wrongCall{family: f, piece: "configuration", member: "direction", value: 2, want: mli.StatusBadFuncCfg},
			wrongCall{family: f, piece: "configuration", member: "results", value: 2, want: mli.StatusBadFuncCfg},
			wrongCall{family: f, piece: "configuration", member: "scratch_data.capacity", value: 1, want: mli.StatusBadFuncCfg},
			wrongCall{family: f, piece: "configuration", member: "scratch_data.mem.pi32", value: 0, want: mli.StatusBadFuncCfg},
			wrongCall{family: f, piece: "table tanh_lut", member: "data.capacity", value: 2, want: mli.StatusNotEnoughMem},
			wrongCall{family: f, piece: "table sigm_lut", member: "data.mem.pi16", value: 0, want: mli.StatusBadTensor},
			wrongCall{family: f, piece: "tensor b", member: "el_params.fx.frac_bits", value: 100, want: mli.StatusIncompatibleTensors, fixed: true})
	}
	return append(all, wrongCall{family: "lstm_cell", piece: "configuration", member: "act", value: 3, want: mli.StatusBadFuncCfg},
		wrongCall{family: "rnn_dense", piece: "configuration", member: "inputs_num", value: 0, want: mli.StatusBadFuncCfg},
		wrongCall{family: "rnn_dense", piece: "configuration", member: "inputs_num", value: 5, want: mli.StatusBadFuncCfg})
}

// TestWrongCalls: a wrong call gets the status MLI gives it, and nothing is written.
func TestWrongCalls(t *testing.T) {
	m := newTestMachine(t, "em9d", nn.Convergent)
	calls := 0
	for _, f := range functions() {
		point := f.points()[0]
		for _, w := range wrongCalls() {
			if w.family != f.Family || w.affine && !f.Data.Affine() || w.fixed && f.Data.Affine() {
				continue
			}
			what := fmt.Sprintf("%s: %s of %s is %d", f.Name, w.member, w.piece, w.value)
			job, err := point.Job(nn.Convergent, 1)
			require.NoError(t, err)
			l, err := m.LayOut(f.kernel, job)
			require.NoError(t, err)
			s := structs.Tensor
			switch {
			case w.piece == "configuration":
				s = f.config.Struct
			case strings.HasPrefix(w.piece, "table"):
				s = structs.Table
			}
			found := false
			for _, p := range l.Pieces(kernel.Structs) {
				if p.Name == w.piece {
					s.Put(l.Bytes(p.Addr, p.Size), w.member, w.value)
					found = true
				}
			}
			require.True(t, found, what)
			entry, err := m.Entry(f.Name)
			require.NoError(t, err)
			rep, err := m.CallAt(context.Background(), entry, l)
			require.NoError(t, err, what)
			require.Equal(t, w.want, mli.Status(rep.R0), what)
			require.False(t, l.Written(), what)
			calls++
		}
	}
	require.GreaterOrEqual(t, calls, 100)
}

// TestStack: no function takes more of the stack than mli_config.h says, and not much less; the largest copies are among
// the cases.
func TestStack(t *testing.T) {
	level.NeedsPlain(t, "the calls with the deepest stacks are long")
	stated := func(name string) int {
		match := regexp.MustCompile(`#define ` + name + ` (\d+)\n`).FindStringSubmatch(configHeader)
		require.NotNil(t, match, name)
		n, err := strconv.Atoi(match[1])
		require.NoError(t, err)
		return n
	}
	limits, deepest := map[bool]int{false: stated("MLI_STACK"), true: stated("MLI_STACK_WEIGHTS")}, map[bool]int{}
	for _, core := range testCores {
		if core != "em7d" && !level.Long() { // stacks are deepest without AGU
			continue
		}
		m := newTestMachine(t, core, nn.Convergent)
		for _, f := range functions() {
			weighted := f.products != nil
			for i, p := range f.points() {
				if (i%6 != 0 || !level.Wants(i/6, 5, 5)) && !strings.HasPrefix(p.Name, "many-channels") && !strings.HasPrefix(p.Name, "long") && !strings.HasPrefix(p.Name, "steps1_2000") {
					continue
				}
				job, err := p.Job(nn.Convergent, 7)
				require.NoError(t, err)
				_, err = m.Run(context.Background(), f.kernel, job)
				require.NoError(t, err)
				n, err := m.StackUsed()
				require.NoError(t, err)
				require.LessOrEqual(t, n, limits[weighted], "%s %s on %s", f.Name, p.Name, core)
				deepest[weighted] = max(deepest[weighted], n)
			}
		}
	}
	for weighted, limit := range limits {
		require.Greater(t, deepest[weighted], limit*3/5, "with weights: %v", weighted)
	}
}
