package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

var batchMatmul = &nn.Operator{
	Library: nn.TFLite, Name: "BATCH_MATMUL", Doc: "multiplies matrices; the dimensions before the last two broadcast",
	Inputs: pairPorts, Outputs: outPort,
	Types: sameTypes(3, nn.I8, nn.I16),
	Attrs: []nn.AttrSpec{
		{Name: "adj_x", Default: false, Doc: "the matrices of a are transposed"},
		{Name: "adj_y", Default: false, Doc: "the matrices of b are transposed"},
	},
	Check:  checked(prepareMatmul),
	Golden: computed(prepareMatmul, func(c *nn.Call, m matmul) { m.run(c.In[0], c.In[1], c.Out[0]) }),
	MACs:   counted(prepareMatmul, func(c *nn.Call, m matmul) int64 { return int64(c.Out[0].Len()) * int64(m.depth) }),
}

// matmul is a prepared product of matrices.
type matmul struct {
	requantizer
	rows, depth, columns int
	transposeA           bool
	transposeB           bool
}

// prepareMatmul multiplies the scales of the inputs in single precision.
func prepareMatmul(c *nn.Call) matmul {
	m := matmul{transposeA: c.Attrs.Bool("adj_x"), transposeB: c.Attrs.Bool("adj_y")}
	a, b := slices.Clone(c.In[0].Shape), slices.Clone(c.In[1].Shape)
	refuse(len(a) < 2 || len(b) < 2, "rank", "a %v and b %v must have two dimensions or more", a, b)
	if m.transposeA {
		slices.Reverse(a[len(a)-2:])
	}
	if m.transposeB {
		slices.Reverse(b[len(b)-2:])
	}
	m.rows, m.depth, m.columns = a[len(a)-2], a[len(a)-1], b[len(b)-1]
	if b[len(b)-2] != m.depth {
		panic(violation("shape", "%d columns of a, %d rows of b", m.depth, b[len(b)-2]))
	}
	shape := broadcast(a[:len(a)-2], b[:len(b)-2])
	sameShape("out", c.Out[0], append(shape, m.rows, m.columns))
	s := scales(c, "a", "b", "out")
	product := float32(s[0] * s[1])
	m.requantizer = requantize(c, float64(product)/float64(s[2]))
	symmetric(c.In[0], c.In[1], c.Out[0])
	return m
}

func (m *matmul) run(a, b, out *nn.Tensor) {
	batches := out.Shape[:len(out.Shape)-2]
	matrices := func(t *nn.Tensor) []int { return spread(&nn.Tensor{Shape: t.Shape[:len(t.Shape)-2]}, batches) }
	ofA, ofB := matrices(a), matrices(b)
	za, zb, zo := a.Format.Zero(0), b.Format.Zero(0), out.Format.Zero(0)
	stepA, stepB := step(m.transposeA, m.rows, m.depth), step(m.transposeB, m.depth, m.columns)
	i := 0
	for batch := range ofA {
		baseA, baseB := ofA[batch]*m.rows*m.depth, ofB[batch]*m.depth*m.columns
		for row := range m.rows {
			for column := range m.columns {
				var sum int64
				for k := range m.depth {
					sum += (a.Ints[baseA+row*stepA[0]+k*stepA[1]] - za) * (b.Ints[baseB+k*stepB[0]+column*stepB[1]] - zb)
				}
				if out.Type == nn.I16 {
					sum = m.applyWide(sum)
				} else {
					sum = m.apply(sum)
				}
				out.Ints[i] = out.Type.Clamp(sum + zo)
				i++
			}
		}
	}
}

// step is the distance of rows and of columns of a matrix in memory.
func step(transposed bool, rows, columns int) [2]int {
	if transposed {
		return [2]int{1, rows}
	}
	return [2]int{columns, 1}
}
