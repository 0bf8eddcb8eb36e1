package tosacheck

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// families make the valid calls of the operators.
var families = map[string]func(*maker){
	"CONV2D": (*maker).convolutions, "CONV3D": (*maker).convolutions, "DEPTHWISE_CONV2D": (*maker).convolutions,
	"TRANSPOSE_CONV2D": (*maker).transposed, "FULLY_CONNECTED": (*maker).fullyConnected, "MATMUL": (*maker).matMul,
	"AVG_POOL2D": (*maker).pools, "MAX_POOL2D": (*maker).pools,
	"CLAMP": (*maker).clamps, "NEGATE": (*maker).negate, "TABLE": (*maker).tables, "SELECT": (*maker).selects,
	"ABS": (*maker).unary, "BITWISE_NOT": (*maker).unary, "CLZ": (*maker).unary, "LOGICAL_NOT": (*maker).unary, "CAST": (*maker).unary,
	"IDENTITY": (*maker).unary, "CONST": (*maker).unary, "VARIABLE_READ": (*maker).variable, "VARIABLE_WRITE": (*maker).variable,
	"ARITHMETIC_RIGHT_SHIFT": (*maker).binary, "LOGICAL_LEFT_SHIFT": (*maker).binary, "LOGICAL_RIGHT_SHIFT": (*maker).binary,
	"ADD": (*maker).binary, "SUB": (*maker).binary, "MUL": (*maker).multiply, "INTDIV": (*maker).binary,
	"MAXIMUM": (*maker).binary, "MINIMUM": (*maker).binary,
	"BITWISE_AND": (*maker).binary, "BITWISE_OR": (*maker).binary, "BITWISE_XOR": (*maker).binary,
	"LOGICAL_AND": (*maker).binary, "LOGICAL_OR": (*maker).binary, "LOGICAL_XOR": (*maker).binary,
	"EQUAL": (*maker).binary, "GREATER": (*maker).binary, "GREATER_EQUAL": (*maker).binary,
	"ARGMAX": (*maker).reduce, "REDUCE_ALL": (*maker).reduce, "REDUCE_ANY": (*maker).reduce, "REDUCE_MAX": (*maker).reduce,
	"REDUCE_MIN": (*maker).reduce, "REDUCE_SUM": (*maker).reduce, "REVERSE": (*maker).reverse, "CONCAT": (*maker).concat,
	"PAD": (*maker).pad, "RESHAPE": (*maker).reshape, "SLICE": (*maker).slice, "TILE": (*maker).tile, "TRANSPOSE": (*maker).transpose,
	"GATHER": (*maker).gather, "SCATTER": (*maker).scatter, "RESIZE": (*maker).resizes, "RESCALE": (*maker).rescales,
	"COND_IF": (*maker).conditional, "WHILE_LOOP": (*maker).loop,
}

// zeroPoints are those an i8 may have at its limits; other types have none.
func zeroPoints(t nn.Type) []int {
	if t == nn.I8 {
		return []int{0, -128, 127, 5}
	}
	return []int{0}
}

// window is one geometry of a kernel in a direction.
type window struct{ in, kernel, stride, dilation, before, after int }

// out is the exact extent of the output, or 0 when the division leaves a rest.
func (w window) out() int {
	span := w.in - 1 + w.before + w.after - (w.kernel-1)*w.dilation
	if span < 0 || span%w.stride != 0 {
		return 0
	}
	return span/w.stride + 1
}

// windows are the geometries of the grid: all that divide exactly.
func windows(dilations []int, padBelowKernel bool) []window {
	var list []window
	for _, in := range []int{1, 4, 5} {
		for _, kernel := range []int{1, 2, 3} {
			for _, stride := range []int{1, 2, 3} {
				for _, dilation := range dilations {
					for _, pads := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {2, 1}, {3, 3}} {
						w := window{in: in, kernel: kernel, stride: stride, dilation: dilation, before: pads[0], after: pads[1]}
						if w.out() > 0 && (!padBelowKernel || max(w.before, w.after) < kernel) {
							list = append(list, w)
						}
					}
				}
			}
		}
	}
	return list
}

