package arcq

import (
	"fmt"
	"math"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// The parameter blocks of the audio front end.
var (
	windowParams  = declared("arcq_signal_window_params")
	scaleParams   = declared("arcq_signal_scale_params")
	rfftParams    = declared("arcq_signal_rfft_params")
	energyParams  = declared("arcq_signal_energy_params")
	bankParams    = declared("arcq_signal_bank_params")
	rootParams    = declared("arcq_signal_root_params")
	noiseParams   = declared("arcq_signal_noise_params")
	gainParams    = declared("arcq_signal_gain_params")
	irfftParams   = declared("arcq_signal_irfft_params")
	overlapParams = declared("arcq_signal_overlap_params")
	framesParams  = declared("arcq_signal_frames_params")
	stackParams   = declared("arcq_signal_stack_params")
	logParams     = declared("arcq_signal_log_params")
)

// signals are the rows of the audio front end.
func signals() []row {
	of := func(symbol, name, types, doc string, block *cstruct.Struct, fill func(*params, *nn.Call)) row {
		op := operator(nn.TFLite, name)
		return row{
			symbol: "arcq_" + symbol + "_" + types, operator: symbol, types: types, body: symbol + ".inc", doc: doc, params: block,
			computes: []*nn.Operator{op}, fits: func(*nn.Call) error { return nil }, fill: fill, grid: signalGrid(op),
		}
	}
	bank := of("signal_bank", "SignalFilterBank", "u32", "energies summed over overlapping triangles", bankParams, fillBank)
	bank.fits, bank.accBits = weightsNotNegative, 64
	overlap := of("signal_overlap", "SignalOverlapAdd", "s16", "frames that overlap, added", overlapParams, fillOverlap)
	overlap.fits = inputsOf(nn.I16)
	inverse, inverse32 := of("signal_irfft", "SignalIrfft", "s16", "samples of spectra", irfftParams, fillIrfft), of("signal_irfft", "SignalIrfft", "s32", "samples of spectra", irfftParams, fillIrfft)
	inverse.equ, inverse.fits, inverse.grid = []string{"BITS,15"}, inputsOf(nn.I16), irfftGrid(inverse.computes[0], nn.I16)
	inverse32.equ, inverse32.fits, inverse32.grid = []string{"BITS,31"}, inputsOf(nn.I32), irfftGrid(inverse.computes[0], nn.I32)
	return []row{
		overlap,
		inverse,
		inverse32,
		of("signal_frames", "SignalFramer", "s16", "frames that overlap, of a stream", framesParams, fillFrames),
		of("signal_stack", "SignalStacker", "s16", "channels of several frames behind each other", stackParams, fillStack),
		of("signal_window", "SignalWindow", "s16", "samples times a window", windowParams, fillWindow),
		of("signal_scale", "SignalFftAutoScale", "s16", "samples shifted up until the greatest has 15 bits", scaleParams, fillScale),
		of("signal_rfft", "SignalRfft", "s16", "spectrum of real samples", rfftParams, fillRfft),
		of("signal_energy", "SignalEnergy", "s16", "squared magnitudes of a spectrum", energyParams, fillEnergy),
		bank,
		of("signal_root", "SignalFilterBankSquareRoot", "u64", "rounded square roots", rootParams, fillRoot),
		of("signal_noise", "SignalFilterBankSpectralSubtraction", "u32", "noise estimated and subtracted", noiseParams, fillNoise),
		of("signal_gain", "SignalPCAN", "u32", "gain of each channel by its noise", gainParams, fillGain),
		of("signal_log", "SignalFilterBankLog", "u32", "scaled natural logarithms", logParams, fillLog),
	}
}

func fillWindow(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.input("weights", "weights", kernel.Weights)
	p.output("out", "out")
	p.set("frames", int64(c.In[0].Len()/c.In[1].Len()))
	p.set("count", int64(c.In[1].Len()))
	p.set("shift", int64(c.Attrs.Int("shift")))
}

func fillOverlap(p *params, c *nn.Call) {
	in, rest := c.In[0], c.In[1]
	p.input("in", "in", kernel.Data)
	p.state("rest", "rest")
	p.output("out", "out")
	p.set("lines", int64(rest.Dim(0)))
	p.set("frames", int64(in.Dim(-2)))
	p.set("size", int64(in.Dim(-1)))
	p.set("step", int64(c.Attrs.Int("frame_step")))
}

func fillFrames(p *params, c *nn.Call) {
	queue, step := c.In[1], c.Attrs.Int("frame_step")
	p.input("in", "in", kernel.Data)
	p.state("queue", "queue")
	p.state("waiting", "waiting")
	p.output("out", "out")
	p.output("valid", "valid")
	p.set("lines", int64(queue.Dim(0)))
	p.set("frames", int64(c.In[0].Len()/queue.Dim(0)/step))
	p.set("size", int64(c.Attrs.Int("frame_size")))
	p.set("step", int64(step))
	p.set("room", int64(queue.Dim(1)))
}

func fillStack(p *params, c *nn.Call) {
	channels := c.Attrs.Int("num_channels")
	p.input("in", "in", kernel.Data)
	p.state("queue", "queue")
	p.state("waiting", "waiting")
	p.output("out", "out")
	p.output("valid", "valid")
	p.set("channels", int64(channels))
	p.set("size", int64(c.In[1].Len()))
	p.set("step", int64(channels*c.Attrs.Int("stacker_step")))
	p.set("before", int64(c.Attrs.Int("stacker_left_context")))
}

func fillScale(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	p.output("bits", "bits")
	p.set("count", int64(c.In[0].Len()))
}

// placesOf are the places of n numbers of a transform in steps of radix 4.
func placesOf(n int) []int64 {
	places := make([]int64, n)
	for i := range places {
		for rest, unit := i, n/4; unit > 0; rest, unit = rest/4, unit/4 {
			places[i] += int64(rest % 4 * unit)
		}
	}
	return places
}

func fillIrfft(p *params, c *nn.Call) {
	t, n := c.In[0].Type, c.Attrs.Int("fft_length")/2
	top := float64(int64(1)<<(t.Bits()-1) - 1)
	var roots, halfRoots []int64
	root := func(phase float64) []int64 {
		return []int64{int64(math.Floor(0.5 + top*math.Cos(phase))), int64(math.Floor(0.5 + top*math.Sin(phase)))}
	}
	for i := range 3 * n / 4 {
		roots = append(roots, root(2*math.Pi*float64(i)/float64(n))...)
	}
	for k := 1; k <= n/2; k++ {
		halfRoots = append(halfRoots, root(math.Pi*(float64(k)/float64(n)+0.5))...)
	}
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	p.table("places", nn.U16, placesOf(n))
	p.table("roots", t, roots)
	p.table("half_roots", t, halfRoots)
	p.set("spectra", int64(c.Out[0].Len()/(2*n)))
	p.set("numbers", int64(n))
}

func fillRfft(p *params, c *nn.Call) {
	n := c.Attrs.Int("fft_length") / 2
	places := placesOf(n)
	var roots, halfRoots []int64
	for i := range places {
		if i < 3*n/4 {
			roots = append(roots, root(-2*math.Pi*float64(i)/float64(n))...)
		}
		if i < n/2 {
			halfRoots = append(halfRoots, root(-math.Pi*(float64(i+1)/float64(n)+0.5))...)
		}
	}
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	p.scratch("work", nn.U32, n)
	p.table("places", nn.U16, places)
	p.pairs16("roots", roots)
	p.pairs16("half_roots", halfRoots)
	p.set("count", int64(c.In[0].Len()))
	p.set("numbers", int64(n))
}

// root is a root of unity for dual multiplies: each component of a product with (re, im) is one.
func root(phase float64) []int64 {
	fraction := func(v float64) int64 { return int64(math.Floor(0.5 + math.MaxInt16*v)) }
	re, im := fraction(math.Cos(phase)), fraction(math.Sin(phase))
	return []int64{re, -im, im, re}
}

// pairs16 places numbers of 16 bits that are read two at a time.
func (p *params) pairs16(member string, v []int64) {
	t := nn.FromInts(nn.I16, []int{len(v)}, v)
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: kernel.Weights, Bytes: kernel.Elements(t)}))
}

