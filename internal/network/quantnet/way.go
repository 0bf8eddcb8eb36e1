package quantnet

import (
	"fmt"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Way is a way to write a network in integers: a library and the types of data and weights.
type Way struct {
	Name    string
	Doc     string
	Data    quant.Storage // of activations
	library nn.Library
	weights quant.Storage
	// rounding is the usual build of the library.
	rounding nn.Rounding
	element  nn.Type // of activations
	bias     nn.Type
	accBits  int // of the sums of TensorFlow Lite; MLI's operators say themselves
	// filters and plain are the endings of MLI's functions, those with weights and the others.
	filters, plain string
}

var ways = []*Way{
	{
		Name: "int8", Doc: "TensorFlow Lite: bytes with a zero point, weights with a scale per channel",
		Data: quant.Int8, library: nn.TFLite, weights: quant.Int8, rounding: nn.Double, element: nn.I8, bias: nn.I32, accBits: 32,
	},
	{
		Name: "16x8", Doc: "TensorFlow Lite: activations of 16 bits, weights of 8",
		Data: quant.Int16, library: nn.TFLite, weights: quant.Int8, rounding: nn.Double, element: nn.I16, bias: nn.I64, accBits: 64,
	},
	{
		Name: "fx8", Doc: "MLI: fixed point of 8 bits",
		Data: quant.Int8, library: nn.MLI11, weights: quant.Int8, element: nn.I8, bias: nn.I8, filters: "fx8", plain: "fx8",
	},
	{
		Name: "fx16", Doc: "MLI: fixed point of 16 bits",
		Data: quant.Int16, library: nn.MLI11, weights: quant.Int16, element: nn.I16, bias: nn.I16, filters: "fx16", plain: "fx16",
	},
	{
		Name: "fx16x8", Doc: "MLI: fixed point, activations of 16 bits, weights of 8",
		Data: quant.Int16, library: nn.MLI11, weights: quant.Int8, element: nn.I16, bias: nn.I8, filters: "fx8w16d", plain: "fx16",
	},
	{
		Name: "sa8", Doc: "MLI: affine bytes, scales of 15 bits, weights with a scale per channel",
		Data: quant.Int8, library: nn.MLI11, weights: quant.Int8, element: nn.I8, bias: nn.I32, filters: "sa8_sa8_sa32", plain: "sa8",
	},
	{
		Name: "int4", Doc: "TensorFlow Lite: bytes with a zero point, weights of 4 bits with a scale per channel",
		Data: quant.Int8, library: nn.TFLite, weights: quant.MakeStorage(true, 4), rounding: nn.Double, element: nn.I8, bias: nn.I32, accBits: 32,
	},
}

// Ways lists the ways.
func Ways() []*Way { return ways }

// ParseWay finds a way by its name.
func ParseWay(name string) (*Way, error) {
	var names []string
	for _, w := range ways {
		if w.Name == name {
			return w, nil
		}
		names = append(names, w.Name)
	}
	return nil, fmt.Errorf("unknown way %q, there are %s", name, strings.Join(names, ", "))
}

func (w *Way) String() string { return w.Name }

// weightElement is the element type of weights.
func (w *Way) weightElement() nn.Type {
	switch w.weights.Bits {
	case 4:
		return nn.I4
	case 16:
		return nn.I16
	}
	return nn.I8
}

// rule says where the format of an operator's output comes from.
func (w *Way) rule(op string) (outputRule, bool) {
	if w.library == nn.MLI11 {
		return mliRule(op)
	}
	rule, ok := outputRules[op]
	return rule, ok
}

// affine reports whether MLI's tensors have zero points.
func (w *Way) affine() bool { return w.plain == "sa8" }

// format chooses the format of activations in a range.
func (w *Way) format(r Range) (nn.Format, error) {
	switch {
	case w.library == nn.MLI11 && w.affine():
		return affineFormat(r)
	case w.library == nn.MLI11:
		return fixedFormat(r.Lo, r.Hi, w.Data)
	case w.Data == quant.Int8:
		p, _, err := quant.TFLiteAsymmetric.Choose(r.Lo, r.Hi, w.Data)
		return scaled(p, err)
	}
	p, _, err := quant.TFLiteSymmetric.Choose(r.Lo, r.Hi, w.Data)
	return scaled(p, err)
}

// scaled is a format of TensorFlow Lite. The range of zero alone has any scale.
func scaled(p quant.Params, err error) (nn.Format, error) {
	if err != nil {
		return nn.Format{}, err
	}
	if p.Scale == 0 {
		p.Scale = 1
	}
	s := float32(p.Scale)
	if err := (quant.Params{Scale: float64(s)}).Check(); err != nil {
		return nn.Format{}, fmt.Errorf("%w in single precision", err)
	}
	return nn.Format{Kind: nn.Scaled, Scales: []float32{s}, Zeros: []int64{p.ZeroPoint}}, nil
}