// convolutions pairs every geometry with another for the other directions.
func (m *maker) convolutions() {
	directions := 2
	if m.spec.Name == "CONV3D" {
		directions = 3
	}
	all := windows([]int{1, 2}, false)
	for _, set := range m.spec.Sets {
		for i, first := range all {
			ws := []window{first}
			for d := 1; d < directions; d++ {
				ws = append(ws, all[(i*7+d*13)%len(all)])
			}
			m.convolution(set, ws, i)
		}
	}
}

func (m *maker) convolution(set tosa.TypeSet, ws []window, i int) {
	attrs := nn.Attrs{"acc_type": set.Types[3]}
	var in, kernel, out, pad, stride, dilation []int
	for _, w := range ws {
		in, kernel, out = append(in, w.in), append(kernel, w.kernel), append(out, w.out())
		pad, stride, dilation = append(pad, w.before, w.after), append(stride, w.stride), append(dilation, w.dilation)
	}
	attrs["pad"], attrs["stride"], attrs["dilation"] = pad, stride, dilation
	n, ic, oc := 1+i%2, []int{1, 2, 3, 5}[i%4], []int{3, 1, 2, 4}[i%4]
	weight := slices.Concat([]int{oc}, kernel, []int{ic})
	if m.spec.Name == "DEPTHWISE_CONV2D" {
		weight, oc = slices.Concat(kernel, []int{ic, oc}), ic*oc
	}
	m.weighted(set, i, attrs, slices.Concat([]int{n}, in, []int{ic}), weight, oc, slices.Concat([]int{n}, out, []int{oc}))
}

// weighted yields one call of an operator with weights and bias.
func (m *maker) weighted(set tosa.TypeSet, i int, attrs nn.Attrs, in, weight []int, channels int, out []int) {
	t := set.Types
	zx, zw := zeroPoints(t[0]), zeroPoints(t[1])
	attrs["input_zp"], attrs["weight_zp"] = zx[i%len(zx)], zw[(i/len(zx))%len(zw)]
	if i%3 == 2 {
		channels = 1
	}
	lo, hi := t[2].Range()
	m.valid(attrs, shaped(t[3], out...), m.tensor(t[0], fill(i)%fills, in...), m.tensor(t[1], fill(i/2)%fills, weight...),
		m.within(t[2], lo/4, hi/4, channels))
}

func (m *maker) transposed() {
	for _, set := range m.spec.Sets {
		i := 0
		for _, in := range []int{1, 2, 3} {
			for _, kernel := range []int{1, 2, 3} {
				for _, stride := range []int{1, 2, 4} {
					for _, pads := range [][2]int{{0, 0}, {1, 0}, {0, 2}, {-1, 0}, {0, -1}, {-2, -2}} {
						out := (in-1)*stride + pads[0] + pads[1] + kernel
						if out < 1 || min(pads[0], pads[1]) <= -kernel {
							continue
						}
						i++
						oc := 1 + i%3
						m.weighted(set, i, nn.Attrs{"out_pad": []int{pads[0], pads[1], 0, 1}, "stride": []int{stride, 2}, "acc_type": set.Types[3]},
							[]int{1, in, 2, 2}, []int{oc, kernel, 2, 2}, oc, []int{1, out, 5, oc})
					}
				}
			}
		}
	}
}

func (m *maker) fullyConnected() {
	for _, set := range m.spec.Sets {
		for i := range 48 {
			n, ic, oc := 1+i%3, []int{1, 2, 7, 16}[i%4], []int{1, 3, 8}[i%3]
			m.weighted(set, i, nn.Attrs{}, []int{n, ic}, []int{oc, ic}, oc, []int{n, oc})
		}
	}
}

func (m *maker) matMul() {
	for _, set := range m.spec.Sets {
		for i := range 48 {
			n, h, k, w := 1+i%3, 1+i%4, []int{1, 2, 5, 9}[i%4], 1+i%3
			zp := zeroPoints(set.Types[0])
			m.valid(nn.Attrs{"a_zp": zp[i%len(zp)], "b_zp": zp[i/4%len(zp)]}, shaped(set.Types[2], n, h, w),
				m.tensor(set.Types[0], fill(i)%fills, n, h, k), m.tensor(set.Types[1], fill(i/3)%fills, n, k, w))
		}
	}
}

