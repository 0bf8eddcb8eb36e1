package tosa

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// Description is the desc.json of a test directory.
type Description struct {
	File            string   `json:"tosa_file"`
	InputNames      []string `json:"ifm_name"`
	InputFiles      []string `json:"ifm_file"`
	OutputNames     []string `json:"ofm_name"`
	OutputFiles     []string `json:"ofm_file"`
	ExpectedFailure bool     `json:"expected_failure"`
	FailureReason   string   `json:"expected_failure_desc,omitempty"`
	Expected        []string `json:"expected_result_file,omitempty"`
	VariableNames   []string `json:"variable_name,omitempty"`
	VariableFiles   []string `json:"variable_file,omitempty"`
	Tags            []string `json:"tag,omitempty"`
	Bounds          []string `json:"expected_bounds_file,omitempty"`
	Meta            struct {
		Compliance struct {
			Tensors map[string]compliance `json:"tensors,omitempty"`
		} `json:"compliance"`
	} `json:"meta"`
}

// DescriptionFile is the name of the description in its directory.
const DescriptionFile = "desc.json"

// Test is a test directory that has been read.
type Test struct {
	Dir         string
	Description Description
	File        *File
	// Graph is nil when the file's graph cannot be built; Fault says why.
	Graph  *nn.Graph
	Fault  error
	Inputs []*nn.Tensor // in the order of the graph
	// InputFault says which input does not fit its tensor. It counts only where the graph itself is no error.
	InputFault error
	// Want are the expected outputs in the order of the graph, nil when the directory has none.
	Want []*nn.Tensor
	// References are what outputs of floating-point numbers are compared with; Want has nil in their places, and
	// References has it in the others.
	References []*Reference
}

// Largest files of a test directory.
const (
	maxFile        = 1 << 30
	maxDescription = 16 << 20
)

// ReadTest reads a test directory, or the one of a desc.json.
func ReadTest(path string) (*Test, error) {
	if filepath.Base(path) == DescriptionFile {
		path = filepath.Dir(path)
	}
	t := &Test{Dir: path}
	text, err := hostfile.Read(filepath.Join(path, DescriptionFile), maxDescription)
	if err != nil {
		return nil, err
	}
	d := &t.Description
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(path, DescriptionFile), err)
	}
	if len(d.InputNames) != len(d.InputFiles) || len(d.OutputNames) != len(d.OutputFiles) {
		return nil, fmt.Errorf("%s: %d names and %d files of inputs, %d and %d of outputs", path, len(d.InputNames), len(d.InputFiles),
			len(d.OutputNames), len(d.OutputFiles))
	}
	if t.File, err = ReadFile(filepath.Join(path, d.File)); err != nil {
		return nil, err
	}
	return t, t.load()
}

// OpenFile makes a test of a file alone: inputs names a NumPy file for each input of the graph, outputs go
// to files of their own names.
func OpenFile(path string, inputs map[string]string) (*Test, error) {
	f, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, block, err := f.Main()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &Test{Dir: path, File: f}
	d := &t.Description
	d.File = filepath.Base(path)
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		d.InputNames, d.InputFiles = append(d.InputNames, name), append(d.InputFiles, inputs[name])
	}
	for _, name := range block.Outputs {
		d.OutputNames, d.OutputFiles = append(d.OutputNames, name), append(d.OutputFiles, name+".npy")
	}
	return t, t.load()
}

// load builds the graph and reads the tensors that the description names.
func (t *Test) load() error {
	d, path := &t.Description, t.Dir
	given, err := t.tensors(d.InputNames, d.InputFiles)
	if err != nil {
		return err
	}
	t.chooseLayout(given)
	if t.Graph, t.Fault = t.File.Graph(given); t.Fault != nil {
		return nil
	}
	if t.Inputs, err = t.inputs(given); err != nil {
		t.InputFault = fmt.Errorf("%s: %w", path, err)
	}
	if len(d.Expected) == 0 {
		return nil
	}
	if len(d.Expected) != len(d.OutputNames) || len(d.Bounds) > 0 && len(d.Bounds) != len(d.OutputNames) {
		return fmt.Errorf("%s: %d expected results and %d bounds for %d outputs", path, len(d.Expected), len(d.Bounds), len(d.OutputNames))
	}
	for _, v := range t.Graph.Outputs {
		if err := t.expected(&t.Graph.Values[v]); err != nil {
			return fmt.Errorf("%s: result %s: %w", path, t.Graph.Values[v].Name, err)
		}
	}
	return nil
}

// chooseLayout picks, of the layouts that a file can have, the one whose inputs have the types of the given ones.
func (t *Test) chooseLayout(given map[string]*nn.Tensor) {
	others := t.File.Others
	least := t.File.strangers(given)
	for _, f := range others {
		if n := f.strangers(given); n < least {
			t.File, least = f, n
		}
	}
}

// strangers counts given inputs of a type that is not written for their tensors.
func (f *File) strangers(given map[string]*nn.Tensor) int {
	_, block, err := f.Main()
	if err != nil {
		return 0
	}
	n := 0
	for _, t := range block.Tensors {
		typ, known := tensorType(t.Type)
		if x := given[t.Name]; x != nil && (!known || x.Type.Bytes() != nn.NPYType(typ).Bytes()) {
			n++
		}
	}
	return n
}

// expected reads what an output must be.
func (t *Test) expected(value *nn.Value) error {
	d := &t.Description
	i := slices.Index(d.OutputNames, value.Name)
	if i < 0 {
		return errors.New("there is none")
	}
	if value.Tensor.Type.Float() {
		bounds := ""
		if len(d.Bounds) > 0 {
			bounds = d.Bounds[i]
		}
		r, err := t.reference(value, d.Expected[i], bounds)
		t.Want, t.References = append(t.Want, nil), append(t.References, r)
		return err
	}
	want, err := t.tensor(d.Expected[i])
	if err != nil {
		return err
	}
	if want, err = convert(want, value.Tensor); err != nil {
		return err
	}
	t.Want, t.References = append(t.Want, want), append(t.References, nil)
	return nil
}

