package quant_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

// figure compares the lines between two marks of the document.
func figure(t *testing.T, name, text string) {
	t.Helper()
	goldenfile.Section(t, "../docs/quantization.md", "<!-- "+name+" -->\n", "<!-- end of "+name+" -->", text)
}

// TestFigureOfProfiles counts how often two profiles differ on sums whose results are bytes.
func TestFigureOfProfiles(t *testing.T) {
	const sums = 1 << 18
	r := rand.New(rand.NewPCG(20, 26))
	var ms []quant.Multiplier
	xs := make([]int32, sums)
	for i := range xs {
		m, err := quant.QuantizeMultiplier(math.Ldexp(1+r.Float64(), -4-r.IntN(8)))
		require.NoError(t, err)
		ms = append(ms, m)
		xs[i] = int32((r.Float64()*254 - 127) / m.Real())
	}
	var b strings.Builder
	b.WriteString("| profiles | results that differ | greatest difference |\n|---|---:|---:|\n")
	for _, pair := range [][2]string{
		{"tflite-double", "tflite-single"}, {"tosa-double", "tflite-double"}, {"tosa-single", "tflite-single"},
		{"gemmlowp", "tflite-double"}, {"mli-convergent", "mli-up"}, {"mli-up", "tflite-single"},
	} {
		p, err := quant.ParseProfile(pair[0])
		require.NoError(t, err)
		q, err := quant.ParseProfile(pair[1])
		require.NoError(t, err)
		differ, most := 0, int32(0)
		for i, x := range xs {
			if d := p.Scaling.Apply(x, ms[i]) - q.Scaling.Apply(x, ms[i]); d != 0 {
				differ++
				most = max(most, d, -d)
			}
		}
		fmt.Fprintf(&b, "| %s, %s | %.4f %% | %d |\n", pair[0], pair[1], 100*float64(differ)/sums, most)
	}
	// The same by powers of two, as MLI's fx formats scale: every 2^n-th sum is a tie.
	differ, most := 0, int32(0)
	for i, x := range xs {
		m := quant.Multiplier{Value: 1 << 30, Shift: -(i % 8)}
		if d := quant.ScaleConvergent.Apply(x, m) - quant.ScaleUp.Apply(x, m); d != 0 {
			differ++
			most = max(most, d, -d)
		}
	}
	fmt.Fprintf(&b, "| mli-convergent, mli-up, scales 2^-1 to 2^-8 | %.4f %% | %d |\n", 100*float64(differ)/sums, most)
	figure(t, "profiles", b.String())
}

// TestFigureOfFunctions measures the fixed-point functions against float64.
func TestFigureOfFunctions(t *testing.T) {
	var b strings.Builder
	b.WriteString("| function | argument | worst error, 32 bits | worst error, 16 bits |\n|---|---|---:|---:|\n")
	for _, f := range []struct {
		name  string
		of32  func(quant.Fixed[int32], int32) int32
		of16  func(quant.Fixed[int16], int16) int16
		exact func(float64) float64
		lo    float64
	}{
		{name: "tanh", of32: quant.Fixed[int32].Tanh, of16: quant.Fixed[int16].Tanh, exact: math.Tanh, lo: -8},
		{name: "logistic", of32: quant.Fixed[int32].Logistic, of16: quant.Fixed[int16].Logistic, exact: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, lo: -8},
		{name: "exp", of32: quant.Fixed[int32].ExpNegative, of16: quant.Fixed[int16].ExpNegative, exact: math.Exp, lo: -8},
	} {
		q32, err := quant.NewFixed[int32](3)
		require.NoError(t, err)
		q16, err := quant.NewFixed[int16](3)
		require.NoError(t, err)
		var worst32, worst16 float64
		hi := 8.0
		if f.name == "exp" {
			hi = 0
		}
		for i := range 60000 {
			x := f.lo + (hi-f.lo)*(float64(i)+0.5)/60000
			raw32, raw16 := q32.FromReal(x), q16.FromReal(x)
			worst32 = max(worst32, math.Abs(quant.Fixed[int32]{}.Real(f.of32(q32, raw32))-f.exact(q32.Real(raw32))))
			worst16 = max(worst16, math.Abs(quant.Fixed[int16]{}.Real(f.of16(q16, raw16))-f.exact(q16.Real(raw16))))
		}
		fmt.Fprintf(&b, "| %s | %g to %g | %.1e | %.1e = %.0f lsb |\n", f.name, f.lo, hi, worst32, worst16, worst16*(1<<15))
		require.Less(t, worst32, 5e-7)
		require.Less(t, worst16, 5e-4)
	}
	figure(t, "functions", b.String())
}