func (m *maker) pools() {
	all := windows([]int{1}, true)
	for _, set := range m.spec.Sets {
		for i, y := range all {
			x := all[(i*5+3)%len(all)]
			attrs := nn.Attrs{"kernel": []int{y.kernel, x.kernel}, "stride": []int{y.stride, x.stride}, "pad": []int{y.before, y.after, x.before, x.after}}
			if m.spec.Name == "AVG_POOL2D" {
				zp := zeroPoints(set.Types[0])
				attrs["input_zp"], attrs["output_zp"], attrs["acc_type"] = zp[i%len(zp)], zp[i/2%len(zp)], nn.I32
			}
			for how := range fills {
				m.valid(attrs, shaped(set.Types[1], 1, y.out(), x.out(), 3), m.tensor(set.Types[0], how, 1, y.in, x.in, 3))
			}
		}
	}
}

// eachRank calls for every rank of the grid with a shape.
func eachRank(from int, visit func(shape []int)) {
	for r := from; r <= maxGridRank; r++ {
		visit(slices.Clone(dims[:r]))
	}
}

func (m *maker) unary() {
	for _, set := range m.spec.Sets {
		eachRank(0, func(shape []int) {
			for how := range fills {
				x := m.tensor(set.Types[0], how, shape...)
				if m.spec.Name == "ABS" {
					for i := range x.Ints {
						x.Ints[i] = max(x.Ints[i], -(1<<31 - 1))
					}
				}
				m.valid(nil, shaped(set.Types[1], shape...), x)
			}
		})
	}
}

// variable has no statement in exact: its operators copy to and from what outlives the call.
func (m *maker) variable() {
	for _, set := range m.spec.Sets {
		eachRank(0, func(shape []int) {
			x := m.tensor(set.Types[0], random, shape...)
			c := m.call(nil, shaped(set.Types[1], shape...), x)
			m.keep(c)
			m.emit("valid", &Case{Target: tosa.Everything(), Graph: single(c), Inputs: c.In, Want: []*nn.Tensor{x}})
		})
	}
}

func (m *maker) negate() {
	for _, set := range m.spec.Sets {
		for _, a := range zeroPoints(set.Types[0]) {
			for _, b := range zeroPoints(set.Types[1]) {
				eachRank(0, func(shape []int) {
					for how := range fills {
						x := m.tensor(set.Types[0], how, shape...)
						if set.Types[0] == nn.I32 {
							for i := range x.Ints {
								x.Ints[i] = max(x.Ints[i], -(1<<31 - 1))
							}
						}
						m.valid(nn.Attrs{"input1_zp": a, "output_zp": b}, shaped(set.Types[1], shape...), x)
					}
				})
			}
		}
	}
}

func (m *maker) clamps() {
	for _, set := range m.spec.Sets {
		lo, hi := set.Types[0].Range()
		for _, r := range [][2]int64{{lo, hi}, {-3, 3}, {0, 0}, {lo, lo}, {hi, hi}, {0, hi}, {lo, -1}} {
			eachRank(0, func(shape []int) {
				for how := range fills {
					m.valid(nn.Attrs{"min_val": int(r[0]), "max_val": int(r[1])}, shaped(set.Types[1], shape...), m.tensor(set.Types[0], how, shape...))
				}
			})
		}
	}
}

// broadcastPairs are the ways two shapes meet in one.
func broadcastPairs(shape []int) [][2][]int {
	ones := slices.Repeat([]int{1}, len(shape))
	pairs := [][2][]int{{shape, shape}}
	if len(shape) == 0 {
		return pairs
	}
	even, odd := slices.Clone(shape), slices.Clone(shape)
	for d := range shape {
		if d%2 == 0 {
			odd[d] = 1
		} else {
			even[d] = 1
		}
	}
	return append(pairs, [2][]int{shape, ones}, [2][]int{ones, shape}, [2][]int{even, odd})
}

func (m *maker) binary() {
	for _, set := range m.spec.Sets {
		for _, attrs := range m.binaryAttrs() {
			eachRank(0, func(shape []int) {
				for _, pair := range broadcastPairs(shape) {
					for how := range fills {
						a := m.tensor(set.Types[0], how, pair[0]...)
						b := m.tensor(set.Types[1], (how+1)%fills, pair[1]...)
						m.legal(a, b)
						m.valid(attrs, shaped(set.Types[2], shape...), a, b)
					}
				}
			})
		}
	}
}

