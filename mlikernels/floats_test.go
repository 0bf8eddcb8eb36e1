package mlikernels

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// floatCores are cores with a floating-point unit: of an HS, and of an EM by settings.
var floatCores = []struct {
	core     string
	settings []arcv2dsp.Setting
}{
	{core: "hs38"},
	{core: "em7d", settings: []arcv2dsp.Setting{{Property: "fpus_div_option=1"}, {Property: "fpu_mac_option=1"}}},
	{core: "wei-em9d"},
}

// TestFloatGrids runs the kernels in single precision on each core: results of one operation are those of the golden
// functions to the bit, sums lie within the bound that the magnitudes of their products give.
func TestFloatGrids(t *testing.T) {
	lib, err := arcq.Floats().Build(kernel.Variant{})
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	for _, on := range floatCores {
		m, err := kernel.NewMachine(kernel.MachineOptions{Core: on.core, Settings: on.settings, Library: lib})
		require.NoError(t, err, on.core)
		for _, k := range arcq.Floats().Kernels {
			cycles := uint64(0)
			for _, p := range k.Grid() {
				job, err := p.Job(nn.Double, 3)
				require.NoError(t, err, "%s %s", k.Symbol, p.Name)
				require.NoError(t, k.Fits(job.Call))
				rep, err := m.Run(context.Background(), k, job)
				require.NoError(t, err, "%s %s", k.Symbol, p.Name)
				require.True(t, rep.OK(), rep.Status)
				for role, want := range job.Want {
					require.NoError(t, nearEnough(t, job.Call, rep.Results[role], want), "%s %s on %s", k.Symbol, p.Name, on.core)
				}
				cycles += rep.Cycles
			}
			t.Logf("%s: %s %d cycles", on.core, k.Symbol, cycles)
		}
		require.NoError(t, m.Close())
	}
}

// nearEnough compares a result with that of the golden function.
func nearEnough(t *testing.T, c *nn.Call, got, want *nn.Tensor) error {
	bound := boundOf(t, c)
	for i, w := range want.Floats {
		g, e := float64(got.Floats[i]), float64(w)
		if math.IsNaN(g) && math.IsNaN(e) || g == e {
			continue
		}
		margin := 0.0
		switch {
		case bound != nil:
			margin = 0x1p-24 * float64(bound.terms+1) * float64(bound.sums.Floats[i])
		case c.Op.Name == "EXP":
			margin = 0x1p-23 * e * (1 + math.Abs(float64(c.In[0].Floats[i])))
			if g == 0 && e < 0x1p-126 {
				continue
			}
		case c.Op.Name == "RSQRT":
			margin = 0x1p-22 * math.Abs(e)
		case c.Op.Name == "REDUCE_PRODUCT":
			margin = 0x1p-24 * float64(c.In[0].Len()) * math.Abs(e)
		}
		if !(math.Abs(g-e) <= margin) {
			return fmt.Errorf("element %d is %g, want %g within %g", i, g, e, margin)
		}
	}
	return nil
}

// sumBound is the same call on magnitudes, and the number of terms of a sum.
type sumBound struct {
	sums  *nn.Tensor
	terms int
}

func boundOf(t *testing.T, c *nn.Call) *sumBound {
	terms := 0
	switch c.Op.Name {
	case "CONV2D":
		terms = c.In[1].Len() / c.In[1].Dim(0)
	case "DEPTHWISE_CONV2D":
		terms = c.In[1].Dim(0) * c.In[1].Dim(1)
	case "FULLY_CONNECTED", "MATMUL":
		terms = c.In[0].Dim(-1)
	case "AVG_POOL2D":
		terms = nn.Count(c.Attrs.Ints("kernel"))
	case "REDUCE_SUM":
		terms = c.In[0].Dim(c.Attrs.Int("axis"))
	default:
		return nil
	}
	m := &nn.Call{Op: c.Op, Attrs: c.Attrs, Out: []*nn.Tensor{{Type: nn.F32, Shape: c.Out[0].Shape}}}
	for _, x := range c.In {
		y := x.Clone()
		for i, v := range y.Floats {
			y.Floats[i] = float32(math.Abs(float64(v)))
		}
		m.In = append(m.In, y)
	}
	require.NoError(t, m.Prepare())
	require.NoError(t, m.Run())
	return &sumBound{sums: m.Out[0], terms: terms}
}
