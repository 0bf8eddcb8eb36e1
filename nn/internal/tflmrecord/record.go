package tflmrecord

import (
	"encoding/json"
	"fmt"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// Record is one line: the recorded parameters, and the calls it stands for.
type Record struct {
	Line
	Calls []*nn.Case
}

// Line has the fields of a line. Scales are floats of single precision.
type Line struct {
	Op       string `json:"op"`
	Rounding string `json:"rounding"`
	ID       int    `json:"id"`

	Scale1  float32   `json:"input1_scale"`
	Scale2  float32   `json:"input2_scale"`
	ScaleIn float32   `json:"input_scale"`
	Scales  []float32 `json:"weight_scales"`
	Out     float32   `json:"output_scale"`
	Alpha   float32   `json:"alpha"`
	Beta    float64   `json:"beta"` // recorded with double precision

	Zero1      int64 `json:"input1_zp"`
	Zero2      int64 `json:"input2_zp"`
	ZeroIn     int64 `json:"input_zp"`
	ZeroWeight int64 `json:"weight_zp"`
	ZeroOut    int64 `json:"output_zp"`

	// The arguments of the kernel.
	Multipliers     []int32 `json:"multipliers"`
	Shifts          []int   `json:"shifts"`
	Multiplier1     int32   `json:"input1_multiplier"`
	Shift1          int     `json:"input1_shift"`
	Multiplier2     int32   `json:"input2_multiplier"`
	Shift2          int     `json:"input2_shift"`
	MultiplierOut   int32   `json:"output_multiplier"`
	ShiftOut        int     `json:"output_shift"`
	MultiplierIn    int32   `json:"input_multiplier"`
	ShiftIn         int     `json:"input_left_shift"`
	DiffMin         int     `json:"diff_min"`
	MultiplierSlope int32   `json:"multiplier_alpha"`
	ShiftSlope      int     `json:"shift_alpha"`
	MultiplierOne   int32   `json:"multiplier_identity"`
	ShiftOne        int     `json:"shift_identity"`
	Multiplier      int32   `json:"multiplier"`
	Shift           int     `json:"shift"`
	ActMin          int64   `json:"act_min"`
	ActMax          int64   `json:"act_max"`

	Activation string `json:"activation"`
	Padding    string `json:"padding"`
	PadTop     int    `json:"pad_top"`
	PadLeft    int    `json:"pad_left"`
	StrideH    int    `json:"stride_h"`
	StrideW    int    `json:"stride_w"`
	DilationH  int    `json:"dilation_h"`
	DilationW  int    `json:"dilation_w"`
	FilterH    int    `json:"filter_h"`
	FilterW    int    `json:"filter_w"`
	Depth      int    `json:"depth_multiplier"`
	Rows       int    `json:"rows"`
	Columns    int    `json:"cols"`

	Shape       []int   `json:"input_shape"`
	Shape1      []int   `json:"input1_shape"`
	Shape2      []int   `json:"input2_shape"`
	FilterShape []int   `json:"filter_shape"`
	OutShape    []int   `json:"output_shape"`
	Input       []int64 `json:"input"`
	Input1      []int64 `json:"input1"`
	Input2      []int64 `json:"input2"`
	Filter      []int64 `json:"filter"`
	Bias        []int64 `json:"bias"`
	Output      []int64 `json:"output"`
}

// Parse reads one line; it is nil for a line that is no call of an operator.
func Parse(text []byte, ops *nn.Registry) (_ *Record, err error) {
	defer steps.Return(&err)
	var head struct { // tables have fields of other kinds under the same names
		Op string `json:"op"`
	}
	steps.Check(json.Unmarshal(text, &head))
	make, ok := kernels[head.Op]
	if !ok {
		return nil, nil
	}
	var l Line
	steps.Check(json.Unmarshal(text, &l))
	r := &Record{Line: l}
	round := steps.Must(nn.ParseRounding(l.Rounding))
	op, ok := ops.Lookup(nn.TFLite, make.operator)
	if !ok {
		return nil, fmt.Errorf("there is no operator %s", make.operator)
	}
	if make.needs != nil {
		if err := make.needs(&l); err != nil {
			return nil, fmt.Errorf("%s %d: %w", l.Op, l.ID, err)
		}
	}
	for _, c := range make.calls(&r.Line) {
		c.call.Op, c.call.Rounding = op, round
		want := c.call.Out[0]
		c.call.Out[0] = &nn.Tensor{Type: want.Type, Shape: want.Shape, Format: want.Format}
		for _, t := range append(c.call.In, want) {
			if t == nil {
				continue
			}
			if err := t.Check(); err != nil {
				return nil, fmt.Errorf("%s %d: %w", l.Op, l.ID, err)
			}
		}
		r.Calls = append(r.Calls, &nn.Case{Call: c.call, ID: l.ID, Want: map[string]*nn.Tensor{op.Outputs[0].Role: want}})
	}
	return r, nil
}
