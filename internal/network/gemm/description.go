package gemm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"arcv2dsp/internal/network/model"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// SizePrefix begins the name of a product that only a size describes, such as gemm:64x32x100.
const SizePrefix = "gemm:"

// Description is a product as users describe it, with the way its offsets are computed.
type Description struct {
	Spec
	Name   string
	Method Method
}

// descriptionJSON is the layout of a description, which docs/formats.md explains.
type descriptionJSON struct {
	Size      string          `json:"size"`
	Type      string          `json:"type"`
	Seed      uint64          `json:"seed"`
	Lhs       string          `json:"lhs"`
	Rhs       string          `json:"rhs"`
	LhsOffset json.RawMessage `json:"lhs_offset"`
	RhsOffset json.RawMessage `json:"rhs_offset"`
	LhsOrder  string          `json:"lhs_order"`
	RhsOrder  string          `json:"rhs_order"`
	OutOrder  string          `json:"out_order"`
	LhsStride int             `json:"lhs_stride"`
	RhsStride int             `json:"rhs_stride"`
	OutStride int             `json:"out_stride"`
	Stages    []string        `json:"stages"`
	Pipeline  json.RawMessage `json:"pipeline"`
	Factor    *float64        `json:"factor"`
	Offsets   Method          `json:"offsets"`
}

// maxDescription bounds a description.
const maxDescription = 1 << 24

// Read reads a description: a file, or the size behind SizePrefix.
func Read(path string) (*Description, error) {
	text, folder := []byte("{}"), ""
	size, sized := strings.CutPrefix(path, SizePrefix)
	if !sized {
		var err error
		if text, err = hostfile.Read(path, maxDescription); err != nil {
			return nil, err
		}
		folder = filepath.Dir(path)
	}
	j := descriptionJSON{Size: "64x64x64", Type: nn.U8.String(), Seed: 1, LhsOrder: "row", RhsOrder: "row", OutOrder: "row", Offsets: RankOne}
	if sized {
		j.Size = size
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	d := &Description{Name: strings.TrimSuffix(filepath.Base(path), ".gemm")}
	err := dec.Decode(&j)
	if err == nil {
		err = d.fill(&j, folder)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// fill copies the fields of a description into the product; tensors are read from files beside the description.
func (d *Description) fill(j *descriptionJSON, folder string) (err error) {
	defer steps.Return(&err)
	size, err := parseSize(j.Size)
	steps.Check(steps.In("size", err))
	d.Rows, d.Columns, d.Depth, d.Seed, d.Factor, d.Method = size[0], size[1], size[2], j.Seed, j.Factor, j.Offsets
	if kernels[d.Method] == "" {
		return fmt.Errorf("offsets: %q, there is %s and %s", d.Method, RankOne, Naive)
	}
	if d.Type, err = nn.ParseType(j.Type); err != nil || d.Type != nn.U8 && d.Type != nn.I8 {
		return fmt.Errorf("type: %q, there is u8 and i8", j.Type)
	}
	beside := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		return filepath.Join(folder, file)
	}
	vector := func(file string) ([]int64, error) {
		t, err := model.ReadNPY(beside(file))
		if err != nil {
			return nil, err
		}
		if t.Ints == nil {
			return nil, fmt.Errorf("%s holds %s, not integers", file, t.Type)
		}
		return t.Ints, nil
	}
	for _, m := range []struct {
		file string
		to   **nn.Tensor
	}{{file: j.Lhs, to: &d.Lhs}, {file: j.Rhs, to: &d.Rhs}} {
		if m.file != "" {
			*m.to = steps.Must(model.ReadNPY(beside(m.file)))
		}
	}
	// One matrix alone tells the depth of the other.
	switch {
	case d.Lhs != nil && d.Rhs == nil && len(d.Lhs.Shape) == 2:
		d.Depth = d.Lhs.Shape[1]
	case d.Rhs != nil && d.Lhs == nil && len(d.Rhs.Shape) == 2:
		d.Depth = d.Rhs.Shape[0]
	}
	if d.LhsOffset, err = offsetsOf(j.LhsOffset, vector); err != nil {
		return fmt.Errorf("lhs_offset: %w", err)
	}
	if d.RhsOffset, err = offsetsOf(j.RhsOffset, vector); err != nil {
		return fmt.Errorf("rhs_offset: %w", err)
	}
	d.Layout = nn.Attrs{"lhs_order": j.LhsOrder, "rhs_order": j.RhsOrder, "out_order": j.OutOrder,
		"lhs_stride": j.LhsStride, "rhs_stride": j.RhsStride, "out_stride": j.OutStride}
	if len(j.Pipeline) > 0 {
		if len(j.Stages) > 0 {
			return errors.New("stages and pipeline: give one of them")
		}
		if d.Stages, err = golden.ParseGEMMPipeline(j.Pipeline); err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
	}
	for _, text := range j.Stages {
		stage, err := ParseStage(text, vector)
		steps.Check(steps.In("stages", err))
		d.Stages = append(d.Stages, stage)
	}
	return nil
}

// parseSize reads ROWSxCOLUMNSxDEPTH.
func parseSize(text string) (size [3]int, err error) {
	fields := strings.Split(text, "x")
	if len(fields) != len(size) {
		return size, fmt.Errorf("%q is not ROWSxCOLUMNSxDEPTH", text)
	}
	for i, field := range fields {
		if size[i], err = strconv.Atoi(field); err != nil || size[i] < 1 || size[i] > MaxSize {
			return size, fmt.Errorf("%q: %q is not 1 to %d", text, field, MaxSize)
		}
	}
	return size, nil
}

// offsetsOf are a number, or the integers of the file that a string names.
func offsetsOf(text json.RawMessage, vector func(file string) ([]int64, error)) ([]int64, error) {
	if len(text) == 0 {
		return []int64{0}, nil
	}
	var file string
	if json.Unmarshal(text, &file) == nil {
		return vector(file)
	}
	n, err := strconv.ParseInt(string(text), 0, 32)
	if err != nil {
		return nil, fmt.Errorf("%s is neither an integer of 32 bits nor the name of a file", text)
	}
	return []int64{n}, nil
}

// Graph is the product as a network of one operator.
func (d *Description) Graph() (*nn.Graph, error) {
	c, err := d.Call()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	g := &nn.Graph{Name: d.Name}
	n := nn.Node{Op: c.Op, Attrs: c.Attrs}
	for i, t := range c.In {
		at := nn.Absent
		if t != nil {
			at = len(g.Values)
			g.Values = append(g.Values, nn.Value{Name: c.Op.Inputs[i].Role, Tensor: t})
		}
		n.In = append(n.In, at)
	}
	for i, t := range c.Out {
		n.Out, g.Outputs = append(n.Out, len(g.Values)), append(g.Outputs, len(g.Values))
		t.Ints, t.Floats = nil, nil
		g.Values = append(g.Values, nn.Value{Name: c.Op.Outputs[i].Role, Tensor: t})
	}
	g.Nodes = []nn.Node{n}
	return g, g.Check()
}
