package floats

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/window"
)

// Axis is one dimension of an image under a sliding window.
type Axis = window.Axis

// inside visits the cells of window o that lie inside the image.
func inside(a Axis, o int, visit func(k, at int)) {
	from, to := a.Inside(o)
	for k := from; k < to; k++ {
		visit(k, a.First(o)+k*a.Dilation)
	}
}

// Window finds the rows and the columns of a call with a window: a convolution or a pool.
func Window(c *nn.Call) (rows, columns Axis, err error) {
	in := c.In[0]
	if len(in.Shape) != 4 {
		return rows, columns, fmt.Errorf("the input is %v, it must be batch, row, column, channel", in.Shape)
	}
	h, w := c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width")
	dh, dw := 1, 1
	if len(c.Op.Inputs) > 1 {
		h, w = c.In[1].Dim(1), c.In[1].Dim(2)
		dh, dw = c.Attrs.Int("dilation_h_factor"), c.Attrs.Int("dilation_w_factor")
	}
	if rows, err = window.New(c.Attrs.String("padding"), in.Dim(1), h, c.Attrs.Int("stride_h"), dh); err != nil {
		return rows, columns, err
	}
	columns, err = window.New(c.Attrs.String("padding"), in.Dim(2), w, c.Attrs.Int("stride_w"), dw)
	return rows, columns, err
}

// checkWindow compares the output with what the window gives.
func checkWindow(c *nn.Call, channels int) error {
	if _, _, err := Fused(c.Attrs.String(activation)); err != nil {
		return err
	}
	rows, columns, err := Window(c)
	if err != nil {
		return err
	}
	want := []int{c.In[0].Dim(0), rows.Out, columns.Out, channels}
	if got := c.Out[0].Shape; fmt.Sprint(got) != fmt.Sprint(want) {
		return fmt.Errorf("the output is %v, it must be %v", got, want)
	}
	return checkBias(c, channels)
}

func checkBias(c *nn.Call, channels int) error {
	if b := c.Input("bias"); b != nil && b.Len() != channels {
		return fmt.Errorf("%d biases for %d channels", b.Len(), channels)
	}
	return nil
}

func checkConv(c *nn.Call) error {
	in, w := c.In[0], c.In[1]
	if len(in.Shape) != 4 || len(w.Shape) != 4 || in.Dim(3) != w.Dim(3) {
		return fmt.Errorf("weights %v do not fit an input of %v", w.Shape, in.Shape)
	}
	return checkWindow(c, w.Dim(0))
}

func checkDepthwise(c *nn.Call) error {
	in, w := c.In[0], c.In[1]
	if len(in.Shape) != 4 || len(w.Shape) != 4 || w.Dim(0) != 1 || w.Dim(3)%in.Dim(3) != 0 {
		return fmt.Errorf("weights %v do not fit an input of %v", w.Shape, in.Shape)
	}
	return checkWindow(c, w.Dim(3))
}

func checkPool(c *nn.Call) error {
	if len(c.In[0].Shape) != 4 {
		return fmt.Errorf("the input is %v, it must be batch, row, column, channel", c.In[0].Shape)
	}
	return checkWindow(c, c.In[0].Dim(3))
}

func checkDense(c *nn.Call) error {
	in, w, out := c.In[0], c.In[1], c.Out[0]
	if c.Attrs.String("weights_format") != "DEFAULT" {
		return fmt.Errorf("weights in the order %s", c.Attrs.String("weights_format"))
	}
	if _, _, err := Fused(c.Attrs.String(activation)); err != nil {
		return err
	}
	if len(w.Shape) != 2 || in.Len()%w.Dim(1) != 0 || len(out.Shape) == 0 || out.Dim(-1) != w.Dim(0) ||
		out.Len() != in.Len()/w.Dim(1)*w.Dim(0) {
		return fmt.Errorf("weights %v do not fit an input of %v and an output of %v", w.Shape, in.Shape, out.Shape)
	}
	return checkBias(c, w.Dim(0))
}
