package quantnet

import (
	"context"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Job is a network of floats, the data that calibrate and judge it, and what is asked for.
type Job struct {
	Graph     *nn.Graph
	Fixed     map[int]Range // what training has fixed
	Calibrate [][]*nn.Tensor
	Data      Data
	Target    Target
	Observer  string // that chooses ranges
	Equalize  bool   // the ranges of neighbouring layers
	Correct   bool   // biases, by the mean errors
}

// Run calibrates, quantizes and measures in one way, without the options and with one after the other, so that the gain of
// each shows.
func (j *Job) Run(ctx context.Context, way *Way) (_ *Network, _ *Report, err error) {
	defer steps.Return(&err)
	net := steps.Must(j.quantize(ctx, j.Graph, way))
	r := steps.Must(net.Measure(ctx, j.Data, j.Target))
	again := func(name string) error {
		better, err := net.Measure(ctx, j.Data, j.Target)
		if err == nil {
			better.Gains = append(r.Gains, GainOf(name, r, better))
			r = better
		}
		return err
	}
	if j.Equalize {
		if net, err = j.quantize(ctx, Equalize(j.Graph), way); err == nil {
			err = again("equalization across layers")
		}
		steps.Check(err)
	}
	if j.Correct {
		if err = net.CorrectBias(ctx, j.Calibrate); err == nil {
			err = again("correction of biases")
		}
	}
	return net, r, err
}

// quantize calibrates a network and makes integers of it.
func (j *Job) quantize(ctx context.Context, g *nn.Graph, way *Way) (*Network, error) {
	ranges, err := Calibrate(ctx, g, j.Calibrate, j.Observer, way.Data)
	if err != nil {
		return nil, err
	}
	return Quantize(g, Fix(ranges, j.Fixed), func(int) *Way { return way })
}

// Advise says which layers should be written in the finer of two ways.
func (j *Job) Advise(ctx context.Context, coarse, fine *Way) (*Advice, error) {
	ranges, err := Calibrate(ctx, j.Graph, j.Calibrate, j.Observer, quant.Int8)
	if err != nil {
		return nil, err
	}
	return Advise(ctx, j.Graph, Fix(ranges, j.Fixed), coarse, fine, j.Data, j.Target)
}
