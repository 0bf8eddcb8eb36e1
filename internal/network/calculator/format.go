package calculator

import (
	"fmt"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/quant"
)

// widths are the containers for which an operation says what is lost.
var widths = []int{8, 16, 32}

// Format shows the range, the step and the container of a format.
func Format(f quant.QFormat) render.Document {
	lo, hi := f.Range()
	step := f.Real(1)
	text := []any{
		fmt.Sprintf("%s: %d bits, %d above the point and %d below it, container of %d", f, f.Bits, f.Whole(), f.Frac, f.Container()),
		fmt.Sprintf("range %v to %v, step %v", lo, hi, step),
	}
	if t, err := f.Type(); err == nil {
		text = append(text, "type "+t.String())
	}
	return render.Document{Text: render.Lines(text...), JSON: map[string]any{
		"schema": 1, "format": f.String(), "bits": f.Bits, "fraction_bits": f.Frac, "min": lo, "max": hi, "step": step, "container": f.Container(),
	}}
}

// Operation shows the format of a result, and what is lost where it is kept in fewer bits.
func Operation(o quant.Operation) render.Document {
	text := []any{fmt.Sprintf("%s %s %s is %s: %d bits beside the sign", o.A, o.Name, o.B, o.Result, o.Significant())}
	for _, side := range []struct {
		format quant.QFormat
		shift  int
	}{{format: o.A, shift: o.ShiftA}, {format: o.B, shift: o.ShiftB}} {
		if side.shift > 0 {
			text = append(text, fmt.Sprintf("%s is shifted left by %d first, to the point of the other", side.format, side.shift))
		}
	}
	lost := map[string]int{}
	for _, bits := range widths {
		lost[fmt.Sprint(bits)] = o.Lost(bits)
		switch {
		case o.Significant() == 0:
		case o.Lost(bits) > 0:
			text = append(text, fmt.Sprintf("in %d bits: %s, %d bits below the point are lost", bits, o.Kept(bits), o.Lost(bits)))
		default:
			text = append(text, fmt.Sprintf("in %d bits: %s, nothing is lost", bits, o.Result.In(bits)))
		}
	}
	j := map[string]any{
		"schema": 1, "a": o.A.String(), "operation": o.Name, "b": o.B.String(), "result": o.Result.String(), "significant_bits": o.Significant(),
		"shift_a": o.ShiftA, "shift_b": o.ShiftB, "lost_bits": lost,
	}
	if w := o.Warning(); w != "" {
		text = append(text, "warning: "+w)
		j["warning"] = w
	}
	return render.Document{JSON: j, Text: render.Lines(text...)}
}
