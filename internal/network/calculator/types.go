package calculator

import (
	"fmt"
	"slices"
	"strings"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/quant"
)

// Type is a quantized type and what it is elsewhere, or what is wrong with it.
type Type struct {
	Text      string  `json:"text"`
	Canonical string  `json:"canonical,omitempty"`
	Error     string  `json:"error,omitempty"`
	Column    int     `json:"column,omitempty"`
	Newest    string  `json:"newest,omitempty"` // what the newest release of MLIR refuses
	FX        *int    `json:"fx_frac_bits,omitempty"`
	SA        bool    `json:"affine,omitempty"`
	SAError   float64 `json:"affine_scale_error,omitempty"`
}

// Describe reads a type.
func Describe(text string) Type {
	d := Type{Text: text}
	t, err := quant.ParseType(text)
	if err != nil {
		d.Error, d.Column = err.Error(), 1
		if at, ok := err.(*quant.TypeError); ok {
			d.Error, d.Column = at.Msg, at.Offset+1
		}
		return d
	}
	d.Canonical = t.String()
	if err := t.Check(); err != nil {
		d.Newest = err.Error()
	}
	if frac, err := t.FX(); err == nil {
		d.FX = &frac
	}
	if _, worst, err := t.Affine(); err == nil {
		d.SA, d.SAError = true, worst
	}
	return d
}

// String is a line for people: the relations to MLI and what newer releases refuse stand in a comment. What is wrong stands
// above the text, with a mark below its column.
func (d Type) String() string {
	if d.Error != "" {
		return fmt.Sprintf("column %d: %s\n%s\n%s^", d.Column, d.Error, d.Text, strings.Repeat(" ", d.Column-1))
	}
	var notes []string
	if d.FX != nil {
		notes = append(notes, fmt.Sprintf("MLI fx with %d fraction bits", *d.FX))
	}
	if d.SA {
		note := "MLI affine, exact"
		if d.SAError > 0 {
			note = fmt.Sprintf("MLI affine, scales off by %.2g at most", d.SAError)
		}
		notes = append(notes, note)
	}
	if d.Newest != "" {
		notes = append(notes, "newest MLIR refuses: "+d.Newest)
	}
	if len(notes) == 0 {
		return d.Canonical
	}
	return d.Canonical + "  // " + strings.Join(notes, "; ")
}

// Choices shows what conventions choose for a range. It is an error that none of them has an answer.
func Choices(choices []quant.Choice) (render.Document, error) {
	table := render.Table{Columns: []render.Column{{Name: "convention"}, {Name: "scale", Align: render.Right},
		{Name: "zero point", Align: render.Right}, {Name: "represents"}, {Name: "type"}}}
	var list []map[string]any
	var last error
	for _, c := range choices {
		if c.Err != nil {
			last = c.Err
			table.Add(c.Convention.String(), "-", "-", c.Err.Error(), "")
			list = append(list, map[string]any{"convention": c.Convention.String(), "error": c.Err.Error()})
			continue
		}
		table.Add(c.Convention.String(), fmt.Sprintf("%.9g", c.Params.Scale), fmt.Sprint(c.Params.ZeroPoint),
			fmt.Sprintf("%.6g to %.6g", c.Lo, c.Hi), c.Type().String())
		list = append(list, map[string]any{
			"convention": c.Convention.String(), "scale": c.Params.Scale, "zero_point": c.Params.ZeroPoint,
			"min": c.Lo, "max": c.Hi, "type": c.Type().String(),
		})
	}
	if slices.ContainsFunc(choices, func(c quant.Choice) bool { return c.Err == nil }) {
		last = nil
	}
	return render.Document{JSON: map[string]any{"schema": 1, "choices": list}, Text: table.Text}, last
}
