package arcq

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// The parameter block of bilinear interpolation, and its record of a row or column of the output.
var (
	bilinearParams = declared("arcq_bilinear_params")
	betweenRecord  = declared("arcq_between")
)

// between is a position between two cells of a direction.
type between struct {
	near, far             int
	nearWeight, farWeight int64
}

// fractionBits are the bits below the point of TensorFlow Lite's positions.
const fractionBits = 10

// bilinears are the rows of bilinear interpolation.
func bilinears() []row {
	tflite, tosa := operator(nn.TFLite, "RESIZE_BILINEAR"), operator(nn.TOSA, "RESIZE")
	var all []row
	for _, k := range []struct {
		op      *nn.Operator
		in, out nn.Type
	}{{tflite, nn.I8, nn.I8}, {tflite, nn.U8, nn.U8}, {tosa, nn.I8, nn.I32}, {tosa, nn.I16, nn.I48}} {
		out := typeName(k.out)
		all = append(all, row{symbol: "arcq_bilinear_" + typeName(k.in) + "_" + out, operator: "bilinear", types: typeName(k.in), body: "bilinear.inc",
			params: bilinearParams, records: betweenRecord, computes: []*nn.Operator{k.op}, rounds: bothRounds,
			doc: "bilinear interpolation, outputs of " + out,
			equ: []string{fmt.Sprintf("IN_BYTES,%d", k.in.Bytes()), fmt.Sprintf("OUT_BYTES,%d", k.out.Bytes()), fmt.Sprintf("WEIGHT_BITS,%d", 2*fractionBits), unsigned("IN", k.in)},
			fits: func(c *nn.Call) error {
				if in, out := c.In[0].Type, c.Out[0].Type; in != k.in || out != k.out {
					return fmt.Errorf("elements of %s to %s, not %s to %s", in, out, k.in, k.out)
				}
				if mode, ok := c.Attrs["mode"]; ok && mode != "BILINEAR" {
					return fmt.Errorf("RESIZE of mode %v", mode)
				}
				if k.in == nn.U8 {
					return exactPositions(c)
				}
				return nil
			},
			fill: fillBilinear, grid: bilinearGrid(k.op, k.in, k.out)})
	}
	return all
}

func fillBilinear(p *params, c *nn.Call) {
	in, out := c.In[0], c.Out[0]
	column := in.Dim(3) * in.Type.Bytes()
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("batches", int64(in.Dim(0)))
	p.set("out_rows", int64(out.Dim(1)))
	p.set("out_columns", int64(out.Dim(2)))
	p.set("channels", int64(in.Dim(3)))
	p.set("in_size", int64(column*in.Dim(1)*in.Dim(2)))
	if c.Rounding == nn.Double { // of sums without a sign no tie tells the ways apart
		p.set("away", -1)
	}
	p.positions("rows", positionsOf(c, 1), column*in.Dim(2))
	p.positions("columns", positionsOf(c, 2), column)
}

// positions places the positions of a direction whose cells are some bytes apart.
func (p *params) positions(member string, list []between, step int) {
	b := make([]byte, len(list)*betweenRecord.Size())
	for i, v := range list {
		at := b[i*betweenRecord.Size():]
		betweenRecord.Put(at, "near", int64(v.near*step))
		betweenRecord.Put(at, "far", int64(v.far*step))
		betweenRecord.Put(at, "near_weight", v.nearWeight)
		betweenRecord.Put(at, "far_weight", v.farWeight)
	}
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: kernel.Weights, Bytes: b}))
}

// positionsOf are the positions of dimension d of the output.
func positionsOf(c *nn.Call, d int) []between {
	in, list := c.In[0].Dim(d), make([]between, c.Out[0].Dim(d))
	if c.Op.Library == nn.TOSA {
		n, step, offset := c.Attrs.Ints("scale")[2*d-2], c.Attrs.Ints("scale")[2*d-1], c.Attrs.Ints("offset")[d-1]
		for o := range list {
			at := o*step + offset
			cell := (at+n)/n - 1 // rounded down: the offset is at least -n
			rest := int64(at - cell*n)
			list[o] = between{near: max(cell, 0), far: min(cell+1, in-1), nearWeight: int64(n) - rest, farWeight: rest}
		}
		return list
	}
	if c.In[0].Type == nn.U8 {
		list, _ = realPositions(c, d)
		return list
	}
	const one = 1 << fractionBits
	scale := (in*one + len(list)/2) / len(list)
	if c.Attrs.Bool("align_corners") && len(list) > 1 {
		scale = ((in-1)*one + (len(list)-1)/2) / (len(list) - 1)
	}
	for o := range list {
		at := o * scale
		if c.Attrs.Bool("half_pixel_centers") {
			at += scale/2 - one/2
		}
		near := max(at/one, 0)
		rest := int64(at - near*one) // at the border it may be negative
		list[o] = between{near: near, far: min((at+one-1)/one, in-1), nearWeight: one - rest, farWeight: rest}
	}
	return list
}

