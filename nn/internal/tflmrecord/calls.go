package tflmrecord

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
)

// call is a call of an operator. Its first output holds the recorded elements.
type call struct{ call *nn.Call }

// kernel says how a recorded kernel is called as an operator.
type kernel struct {
	operator string
	calls    func(l *Line) []call
	needs    func(l *Line) error // what the fields must hold before calls can be made of them, nil for nothing
}

// kernels are the recorded kernels by name.
var kernels = map[string]kernel{
	"conv2d_s8":                      {operator: "CONV_2D", calls: convolution(nn.I8, nn.I32, 0)},
	"conv2d_s16x8":                   {operator: "CONV_2D", calls: convolution(nn.I16, nn.I64, 0)},
	"depthwise_conv2d_s8":            {operator: "DEPTHWISE_CONV_2D", calls: convolution(nn.I8, nn.I32, 3)},
	"depthwise_conv2d_s16x8":         {operator: "DEPTHWISE_CONV_2D", calls: convolution(nn.I16, nn.I64, 3)},
	"transpose_conv_s8":              {operator: "TRANSPOSE_CONV", calls: transposed(nn.I8, nn.I32), needs: needsChannels},
	"transpose_conv_s16x8":           {operator: "TRANSPOSE_CONV", calls: transposed(nn.I16, nn.I64), needs: needsChannels},
	"fully_connected_s8":             {operator: "FULLY_CONNECTED", calls: fullyConnected(nn.I8, nn.I32), needs: needsMultiplier},
	"fully_connected_per_channel_s8": {operator: "FULLY_CONNECTED", calls: fullyConnected(nn.I8, nn.I32), needs: needsMultiplier},
	"fully_connected_s16x8":          {operator: "FULLY_CONNECTED", calls: fullyConnected(nn.I16, nn.I64), needs: needsMultiplier},
	"avg_pool_s8":                    {operator: "AVERAGE_POOL_2D", calls: pooling(nn.I8)},
	"avg_pool_s16":                   {operator: "AVERAGE_POOL_2D", calls: pooling(nn.I16)},
	"max_pool_s8":                    {operator: "MAX_POOL_2D", calls: pooling(nn.I8)},
	"max_pool_s16":                   {operator: "MAX_POOL_2D", calls: pooling(nn.I16)},
	"add_s8":                         {operator: "ADD", calls: pair(nn.I8), needs: needsShapes},
	"add_s16":                        {operator: "ADD", calls: pair(nn.I16), needs: needsShapes},
	"mul_s8":                         {operator: "MUL", calls: pair(nn.I8), needs: needsShapes},
	"mul_s16":                        {operator: "MUL", calls: pair(nn.I16), needs: needsShapes},
	"softmax_s8":                     {operator: "SOFTMAX", calls: rows(nn.I8, nn.I8, 1.0/256, -128)},
	"softmax_s8_s16":                 {operator: "SOFTMAX", calls: rows(nn.I8, nn.I16, 1.0/65536, -32768)},
	"softmax_s16":                    {operator: "SOFTMAX", calls: rows(nn.I16, nn.I16, 1.0/32768, 0)},
	"l2norm_s8":                      {operator: "L2_NORMALIZATION", calls: rows(nn.I8, nn.I8, 1.0/128, 0)},
	"logistic_s8":                    {operator: "LOGISTIC", calls: pointwise(nn.I8, nn.I8, 1.0/256, -128)},
	"logistic_s16":                   {operator: "LOGISTIC", calls: pointwise(nn.I16, nn.I16, 1.0/32768, 0)},
	"tanh_s8":                        {operator: "TANH", calls: pointwise(nn.I8, nn.I8, 1.0/128, 0)},
	"tanh_s16":                       {operator: "TANH", calls: pointwise(nn.I16, nn.I16, 1.0/32768, 0)},
	"leaky_relu_s8":                  {operator: "LEAKY_RELU", calls: pointwise(nn.I8, nn.I8, 0, 0)},
	"leaky_relu_s16":                 {operator: "LEAKY_RELU", calls: pointwise(nn.I16, nn.I16, 0, 0)},
	"hard_swish_s8":                  {operator: "HARD_SWISH", calls: pointwise(nn.I8, nn.I8, 0, 0)},
	"requantize_s8_s8":               {operator: "QUANTIZE", calls: pointwise(nn.I8, nn.I8, 0, 0)},
	"requantize_s8_s16":              {operator: "QUANTIZE", calls: pointwise(nn.I8, nn.I16, 0, 0)},
	"requantize_s16_s8":              {operator: "QUANTIZE", calls: pointwise(nn.I16, nn.I8, 0, 0)},
}

// needsMultiplier: a single scale comes with its multiplier.
func needsMultiplier(l *Line) error {
	if len(l.Scales) == 1 && (len(l.Multipliers) == 0 || len(l.Shifts) == 0) {
		return errors.New("no multiplier and shift")
	}
	return nil
}

