package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	render "arcv2dsp/internal/report"
	"arcv2dsp/quant"
)

func newQuantTypesCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "types [flags] TYPE...",
		Short: "Check quantized types and print their canonical form",
		Long: `Read types of MLIR's quant dialect and print each in canonical form, with the MLI format that has the same
values where there is one. A fault is shown with its column. The type - is a list on standard input, one a
line.`,
		Example: `  arcsim quant types '!quant.uniform<i8:f32, 0.0078125>' '!quant.uniform<i8<-127:127>:f32:0, {0.5,0.25}>'`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return listTypes(args, asJSON, s) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	return cmd
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

func listTypes(args []string, asJSON bool, s cli.Streams) error {
	var list []typeJSON
	faults := 0
	for _, arg := range args {
		texts := []string{arg}
		if arg == "-" {
			_, text, err := readText(arg, s)
			if err != nil {
				return err
			}
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
		if err := printJSON(map[string]any{"schema": 1, "types": list}, s); err != nil {
			return err
		}
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
		return cli.FailedError(fmt.Errorf("%d of %d types are wrong", faults, len(list)))
	}
	return nil
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
	cmd := &cobra.Command{
		Use:   "params --min MIN --max MAX [flags]",
		Short: "Choose scale and zero point for a range",
		Long: `Print the scale and the zero point that each convention chooses for a range of reals, and the range that they
represent: TensorFlow Lite's, symmetric and not, MLIR's for fake quantization and that of its historic solver,
and MLI's fixed-point and affine formats.`,
		Example: `  arcsim quant params --min -1.5 --max 6
  arcsim quant params --min -1 --max 1 --storage i16 --convention fx`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return chooseParams(&o, s) },
	}
	f := cmd.Flags()
	f.Float64Var(&o.min, "min", 0, "lowest real value")
	f.Float64Var(&o.max, "max", 0, "highest real value")
	f.StringVar(&o.storage, "storage", "i8", "container `TYPE`: i8, u8, i16, i4 ...")
	f.BoolVar(&o.narrow, "narrow", false, "leave out the lowest value of the container")
	f.StringVar(&o.convention, "convention", "", "print this `NAME` only")
	f.BoolVar(&o.json, "json", false, "print the list as JSON")
	for _, name := range []string{"min", "max"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	return cmd
}

func chooseParams(o *paramsOptions, s cli.Streams) error {
	container, err := quant.ParseStorage(o.storage)
	if err != nil {
		return cli.UsageError(fmt.Errorf("--storage: %w", err))
	}
	if o.narrow {
		container = container.Narrow()
	}
	choices := quant.Choices(o.min, o.max, container)
	if o.convention != "" {
		c, err := quant.ParseConvention(o.convention)
		if err != nil {
			return cli.UsageError(fmt.Errorf("--convention: %w", err))
		}
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
	if last != nil && !anyChoice(choices) {
		return cli.UsageError(last)
	}
	if o.json {
		return printJSON(map[string]any{"schema": 1, "choices": list}, s)
	}
	return hostError(table.Text(s.Out))
}

// anyChoice reports whether one convention has an answer.
func anyChoice(choices []quant.Choice) bool {
	for _, c := range choices {
		if c.Err == nil {
			return true
		}
	}
	return false
}
