package quant

import "fmt"

// Choice is the scale and zero point by which one convention covers a range.
type Choice struct {
	Convention Convention
	Params     Params
	Storage    Storage
	Lo, Hi     float64 // what is represented
	Err        error   // the convention has no answer
}

// Type is the choice as a quantized type.
func (c Choice) Type() Type { return Uniform(c.Storage, F32, c.Params) }

// Choices asks every convention about a range.
func Choices(lo, hi float64, s Storage) []Choice {
	var list []Choice
	for _, c := range Conventions() {
		p, used, err := c.Choose(lo, hi, s)
		choice := Choice{Convention: c, Params: p, Storage: used, Err: err}
		if err == nil {
			if err := p.Check(); err != nil {
				choice.Err = fmt.Errorf("a range of zero alone has no scale")
			}
			choice.Lo, choice.Hi = p.Dequantize(used.Min), p.Dequantize(used.Max)
		}
		list = append(list, choice)
	}
	return list
}

// Spelling is a real factor as one library writes it.
type Spelling struct {
	Library string
	Text    string
	Real    float64 // what the text stands for
	Err     error   // the library cannot write it
}

// Spellings writes a factor in the way of every library that multiplies by one.
func Spellings(real float64) []Spelling {
	row := func(library, text string, real float64, err error) Spelling {
		return Spelling{Library: library, Text: text, Real: real, Err: err}
	}
	m, err := QuantizeMultiplier(real)
	single, errSingle := QuantizeMultiplierSingle(real)
	list := []Spelling{
		row("tflite-double", fmt.Sprintf("multiplier %d, shift %d", m.Value, m.Shift), m.Real(), err),
		row("tflite-single", fmt.Sprintf("multiplier %d, shift %d", single.Value, single.Shift), single.Real(), errSingle),
		row("gemmlowp", fmt.Sprintf("fixed point %d, exponent %d", m.Value, m.Shift), m.Real(), err),
	}
	short := m.Reduce16()
	list = append(list, row("tflite 16x8", fmt.Sprintf("multiplier %d, right shift %d", short.Value, short.Down()), short.Real(), err))
	errTOSA, errTOSA16 := err, err
	if err == nil {
		_, _, errTOSA = m.TOSA()
		_, _, errTOSA16 = short.TOSA()
	}
	return append(list,
		row("tosa scale32", fmt.Sprintf("multiplier %d, shift %d", m.Value, m.Down()), m.Real(), errTOSA),
		row("tosa scale16", fmt.Sprintf("multiplier %d, shift %d", short.Value, short.Down()), short.Real(), errTOSA16))
}

// ScaledSums are sums scaled by one profile.
type ScaledSums struct {
	Profile string
	Out     []int32
}

// ScaleInProfiles scales sums by every profile that takes fixed-point multipliers. gemmlowp's oldest stage
// is left out: its multipliers are small integers, and a fixed-point one overflows there.
func ScaleInProfiles(sums []int32, m Multiplier) []ScaledSums {
	var list []ScaledSums
	for _, p := range profiles {
		if p.Scaling == nil || p.Scaling.Steps == Narrow {
			continue
		}
		r := ScaledSums{Profile: p.Name}
		for _, x := range sums {
			r.Out = append(r.Out, p.Scaling.Apply(x, m))
		}
		list = append(list, r)
	}
	return list
}
