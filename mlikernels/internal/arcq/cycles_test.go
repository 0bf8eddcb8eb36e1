package arcq

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

const cyclesFile = "testdata/cycles.txt"

// longest is the case of a kernel that has the most of its loops in it: one of the longest edge
// where there is one, else one in the middle. Its buffers are aligned.
func longest(points []kernel.Case) kernel.Case {
	plain := slices.DeleteFunc(slices.Clone(points), func(p kernel.Case) bool { return !p.Plain })
	for _, size := range edges[len(edges)-4:] {
		i := slices.IndexFunc(plain, func(p kernel.Case) bool { return strings.Contains(p.Name, fmt.Sprint(size)) })
		if i >= 0 {
			return plain[i]
		}
	}
	return plain[len(plain)/2]
}

// small are beginnings of the names of calls with few elements, as networks have at their end: changes of scale, rows of a matrix with
// some outputs, windows over one cell or a row of cells.
var small = []string{"QUANTIZE_1_usual", "QUANTIZE_4_ties", "1x12-9_", "1x12-13_", "1x12-16_", "1x1x1x64-24_3x3", "1x1x6x4-4_3x3", "1x5x3x4-4_3x3"}

// TestCycles: the kernels that work element by element, pool, reduce, move or belong to the audio front end, and small calls of
// these and others, take the cycles that are noted, no more and no fewer. An intended change is noted with -update.
func TestCycles(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Cycles of a case of each kernel, written by go test ./mlikernels/internal/arcq -run TestCycles -update.\n")
	rows := slices.Concat(pairs(), softmaxes(), normalizations(), quotients(), rescales(), reductions(), unaries(), pickers(), bilinears(), tables(), moves(), pools(), signals())
	for _, core := range testCores {
		m := newTestMachine(t, core)
		note := func(k *kernel.Kernel, p kernel.Case) {
			job, err := p.Job(nn.Double, 1)
			require.NoError(t, err, "%s %s", k.Symbol, p.Name)
			rep, err := m.Run(context.Background(), k, job)
			require.NoError(t, err, "%s %s", k.Symbol, p.Name)
			fmt.Fprintf(&b, "%s\t%s\t%s\t%d elements\t%d\n", core, k.Symbol, p.Name, job.Out[0].Len(), rep.Cycles)
		}
		for _, r := range rows {
			k := r.kernel()
			note(k, longest(k.Grid()))
		}
		for _, r := range slices.Concat(rescales(), products(), convolutions()) {
			k := r.kernel()
			for _, p := range k.Grid() {
				if slices.ContainsFunc(small, func(part string) bool { return strings.HasPrefix(p.Name, part) }) {
					note(k, p)
				}
			}
		}
	}
	goldenfile.File(t, cyclesFile, b.String())
}

// TestRoundedOnce: no kernel takes longer for one rounding of a call than for two, but for the choice of the loop, a few cycles, or
// by loads for each channel, a hundredth at most; convolutions with rare factors for the shift of each channel, too. Convolutions do so
// on maps of all sizes.
func TestRoundedOnce(t *testing.T) {
	const (
		choice = 5
		shift  = 2
	)
	for _, core := range append([]string{smallCore}, testCores...) {
		m := newTestMachine(t, core)
		for _, k := range Collection().Kernels {
			if !slices.Contains(k.Roundings(), nn.Single) || !slices.Contains(k.Roundings(), nn.Double) {
				continue
			}
			cases := []kernel.Case{longest(k.Grid())}
			if strings.Contains(k.Symbol, "conv2d") {
				cases = slices.DeleteFunc(k.Grid(), func(p kernel.Case) bool { return !p.Plain })
			}
			for n, p := range cases {
				if !level.Wants(n, 1, 9) {
					continue
				}
				job, err := p.Job(nn.Double, 1)
				require.NoError(t, err, p.Name)
				call := *job.Call
				call.Rounding = nn.Single
				once, err := kernel.NewJob(&call)
				require.NoError(t, err, p.Name)
				shifts := uint64(0)
				if strings.Contains(k.Symbol, "conv2d") {
					if f := must(filtered(&call)); rareChannels(f.Factors, nn.Single) == anyRare {
						shifts = shift * uint64(len(f.Factors))
					}
				}
				var cycles []uint64
				for _, job := range []*kernel.Job{job, once} {
					rep, err := m.Run(context.Background(), k, job)
					require.NoError(t, err, p.Name)
					cycles = append(cycles, rep.Cycles)
				}
				require.LessOrEqual(t, cycles[1], cycles[0]+max(choice, shifts, cycles[0]/100), "%s %s on %s", k.Symbol, p.Name, core)
			}
		}
	}
}
