package tosacheck

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// broken yields the calls of an operator that are no valid ones: mistakes that every operator can have, and
// the mistakes of the table.
func (m *maker) broken() {
	m.wrongTypes()
	m.wrongRanks()
	m.wrongLengths()
	m.beyondLevel()
	for _, k := range mistakes {
		if slices.Contains(k.ops, m.spec.Name) {
			m.mistake(k.condition, k.make(m))
		}
	}
}

// mistake yields a call that breaks a condition of the operator.
func (m *maker) mistake(condition string, c *nn.Call) {
	outcome, kind := nn.Error, "E/"
	for _, k := range m.spec.Conditions {
		if k.Name == condition && k.Outcome == nn.Unpredictable {
			outcome, kind = nn.Unpredictable, "P/"
		}
	}
	m.emit(kind+condition, &Case{
		Target: tosa.Everything(), Graph: single(c), Inputs: c.In, Expect: outcome, Condition: condition,
	})
}

// wrongTypes gives each port every type that makes a combination the operator does not have.
func (m *maker) wrongTypes() {
	if m.spec.Sets == nil {
		return
	}
	for port := range len(m.base.In) + 1 {
		for _, t := range []nn.Type{nn.Bool, nn.I4, nn.I8, nn.I16, nn.I32, nn.I48} {
			c := clone(m.base)
			if port < len(c.In) {
				c.In[port] = nn.New(t, c.In[port].Shape...)
			} else {
				c.Out[0].Type = t
			}
			if !slices.ContainsFunc(m.spec.Sets, func(s tosa.TypeSet) bool { return c.Has(s.Types) }) {
				m.mistake("types", c)
			}
		}
	}
}

// wrongRanks gives each port one dimension too few and one too many.
func (m *maker) wrongRanks() {
	for port, r := range m.spec.Ranks {
		for _, n := range []int{r.Min - 1, r.Max + 1} {
			c := clone(m.base)
			tensors := slices.Concat(c.In[:min(len(c.In), len(m.spec.Inputs))], c.Out)
			if n < 0 || n > maxGridRank || port >= len(tensors) {
				continue
			}
			tensors[port].Shape = append(slices.Clone(tensors[port].Shape), slices.Repeat([]int{1}, maxGridRank)...)[:n]
			tensors[port].Alloc()
			m.mistake("ranks", c)
		}
	}
}

// wrongLengths gives each list attribute an element too many and one too few.
func (m *maker) wrongLengths() {
	for _, l := range m.spec.Lengths {
		c := clone(m.base)
		c.Attrs[l.Attr] = append(c.Attrs.Ints(l.Attr), 1)
		m.mistake("lengths", c)
		c = clone(m.base)
		list := c.Attrs.Ints(l.Attr)
		c.Attrs[l.Attr] = list[:len(list)-1]
		m.mistake("lengths", c)
	}
}

// beyond yields a call that is beyond a limit of level 8K; no elements are needed to see it.
func (m *maker) beyond(limit string, c *nn.Call) {
	outcome, kind := nn.Unpredictable, "P/"
	if limit == "MAX_RANK" { // the level bounds the ranks of arguments
		outcome, kind = nn.Error, "E/"
	}
	m.emit(kind+limit, &Case{
		Target: tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}, Graph: single(c), Expect: outcome, Condition: limit,
	})
}

func (m *maker) beyondLevel() {
	c := clone(m.base)
	if len(m.spec.Ranks) > 0 && m.spec.Ranks[0].Max > maxGridRank {
		c.In[0].Shape = slices.Concat(slices.Repeat([]int{1}, maxGridRank+1-len(c.In[0].Shape)), c.In[0].Shape)
		m.beyond("MAX_RANK", c)
	}
	c = clone(m.base)
	for d := range c.In[0].Shape {
		c.In[0].Shape[d] = 1 << 17
	}
	if len(c.In[0].Shape) > 1 {
		m.beyond("MAX_LOG2_SIZE", c)
	}
	for _, b := range beyonds {
		if !slices.Contains(b.ops, m.spec.Name) {
			continue
		}
		c := clone(m.base)
		b.exceed(m, c)
		m.beyond(b.limit, c)
	}
}

