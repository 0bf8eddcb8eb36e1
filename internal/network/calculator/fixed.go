package calculator

import (
	"fmt"
	"strconv"
	"strings"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Conversion makes fixed-point integers of reals, reals of integers, or changes their format: a format is nil on the side of
// the reals.
type Conversion struct{ From, To *quant.QFormat }

// Value is one value where the conversion begins.
type Value struct {
	text string
	real float64
	raw  int64 // where the values are integers
}

// Parse reads a value.
func (c Conversion) Parse(text string) (v Value, err error) {
	v.text = text
	if c.From == nil {
		if v.real, err = strconv.ParseFloat(text, 64); err != nil || v.real-v.real != 0 {
			return v, fmt.Errorf("%q is no number", text)
		}
		return v, nil
	}
	if v.raw, err = strconv.ParseInt(text, 0, 64); err != nil {
		return v, fmt.Errorf("%q is no integer of 64 bits", text)
	}
	if !c.From.Holds(v.raw) {
		return v, fmt.Errorf("%s does not fit %s, which has %d bits", text, c.From, c.From.Bits)
	}
	v.real = c.From.Real(v.raw)
	return v, nil
}

// apply is the integer that a rule makes of a value.
func (c Conversion) apply(v Value, rule quant.RealRule) int64 {
	if c.From != nil {
		return c.From.Convert(v.raw, *c.To, rule.Rounding)
	}
	return rule.Fixed(v.real, *c.To)
}

// Values shows what rules make of values.
func (c Conversion) Values(values []Value, rules []quant.FixedRule) render.Document {
	return render.Document{JSON: c.json(values, rules), Text: c.table(values, rules).Text}
}

// hexadecimal is an integer as its container holds it.
func hexadecimal(v int64, f quant.QFormat) string {
	digits := max(f.Container()/4, 2)
	return fmt.Sprintf("0x%0*x", digits, uint64(v)&(1<<(4*digits)-1))
}

func (c Conversion) table(values []Value, rules []quant.FixedRule) *render.Table {
	right := func(name string) render.Column { return render.Column{Name: name, Align: render.Right} }
	if c.To == nil {
		t := &render.Table{Columns: []render.Column{right(c.From.String()), right("hex"), right("stands for")}}
		for _, v := range values {
			t.Add(fmt.Sprint(v.raw), hexadecimal(v.raw, *c.From), fmt.Sprint(v.real))
		}
		return t
	}
	t := &render.Table{Columns: []render.Column{right("value"), right(c.To.String()), right("hex"), right("stands for"), right("error"), {Name: "rule"}}}
	for _, v := range values {
		for _, r := range rules {
			n := c.apply(v, r.Rule)
			back := c.To.Real(n)
			t.Add(v.text, fmt.Sprint(n), hexadecimal(n, *c.To), fmt.Sprint(back), fmt.Sprintf("%.3g", back-v.real), strings.Join(r.Names, ", "))
		}
	}
	return t
}

func (c Conversion) json(values []Value, rules []quant.FixedRule) any {
	var list []map[string]any
	for _, v := range values {
		j := map[string]any{"text": v.text, "real": v.real}
		if c.From != nil {
			j["raw"] = v.raw
		}
		var results []map[string]any
		for _, r := range rules {
			if c.To != nil {
				n := c.apply(v, r.Rule)
				results = append(results, map[string]any{"rules": r.Names, "raw": n, "real": c.To.Real(n), "error": c.To.Real(n) - v.real})
			}
		}
		if results != nil {
			j["results"] = results
		}
		list = append(list, j)
	}
	j := map[string]any{"schema": 1, "values": list}
	if c.From != nil {
		j["from"] = c.From.String()
	}
	if c.To != nil {
		j["to"] = c.To.String()
	}
	return j
}

// containers are the element types of fixed-point arrays by their bits.
var containers = map[int]nn.Type{8: nn.I8, 16: nn.I16, 32: nn.I32, 64: nn.I64}

// Reals makes integers of reals.
func (c Conversion) Reals(shape []int, reals []float64, rule quant.RealRule) *nn.Tensor {
	out := nn.New(containers[c.To.Container()], shape...)
	for i, x := range reals {
		out.Ints[i] = c.apply(Value{real: x}, rule)
	}
	return out
}

// Integers makes reals of integers, or integers of another format.
func (c Conversion) Integers(in *nn.Tensor, rule quant.RealRule) (*nn.Tensor, error) {
	if in.Type.Float() {
		return nil, fmt.Errorf("elements of type %s; --from takes integers", in.Type)
	}
	typ := nn.F32
	if c.To != nil {
		typ = containers[c.To.Container()]
	}
	out := nn.New(typ, in.Shape...)
	for i, n := range in.Ints {
		switch {
		case !c.From.Holds(n):
			return nil, fmt.Errorf("element %d is %d, which does not fit %s", i, n, c.From)
		case c.To == nil:
			out.Floats[i] = float32(c.From.Real(n))
		default:
			out.Ints[i] = c.apply(Value{raw: n}, rule)
		}
	}
	return out, nil
}
