package tflite

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/nn"
)

// Second statements of operators: in real numbers, by their inverse, or over the whole of a stream.

func TestRealComparisons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := operand(t, "a", 4), operand(t, "b", 4)
		out := nn.New(nn.Bool, 4)
		run(t, greater, nil, []*nn.Tensor{a, b}, out)
		for i, v := range out.Ints {
			if d := a.Value(i) - b.Value(i); math.Abs(d) > 2.0/256 {
				require.Equal(t, truth(d > 0), v)
			}
		}
		same, other, whether := nn.New(nn.Bool, 4), nn.New(nn.Bool, 4), nn.New(nn.Bool, 4)
		run(t, equal, nil, []*nn.Tensor{a, b}, same)
		run(t, notEqual, nil, []*nn.Tensor{a, b}, other)
		run(t, logicalNot, nil, []*nn.Tensor{same}, whether)
		require.Equal(t, other.Ints, whether.Ints)
		run(t, lessEqual, nil, []*nn.Tensor{a, b}, same)
		run(t, logicalNot, nil, []*nn.Tensor{out}, other)
		require.Equal(t, same.Ints, other.Ints)
		run(t, less, nil, []*nn.Tensor{b, a}, whether)
		require.Equal(t, out.Ints, whether.Ints)
		run(t, greaterEqual, nil, []*nn.Tensor{b, a}, other)
		require.Equal(t, same.Ints, other.Ints)
	})
}

func TestRealSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := operand(t, "a", 3, 4)
		b := a.Clone()
		slices.Reverse(b.Ints)
		out := func(shape ...int) *nn.Tensor {
			return q(nn.I8, rapid.Float32Range(0.05, 2).Draw(t, "scale"), rapid.Int64Range(-128, 127).Draw(t, "zero"), shape)
		}
		o := out(3, 4)
		run(t, addN, nil, []*nn.Tensor{a, b, a}, o)
		for i := range o.Ints {
			near(t, o, i, 2*a.Value(i)+b.Value(i), 0.51)
		}
		o = out(3, 4)
		exclusive, reverse := rapid.Bool().Draw(t, "exclusive"), rapid.Bool().Draw(t, "reverse")
		run(t, cumsum, nn.Attrs{"exclusive": exclusive, "reverse": reverse}, []*nn.Tensor{a, ints(1)}, o)
		for i := range o.Ints {
			sum := 0.0
			for k := range 4 {
				at := i/4*4 + k
				if at == i && !exclusive || at < i && !reverse || at > i && reverse {
					sum += a.Value(at)
				}
			}
			near(t, o, i, sum, 0.51)
		}
		o, c := out(3, 4), operand(t, "c", 4)
		run(t, squaredDifference, nil, []*nn.Tensor{a, c}, o)
		for i := range o.Ints {
			d := a.Value(i) - c.Value(i%4)
			// Terms are rounded to 1/128 of twice the greater scale, and their difference is squared.
			step := 2 * max(a.Format.Scale(0), c.Format.Scale(0)) / 128
			near(t, o, i, d*d, 0.51+(2*math.Abs(d)*step+step*step)/o.Format.Scale(0))
		}
	})
}

func TestRealFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := operand(t, "a", 8)
		for _, f := range []struct {
			op    *nn.Operator
			f     func(float64) float64
			slack float64
		}{
			{op: absolute, f: math.Abs, slack: 0.5},
			{op: elu, f: func(x float64) float64 { return max(x, 0) + min(math.Expm1(x), 0) }, slack: 1e-3},
			{op: gelu, f: func(x float64) float64 { return x * 0.5 * (1 + math.Erf(x/math.Sqrt2)) }, slack: 1e-3},
		} {
			o := q(nn.I8, rapid.Float32Range(0.01, 0.5).Draw(t, "scale"), rapid.Int64Range(-128, 127).Draw(t, "zero"), []int{8})
			run(t, f.op, nil, []*nn.Tensor{a}, o)
			for i := range o.Ints {
				near(t, o, i, f.f(a.Value(i)), f.slack)
			}
		}
		o := q(nn.I8, rapid.Float32Range(0.01, 0.5).Draw(t, "scale"), rapid.Int64Range(-128, 127).Draw(t, "zero"), []int{8})
		run(t, rsqrt, nil, []*nn.Tensor{a}, o)
		for i, x := range a.Ints {
			if x <= a.Format.Zero(0) {
				require.EqualValues(t, math.MaxInt8, o.Ints[i])
				continue
			}
			near(t, o, i, 1/math.Sqrt(a.Value(i)), 0.51)
		}
		soft := q(nn.I8, 1.0/16, 127, []int{2, 4})
		a.Shape = []int{2, 4}
		run(t, logSoftmax, nil, []*nn.Tensor{a}, soft)
		for i := range soft.Ints {
			top, sum := math.Inf(-1), 0.0
			for k := range 4 {
				top = max(top, a.Value(i/4*4+k))
			}
			for k := range 4 {
				sum += math.Exp(a.Value(i/4*4+k) - top)
			}
			real := a.Value(i) - top - math.Log(sum)
			if least, _ := soft.Type.Range(); real < -15 && soft.Ints[i] == least {
				continue // the library gives the least element to all that lies so deep
			}
			near(t, soft, i, real, 0.05)
		}
	})
}

func TestMovementsAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := operand(t, "a", 2, 4, 6, 4)
		there := func(op *nn.Operator, attrs nn.Attrs, in *nn.Tensor, extra []*nn.Tensor, shape ...int) *nn.Tensor {
			o := &nn.Tensor{Type: nn.I8, Shape: shape, Format: a.Format}
			run(t, op, attrs, append([]*nn.Tensor{in}, extra...), o)
			return o
		}
		block := nn.Attrs{"block_size": 2}
		require.Equal(t, a.Ints, there(spaceToDepth, block, there(depthToSpace, block, a, nil, 2, 8, 12, 1), nil, 2, 4, 6, 4).Ints)
		blocks, pads := ints(2, 3), nn.FromInts(nn.I32, []int{2, 2}, []int64{1, 1, 2, 1})
		batch := []*nn.Tensor{blocks, pads}
		require.Equal(t, a.Ints, there(batchToSpace, nil, there(spaceToBatch, nil, a, batch, 12, 3, 3, 4), batch, 2, 4, 6, 4).Ints)
		axes := []*nn.Tensor{ints(int64(rapid.IntRange(-4, 3).Draw(t, "axis")))}
		require.Equal(t, a.Ints, there(reverse, nil, there(reverse, nil, a, axes, a.Shape...), axes, a.Shape...).Ints)
		around := nn.FromInts(nn.I32, []int{4, 2}, []int64{1, 0, 2, 3, 0, 1, 3, 3})
		mirrored := there(mirrorPad, nn.Attrs{"mode": "REFLECT"}, a, []*nn.Tensor{around}, 3, 9, 7, 10)
		require.Equal(t, a.Ints, there(slice, nil, mirrored, []*nn.Tensor{ints(1, 2, 0, 3), ints(2, 4, 6, 4)}, a.Shape...).Ints)
		mirror := func(i, n int) int { return min(max(i, -i), 2*n-2-i) }
		for i, v := range mirrored.Ints {
			at := nn.Coordinates(i, mirrored.Shape)
			from := []int{mirror(at[0]-1, 2), mirror(at[1]-2, 4), mirror(at[2], 6), mirror(at[3]-3, 4)}
			for d, n := range a.Shape {
				from[d] = max(from[d], -from[d])
				require.Less(t, from[d], n)
			}
			require.Equal(t, a.Ints[nn.Index(from, a.Shape)], v)
		}
		all := nn.New(nn.I32, a.Len(), 4)
		for i := range a.Len() {
			for d, v := range nn.Coordinates(i, a.Shape) {
				all.Ints[4*i+d] = int64(v)
			}
		}
		require.Equal(t, a.Ints, there(gatherND, nil, a, []*nn.Tensor{all}, a.Len()).Ints)
		part := operand(t, "part", 1, 2, 3, 4)
		part.Format = a.Format
		at := ints(1, 2, 3, 0)
		updated := there(dynamicUpdateSlice, nil, a, []*nn.Tensor{part, at}, a.Shape...)
		require.Equal(t, part.Ints, there(slice, nil, updated, []*nn.Tensor{at, ints(1, 2, 3, 4)}, part.Shape...).Ints)
		differ := 0
		for i, v := range updated.Ints {
			if v != a.Ints[i] {
				differ++
			}
		}
		require.LessOrEqual(t, differ, part.Len())
	})
}

