package quantnet

import (
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Proof bounds the accumulator of a layer for every input of its type.
type Proof struct {
	quant.Headroom     // of the channel that needs most bits
	Width          int // of the accumulator
	Products       int // that one sum has
	GivenUp        int // fraction bits of the weights that were given up to make it fit
	// Advice is MLI's rule of thumb for any weights; empty for other libraries.
	Advice string
}

// prove bounds the sums of every channel.
func prove(weights *nn.Tensor, axis int, offset int64, bias []int64, inputs quant.Storage, width int) *Proof {
	channels := weights.Dim(axis)
	rows := make([][]int64, channels)
	for i, v := range weights.Ints {
		ch := channelOf(i, weights.Shape, axis)
		rows[ch] = append(rows[ch], v)
	}
	p := &Proof{Width: width, Products: weights.Len() / channels}
	for ch, row := range rows {
		if h := quant.ProveHeadroom(row, offset, bias[ch], inputs); h.Bits > p.Bits {
			p.Headroom = h
		}
	}
	return p
}

// Holds reports whether the accumulator holds every sum.
func (p *Proof) Holds() bool { return p.Fits(p.Width) }