func fillEnergy(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	first, end := c.Attrs.Int("start_index"), c.Attrs.Int("end_index")
	p.set("first", int64(first))
	p.set("count", int64(end-first))
	p.set("rest", int64(c.Out[0].Len()-end))
}

// weightsNotNegative refuses weights that the reference's own tables never have.
func weightsNotNegative(c *nn.Call) error {
	for _, role := range []string{"weights", "unweights"} {
		if t := c.Input(role); t.Filled() {
			for i, v := range t.Ints {
				if v < 0 {
					return fmt.Errorf("%s %d is %d, below 0", role, i, v)
				}
			}
		}
	}
	return nil
}

func fillBank(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.input("falling", "weights", kernel.Weights)
	p.input("rising", "unweights", kernel.Weights)
	p.input("bins", "frequency_starts", kernel.Weights)
	p.input("first", "weight_starts", kernel.Weights)
	p.input("widths", "widths", kernel.Weights)
	p.output("out", "out")
	p.set("bands", int64(c.In[5].Len()))
}

func fillRoot(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.input("bits", "bits", kernel.Data)
	p.output("out", "out")
	p.set("count", int64(c.In[0].Len()))
}

func fillNoise(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.state("estimate", "noise")
	p.output("out", "out")
	p.output("out_estimate", "estimate")
	p.set("channels", int64(c.In[0].Len()))
	for _, name := range []string{"smoothing", "one_minus_smoothing", "alternate_smoothing", "alternate_one_minus_smoothing",
		"smoothing_bits", "spectral_subtraction_bits", "min_signal_remaining"} {
		p.set(name, int64(c.Attrs.Int(name)))
	}
	if c.Attrs.Bool("clamping") {
		p.set("clamping", 1)
	}
}

func fillGain(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.input("estimate", "estimate", kernel.Data)
	p.input("gains", "gains", kernel.Weights)
	p.output("out", "out")
	p.set("channels", int64(c.In[0].Len()))
	p.set("snr_shift", int64(c.Attrs.Int("snr_shift")))
}

func fillLog(p *params, c *nn.Call) {
	entries := make([]int64, len(quant.LogTable))
	for i, v := range quant.LogTable {
		entries[i] = int64(v)
	}
	p.input("in", "in", kernel.Data)
	p.table("table", nn.U16, entries)
	p.output("out", "out")
	p.set("count", int64(c.In[0].Len()))
	p.set("correction_bits", int64(c.Attrs.Int("input_correction_bits")))
	p.set("output_scale", int64(c.Attrs.Int("output_scale")))
}
