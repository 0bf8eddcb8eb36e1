package arcq

import (
	"fmt"
	"math"

	"arcv2dsp/mlikernels/internal/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// The parameter blocks of the audio front end.
var (
	windowParams = &cstruct.Struct{
		Name: "arcq_signal_window_params", Doc: "Samples times a window.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const int16_t *", Asm: "WINDOW_IN"},
			{Name: "weights", Type: cstruct.Pointer, C: "const int16_t *", Asm: "WINDOW_WEIGHTS"},
			{Name: "out", Type: cstruct.Pointer, C: "int16_t *", Asm: "WINDOW_OUT"},
			{Name: "frames", Type: cstruct.I32, Asm: "WINDOW_FRAMES"},
			{Name: "count", Type: cstruct.I32, Asm: "WINDOW_COUNT", Doc: "samples of a frame and of the window"},
			{Name: "shift", Type: cstruct.I32, Asm: "WINDOW_SHIFT", Doc: "bits below the point of the window, 0 to 31"},
		},
	}
	scaleParams = &cstruct.Struct{
		Name: "arcq_signal_scale_params", Doc: "Samples shifted up until the greatest has 15 bits.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const int16_t *", Asm: "SCALE_IN"},
			{Name: "out", Type: cstruct.Pointer, C: "int16_t *", Asm: "SCALE_OUT"},
			{Name: "bits", Type: cstruct.Pointer, C: "int32_t *", Asm: "SCALE_BITS", Doc: "output: the shift"},
			{Name: "count", Type: cstruct.I32, Asm: "SCALE_COUNT", Doc: "samples, at least one"},
		},
	}
	rfftParams = &cstruct.Struct{
		Name: "arcq_signal_rfft_params", Doc: "The spectrum of real samples, divided by the length.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const int16_t *", Asm: "RFFT_IN"},
			{Name: "out", Type: cstruct.Pointer, C: "int16_t *", Asm: "RFFT_OUT", Doc: "numbers + 1 real and imaginary parts"},
			{Name: "work", Type: cstruct.Pointer, C: "uint32_t *", Asm: "RFFT_WORK", Doc: "scratch for numbers words"},
			{Name: "places", Type: cstruct.Pointer, C: "const uint16_t *", Asm: "RFFT_PLACES",
				Doc: "of the pairs of samples: their numbers with the digits to the base 4 reversed"},
			{Name: "roots", Type: cstruct.Pointer, C: "const int16_t *", Asm: "RFFT_ROOTS",
				Doc: "re, -im, im, re of exp(-2 pi i k / numbers), 15 bits below the point"},
			{Name: "half_roots", Type: cstruct.Pointer, C: "const int16_t *", Asm: "RFFT_HALF_ROOTS",
				Doc: "the same of exp(-pi i (k / numbers + 1/2)), k from 1 to numbers / 2"},
			{Name: "count", Type: cstruct.I32, Asm: "RFFT_COUNT", Doc: "samples; missing ones are 0"},
			{Name: "numbers", Type: cstruct.I32, Asm: "RFFT_NUMBERS", Doc: "half the length, a power of 4"},
		},
	}
	energyParams = &cstruct.Struct{
		Name: "arcq_signal_energy_params", Doc: "Squared magnitudes of a range of a spectrum; the rest becomes 0.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const int16_t *", Asm: "ENERGY_IN", Doc: "real and imaginary parts"},
			{Name: "out", Type: cstruct.Pointer, C: "uint32_t *", Asm: "ENERGY_OUT"},
			{Name: "first", Type: cstruct.I32, Asm: "ENERGY_FIRST", Doc: "element of the range"},
			{Name: "count", Type: cstruct.I32, Asm: "ENERGY_COUNT", Doc: "elements of the range"},
			{Name: "rest", Type: cstruct.I32, Asm: "ENERGY_REST", Doc: "elements behind it"},
		},
	}
	bankParams = &cstruct.Struct{
		Name: "arcq_signal_bank_params", Doc: "Energies summed over overlapping triangles.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const uint32_t *", Asm: "BANK_IN"},
			{Name: "falling", Type: cstruct.Pointer, C: "const int16_t *", Asm: "BANK_FALLING", Doc: "weights, not negative"},
			{Name: "rising", Type: cstruct.Pointer, C: "const int16_t *", Asm: "BANK_RISING", Doc: "weights, not negative"},
			{Name: "bins", Type: cstruct.Pointer, C: "const int16_t *", Asm: "BANK_BINS", Doc: "the first energy of each band"},
			{Name: "first", Type: cstruct.Pointer, C: "const int16_t *", Asm: "BANK_FIRST", Doc: "the first weight of each band"},
			{Name: "widths", Type: cstruct.Pointer, C: "const int16_t *", Asm: "BANK_WIDTHS", Doc: "energies of each band"},
			{Name: "out", Type: cstruct.Pointer, C: "uint64_t *", Asm: "BANK_OUT", Doc: "one element less than bands"},
			{Name: "bands", Type: cstruct.I32, Asm: "BANK_BANDS"},
		},
	}
	rootParams = &cstruct.Struct{
		Name: "arcq_signal_root_params", Doc: "Rounded square roots, shifted down.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const uint64_t *", Asm: "ROOT_IN"},
			{Name: "out", Type: cstruct.Pointer, C: "uint32_t *", Asm: "ROOT_OUT"},
			{Name: "bits", Type: cstruct.Pointer, C: "const int32_t *", Asm: "ROOT_BITS", Doc: "the shift, 0 to 31"},
			{Name: "count", Type: cstruct.I32, Asm: "ROOT_COUNT"},
		},
	}
	noiseParams = &cstruct.Struct{
		Name: "arcq_signal_noise_params", Doc: "The estimated noise of each channel taken from the signal.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const uint32_t *", Asm: "NOISE_IN"},
			{Name: "estimate", Type: cstruct.Pointer, C: "uint32_t *", Asm: "NOISE_ESTIMATE", Doc: "state"},
			{Name: "out", Type: cstruct.Pointer, C: "uint32_t *", Asm: "NOISE_OUT"},
			{Name: "out_estimate", Type: cstruct.Pointer, C: "uint32_t *", Asm: "NOISE_OUT_ESTIMATE", Doc: "the state again"},
			{Name: "channels", Type: cstruct.I32, Asm: "NOISE_CHANNELS"},
			{Name: "smoothing", Type: cstruct.U32, Asm: "NOISE_PRESENT", Doc: "weight of the present, even channels"},
			{Name: "one_minus_smoothing", Type: cstruct.U32, Asm: "NOISE_PAST"},
			{Name: "alternate_smoothing", Type: cstruct.U32, Asm: "NOISE_ODD_PRESENT", Doc: "odd channels"},
			{Name: "alternate_one_minus_smoothing", Type: cstruct.U32, Asm: "NOISE_ODD_PAST"},
			{Name: "smoothing_bits", Type: cstruct.U32, Asm: "NOISE_SMOOTHING_BITS", Doc: "0 to 31"},
			{Name: "spectral_subtraction_bits", Type: cstruct.U32, Asm: "NOISE_WEIGHT_BITS", Doc: "0 to 31"},
			{Name: "min_signal_remaining", Type: cstruct.U32, Asm: "NOISE_REMAINING"},
			{Name: "clamping", Type: cstruct.U32, Asm: "NOISE_CLAMPING", Doc: "1: the estimate never exceeds the signal"},
		},
	}
	gainParams = &cstruct.Struct{
		Name: "arcq_signal_gain_params", Doc: "The gain of each channel by its estimated noise.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const uint32_t *", Asm: "GAIN_IN"},
			{Name: "estimate", Type: cstruct.Pointer, C: "const uint32_t *", Asm: "GAIN_ESTIMATE"},
			{Name: "gains", Type: cstruct.Pointer, C: "const int16_t *", Asm: "GAIN_TABLE", Doc: "125"},
			{Name: "out", Type: cstruct.Pointer, C: "uint32_t *", Asm: "GAIN_OUT"},
			{Name: "channels", Type: cstruct.I32, Asm: "GAIN_CHANNELS"},
			{Name: "snr_shift", Type: cstruct.I32, Asm: "GAIN_SHIFT", Doc: "0 to 31"},
		},
	}
	logParams = &cstruct.Struct{
		Name: "arcq_signal_log_params", Doc: "Scaled natural logarithms.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const uint32_t *", Asm: "LOG_IN"},
			{Name: "table", Type: cstruct.Pointer, C: "const uint16_t *", Asm: "LOG_TABLE", Doc: "130: how much log2(1+i/128) exceeds i/128"},
			{Name: "out", Type: cstruct.Pointer, C: "int16_t *", Asm: "LOG_OUT"},
			{Name: "count", Type: cstruct.I32, Asm: "LOG_COUNT"},
			{Name: "correction_bits", Type: cstruct.I32, Asm: "LOG_BITS", Doc: "left shift of an element, 0 to 31"},
			{Name: "output_scale", Type: cstruct.I32, Asm: "LOG_SCALE"},
		},
	}
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
	return []row{
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

func fillScale(p *params, c *nn.Call) {
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	p.output("bits", "bits")
	p.set("count", int64(c.In[0].Len()))
}

func fillRfft(p *params, c *nn.Call) {
	n := c.Attrs.Int("fft_length") / 2
	places := make([]int64, n)
	var roots, halfRoots []int64
	for i := range places {
		for rest, unit := i, n/4; unit > 0; rest, unit = rest/4, unit/4 {
			places[i] += int64(rest % 4 * unit)
		}
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
