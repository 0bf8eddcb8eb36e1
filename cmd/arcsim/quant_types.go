package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/quant"
)

func newQuantTypesCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	return pages.Command("quant_types", func(_ *cobra.Command, args []string) { listTypes(args, asJSON, s) }, cli.Vars{"json": &asJSON})
}

// typeJSON is one type of the list.
type typeJSON struct {
	Text      string  `json:"text"`
	Canonical string  `json:"canonical,omitempty"`
	Error     string  `json:"error,omitempty"`
	Column    int     `json:"column,omitempty"`
	Newest    string  `json:"newest,omitempty"` // what the newest release of MLIR refuses
	FX        *int    `json:"fx_frac_bits,omitempty"`
	SA        bool    `json:"affine,omitempty"`
	SAError   float64 `json:"affine_scale_error,omitempty"`
}

func listTypes(args []string, asJSON bool, s cli.Streams) {
	var list []typeJSON
	faults := 0
	for _, arg := range args {
		texts := []string{arg}
		if arg == "-" {
			_, text := readText(arg, s)
			texts = strings.Split(strings.TrimRight(text, "\n"), "\n")
		}
		for _, text := range texts {
			j := describeType(text)
			if j.Error != "" {
				faults++
			}
			list = append(list, j)
		}
	}
	if asJSON {
		steps.Check(render.JSON(s.Out, map[string]any{"schema": 1, "types": list}))
	} else {
		for _, j := range list {
			if j.Error != "" {
				s.Warn("column %d: %s\n%s\n%s^", j.Column, j.Error, j.Text, strings.Repeat(" ", j.Column-1))
				continue
			}
			fmt.Fprintln(s.Out, j.Canonical+j.notes())
		}
	}
	if faults > 0 {
		steps.Check(cli.FailedError(fmt.Errorf("%d of %d types are wrong", faults, len(list))))
	}
}

func describeType(text string) typeJSON {
	j := typeJSON{Text: text}
	t, err := quant.ParseType(text)
	if err != nil {
		j.Error, j.Column = err.Error(), 1
		if at, ok := err.(*quant.TypeError); ok {
			j.Error, j.Column = at.Msg, at.Offset+1
		}
		return j
	}
	j.Canonical = t.String()
	if err := t.Check(); err != nil {
		j.Newest = err.Error()
	}
	if frac, err := t.FX(); err == nil {
		j.FX = &frac
	}
	if _, worst, err := t.Affine(); err == nil {
		j.SA, j.SAError = true, worst
	}
	return j
}

// notes are the relations to MLI and what newer releases refuse, as a comment.
func (j typeJSON) notes() string {
	var notes []string
	if j.FX != nil {
		notes = append(notes, fmt.Sprintf("MLI fx with %d fraction bits", *j.FX))
	}
	if j.SA {
		note := "MLI affine, exact"
		if j.SAError > 0 {
			note = fmt.Sprintf("MLI affine, scales off by %.2g at most", j.SAError)
		}
		notes = append(notes, note)
	}
	if j.Newest != "" {
		notes = append(notes, "newest MLIR refuses: "+j.Newest)
	}
	if len(notes) == 0 {
		return ""
	}
	return "  // " + strings.Join(notes, "; ")
}

// paramsOptions are the flags of quant params.
type paramsOptions struct {
	min, max   float64
	storage    string
	narrow     bool
	convention string
	json       bool
}

func newQuantParamsCmd(s cli.Streams) *cobra.Command {
	var o paramsOptions
	cmd := pages.Command("quant_params", func(*cobra.Command, []string) { chooseParams(&o, s) },
		cli.Vars{"min": &o.min, "max": &o.max, "storage": &o.storage, "narrow": &o.narrow, "convention": &o.convention, "json": &o.json})
	for _, name := range []string{"min", "max"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	return cmd
}

func chooseParams(o *paramsOptions, s cli.Streams) {
	container := cli.Parse("--storage", o.storage, quant.ParseStorage)
	if o.narrow {
		container = container.Narrow()
	}
	choices := quant.Choices(o.min, o.max, container)
	if o.convention != "" {
		c := cli.Parse("--convention", o.convention, quant.ParseConvention)
		choices = choices[c : c+1]
	}
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
	if last != nil && !slices.ContainsFunc(choices, func(c quant.Choice) bool { return c.Err == nil }) {
		steps.Check(cli.UsageError(last))
	}
	show(s, o.json, map[string]any{"schema": 1, "choices": list}, table.Text)
}
