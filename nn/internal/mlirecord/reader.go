package mlirecord

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// A vector file has one record per line, each a JSON object: id, lib, round, kernel, cfg, status,
// engine, and every other key is a tensor under its role. Lines are independent of each other.

// Record is one recorded call. A tensor without elements says which format is wanted.
type Record struct {
	ID       int
	Lib      string // a name among Libraries
	Kernel   string // the operator, in MLI the function
	Function string // the function that is asked, where an operator has several; empty for all of them
	Round    nn.Rounding
	Attrs    nn.Attrs // as JSON has them
	Tensors  map[string]*nn.Tensor
	Status   int    // what the function returned, 0 for success
	Engine   string // what the outputs were recorded from
	// Strides are those of tensors with holes, by name; nil when there are none.
	Strides map[string][]int
}

// tensorJSON is a tensor as the format spells it. Scales are whole numbers where the type is one of MLI, else real ones.
type tensorJSON struct {
	Type    string          `json:"type"`
	Shape   []int           `json:"shape"`
	Frac    *int            `json:"frac,omitempty"`
	Dim     *int            `json:"dim,omitempty"`
	Scale   []float64       `json:"scale,omitempty"`
	Zero    []int64         `json:"zp,omitempty"`
	SFrac   *sfrac          `json:"sfrac,omitempty"`
	Strides []int           `json:"mem_stride,omitempty"`
	Data    json.RawMessage `json:"data"`
}

// sfrac are the fractional bits of scales: one number for all in 1.1, a list in 2.0.
type sfrac struct {
	all  int
	each []int
}

// UnmarshalJSON reads either form.
func (s *sfrac) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &s.all); err == nil {
		return nil
	}
	return json.Unmarshal(b, &s.each)
}

// MarshalJSON writes the form that was read.
func (s sfrac) MarshalJSON() ([]byte, error) {
	if s.each == nil {
		return json.Marshal(s.all)
	}
	return json.Marshal(s.each)
}

// headerJSON is the part of a record that is not tensors.
type headerJSON struct {
	ID     int                        `json:"id"`
	Lib    string                     `json:"lib"`
	Round  string                     `json:"round"`
	Kernel string                     `json:"kernel"`
	Func   string                     `json:"function"`
	Cfg    map[string]json.RawMessage `json:"cfg"`
	Status int                        `json:"status"`
	Engine string                     `json:"engine"`
}

var headerKeys = []string{"id", "lib", "round", "kernel", "function", "cfg", "status", "engine"}

// Parse reads one record.
func Parse(line []byte) (_ *Record, err error) {
	defer steps.Return(&err)
	var head headerJSON
	var all map[string]json.RawMessage
	steps.Check(json.Unmarshal(line, &all))
	steps.Check(json.Unmarshal(line, &head))
	if head.Kernel == "" {
		return nil, errors.New("no kernel name")
	}
	round := steps.Must(nn.ParseRounding(head.Round))
	c := &Record{ID: head.ID, Lib: head.Lib, Kernel: head.Kernel, Function: head.Func, Round: round, Status: head.Status,
		Engine: head.Engine, Tensors: map[string]*nn.Tensor{}, Attrs: nn.Attrs{}}
	for key, raw := range head.Cfg {
		c.Attrs[key] = steps.Must(parseAttr(key, raw))
	}
	for key, raw := range all {
		if slices.Contains(headerKeys, key) {
			continue
		}
		t, strides, err := parseTensor(raw)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", key, err)
		}
		c.Tensors[key] = t
		if strides != nil {
			if c.Strides == nil {
				c.Strides = map[string][]int{}
			}
			c.Strides[key] = strides
		}
	}
	if len(c.Tensors) == 0 {
		return nil, errors.New("no tensors")
	}
	return c, nil
}

func parseAttr(key string, raw json.RawMessage) (any, error) {
	var n int
	if json.Unmarshal(raw, &n) == nil {
		return n, nil
	}
	var list []int
	if json.Unmarshal(raw, &list) == nil {
		return list, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	switch v.(type) {
	case string, bool, float64:
		return v, nil
	}
	return nil, fmt.Errorf("cfg %q is neither a number, a list of whole numbers, a name nor a flag", key)
}

func parseTensor(raw json.RawMessage) (_ *nn.Tensor, _ []int, err error) {
	defer steps.Return(&err)
	var j tensorJSON
	steps.Check(json.Unmarshal(raw, &j))
	t := steps.Must(j.describe())
	switch {
	case t.Type == nn.NoType: // the operator's shape rule gives it
		return t, j.Strides, nil
	case j.Data == nil: // only what is wanted
	case t.Type.Float():
		err = json.Unmarshal(j.Data, &t.Floats)
	default:
		err = json.Unmarshal(j.Data, &t.Ints)
	}
	steps.Check(err)
	return t, j.Strides, t.Check()
}

// describe makes a tensor of the type, shape and format of a description; it has no elements.
func (j *tensorJSON) describe() (*nn.Tensor, error) {
	typ, err := mli.ParseType(j.Type)
	if err != nil {
		t, other := nn.ParseType(j.Type)
		if other != nil && j.Type != nn.NoType.String() {
			return nil, fmt.Errorf("%w, and in the other libraries %w", err, other)
		}
		return j.plain(t)
	}
	t := &nn.Tensor{Type: typ.Element(), Shape: j.Shape}
	if typ == mli.FP32 {
		return t, nil
	}
	if !typ.Affine() {
		if j.Frac == nil {
			return nil, errors.New("no frac")
		}
		t.Format = nn.Format{Kind: nn.Fixed, Frac: *j.Frac}
		return t, nil
	}
	if j.SFrac == nil {
		return nil, errors.New("no sfrac")
	}
	t.Format = nn.Format{Kind: nn.Mantissa, Axis: -1, Zeros: j.Zero, ScaleFrac: j.SFrac.all, ScaleFracs: j.SFrac.each}
	for _, v := range j.Scale {
		if v != float64(int32(v)) {
			return nil, fmt.Errorf("scale %v is no whole number of 32 bits", v)
		}
		t.Format.Mantissas = append(t.Format.Mantissas, int32(v))
	}
	if j.Dim != nil {
		t.Format.Axis = *j.Dim
	}
	if axis := t.Format.Axis; axis >= len(t.Shape) {
		return nil, fmt.Errorf("scale axis %d of a tensor with %d dimensions", axis, len(t.Shape))
	}
	return t, nil
}

// plain is a tensor of another library than MLI: plain integers, or with real scales. Scales are those of single precision
// unless that cannot hold them.
func (j *tensorJSON) plain(typ nn.Type) (*nn.Tensor, error) {
	t := &nn.Tensor{Type: typ, Shape: j.Shape}
	if j.Scale == nil {
		return t, nil
	}
	t.Format = nn.Format{Kind: nn.Scaled, Zeros: j.Zero}
	if j.Dim != nil {
		t.Format.Axis = *j.Dim
	}
	fine := false
	for _, v := range j.Scale {
		t.Format.Scales = append(t.Format.Scales, float32(v))
		fine = fine || v != float64(float32(v))
	}
	if fine {
		t.Format.Fine = j.Scale
	}
	return t, nil
}
