package arcq

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// productWindows are the cycles per multiply-accumulate that kernels take for a case of their grid: at most the
// numbers here, and not less than 90 % of them.
var productWindows = []struct {
	kernel, point string
	em9d, em7d    float64
}{
	{kernel: "arcq_conv2d_s8", point: "1x7x8x64-3_3x3_s1x1_same_ties", em9d: 0.58, em7d: 2.0},
	{kernel: "arcq_convolve_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.77, em7d: 2.20},
	{kernel: "arcq_convolve_s8", point: "depthwise_1x7x6x16-16_3x3_s1x1_same_m1_d2x2", em9d: 10.0, em7d: 17.0},
	{kernel: "arcq_convolve_s8", point: "transpose_1x7x6x16-4_3x3_s2x1_same", em9d: 1.50, em7d: 3.30},
	{kernel: "arcq_convolve_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 1.95},
	{kernel: "arcq_convolve_s16s8", point: "product_1x7x6x257-5", em9d: 0.71, em7d: 2.27},
	{kernel: "arcq_convolve_narrow_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 1.95},
	{kernel: "arcq_convolve_sums_s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.72, em7d: 2.16},
	{kernel: "arcq_convolve_sums_s16s8", point: "conv_1x12x12x32-16_3x3_s1x1_same_d2x2", em9d: 0.76, em7d: 2.10},
	{kernel: "arcq_matmul_s8", point: "60_[1]_[1]_32x64x32", em9d: 0.79, em7d: 2.19},
	{kernel: "arcq_matmul_s16", point: "60_[1]_[1]_32x64x32", em9d: 0.77, em7d: 2.03},
	{kernel: "arcq_matmul_sums_s8", point: "1_32x64x32_60", em9d: 0.71, em7d: 2.08},
	{kernel: "arcq_matmul_sums_s16", point: "1_32x64x32_60", em9d: 0.68, em7d: 1.95},
	{kernel: "arcq_svdf_s8", point: "1x392-8_r1_m8", em9d: 0.63, em7d: 1.74},
	{kernel: "arcq_svdf_s16s8", point: "1x392-8_r1_m8", em9d: 0.64, em7d: 1.74},
	{kernel: "arcq_lstm_s8", point: "1x2x4-50_c-11", em9d: 1.59, em7d: 3.64},
	{kernel: "arcq_lstm_s16s8", point: "1x2x4-50_c-11", em9d: 1.61, em7d: 3.08},
}

// TestProductCycles: kernels that multiply and accumulate take the cycles that are known of them.
func TestProductCycles(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core)
		for _, w := range productWindows {
			most := map[string]float64{"em9d": w.em9d, "em7d": w.em7d}[core]
			k, job := pointOf(t, w.kernel, w.point)
			rep, err := m.Run(context.Background(), k, job)
			require.NoError(t, err, w.kernel)
			per := float64(rep.Cycles) / float64(k.Work(job.Call).Data)
			require.LessOrEqual(t, per, most, "%s %s on %s", w.kernel, w.point, core)
			require.GreaterOrEqual(t, per, 0.9*most, "%s %s on %s is faster than the window: lower it", w.kernel, w.point, core)
		}
	}
}

// pointOf is the case of a kernel's grid whose name begins in a way.
func pointOf(t *testing.T, symbol, name string) (*kernel.Kernel, *kernel.Job) {
	t.Helper()
	for _, k := range Collection().Kernels {
		if k.Symbol != symbol {
			continue
		}
		for _, p := range k.Grid() {
			if strings.HasPrefix(p.Name, name) {
				job, err := p.Job(nn.Double, 3)
				require.NoError(t, err)
				return k, job
			}
		}
	}
	t.Fatalf("%s has no case %s", symbol, name)
	return nil, nil
}
