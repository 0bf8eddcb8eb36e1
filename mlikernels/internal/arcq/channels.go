package arcq

import (
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// channelRecord is a kernel's data about an output channel.
var channelRecord = declared("arcq_channel")

// The controls of GETACC for one rounding (shared/requantize.inc): 16 bits of the product, saturated and
// rounded, of which Down() are dropped.
const (
	getWide16   = 0xbc00
	pointWide16 = 48
)

// shiftWord is the shift of a factor as parameter blocks have it. With two roundings it is the number of bits that the
// second one drops, or the complement of the number of bits by which a sum is shifted up before the first. With one
// rounding it is the control of GETACC. A factor of 0, which channels without weights have, may have any shift and
// gets a usual one.
func shiftWord(m quant.Multiplier, round nn.Rounding) int64 {
	switch {
	case round == nn.Single:
		return getWide16 | int64(uint8(pointWide16-m.Down()))
	case m.Value == 0:
		return 1
	}
	if m.Shift < 0 {
		return int64(-m.Shift)
	}
	return int64(^m.Shift)
}

// channels places the records of the output channels.
func (p *params) channels(member string, bias, folded []int64, factors []quant.Multiplier) {
	b := make([]byte, len(folded)*channelRecord.Size())
	for i := range folded {
		at := b[i*channelRecord.Size():]
		m := factors[min(i, len(factors)-1)]
		channelRecord.Put(at, "bias", bias[i])
		channelRecord.Put(at, "folded", folded[i])
		channelRecord.Put(at, "multiplier", int64(m.Value))
		channelRecord.Put(at, "shift", shiftWord(m, p.call.Rounding))
	}
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: kernel.Weights, Bytes: b}))
}

// usual reports whether a shift is one of the way that kernels have fast loops for.
func usual(shift int64) bool { return shift >= 1 && shift < 32 }

// rare is the member that says whether a factor is not usual.
func rare(m quant.Multiplier, round nn.Rounding) int64 {
	if usual(shiftWord(m, round)) {
		return 0
	}
	return 1
}

// What that member says of the factors of channels: the kernels with AGU ports have a loop for each.
const (
	allTwice = iota
	anyRare
	allOnce
)

// anyShifts is the member of kernels whose loops take all usual shifts and all of one rounding.
func anyShifts(factors []quant.Multiplier, round nn.Rounding) int64 {
	if round == nn.Single {
		return allOnce
	}
	for _, m := range factors {
		if !usual(shiftWord(m, round)) {
			return anyRare
		}
	}
	return allTwice
}

// termShifts is the bound of shifts down whose products leave bits for the zero point (shared/requantize.inc).
const termShifts = 24

// rareChannels is that member.
func rareChannels(factors []quant.Multiplier, round nn.Rounding) int64 {
	all := int64(allTwice)
	for _, m := range factors {
		switch shift := shiftWord(m, round); {
		case round == nn.Single && m.Shift <= 0 && m.Shift > -termShifts:
			all = allOnce
		case shift < 1 || shift >= termShifts:
			return anyRare
		}
	}
	return all
}

// biases are the biases of n output channels, zero where a call has none.
func biases(c *nn.Call, n int) []int64 {
	v := make([]int64, n)
	if b := c.Input("bias"); b != nil {
		copy(v, b.Ints)
	}
	return v
}

// wideShiftWord is the shift of a factor of 16 bits as parameter blocks have it.
func wideShiftWord(m quant.Multiplier16) int64 {
	return getWide16 | int64(uint8(pointWide16-m.Down()))
}
