package arcq

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// TestChangesOfSign: bytes with a sign and without one in the same scale need no table, and take a quarter of a cycle each with AGU
// ports, 0.75 by loads at word boundaries. Bytes of one type stay as they are, and other zero points take a table.
func TestChangesOfSign(t *testing.T) {
	k := tables()[0].kernel()
	scaled := func(zero int64) nn.Format {
		return nn.Format{Kind: nn.Scaled, Scales: []float32{0.1}, Zeros: []int64{zero}}
	}
	cycles := map[string]float64{"em9d": 0.25, "em7d": 0.75, smallCore: 0.75}
	for core, each := range cycles {
		m := newTestMachine(t, core)
		for n := tableEntries; n < tableEntries+4; n++ {
			for offset := range uint32(4) {
				for _, c := range []struct {
					from, to nn.Type
					in, out  int64 // zero points
					noTable  bool
				}{{nn.U8, nn.I8, 133, 5, true}, {nn.I8, nn.U8, -7, 121, true}, {nn.I8, nn.I8, 5, 5, false}, {nn.U8, nn.I8, 133, 6, false}} {
					call := &nn.Call{Op: operator(nn.TFLite, "QUANTIZE"), Attrs: nn.Attrs{}, Rounding: nn.Double,
						In:  []*nn.Tensor{random(rand.New(rand.NewPCG(7, uint64(n))), c.from, n)},
						Out: []*nn.Tensor{{Type: c.to, Shape: []int{n}, Format: scaled(c.out)}}}
					call.In[0].Format = scaled(c.in)
					require.NoError(t, call.Prepare())
					want, err := call.Expect()
					require.NoError(t, err)
					rep, err := m.Run(context.Background(), k, &kernel.Job{Call: call, Offset: offset})
					require.NoError(t, err)
					require.NoError(t, kernel.Difference(rep.Results["out"], want.Out[0]), "%s to %s, %d at %d on %s", c.from, c.to, n, offset, core)
					if offset == 0 {
						require.Equal(t, c.noTable, float64(rep.Cycles) < each*float64(n)+100, "%s to %s, %d on %s: %d cycles", c.from, c.to, n, core, rep.Cycles)
					}
				}
			}
		}
	}
}
