package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// fixedOptions are the flags of quant fx.
type fixedOptions struct {
	from, to string
	rule     string
	output   string
	json     bool
}

func newQuantFixedCmd(s cli.Streams) *cobra.Command {
	var o fixedOptions
	return pages.Command("quant_fx", func(_ *cobra.Command, args []string) { convertFixed(&o, args, s) },
		cli.Vars{"from": &o.from, "to": &o.to, "rule": &o.rule, "output": &o.output, "json": &o.json})
}

// conversion is what quant fx does to each value: a format is nil on the side of the reals.
type conversion struct{ from, to *quant.QFormat }

// fixedValue is one value with what becomes of it.
type fixedValue struct {
	text string
	real float64
	raw  int64 // where the values are integers
}

func convertFixed(o *fixedOptions, args []string, s cli.Streams) {
	var c conversion
	for _, side := range []struct {
		flag, text string
		format     **quant.QFormat
	}{{flag: "--from", text: o.from, format: &c.from}, {flag: "--to", text: o.to, format: &c.to}} {
		if side.text != "" {
			f := cli.Parse(side.flag, side.text, quant.ParseQ)
			*side.format = &f
		}
	}
	cli.Refuse(c.from == nil && c.to == nil, "--to makes fixed-point integers of reals, --from reals of integers, both change the format")
	rules, err := quant.FixedRulesOf(c.from != nil, o.rule)
	steps.Check(cli.UsageError(steps.In("--rule", err)))
	if strings.HasSuffix(args[0], ".npy") {
		convertFile(o, c, rules, args, s)
		return
	}
	cli.Refuse(o.output != "", "-o is for a .npy file")
	var values []fixedValue
	for _, a := range args {
		values = append(values, cli.Valid(c.parse(a)))
	}
	show(s, o.json, c.json(values, rules), c.table(values, rules).Text)
}

// parse reads a value of the side where the conversion begins.
func (c conversion) parse(text string) (v fixedValue, err error) {
	v.text = text
	if c.from == nil {
		if v.real, err = strconv.ParseFloat(text, 64); err != nil || v.real-v.real != 0 {
			return v, fmt.Errorf("%q is no number", text)
		}
		return v, nil
	}
	if v.raw, err = strconv.ParseInt(text, 0, 64); err != nil {
		return v, fmt.Errorf("%q is no integer of 64 bits", text)
	}
	if !c.from.Holds(v.raw) {
		return v, fmt.Errorf("%s does not fit %s, which has %d bits", text, c.from, c.from.Bits)
	}
	v.real = c.from.Real(v.raw)
	return v, nil
}

// apply is the integer that a rule makes of a value.
func (c conversion) apply(v fixedValue, rule quant.RealRule) int64 {
	if c.from != nil {
		return c.from.Convert(v.raw, *c.to, rule.Rounding)
	}
	return rule.Fixed(v.real, *c.to)
}

// hexadecimal is an integer as its container holds it.
func hexadecimal(v int64, f quant.QFormat) string {
	digits := max(f.Container()/4, 2)
	return fmt.Sprintf("0x%0*x", digits, uint64(v)&(1<<(4*digits)-1))
}

func (c conversion) table(values []fixedValue, rules []quant.FixedRule) *render.Table {
	right := func(name string) render.Column { return render.Column{Name: name, Align: render.Right} }
	if c.to == nil {
		t := &render.Table{Columns: []render.Column{right(c.from.String()), right("hex"), right("stands for")}}
		for _, v := range values {
			t.Add(fmt.Sprint(v.raw), hexadecimal(v.raw, *c.from), fmt.Sprint(v.real))
		}
		return t
	}
	t := &render.Table{Columns: []render.Column{right("value"), right(c.to.String()), right("hex"), right("stands for"), right("error"), {Name: "rule"}}}
	for _, v := range values {
		for _, r := range rules {
			n := c.apply(v, r.Rule)
			back := c.to.Real(n)
			t.Add(v.text, fmt.Sprint(n), hexadecimal(n, *c.to), fmt.Sprint(back), fmt.Sprintf("%.3g", back-v.real), strings.Join(r.Names, ", "))
		}
	}
	return t
}

func (c conversion) json(values []fixedValue, rules []quant.FixedRule) any {
	var list []map[string]any
	for _, v := range values {
		j := map[string]any{"text": v.text, "real": v.real}
		if c.from != nil {
			j["raw"] = v.raw
		}
		var results []map[string]any
		for _, r := range rules {
			if c.to != nil {
				n := c.apply(v, r.Rule)
				results = append(results, map[string]any{"rules": r.Names, "raw": n, "real": c.to.Real(n), "error": c.to.Real(n) - v.real})
			}
		}
		if results != nil {
			j["results"] = results
		}
		list = append(list, j)
	}
	j := map[string]any{"schema": 1, "values": list}
	if c.from != nil {
		j["from"] = c.from.String()
	}
	if c.to != nil {
		j["to"] = c.to.String()
	}
	return j
}

// containers are the element types of fixed-point files.
var containers = map[int]nn.Type{8: nn.I8, 16: nn.I16, 32: nn.I32, 64: nn.I64}

// convertFile converts a NumPy file into another.
func convertFile(o *fixedOptions, c conversion, rules []quant.FixedRule, args []string, s cli.Streams) {
	cli.Refuse(len(args) > 1, "one .npy file at a time")
	cli.Refuse(o.output == "", "-o FILE.npy takes the converted values")
	cli.Refuse(c.to != nil && len(rules) > 1, "--rule says how a file is rounded")
	var out *nn.Tensor
	var values []fixedValue
	if c.from == nil {
		shape, reals, err := model.ReadReals(args[0])
		steps.Check(err)
		out = &nn.Tensor{Shape: shape}
		for _, x := range reals {
			values = append(values, fixedValue{real: x})
		}
	} else {
		in := steps.Must(model.ReadNPY(args[0]))
		out = &nn.Tensor{Shape: in.Shape}
		for i, n := range in.Ints {
			steps.Refuse(!c.from.Holds(n), "%s: element %d is %d, which does not fit %s", args[0], i, n, c.from)
			values = append(values, fixedValue{raw: n, real: c.from.Real(n)})
		}
		steps.Refuse(in.Type.Float(), "%s has elements of type %s; --from takes integers", args[0], in.Type)
	}
	out.Type = nn.F32
	if c.to != nil {
		out.Type = containers[c.to.Container()]
	}
	out.Alloc()
	for i, v := range values {
		if c.to == nil {
			out.Floats[i] = float32(v.real)
		} else {
			out.Ints[i] = c.apply(v, rules[0].Rule)
		}
	}
	steps.Check(writeFile(o.output, steps.Must(nn.FormatNPY(out)), s))
}