// Operators with state see a stream in pieces; their results are those of the whole stream.
func TestStreamsAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 7).Draw(t, "frame")
		step := rapid.IntRange(1, size).Draw(t, "step")
		prefill := rapid.Bool().Draw(t, "prefill")
		attrs := nn.Attrs{"frame_size": size, "frame_step": step, "prefill": prefill}
		first := signalFramer.Inputs[2].Hidden(attrs, nil, nil)
		queue := signalFramer.Inputs[1].Hidden(attrs, []*nn.Tensor{nn.New(nn.I16, 2*step)}, nil)
		var stream []int64
		if prefill {
			stream = make([]int64, size-step)
		}
		late := nn.New(nn.I16, 1, size)
		frames, count := 0, 0
		for range 6 {
			in := nn.FromInts(nn.I16, []int{2 * step}, rapid.SliceOfN(rapid.Int64Range(-100, 100), 2*step, 2*step).Draw(t, "in"))
			before := len(stream)
			stream = append(stream, in.Ints...)
			out, valid := nn.New(nn.I16, 2, size), nn.New(nn.Bool)
			run(t, signalFramer, attrs, []*nn.Tensor{in, queue, first}, out, valid)
			for k := range 2 {
				// A frame ends where a step ended; the first is complete when there are enough samples.
				count += step
				if enough := before + (k+1)*step; enough < size {
					require.Zero(t, valid.Ints[0])
					require.Equal(t, make([]int64, size), out.Ints[k*size:(k+1)*size])
				} else {
					require.Equal(t, stream[frames*step:frames*step+size], out.Ints[k*size:(k+1)*size])
					frames++
				}
			}
			delayed := nn.New(nn.I16, 2*step)
			run(t, signalDelay, nn.Attrs{"delay_length": size}, []*nn.Tensor{in, late}, delayed)
			for k, v := range delayed.Ints {
				want := int64(0)
				if at := count - 2*step + k - size; at >= 0 {
					want = stream[len(stream)-count+at]
				}
				require.Equal(t, want, v)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		const channels = 2
		left, right := rapid.IntRange(0, 3).Draw(t, "left"), rapid.IntRange(0, 3).Draw(t, "right")
		step := rapid.IntRange(1, left+right+1).Draw(t, "step")
		attrs := nn.Attrs{"num_channels": channels, "stacker_left_context": left, "stacker_right_context": right, "stacker_step": step}
		size := channels * (left + right + 1)
		state := []*nn.Tensor{nn.New(nn.I16, size), nn.New(nn.I32, 2)}
		var stream []int64
		stacks := 0
		for frame := range 12 {
			in := nn.FromInts(nn.I16, []int{channels}, []int64{int64(frame), int64(-frame)})
			if frame == 0 {
				stream = slices.Repeat(in.Ints, left)
			}
			stream = append(stream, in.Ints...)
			out, valid := nn.New(nn.I16, size), nn.New(nn.Bool)
			run(t, signalStacker, attrs, []*nn.Tensor{in, state[0], state[1]}, out, valid)
			at := stacks * step * channels
			require.Equal(t, truth(at+size <= len(stream)), valid.Ints[0])
			if valid.Ints[0] != 0 {
				require.Equal(t, stream[at:at+size], out.Ints)
				stacks++
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 6).Draw(t, "frame")
		step := rapid.IntRange(1, size).Draw(t, "step")
		rest, whole := nn.New(nn.I16, 1, size), make([]int64, 8*step+size)
		for turn := range 4 {
			in := nn.FromInts(nn.I16, []int{2, size}, rapid.SliceOfN(rapid.Int64Range(-1000, 1000), 2*size, 2*size).Draw(t, "in"))
			for i, v := range in.Ints {
				whole[(2*turn+i/size)*step+i%size] += v
			}
			out := nn.New(nn.I16, 2*step)
			run(t, signalOverlapAdd, nn.Attrs{"frame_step": step}, []*nn.Tensor{in, rest}, out)
			require.Equal(t, whole[2*turn*step:2*(turn+1)*step], out.Ints)
		}
	})
}