// exactBits are the bits of both weights of an element without a sign together: with them its products and sums in single
// precision are exact, also where a position is before the first cell.
const exactBits = 14

// exactPositions refuses positions that have no weights in integers.
func exactPositions(c *nn.Call) error {
	_, rows := realPositions(c, 1)
	_, columns := realPositions(c, 2)
	if rows+columns > exactBits {
		return fmt.Errorf("positions between cells that take more than %d bits in single precision", exactBits)
	}
	return nil
}

// realPositions are the positions of elements without a sign along dimension d, and the bits of their weights below the point;
// more than exactBits when they are not exact in fractionBits. TensorFlow Lite computes them in single precision.
func realPositions(c *nn.Call, d int) (list []between, most int) {
	const one = 1 << fractionBits
	in, out := c.In[0].Dim(d), c.Out[0].Dim(d)
	step := float32(in) / float32(out)
	if c.Attrs.Bool("align_corners") && out > 1 {
		step = float32(in-1) / float32(out-1)
	}
	for o := range out {
		at := float32(o) * step
		if c.Attrs.Bool("half_pixel_centers") {
			at = float32((float32(o)+0.5)*step) - 0.5
		}
		near := min(max(int(math.Floor(float64(at))), 0), in-1)
		rest := (float64(at) - float64(near)) * one
		if rest != math.Trunc(rest) {
			return nil, exactBits + 1
		}
		most = max(most, fractionBits-min(bits.TrailingZeros(uint(int64(rest))), fractionBits))
		list = append(list, between{near: near, far: max(0, min(int(math.Ceil(float64(at))), in-1)), nearWeight: one - int64(rest), farWeight: int64(rest)})
	}
	return list, most
}

// Rows and columns of maps and outputs of the grid; those of elements without a sign have positions in few bits.
var (
	bilinearSizes      = [][4]int{{3, 4, 6, 8}, {7, 5, 3, 9}, {1, 1, 5, 5}, {8, 8, 3, 3}, {2, 5, 9, 4}, {5, 5, 5, 5}, {6, 3, 12, 1}, {9, 11, 20, 7}}
	bilinearExactSizes = [][4]int{{9, 5, 33, 17}, {3, 4, 6, 8}, {4, 6, 8, 12}, {1, 1, 5, 5}, {8, 8, 2, 4}, {2, 3, 17, 9}, {5, 5, 5, 5}, {6, 3, 12, 1}, {3, 7, 6, 28}, {9, 6, 18, 24}, {4, 4, 4, 8}, {2, 3, 4, 12}}
)

// bilinearGrid is the grid of bilinear interpolation.
func bilinearGrid(op *nn.Operator, from, to nn.Type) func(*grid) {
	sizes := bilinearSizes
	if from == nn.U8 {
		sizes = bilinearExactSizes
	}
	return func(g *grid) {
		for i, s := range sizes {
			for k, attr := range []string{"align_corners", "half_pixel_centers", ""} {
				shapes := &nn.Call{In: []*nn.Tensor{{Shape: []int{1, s[0], s[1], 1}}}, Out: []*nn.Tensor{{Shape: []int{1, s[2], s[3], 1}}}, Attrs: nn.Attrs{attr: true}}
				if from == nn.U8 && exactPositions(shapes) != nil {
					continue
				}
				channels := edges[(3*i+k)%14]
				g.add(fmt.Sprintf("%v_%d_%d", s, channels, k), func(r *rand.Rand) *nn.Call {
					in := random(r, from, 1+i%2, s[0], s[1], channels)
					c := &nn.Call{Op: op, In: []*nn.Tensor{in}, Attrs: nn.Attrs{}}
					out := &nn.Tensor{Type: to, Shape: []int{1 + i%2, s[2], s[3], channels}}
					c.Out = []*nn.Tensor{out}
					if op.Library == nn.TFLite {
						in.Format = scaleOf(r, from, 1)
						out.Format = in.Format
						c.In = append(c.In, nn.FromInts(nn.I32, []int{2}, []int64{int64(s[2]), int64(s[3])}))
						if attr != "" {
							c.Attrs[attr] = true
						}
						return c
					}
					// from half a cell before the image to half a cell behind it, or from corner to corner
					n, offset, border := 2*(i+1), 0, 0
					if k > 0 {
						n, offset, border = 4, -2, 2
					}
					out.Shape[1], out.Shape[2] = (s[0]-1)*n-offset+border+1, (s[1]-1)*n-offset+border+1
					c.Attrs = nn.Attrs{"scale": []int{n, 1, n, 1}, "offset": []int{offset, offset}, "border": []int{border, border}, "mode": "BILINEAR"}
					return c
				})
			}
		}
	}
}
