package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
)

// signalGrid is the grid of an operator of the audio front end: frames and channels of many sizes, numbers of
// every magnitude.
func signalGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range append(edges, 40, 480) {
			g.add(fmt.Sprintf("%d_%d", n, i), func(r *rand.Rand) *nn.Call { return signalCall(r, op, n, i) })
		}
	}
}

// irfftGrid has lengths of all powers of 4 up to 1024, loud spectra and quiet ones, and several at once.
func irfftGrid(op *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		for i := range 24 {
			length, spectra := []int{8, 32, 128, 512}[i%4], 1+i/4%3
			if i == 16 {
				length = 2048
			}
			g.add(fmt.Sprintf("%d_%d", length, i), func(r *rand.Rand) *nn.Call {
				in := random(r, t, spectra, length+2)
				quiet := []int{0, r.IntN(t.Bits())}[i%2]
				for k := range in.Ints {
					in.Ints[k] >>= quiet
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{{Type: t, Shape: []int{spectra, length}}},
					Attrs: nn.Attrs{"fft_length": length, "T": map[nn.Type]int{nn.I16: 7, nn.I32: 2}[t]}}
			})
		}
	}
}

// loud are samples whose greatest magnitude has as many bits as a frame happens to have.
func loud(r *rand.Rand, n int) *nn.Tensor {
	t := random(r, nn.I16, n)
	quiet := r.IntN(17)
	for i := range t.Ints {
		t.Ints[i] >>= quiet
	}
	return t
}

// magnitudes are numbers of 0 to bits bits, all lengths alike, that begin or end with ones at times.
func magnitudes(r *rand.Rand, t nn.Type, bits, n int) *nn.Tensor {
	x := nn.New(t, n)
	for i := range x.Ints {
		v := r.Uint64() >> (64 - bits)
		switch r.IntN(4) {
		case 0:
			v = 1<<bits - 1
		case 1:
			v = 1 << r.IntN(bits)
		}
		x.Ints[i] = int64(v >> r.IntN(bits))
	}
	return x
}

