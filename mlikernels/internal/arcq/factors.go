package arcq

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// Channels with next to no weights have factors far below those of their neighbours, and one such factor takes a whole call
// to slower loops. Their sums stay in a part of 32 bits, though, in which a factor of the usual shifts often gives the same
// elements.

// filtered prepares a call's filter, with usual factors where they give the same elements for all sums that the data can have.
func filtered(c *nn.Call) (tflite.Filter, error) {
	f, err := tflite.Filtered(c)
	weights := c.Input("weights")
	if err != nil || f.WeightZero != 0 || !weights.Filled() {
		return f, err
	}
	if !slices.ContainsFunc(f.Factors, isFar) {
		return f, nil
	}
	sums := sumsOf(c, f.InZero)
	for ch, m := range f.Factors {
		all := sums[ch:]
		if len(f.Factors) > 1 {
			all = all[:1]
		}
		if near := nearFactor(m); isFar(m) && !slices.ContainsFunc(all, func(s sumSpan) bool { return !s.same(m, near, f, scaling(c)) }) {
			f.Factors[ch] = near
		}
	}
	return f, nil
}

// isFar reports whether a factor has a shift that is not usual because it is too long.
func isFar(m quant.Multiplier) bool { return m.Value != 0 && -m.Shift >= termShifts }

// nearFactor is the nearest factor with the longest usual shift.
func nearFactor(m quant.Multiplier) quant.Multiplier {
	longest := 1 - termShifts
	return quant.Multiplier{Value: int32(quant.HalfUp.Shift(int64(m.Value), longest-m.Shift)), Shift: longest}
}

// sumSpan is where the sums of a channel lie.
type sumSpan struct{ least, greatest int64 }

// sumsOf are the sums of the channels of a call, for any data and with any part of the window beside the map: the zero point, which
// stands there, is one of the data.
func sumsOf(c *nn.Call, inZero int64) []sumSpan {
	weights, axis := c.Input("weights"), channelAxis(c)
	lo, hi := nn.I8.Range()
	sums := make([]sumSpan, weights.Dim(axis))
	for ch, b := range biases(c, len(sums)) {
		sums[ch] = sumSpan{b, b}
	}
	inner := nn.Count(weights.Shape[axis+1:])
	for i, w := range weights.Ints {
		s, a, b := &sums[i/inner%len(sums)], w*(lo-inZero), w*(hi-inZero)
		s.least += min(a, b)
		s.greatest += max(a, b)
	}
	return sums
}

// same reports whether two factors give the same elements for all sums. Elements grow with the sum, and there are at most 256,
// so it is enough that both factors go on to the next element at the same sum.
func (s sumSpan) same(a, b quant.Multiplier, f tflite.Filter, by quant.Scaling) bool {
	if !nn.I32.Holds(s.least) || !nn.I32.Holds(s.greatest) {
		return false
	}
	element := func(sum int64, m quant.Multiplier) int64 {
		return max(f.Min, min(int64(by.Apply(int32(sum), m))+f.OutZero, f.Max))
	}
	// end is the first sum behind those that have the element of the first one.
	end := func(first int64, m quant.Multiplier) int64 {
		v, past := element(first, m), s.greatest+1
		for last := first; past-last > 1; {
			if middle := last + (past-last)/2; element(middle, m) == v {
				last = middle
			} else {
				past = middle
			}
		}
		return past
	}
	for sum := s.least; sum <= s.greatest; {
		next := end(sum, a)
		if element(sum, a) != element(sum, b) || next != end(sum, b) {
			return false
		}
		sum = next
	}
	return true
}