// ReadFile reads a .tosa file or its JSON form.
func ReadFile(path string) (*File, error) {
	data, err := hostfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	f, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// tensors reads files by the names of their tensors.
func (t *Test) tensors(names, files []string) (map[string]*nn.Tensor, error) {
	m := map[string]*nn.Tensor{}
	var err error
	for i, file := range files {
		if m[names[i]], err = t.tensor(file); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// path is the place of a file that the description names.
func (t *Test) path(file string) string {
	if info, err := os.Stat(t.Dir); err == nil && info.IsDir() {
		return filepath.Join(t.Dir, file)
	}
	return file
}

// tensor reads a NumPy file.
func (t *Test) tensor(file string) (*nn.Tensor, error) {
	data, err := hostfile.Read(t.path(file), maxFile)
	if err != nil {
		return nil, err
	}
	x, err := nn.ParseNPY(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path(file), err)
	}
	return x, nil
}

// inputs puts the given tensors in the order of the graph, with the graph's types and shapes.
func (t *Test) inputs(given map[string]*nn.Tensor) ([]*nn.Tensor, error) {
	_, block, err := t.File.Main()
	if err != nil {
		return nil, err
	}
	for _, name := range t.Description.InputNames {
		if !slices.Contains(block.Inputs, name) {
			return nil, fmt.Errorf("the file has no input %s", name)
		}
	}
	var list []*nn.Tensor
	for _, v := range t.Graph.Inputs {
		value := t.Graph.Values[v]
		x := given[value.Name]
		if x == nil {
			return nil, fmt.Errorf("there is no file for the input %s", value.Name)
		}
		if x.Len() != value.Tensor.Len() {
			return nil, fmt.Errorf("input %s: %d elements of shape %v for a tensor of shape %v", value.Name, x.Len(), x.Shape, value.Tensor.Shape)
		}
		if x, err = convert(x, value.Tensor); err != nil {
			return nil, fmt.Errorf("input %s: %w", value.Name, err)
		}
		x.Shape = value.Tensor.Shape // only the number of elements matters
		list = append(list, x)
	}
	return list, nil
}

// convert gives a NumPy tensor the type of a tensor of the graph. Any type of integers will do whose elements
// fit, and any of floating point; an unsigned one of the same width means the same bits.
func convert(x, want *nn.Tensor) (*nn.Tensor, error) {
	if want.Type.Float() {
		return convertFloats(x, want.Type)
	}
	if x.Type.Float() {
		return nil, fmt.Errorf("elements of %s for a tensor of %s", x.Type, want.Type)
	}
	out := nn.FromInts(want.Type, x.Shape, make([]int64, len(x.Ints)))
	for i, v := range x.Ints {
		if !x.Type.Signed() && x.Type != nn.Bool && x.Type.Bits() == want.Type.Bits() {
			v = want.Type.Wrap(v)
		}
		if !want.Type.Holds(v) {
			return nil, fmt.Errorf("element %d is %d of %s, outside %s", i, v, x.Type, want.Type)
		}
		out.Ints[i] = v
	}
	return out, nil
}

// convertFloats gives a NumPy tensor a floating-point type.
func convertFloats(x *nn.Tensor, t nn.Type) (*nn.Tensor, error) {
	out := &nn.Tensor{Type: t, Shape: x.Shape, Floats: x.Floats}
	if !x.Type.Float() {
		if x.Type.Signed() || x.Type.Bits() != t.Bits() {
			return nil, fmt.Errorf("elements of %s for a tensor of %s", x.Type, t)
		}
		out.Floats = make([]float32, len(x.Ints))
		for i, v := range x.Ints {
			out.Floats[i] = t.FromFloatBits(uint64(v))
		}
	}
	return out, out.Check()
}

// WriteOutputs writes the outputs of the graph under the names of the description into a directory. Tensors
// that the file declares as unsigned are written so.
func (t *Test) WriteOutputs(dir string, outputs []*nn.Tensor) (err error) {
	defer steps.Return(&err)
	_, block, err := t.File.Main()
	steps.Check(err)
	for i, v := range t.Graph.Outputs {
		name := t.Graph.Values[v].Name
		k := slices.Index(t.Description.OutputNames, name)
		if k < 0 {
			return fmt.Errorf("%s names no file for the output %s", DescriptionFile, name)
		}
		data, err := nn.FormatNPY(asDeclared(outputs[i], block, name))
		if err != nil {
			return fmt.Errorf("output %s: %w", name, err)
		}
		file := t.Description.OutputFiles[k]
		if !filepath.IsLocal(file) {
			return fmt.Errorf("the file %s of output %s lies outside the directory", file, name)
		}
		path := filepath.Join(dir, file)
		steps.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		steps.Check(hostfile.Write(path, data))
	}
	return nil
}

// asDeclared reads the bits of a tensor without a sign where the file declares it so.
func asDeclared(x *nn.Tensor, block *Block, name string) *nn.Tensor {
	unsigned := map[string]nn.Type{uint8Type: nn.U8, uint16Type: nn.U16}
	for _, t := range block.Tensors {
		if u, ok := unsigned[t.Type]; ok && t.Name == name {
			y := nn.New(u, x.Shape...)
			for i, v := range x.Ints {
				y.Ints[i] = u.Wrap(v)
			}
			return y
		}
	}
	return x
}