// signalCall makes a call of an operator of the audio front end, n samples or channels.
func signalCall(r *rand.Rand, op *nn.Operator, n, i int) *nn.Call {
	call := func(attrs nn.Attrs, out nn.Type, in ...*nn.Tensor) *nn.Call {
		return &nn.Call{Op: op, In: in, Out: []*nn.Tensor{{Type: out, Shape: in[0].Shape}}, Attrs: attrs}
	}
	switch op.Name {
	case "SignalWindow":
		in := random(r, nn.I16, 1+i%3, n)
		return call(nn.Attrs{"shift": []int{12, 0, 15, r.IntN(32)}[r.IntN(4)]}, nn.I16, in, random(r, nn.I16, n))
	case "SignalFftAutoScale":
		c := call(nn.Attrs{}, nn.I16, loud(r, n))
		c.Out = append(c.Out, &nn.Tensor{Type: nn.I32, Shape: []int{1}})
		return c
	case "SignalOverlapAdd":
		frames, lines, step := 1+i%3, 1+i%2, 1+r.IntN(n)
		c := call(nn.Attrs{"frame_step": step}, nn.I16, random(r, nn.I16, lines, frames, n), random(r, nn.I16, lines, n))
		c.Out[0].Shape = []int{lines, frames * step}
		return c
	case "SignalFramer":
		frames, lines, step := 1+i%3, 1+i%2, 1+r.IntN(n)
		room := (n + step - 1) / step * step
		waiting := nn.FromInts(nn.I32, []int{1}, []int64{int64(r.IntN(room/step) * step)})
		if i%4 == 0 {
			waiting.Ints[0] = int64(n - step)
		}
		c := call(nn.Attrs{"frame_size": n, "frame_step": step}, nn.I16, random(r, nn.I16, lines, frames*step), random(r, nn.I16, lines, room), waiting)
		c.Out[0].Shape = []int{lines, frames, n}
		c.Out = append(c.Out, &nn.Tensor{Type: nn.Bool, Shape: []int{1}})
		return c
	case "SignalStacker":
		left, right := i%4, i/4%3
		frames := left + right + 1
		waiting := nn.FromInts(nn.I32, []int{2}, []int64{int64(r.IntN(frames) * n), 1})
		if i%3 == 0 {
			waiting.Ints = []int64{0, 0}
		}
		c := call(nn.Attrs{"num_channels": n, "stacker_left_context": left, "stacker_right_context": right, "stacker_step": 1 + r.IntN(frames)}, nn.I16,
			random(r, nn.I16, n+i%2), random(r, nn.I16, frames*n), waiting)
		c.Out[0].Shape = []int{frames * n}
		c.Out = append(c.Out, &nn.Tensor{Type: nn.Bool, Shape: []int{1}})
		return c
	case "SignalRfft":
		length := []int{8, 32, 128, 512}[i%4]
		if i == 16 {
			length = 2048
		}
		c := call(nn.Attrs{"fft_length": length}, nn.I16, loud(r, max(1, min(n, length)-i%2)))
		c.Out[0].Shape = []int{length + 2}
		return c
	case "SignalEnergy":
		first := r.IntN(n + 1)
		c := call(nn.Attrs{"start_index": first, "end_index": first + r.IntN(n-first+1)}, nn.U32, random(r, nn.I16, 2*n))
		c.Out[0].Shape = []int{n}
		return c
	case "SignalFilterBank":
		return bankCall(r, op, n)
	case "SignalFilterBankSquareRoot":
		bits := nn.FromInts(nn.I32, []int{1}, []int64{int64(r.IntN(10))})
		return call(nn.Attrs{}, nn.U32, magnitudes(r, nn.U64, 62, n), bits)
	case "SignalFilterBankSpectralSubtraction":
		c := call(nn.Attrs{
			"num_channels": n, "smoothing": r.IntN(1 << 14), "one_minus_smoothing": r.IntN(1 << 14),
			"alternate_smoothing": r.IntN(1 << 14), "alternate_one_minus_smoothing": r.IntN(1 << 14),
			"smoothing_bits": r.IntN(12), "spectral_subtraction_bits": []int{14, 0, 31, r.IntN(32)}[r.IntN(4)],
			"min_signal_remaining": r.IntN(1 << 14), "clamping": i%2 == 0,
		}, nn.U32, magnitudes(r, nn.U32, 32, n), magnitudes(r, nn.U32, 32, n))
		c.Out = append(c.Out, &nn.Tensor{Type: nn.U32, Shape: []int{n}})
		return c
	case "SignalPCAN":
		return call(nn.Attrs{"snr_shift": r.IntN(32)}, nn.U32, magnitudes(r, nn.U32, 32, n), magnitudes(r, nn.U32, 32, n),
			random(r, nn.I16, 125))
	}
	return call(nn.Attrs{"input_correction_bits": r.IntN(8), "output_scale": []int{64, 1600, 1 << 20}[r.IntN(3)]}, nn.I16,
		magnitudes(r, nn.U32, 32, n))
}

// bankCall makes a call of the filter bank: bands of random places and widths, none at times.
func bankCall(r *rand.Rand, op *nn.Operator, n int) *nn.Call {
	const bins = 64
	lists := [3]*nn.Tensor{nn.New(nn.I16, n+1), nn.New(nn.I16, n+1), nn.New(nn.I16, n+1)}
	total := 0
	for i := range n + 1 {
		width := r.IntN(12)
		lists[0].Ints[i], lists[1].Ints[i], lists[2].Ints[i] = int64(r.IntN(bins-width)), int64(total), int64(width)
		total += width
	}
	weights := [2]*nn.Tensor{random(r, nn.I16, total+1), random(r, nn.I16, total+1)}
	for _, w := range weights {
		for i, v := range w.Ints {
			w.Ints[i] = max(v, ^v)
		}
	}
	in := magnitudes(r, nn.U32, 32, bins)
	return &nn.Call{Op: op, In: []*nn.Tensor{in, weights[0], weights[1], lists[0], lists[1], lists[2]},
		Out: []*nn.Tensor{{Type: nn.U64, Shape: []int{n}}}, Attrs: nn.Attrs{"num_channels": n}}
}
