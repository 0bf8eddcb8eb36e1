package arcq

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// TestRecordedProducts: the recorded results of gemmlowp come out of the kernels, and the gaps between lines stay
// as they were. The layout checks the gaps.
func TestRecordedProducts(t *testing.T) {
	parse := func(line []byte) (*nn.Case, error) { return golden.ParseGEMMRecord(line, golden.Operators()) }
	for _, core := range testCores {
		m := newTestMachine(t, core)
		for name, want := range map[string]int{"gemm_pipelines": 102, "legacy_gemm": 72} {
			n, ran := 0, map[string]int{}
			for _, rec := range records.Each(t, "../../../testdata/quant/gemmlowp_"+name+".jsonl.gz", parse) {
				n++
				job, err := kernel.NewJob(rec.Call)
				require.NoError(t, err)
				for _, k := range Collection().Kernels {
					if k.Operator != "gemm" && k.Operator != "gemm_naive" || k.Fits(rec.Call) != nil {
						continue
					}
					ran[k.Symbol]++
					rep, err := m.Run(context.Background(), k, job)
					require.NoError(t, err, "%s on %s, %s line %d", k.Symbol, core, name, n)
					require.True(t, rep.OK(), rep.Status)
					require.NoError(t, kernel.Difference(rep.Results["out"], rec.Want["out"]), "%s on %s, %s line %d", k.Symbol, core, name, n)
				}
			}
			require.Equal(t, want, n)
			require.Equal(t, want, ran["arcq_gemm_u8"])
			require.NotZero(t, ran["arcq_gemm_naive_u8"])
		}
	}
}