// Operators that share conditions.
var (
	convolutionOps = []string{"CONV2D", "CONV3D", "DEPTHWISE_CONV2D"}
	poolOps        = []string{"AVG_POOL2D", "MAX_POOL2D"}
	weightOps      = append(slices.Clone(convolutionOps), "TRANSPOSE_CONV2D", "FULLY_CONNECTED")
	windowOps      = append(slices.Clone(convolutionOps), poolOps...)
	binaryOps      = []string{"ADD", "SUB", "MUL", "INTDIV", "MAXIMUM", "MINIMUM", "EQUAL", "GREATER", "GREATER_EQUAL", "BITWISE_AND", "BITWISE_OR",
		"BITWISE_XOR", "LOGICAL_AND", "LOGICAL_OR", "LOGICAL_XOR", "ARITHMETIC_RIGHT_SHIFT", "LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT", "SELECT"}
	reduceOps    = []string{"REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX", "REDUCE_MIN", "REDUCE_SUM"}
	sameShapeOps = []string{"CLAMP", "ABS", "BITWISE_NOT", "CLZ", "LOGICAL_NOT", "NEGATE", "TABLE", "CAST", "RESCALE", "IDENTITY", "CONST", "REVERSE",
		"VARIABLE_READ", "VARIABLE_WRITE"}
	otherShapeOps = append([]string{"ARGMAX", "CONCAT", "PAD", "SLICE", "TILE", "TRANSPOSE"}, reduceOps...)
)

// beyonds has a row for each limit of level 8K that belongs to single operators: a call that exceeds it.
var beyonds = []struct {
	ops    []string
	limit  string
	exceed func(m *maker, c *nn.Call)
}{
	{ops: windowOps, limit: "MAX_KERNEL", exceed: func(_ *maker, c *nn.Call) { c.Attrs.Ints("pad")[1] = tosa.Level8K.MaxKernel + 1 }},
	{ops: convolutionOps, limit: "MAX_KERNEL", exceed: func(_ *maker, c *nn.Call) { c.Attrs.Ints("dilation")[1] = tosa.Level8K.MaxKernel + 1 }},
	{ops: poolOps, limit: "MAX_KERNEL", exceed: func(_ *maker, c *nn.Call) { c.Attrs.Ints("kernel")[1] = tosa.Level8K.MaxKernel + 1 }},
	{ops: []string{"TRANSPOSE_CONV2D"}, limit: "MAX_KERNEL", exceed: func(_ *maker, c *nn.Call) { c.Attrs.Ints("out_pad")[2] = tosa.Level8K.MaxKernel + 1 }},
	{ops: []string{"TRANSPOSE_CONV2D"}, limit: "MAX_KERNEL", exceed: func(_ *maker, c *nn.Call) { c.In[1].Shape[1] = tosa.Level8K.MaxKernel + 1 }},
	{ops: append(slices.Clone(windowOps), "TRANSPOSE_CONV2D"), limit: "MAX_STRIDE", exceed: func(_ *maker, c *nn.Call) {
		c.Attrs.Ints("stride")[0] = tosa.Level8K.MaxStride + 1
	}},
	{ops: []string{"RESIZE"}, limit: "MAX_SCALE", exceed: func(_ *maker, c *nn.Call) {
		c.Attrs["scale"] = []int{tosa.Level8K.MaxScale*3 + 1, 3, 1, 1}
	}},
	{ops: []string{"CONCAT"}, limit: "MAX_TENSOR_LIST_SIZE", exceed: func(_ *maker, c *nn.Call) {
		c.In = slices.Repeat(c.In[:1], tosa.Level8K.MaxTensorList+2)
	}},
	{ops: []string{"COND_IF"}, limit: "MAX_NESTING", exceed: func(m *maker, c *nn.Call) {
		for range tosa.Level8K.MaxNesting {
			inner := single(clone(c))
			c.Attrs["then_graph"] = without(inner)
		}
	}},
}

// without drops the condition from the inputs of a graph, so that the graph around it can call it: inside, it
// is a constant.
func without(g *nn.Graph) *nn.Graph {
	g.Values[g.Inputs[0]].Tensor = nn.FromInts(nn.Bool, []int{}, []int64{1})
	g.Inputs = g.Inputs[1:]
	return g
}
