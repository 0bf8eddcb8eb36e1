package arcq

import (
	"slices"

	"arcv2dsp/nn"
)

// inPlaceBodies are the sources of kernels that read each element before they write the one at its place, and none
// again after it. Cases of their grids run so.
var inPlaceBodies = []string{"add.inc", "clamp.inc", "div.inc", "integer.inc", "move.inc", "mul.inc", "prelu.inc", "rescale.inc", "table.inc", "unary.inc"}

// inPlace reports whether the output may lie over an input.
func (r row) inPlace() bool { return slices.Contains(inPlaceBodies, r.body) }

// over is the role of an input that the output of a call may overwrite, "" where there is none. Such an input has as many
// elements as the output, of the same size, and the operator takes them in order. Of several inputs turn chooses one.
func over(c *nn.Call, turn int) string {
	var roles []string
	for i, t := range c.In {
		if t != nil && c.Op.InPlace && t.Len() == c.Out[0].Len() && t.Type.Bytes() == c.Out[0].Type.Bytes() {
			roles = append(roles, c.Op.Inputs[min(i, len(c.Op.Inputs)-1)].Role)
		}
	}
	if len(roles) == 0 {
		return ""
	}
	return roles[turn%len(roles)]
}
