package mli

import "arcv2dsp/mlikernels/internal/kernel"

// Argument is one argument of a function, in the order of the C interface.
type Argument struct {
	Kind   Kind
	Role   string // of the tensor, of a list what the roles of its tensors begin with
	Memory kernel.Memory
	Name   string // in the C headers; the role when empty
	Table  string // of a table: the function whose table the library creates
}

// Kind says what an argument points to.
type Kind uint8

// The objects of arguments.
const (
	In      Kind = iota // tensor that is only read
	Out                 // tensor that is written
	State               // tensor that is read and written
	Config              // configuration structure
	Tensors             // array of pointers to tensors that are read
	Table               // look-up table
)

// Label is the name of the argument.
func (a Argument) Label() string {
	if a.Name != "" {
		return a.Name
	}
	return a.Role
}

// Parameter declares the argument in C; config is the type of the configuration.
func (a Argument) Parameter(config *Configuration) string {
	form := map[Kind]string{In: "const mli_tensor *", Tensors: "const mli_tensor **", Table: "const mli_lut *", State: "mli_tensor *", Out: "mli_tensor *"}[a.Kind]
	if a.Kind == Config {
		form = "const " + config.Name + " *"
	}
	return form + a.Label()
}

// Parameters declares arguments.
func Parameters(args []Argument, config *Configuration) []string {
	var list []string
	for _, a := range args {
		list = append(list, a.Parameter(config))
	}
	return list
}

// Arguments that most functions have.
var (
	Input   = Argument{Kind: In, Role: "in", Memory: kernel.Data}
	Weights = Argument{Kind: In, Role: "w", Memory: kernel.Weights, Name: "weights"}
	Bias    = Argument{Kind: In, Role: "b", Memory: kernel.Weights, Name: "bias"}
	PrevOut = Argument{Kind: In, Role: "prev_out", Memory: kernel.Data}
	Slope   = Argument{Kind: In, Role: "slope", Memory: kernel.Weights}
	Cfg     = Argument{Kind: Config, Name: "cfg"}
	Output  = Argument{Kind: Out, Role: "out"}
)

// Weighted are the arguments of functions with weights and a configuration.
func Weighted() []Argument { return []Argument{Input, Weights, Bias, Cfg, Output} }

// Pair are the arguments of functions of two tensors.
func Pair() []Argument {
	return []Argument{{Kind: In, Role: "in1", Memory: kernel.Data}, {Kind: In, Role: "in2", Memory: kernel.Weights}, Output}
}