// The spectrum of samples and its inverse: samples by the length, to a few units. The first and the last line of a spectrum
// are added and subtracted in its own type, so that their sum in 16 bits stays below 32768.
func TestRealSpectra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 32
		in := nn.FromInts(nn.I32, []int{n + 2}, rapid.SliceOfN(rapid.Int64Range(-1<<28, 1<<28-1), n+2, n+2).Draw(t, "spectrum"))
		in.Ints[1], in.Ints[n+1] = 0, 0
		out := nn.New(nn.I32, n)
		run(t, signalIrfft, nn.Attrs{"fft_length": n, "T": 2}, []*nn.Tensor{in}, out)
		floats, reals := nn.New(nn.F32, n+2), nn.New(nn.F32, n)
		for i, v := range in.Ints {
			floats.Floats[i] = float32(v)
		}
		run(t, signalIrfft, nn.Attrs{"fft_length": n, "T": 0}, []*nn.Tensor{floats}, reals)
		for i, v := range out.Ints {
			require.InDelta(t, float64(reals.Floats[i]), float64(v), 200)
		}
		narrow, result := nn.New(nn.I16, n+2), nn.New(nn.I16, n)
		for i, v := range in.Ints {
			narrow.Ints[i] = v >> 14
		}
		run(t, signalIrfft, nn.Attrs{"fft_length": n}, []*nn.Tensor{narrow}, result)
		for i, v := range result.Ints {
			require.InDelta(t, float64(reals.Floats[i])/(1<<14), float64(v), 12)
		}
	})
}

// bitWriter puts bits into bytes from the top.
type bitWriter struct {
	bytes []int64
	n     int
}

func (w *bitWriter) put(v, n int) {
	for k := n - 1; k >= 0; k-- {
		if w.n%8 == 0 {
			w.bytes = append(w.bytes, 0)
		}
		w.bytes[w.n/8] |= int64(v>>k&1) << (7 - w.n%8)
		w.n++
	}
}

func bytesOf(v []int64) *nn.Tensor { return nn.FromInts(nn.U8, []int{len(v)}, v) }