func (m *maker) binaryAttrs() []nn.Attrs {
	if m.spec.Name == "ARITHMETIC_RIGHT_SHIFT" {
		return []nn.Attrs{{"round": false}, {"round": true}}
	}
	return []nn.Attrs{nil}
}

// legal changes operands so that no condition is broken, and stays at the limits where it can.
func (m *maker) legal(a, b *nn.Tensor) {
	switch m.spec.Name {
	case "ADD", "SUB":
		for _, t := range []*nn.Tensor{a, b} {
			for i := range t.Ints {
				t.Ints[i] >>= 1 // halves: two of them always fit
			}
		}
	case "INTDIV":
		for i, v := range b.Ints {
			if v == 0 || v == -1 {
				b.Ints[i] = 3 - 2*(v+1)*4 // 3 or -5
			}
		}
	case "ARITHMETIC_RIGHT_SHIFT", "LOGICAL_LEFT_SHIFT", "LOGICAL_RIGHT_SHIFT":
		most := int64(31)
		if m.spec.Name == "ARITHMETIC_RIGHT_SHIFT" {
			most = int64(b.Type.Bits()) - 1
		}
		for i := range b.Ints {
			b.Ints[i] = []int64{0, 1, most, most - 1, most / 2, m.between(0, most)}[i%6]
		}
	}
}

func (m *maker) multiply() {
	for _, set := range m.spec.Sets {
		shifts := []int64{0}
		if set.Types[0] == nn.I32 {
			shifts = []int64{0, 1, 2, 31, 32, 33, 62, 63}
		}
		for _, shift := range shifts {
			eachRank(0, func(shape []int) {
				for _, pair := range broadcastPairs(shape) {
					for how := range fills {
						a, b := m.tensor(set.Types[0], how, pair[0]...), m.tensor(set.Types[1], (how+1)%fills, pair[1]...)
						m.shorten(a, b, shift)
						m.valid(nil, shaped(set.Types[3], shape...), a, b, list(nn.I8, shift))
					}
				}
			})
		}
	}
}

// shorten makes the shifted products fit 32 bits.
func (m *maker) shorten(a, b *nn.Tensor, shift int64) {
	if shift == 0 {
		return // products wrap
	}
	for i := range a.Ints {
		a.Ints[i] >>= max(0, 31-shift)
	}
	if shift > 31 {
		return
	}
	for i := range b.Ints {
		b.Ints[i] >>= 1
	}
}

func (m *maker) selects() {
	for _, set := range m.spec.Sets {
		eachRank(0, func(shape []int) {
			for k, pair := range broadcastPairs(shape) {
				for how := range fills {
					in := []*nn.Tensor{m.tensor(nn.Bool, random, pair[k%2]...), m.tensor(set.Types[1], how, pair[1-k%2]...), m.tensor(set.Types[2], random, shape...)}
					m.valid(nil, shaped(set.Types[3], shape...), in...)
				}
			}
		})
	}
}

func (m *maker) tables() {
	for _, set := range m.spec.Sets {
		n := 256
		if set.Types[0] == nn.I16 {
			n = 513
		}
		for how := range fills {
			eachRank(0, func(shape []int) {
				t := m.tensor(set.Types[1], how, n)
				if n == 513 {
					for i := range t.Ints { // neighbours differ by 16 bits at most
						t.Ints[i] >>= 1
					}
				}
				m.valid(nil, shaped(set.Types[2], shape...), m.tensor(set.Types[0], limits, shape...), t)
				m.valid(nil, shaped(set.Types[2], shape...), m.tensor(set.Types[0], random, shape...), t)
			})
		}
	}
}

func (m *maker) reduce() {
	for _, set := range m.spec.Sets {
		eachRank(1, func(shape []int) {
			for axis := range shape {
				for how := range fills {
					out := slices.Clone(shape)
					out[axis] = 1
					if m.spec.Name == "ARGMAX" {
						out = slices.Delete(out, axis, axis+1)
					}
					x := m.tensor(set.Types[0], how, shape...)
					if m.spec.Name == "REDUCE_SUM" {
						for i := range x.Ints {
							x.Ints[i] >>= 2 // up to four of them fit
						}
					}
					m.valid(nn.Attrs{"axis": axis}, shaped(set.Types[1], out...), x)
				}
			}
		})
	}
}
