package window

import (
	"fmt"

	"arcv2dsp/nn"
)

// Spread places the windows that in cells are spread over an image of out cells: the image of the result is that of the output, and
// its windows are the cells of the input, so that the padding follows from the size of the output.
func Spread(padding string, out, in, kernel, stride int) (Axis, error) {
	a := Axis{In: out, Out: in, Kernel: kernel, Stride: stride, Dilation: 1}
	if stride < 1 || stride > nn.MaxElements {
		return a, fmt.Errorf("stride %d", stride)
	}
	windows := (out + stride - 1) / stride
	if padding == "SAME" {
		a.Before = max(0, (windows-1)*stride+kernel-out) / 2
	} else {
		windows = (max(out-kernel, -stride))/stride + 1
	}
	if windows != in {
		return a, fmt.Errorf("%d cells spread over %d with kernel %d, stride %d and padding %s", in, out, kernel, stride, padding)
	}
	return a, nil
}