// What an encoder packed is unpacked again.
func TestEncodedConstantsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		width := rapid.IntRange(1, 7).Draw(t, "width")
		table := rapid.SliceOfN(rapid.Int64Range(-128, 127), 1<<width, 1<<width).Draw(t, "table")
		picks := rapid.SliceOfN(rapid.IntRange(0, 1<<width-1), n, n).Draw(t, "picks")
		decoded := func(data *bitWriter, header []int64, format nn.Format) []int64 {
			out := &nn.Tensor{Type: nn.I8, Shape: []int{n}, Format: format}
			run(t, decode, nil, []*nn.Tensor{bytesOf(append(data.bytes, 0)), bytesOf(header)}, out)
			return out.Ints
		}
		header := func(kind, own, stride int64, table ...int64) []int64 {
			h := append([]int64{kind, 1, 0, 0, 1, own, stride}, make([]int64, 9)...)
			for _, v := range table {
				h = append(h, v&0xff)
			}
			return h
		}
		var w, mask bitWriter
		var want, kept []int64
		for _, p := range picks {
			w.put(p, width)
			want = append(want, table[p])
		}
		require.Equal(t, want, decoded(&w, header(byTable, int64(width), 0, table...), nn.Format{}))
		// Two channels along the first dimension have a table each; the second one's has the numbers reversed.
		var both bitWriter
		tables2, rows := slices.Clone(table), append([]int64{}, want...)
		for i := range table {
			tables2 = append(tables2, table[len(table)-1-i])
		}
		for range 2 {
			for _, p := range picks {
				both.put(p, width)
			}
		}
		for _, p := range picks {
			rows = append(rows, table[len(table)-1-p])
		}
		channels := &nn.Tensor{Type: nn.I8, Shape: []int{2, n}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1, 1}, Zeros: []int64{0, 0}}}
		run(t, decode, nil, []*nn.Tensor{bytesOf(append(both.bytes, 0)), bytesOf(header(byTable, int64(width), int64(len(table)), tables2...))}, channels)
		require.Equal(t, rows, channels.Ints)
		zero := nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{-3}}
		for i := range want {
			if picks[i]%2 == 0 {
				want[i] = -3
				mask.put(0, 1)
			} else {
				kept = append(kept, want[i])
				mask.put(1, 1)
			}
		}
		require.Equal(t, want, decoded(&mask, header(byPruning, 0, 0, kept...), zero))
		// Unary codes: value k is k ones and a zero; the first table has one bit, each further one, too.
		const values = 5
		var code bitWriter
		var tables, unary []int64
		for k := range int64(values) {
			tables = append(tables, k, 0x88, 1, 0) // found after one bit; or the next table of one bit, one entry on
		}
		for i := range want {
			v := picks[i] % values
			unary = append(unary, int64(v))
			code.put(1<<(v+1)-2, v+1)
		}
		require.Equal(t, unary, decoded(&code, header(byHuffman, 0, 0, tables...), nn.Format{}))
	})
}

// Boxes are chosen as a search over all of them would: the best that is left, and none that shares too much with it.
func TestRealDetections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n, most = 6, 4
		boxes, scores, anchors := nn.New(nn.F32, 1, n, 4), nn.New(nn.F32, 1, n, 2), nn.New(nn.F32, n, 4)
		for i := range n {
			for k := range 2 {
				boxes.Floats[4*i+k] = float32(rapid.IntRange(0, 8).Draw(t, "center")) / 4
				anchors.Floats[4*i+2+k] = 1
			}
			scores.Floats[2*i+1] = float32(rapid.IntRange(0, 100).Draw(t, "score")) / 100
		}
		out := []*nn.Tensor{nn.New(nn.F32, 1, most, 4), nn.New(nn.F32, 1, most), nn.New(nn.F32, 1, most), nn.New(nn.F32, 1)}
		attrs := nn.Attrs{"max_detections": most, "num_classes": 1, "nms_score_threshold": 0.3, "nms_iou_threshold": 0.4,
			"y_scale": 1.0, "x_scale": 1.0, "h_scale": 1.0, "w_scale": 1.0}
		run(t, detectionPostprocess, attrs, []*nn.Tensor{boxes, scores, anchors}, out...)
		gone := map[int]bool{}
		for k := range most {
			best := -1
			for i := range n {
				if !gone[i] && scores.Floats[2*i+1] >= 0.3 && (best < 0 || scores.Floats[2*i+1] > scores.Floats[2*best+1]) {
					best = i
				}
			}
			if best < 0 {
				require.EqualValues(t, k, out[3].Floats[0])
				return
			}
			require.Equal(t, scores.Floats[2*best+1], out[2].Floats[k])
			require.InDelta(t, boxes.Floats[4*best]-0.5, out[0].Floats[4*k], 1e-6)
			for i := range n { // unit squares
				h := max(0, 1-math.Abs(float64(boxes.Floats[4*i]-boxes.Floats[4*best])))
				w := max(0, 1-math.Abs(float64(boxes.Floats[4*i+1]-boxes.Floats[4*best+1])))
				if i == best || h*w/(2-h*w) > 0.4 {
					gone[i] = true
				}
			}
		}
		require.EqualValues(t, most, out[3].Floats[0])
	})
}