// needsChannels: every channel has filter, multiplier, shift and bias.
func needsChannels(l *Line) error {
	if len(l.FilterShape) != 4 || len(l.Shape) != 4 || len(l.OutShape) != 4 {
		return fmt.Errorf("input, filter and output have shapes %v, %v and %v, four dimensions are needed", l.Shape, l.FilterShape, l.OutShape)
	}
	n := l.FilterShape[0]
	if n < 1 || len(l.Multipliers) < n || len(l.Shifts) < n || l.Bias != nil && len(l.Bias) < n {
		return fmt.Errorf("%d channels, %d multipliers, %d shifts, %d elements of bias", n, len(l.Multipliers), len(l.Shifts), len(l.Bias))
	}
	return nil
}

// needsShapes: the second input has no more dimensions than the first.
func needsShapes(l *Line) error {
	if l.Shape1 != nil && len(l.Shape2) > len(l.Shape1) {
		return fmt.Errorf("input 2 has shape %v, input 1 %v", l.Shape2, l.Shape1)
	}
	return nil
}

// activations are the names of the fused functions.
var activations = map[string]string{"": "NONE", "none": "NONE", "relu": "RELU", "relu6": "RELU6", "relu_n1_to_1": "RELU_N1_TO_1"}

const fused = "fused_activation_function"

// tensor makes a tensor with one scale.
func tensor(t nn.Type, shape []int, v []int64, scale float32, zero int64) *nn.Tensor {
	x := nn.FromInts(t, shape, v)
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
	return x
}

// plain makes a tensor of integers, nil when the record has none.
func plain(t nn.Type, v []int64) *nn.Tensor {
	if v == nil {
		return nil
	}
	return nn.FromInts(t, []int{len(v)}, v)
}

func convolution(t, bias nn.Type, axis int) func(*Line) []call {
	return func(l *Line) []call {
		weights := nn.FromInts(nn.I8, l.FilterShape, l.Filter)
		weights.Format = nn.Format{Kind: nn.Scaled, Scales: l.Scales, Axis: axis}
		attrs := nn.Attrs{"padding": l.Padding, "stride_h": l.StrideH, "stride_w": l.StrideW,
			"dilation_h_factor": l.DilationH, "dilation_w_factor": l.DilationW, fused: activations[l.Activation]}
		if axis == 3 {
			attrs["depth_multiplier"] = l.Depth
		}
		return []call{{&nn.Call{
			Attrs: attrs,
			In:    []*nn.Tensor{tensor(t, l.Shape, l.Input, l.ScaleIn, l.ZeroIn), weights, plain(bias, l.Bias)},
			Out:   []*nn.Tensor{tensor(t, l.OutShape, l.Output, l.Out, l.ZeroOut)},
		}}}
	}
}

func fullyConnected(t, bias nn.Type) func(*Line) []call {
	return func(l *Line) []call {
		weights := nn.FromInts(nn.I8, l.FilterShape, l.Filter)
		weights.Format = nn.Format{Kind: nn.Scaled, Scales: l.Scales, Zeros: []int64{l.ZeroWeight}}
		in, out := l.ScaleIn, l.Out
		if len(l.Scales) == 1 {
			// The recorded multiplier is that of a product in double precision, which the library forms for several
			// scales only.
			var scale float32
			scale, out = quotient(l.Multipliers[0], l.Shifts[0], l.Out)
			in, weights.Format.Scales = 1, []float32{scale}
		}
		return []call{{&nn.Call{
			Attrs: nn.Attrs{fused: activations[l.Activation]},
			In:    []*nn.Tensor{tensor(t, l.Shape, l.Input, in, l.ZeroIn), weights, plain(bias, l.Bias)},
			Out:   []*nn.Tensor{tensor(t, l.OutShape, l.Output, out, l.ZeroOut)},
		}}}
	}
}

// transposed makes one call for each output channel: the record has multipliers and no scales, and a single
// channel has enough freedom to find scales for its multiplier.
func transposed(t, bias nn.Type) func(*Line) []call {
	return func(l *Line) []call {
		channels := l.FilterShape[0]
		var calls []call
		for ch := range channels {
			in, weight := factors(l.Multipliers[ch], l.Shifts[ch])
			size := len(l.Filter) / channels
			shape := slices.Clone(l.FilterShape)
			outShape := slices.Clone(l.OutShape)
			shape[0], outShape[3] = 1, 1
			var out []int64
			for i := ch; i < len(l.Output); i += channels {
				out = append(out, l.Output[i])
			}
			dims := make([]int64, len(outShape))
			for i, d := range outShape {
				dims[i] = int64(d)
			}
			var b *nn.Tensor
			if l.Bias != nil {
				b = plain(bias, l.Bias[ch:ch+1])
			}
			calls = append(calls, call{&nn.Call{
				Attrs: nn.Attrs{"padding": transposedPadding(l), "stride_h": l.StrideH, "stride_w": l.StrideW},
				In: []*nn.Tensor{plain(nn.I32, dims), tensor(nn.I8, shape, l.Filter[ch*size:(ch+1)*size], weight, 0),
					tensor(t, l.Shape, l.Input, in, l.ZeroIn), b},
				Out: []*nn.Tensor{tensor(t, outShape, out, 1, l.ZeroOut)},
			}})
		}
		return calls
	}
}

