package mlir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"arcv2dsp/nn"
)

// Affine formats of MLI have integer scales with a number of fraction bits. The text has them as reals, exactly; this is the way back.

// mantissaBits is how many significant bits the greatest integer scale of a tensor has.
const mantissaBits = 15

// affineNode gives the values of a node of MLI with affine elements integer scales. Those of biases are the products of the scales of
// data and weights.
func (b *graphBuilder) affineNode(n *nn.Node) error {
	if n.Op.Library != nn.MLI11 || !strings.Contains(n.Op.Name, "_sa8") {
		return nil
	}
	for _, v := range slices.Concat(n.In, n.Out) {
		x := &b.g.Values[v]
		if x.Tensor.Format.Kind == nn.Mantissa || b.reals[v] == nil {
			continue
		}
		f := nn.Format{Kind: nn.Mantissa, Axis: x.Tensor.Format.Axis, Zeros: x.Tensor.Format.Zeros}
		if len(b.reals[v]) == 1 {
			f.Axis = -1
		}
		if f.Zeros == nil { // a power of two without a zero point
			f.Zeros = make([]int64, len(b.reals[v]))
		}
		_, exponent := math.Frexp(slices.Max(b.reals[v]))
		f.ScaleFrac = mantissaBits - exponent
		if x.Tensor.Type == nn.I32 && len(n.In) > 1 {
			f.ScaleFrac = b.g.Values[n.In[0]].Tensor.Format.ScaleFrac + b.g.Values[n.In[1]].Tensor.Format.ScaleFrac
		}
		for _, s := range b.reals[v] {
			m := math.Ldexp(s, f.ScaleFrac)
			if m != math.Trunc(m) || m < 1 || m > math.MaxInt32 {
				return fmt.Errorf("value %s: the scale %g is no integer with %d fraction bits", x.Name, s, f.ScaleFrac)
			}
			f.Mantissas = append(f.Mantissas, int32(m))
		}
		x.Tensor.Format = f
	}
	return nil
}
