package floats

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// The widths of levels that the operator takes.
const minFakeBits, maxFakeBits = 2, 16

// fakeGrid is the grid of a FAKE_QUANT: multiples of scale from lo to hi. Its range is moved so that zero is one of
// them, as TensorFlow moves it.
type fakeGrid struct{ scale, lo, hi float64 }

func gridOf(c *nn.Call) (fakeGrid, error) {
	lo, hi, bits := c.Attrs.Float("min"), c.Attrs.Float("max"), c.Attrs.Int("num_bits")
	if bits < minFakeBits || bits > maxFakeBits {
		return fakeGrid{}, fmt.Errorf("fake quantization to %d bits (%d to %d)", bits, minFakeBits, maxFakeBits)
	}
	if !(lo <= 0 && hi >= 0 && hi > lo) || math.IsInf(hi-lo, 0) {
		return fakeGrid{}, fmt.Errorf("the range %g to %g must contain zero", lo, hi)
	}
	least, most := 0.0, float64(int(1)<<bits-1)
	if c.Attrs.Bool("narrow_range") {
		least = 1
	}
	scale := (hi - lo) / (most - least)
	zero := max(least, min(math.Round(least-lo/scale), most))
	return fakeGrid{scale: scale, lo: (least - zero) * scale, hi: (most - zero) * scale}, nil
}

// fakeQuant has no twin with integer elements.
func fakeQuant() *nn.Operator {
	return described(FakeQuant, "rounds to the grid that quantization would leave", []nn.Port{{Role: "in"}}, []nn.AttrSpec{
		{Name: "min", Default: 0.0, Doc: "lower end of the range"},
		{Name: "max", Default: 0.0, Doc: "upper end of the range"},
		{Name: "num_bits", Default: 0, Doc: "width of the levels"},
		{Name: "narrow_range", Default: false, Doc: "the lowest level is not used"},
	}, checkFake, fake)
}

func checkFake(c *nn.Call) error {
	if _, err := gridOf(c); err != nil {
		return err
	}
	return sameShape(c)
}

func fake(c *nn.Call) {
	grid, _ := gridOf(c) // checkFake has seen it
	each(c, func(x float64) float64 {
		return grid.lo + math.Round((max(grid.lo, min(x, grid.hi))-grid.lo)/grid.scale)*grid.scale
	})
}