// transposedPadding is the padding that gives the recorded size: VALID keeps every window inside.
func transposedPadding(l *Line) string {
	if l.PadTop == 0 && l.PadLeft == 0 && (l.Shape[1]-1)*l.StrideH+l.FilterShape[1] <= l.OutShape[1] &&
		(l.Shape[2]-1)*l.StrideW+l.FilterShape[2] <= l.OutShape[2] {
		return "VALID"
	}
	return "SAME"
}

// factors finds two floats whose product has a multiplier of 31 bits exactly. Products of floats have 48 bits,
// so one float in some hundred has a fitting partner.
func factors(multiplier int32, shift int) (a, b float32) {
	want := math.Ldexp(float64(multiplier), shift-31)
	for k := range candidates {
		a = 1 + float32(k)/(1<<20)
		b = float32(want / float64(a))
		if math.Abs(float64(a)*float64(b)-want) < math.Ldexp(1, shift-33) {
			break
		}
	}
	return a, b
}

// quotient finds two floats whose quotient has a multiplier of 31 bits exactly, the second one within a few
// parts in a million of a scale.
func quotient(multiplier int32, shift int, scale float32) (a, b float32) {
	want := math.Ldexp(float64(multiplier), shift-31)
	for b = scale; b < scale*(1+candidates*0x1p-23); b = math.Nextafter32(b, 2*b) {
		a = float32(want * float64(b))
		if math.Abs(float64(a)/float64(b)-want) < math.Ldexp(1, shift-33) {
			break
		}
	}
	return a, b
}

// candidates bounds the search for floats.
const candidates = 1 << 14

// pooling: the record has the limits of the output and no scale. They are those of a fused function
// between -1 and 1 for the right scale and zero point.
func pooling(t nn.Type) func(*Line) []call {
	return func(l *Line) []call {
		attrs := nn.Attrs{"padding": l.Padding, "stride_h": l.StrideH, "stride_w": l.StrideW, "filter_height": l.FilterH, "filter_width": l.FilterW}
		scale, zero := float32(1), int64(0)
		if lo, hi := t.Range(); l.ActMin != lo || l.ActMax != hi {
			zero = (l.ActMin + l.ActMax) / 2
			scale = 1 / float32(l.ActMax-zero)
			attrs[fused] = "RELU_N1_TO_1"
		}
		return []call{{&nn.Call{
			Attrs: attrs,
			In:    []*nn.Tensor{tensor(t, l.Shape, l.Input, scale, zero)},
			Out:   []*nn.Tensor{tensor(t, l.OutShape, l.Output, scale, zero)},
		}}}
	}
}

func pair(t nn.Type) func(*Line) []call {
	return func(l *Line) []call {
		one, two, out := l.Shape1, l.Shape2, []int{len(l.Output)}
		if one == nil {
			one, two = out, out
		} else {
			out = slices.Clone(one)
			for i, d := range two {
				out[i] = max(out[i], d)
			}
		}
		return []call{{&nn.Call{
			Attrs: nn.Attrs{fused: activations[l.Activation]},
			In:    []*nn.Tensor{tensor(t, one, l.Input1, l.Scale1, l.Zero1), tensor(t, two, l.Input2, l.Scale2, l.Zero2)},
			Out:   []*nn.Tensor{tensor(t, out, l.Output, l.Out, l.ZeroOut)},
		}}}
	}
}

// rows are kernels on rows of elements whose output has a fixed scale.
func rows(in, out nn.Type, scale float32, zero int64) func(*Line) []call {
	return func(l *Line) []call {
		shape := []int{l.Rows, l.Columns}
		attrs, step := nn.Attrs{}, l.ScaleIn
		if l.Beta != 0 {
			attrs["beta"] = l.Beta
		}
		if step == 0 {
			step = 1 // a norm does not depend on the scale
		}
		return []call{{&nn.Call{
			Attrs: attrs,
			In:    []*nn.Tensor{tensor(in, shape, l.Input, step, l.ZeroIn)},
			Out:   []*nn.Tensor{tensor(out, shape, l.Output, scale, zero)},
		}}}
	}
}

// pointwise makes calls of kernels on single elements. A scale of 0 stands for the scale of the record.
func pointwise(in, out nn.Type, scale float32, zero int64) func(*Line) []call {
	return func(l *Line) []call {
		s, z := scale, zero
		if s == 0 {
			s, z = l.Out, l.ZeroOut
		}
		attrs := nn.Attrs{}
		if l.Alpha != 0 {
			attrs["alpha"] = float64(l.Alpha)
		}
		shape := []int{len(l.Input)}
		return []call{{&nn.Call{
			Attrs: attrs,
			In:    []*nn.Tensor{tensor(in, shape, l.Input, l.ScaleIn, l.ZeroIn)},
			Out:   []*nn.Tensor{tensor(out, shape, l.Output, s, z)},
		}}}
	}
}
