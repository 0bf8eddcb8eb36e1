package numbers

import (
	"encoding/json"
	"fmt"
	"math"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// requantizedLine is a record of TensorFlow Lite's multiplications by multiplier and shift, and of their choice.
type requantizedLine struct {
	Op, Rounding      string
	Multiplier, Shift list[int32]
	X                 []json.Number
	Out               []int32
}

func requantized(v requantizedLine) {
	profile := steps.Must(quant.ParseProfile("tflite-" + v.Rounding))
	if v.Op == "QuantizeMultiplier" {
		chosenMultipliers(v)
		return
	}
	if len(v.Multiplier) != 1 || len(v.Shift) != 1 {
		steps.Check(fmt.Errorf("%s has one multiplier and one shift", v.Op))
	}
	m := quant.Multiplier{Value: v.Multiplier[0], Shift: int(v.Shift[0])}
	var out []int32
	for _, number := range v.X {
		x := steps.Must(number.Int64())
		var y int32
		switch v.Op {
		case "MultiplyByQuantizedMultiplier_i64":
			y = quant.Apply48(x, m.Reduce16())
		default:
			y = steps.Must(profile.Requantize(int32(x), m))
		}
		out = append(out, y)
	}
	equal(fmt.Sprintf("%s by %v", v.Op, m), out, v.Out)
}

// chosenMultipliers checks the multipliers and shifts of reals.
func chosenMultipliers(v requantizedLine) {
	choose := quant.QuantizeMultiplier
	if v.Rounding == "single" {
		choose = quant.QuantizeMultiplierSingle
	}
	var values, shifts []int32
	for _, number := range v.X {
		real := steps.Must(number.Float64())
		m := steps.Must(choose(real))
		values, shifts = append(values, m.Value), append(shifts, int32(m.Shift))
	}
	equal("multiplier", values, []int32(v.Multiplier))
	equal("shift", shifts, []int32(v.Shift))
}

// quantizedLine is a record of TensorFlow Lite's conversions between reals and integers and of its choice of parameters.
type quantizedLine struct {
	Op, Type            string
	Scale               float64
	ZeroPoint           int64 `json:"zero_point"`
	X                   []float64
	Q                   []int64
	Dequantized, Output []float32
	RMin, RMax          float64
	Narrow              bool `json:"narrow_range"`
	Min, Max            float32
	QuantMin            int     `json:"quant_min"`
	QuantMax            int     `json:"quant_max"`
	NudgedMin           float32 `json:"nudged_min"`
	NudgedMax           float32 `json:"nudged_max"`
}

func quantized(v quantizedLine) {
	p := quant.Params{Scale: v.Scale, ZeroPoint: v.ZeroPoint}
	s := map[string]quant.Storage{"i8": quant.Int8, "u8": quant.Uint8, "i16": quant.Int16}[v.Type]
	if v.Narrow {
		s = s.Narrow()
	}
	switch v.Op {
	case "affine_quantize_dequantize":
		equal("integers", quant.RealTFLite.QuantizeAll(v.X, p, s), v.Q)
		var reals []float32
		for _, q := range v.Q {
			reals = append(reals, p.DequantizeSingle(q))
		}
		equal("reals", reals, v.Dequantized)
	case "ChooseQuantizationParams":
		got, _, err := quant.TFLiteAsymmetric.Choose(v.RMin, v.RMax, s)
		steps.Check(err)
		equal("parameters", got, p)
	case "SymmetricQuantizeFloats":
		scale, q, err := quant.SymmetricFloats(single(v.X))
		chosen(quant.Params{Scale: float64(scale)}, q, err, p, v.Q)
	case "AsymmetricQuantizeFloats":
		got, q, err := quant.AsymmetricFloats(single(v.X))
		chosen(got, q, err, p, v.Q)
	case "tflite_fake_quantize":
		fakeQuantSingle(v)
	default:
		steps.Check(fmt.Errorf("no operation %q", v.Op))
	}
}

// chosen compares parameters, their scale in single precision, and the integers they give.
func chosen(got quant.Params, q []int64, err error, recorded quant.Params, recordedQ []int64) {
	steps.Check(err)
	equal("scale", float32(got.Scale), float32(recorded.Scale))
	equal("zero point", got.ZeroPoint, recorded.ZeroPoint)
	equal("integers", q, recordedQ)
}

// fakeQuantSingle checks TensorFlow Lite's fake quantization.
func fakeQuantSingle(v quantizedLine) {
	bits := int(math.Log2(float64(v.QuantMax + 1)))
	f := steps.Must(quant.NewFakeQuant(v.Min, v.Max, bits, v.QuantMin == 1))
	equal("nudged range and scale", []float32{f.Lo, f.Hi, f.Scale}, []float32{v.NudgedMin, v.NudgedMax, float32(v.Scale)})
	var out []float32
	for _, x := range single(v.X) {
		out = append(out, f.Forward(x, quant.FakeTFLite))
	}
	equal("output", out, v.Output)
}

func single(x []float64) []float32 {
	out := make([]float32, len(x))
	for i := range x {
		out[i] = float32(x[i])
	}
	return out
}

// fakeQuantLine is a record of TensorFlow's fake quantization of channels, and of its gradients.
type fakeQuantLine struct {
	Variant   string
	NumBits   int  `json:"num_bits"`
	Narrow    bool `json:"narrow_range"`
	Min, Max  []float32
	NudgedMin []float32 `json:"nudged_min"`
	NudgedMax []float32 `json:"nudged_max"`
	Scale     []float32
	ZeroPoint []int `json:"nudged_zero_point"`
	Channels  int
	X, Output []float32
	Old       []float32 `json:"output_pre2021"`
	Level     []int
	GradIn    []float32 `json:"grad_in"`
	GradX     []float32 `json:"grad_x"`
	GradMin   []float32 `json:"grad_min"`
	GradMax   []float32 `json:"grad_max"`
}

func fakeQuant(v fakeQuantLine) {
	if v.Channels < 1 || v.Channels > len(v.Min) || len(v.Min) != len(v.Max) {
		steps.Check(fmt.Errorf("%d channels have %d minima and %d maxima", v.Channels, len(v.Min), len(v.Max)))
	}
	same(len(v.X), len(v.GradIn))
	old := quant.FakeOld
	if v.Variant == "vars" {
		old = quant.FakeOldVars
	}
	got := fakeQuantLine{GradMin: make([]float32, v.Channels), GradMax: make([]float32, v.Channels)}
	var channels []quant.FakeQuant
	for c := range v.Channels {
		f := steps.Must(quant.NewFakeQuant(v.Min[c], v.Max[c], v.NumBits, v.Narrow))
		channels = append(channels, f)
		got.NudgedMin, got.NudgedMax = append(got.NudgedMin, f.Lo), append(got.NudgedMax, f.Hi)
		got.Scale, got.ZeroPoint = append(got.Scale, f.Scale), append(got.ZeroPoint, f.ZeroPoint)
	}
	for i, x := range v.X {
		c := i % v.Channels
		f := channels[c]
		got.Level = append(got.Level, f.Level(x))
		got.Output, got.Old = append(got.Output, f.Forward(x, quant.FakeCurrent)), append(got.Old, f.Forward(x, old))
		dx, lo, hi := f.Backward(x, v.GradIn[i])
		got.GradX = append(got.GradX, dx)
		got.GradMin[c] += lo
		got.GradMax[c] += hi
	}
	if v.GradMin == nil {
		got.GradMin, got.GradMax = nil, nil
	}
	equal("nudged zero point", got.ZeroPoint, v.ZeroPoint)
	equal("level", got.Level, v.Level)
	for _, c := range []struct {
		what          string
		got, recorded []float32
	}{
		{what: "nudged minimum", got: got.NudgedMin, recorded: v.NudgedMin},
		{what: "nudged maximum", got: got.NudgedMax, recorded: v.NudgedMax},
		{what: "scale", got: got.Scale, recorded: v.Scale},
		{what: "output", got: got.Output, recorded: v.Output},
		{what: "output before 2021", got: got.Old, recorded: v.Old},
		{what: "gradient of x", got: got.GradX, recorded: v.GradX},
		{what: "gradient of the minimum", got: got.GradMin, recorded: v.GradMin},
		{what: "gradient of the maximum", got: got.GradMax, recorded: v.GradMax},
	} {
		equal(c.what, c.got, c.recorded)
	}
}

func sigmoidTable(v struct{ Table []uint16 }) {
	equal("table", quant.SigmoidTable[:], v.Table)
}

func softmaxTables(v struct {
	Exponentials []int64 `json:"exp_lut"`
	Inverses     []int64 `json:"one_over_one_plus_x_lut"`
}) {
	equal("exponentials", tflite.Exponentials(), v.Exponentials)
	equal("inverses", tflite.Inverses(), v.Inverses)
}
