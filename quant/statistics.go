package quant

import (
	"fmt"
	"math"
)

// Statistics observes the values of a tensor over many inputs and returns the range that a type
// should represent.
type Statistics interface {
	// Observe takes the values of one input.
	Observe(values []float64) error
	// Range fails before the first value.
	Range() (lo, hi float64, err error)
}

// extent is the range of values; it refuses what is no number.
func extent(values []float64) (lo, hi float64, err error) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, 0, fmt.Errorf("value %d is %g", i, v)
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi, nil
}

// errEmpty is the answer of statistics that have seen nothing.
func errEmpty() error { return fmt.Errorf("empty statistics: no values were observed") }

// MinMax is the whole range of what was seen.
type MinMax struct {
	lo, hi float64
	seen   bool
}

// Observe widens the range.
func (m *MinMax) Observe(values []float64) error {
	lo, hi, err := extent(values)
	if err != nil || len(values) == 0 {
		return err
	}
	if m.seen {
		lo, hi = min(lo, m.lo), max(hi, m.hi)
	}
	m.lo, m.hi, m.seen = lo, hi, true
	return nil
}

// Range is the range so far.
func (m *MinMax) Range() (lo, hi float64, err error) {
	if !m.seen {
		err = errEmpty()
	}
	return m.lo, m.hi, err
}

// MovingAverage averages the ranges of the inputs: each new one counts by 1-Momentum.
type MovingAverage struct {
	Momentum float64 // 0 to 1; 0.9 is usual
	MinMax
}

// Observe moves both ends towards those of the input.
func (m *MovingAverage) Observe(values []float64) error {
	if !(m.Momentum >= 0 && m.Momentum <= 1) {
		return fmt.Errorf("momentum %g (0 to 1)", m.Momentum)
	}
	before := m.MinMax
	m.MinMax = MinMax{}
	if err := m.MinMax.Observe(values); err != nil || !m.seen {
		m.MinMax = before
		return err
	}
	if before.seen {
		m.lo = m.Momentum*before.lo + (1-m.Momentum)*m.lo
		m.hi = m.Momentum*before.hi + (1-m.Momentum)*m.hi
	}
	return nil
}

// Cut is the rule by which a histogram chooses the range, giving up some values for finer steps.
type Cut uint8

const (
	CutPercentile Cut = iota // the same share at both ends
	CutMSE                   // least squared error of the quantized values
	CutKL                    // least divergence of the quantized distribution
)

var cutNames = [...]string{CutPercentile: "percentile", CutMSE: "mse", CutKL: "kl"}

func (c Cut) String() string {
	if int(c) < len(cutNames) {
		return cutNames[c]
	}
	return fmt.Sprintf("cut(%d)", uint8(c))
}

// histogramBins is the resolution: enough that one level of 8 bits has 16 bins when all are in use.
const histogramBins = 4096

// Histogram counts values in bins of equal width, symmetric about zero. Its reach is a power of two that
// doubles as values demand, two bins becoming one, so that the counts do not depend on the order of
// inputs beyond the first reach.
type Histogram struct {
	Cut        Cut
	Percentile float64 // of CutPercentile: the share kept below the upper end, 99.99 for instance
	Storage    Storage // of the other cuts: whose levels the values will have

	MinMax
	reach  float64
	counts []float64
	total  float64
}

// Observe counts the values.
func (h *Histogram) Observe(values []float64) error {
	if err := h.MinMax.Observe(values); err != nil || len(values) == 0 {
		return err
	}
	need := max(h.hi, -h.lo, math.SmallestNonzeroFloat32)
	if h.counts == nil {
		h.counts = make([]float64, histogramBins)
		_, exponent := math.Frexp(need)
		h.reach = math.Ldexp(1, exponent)
	}
	for h.reach < need {
		h.double()
	}
	for _, v := range values {
		h.counts[h.bin(v)]++
	}
	h.total += float64(len(values))
	return nil
}

// double merges pairs of bins about the middle.
func (h *Histogram) double() {
	merged := make([]float64, histogramBins)
	for i, n := range h.counts {
		merged[histogramBins/4+i/2] += n
	}
	h.counts, h.reach = merged, 2*h.reach
}

func (h *Histogram) bin(v float64) int {
	i := int(math.Floor((v/h.reach + 1) / 2 * histogramBins))
	return max(0, min(i, histogramBins-1))
}

// edge is the lower end of a bin, center its middle.
func (h *Histogram) edge(bin int) float64 {
	return h.reach * (2*float64(bin)/histogramBins - 1)
}

func (h *Histogram) center(bin int) float64 { return (h.edge(bin) + h.edge(bin+1)) / 2 }

// Range is the range that the cut chooses, within what was seen.
func (h *Histogram) Range() (lo, hi float64, err error) {
	if !h.seen {
		return 0, 0, errEmpty()
	}
	switch h.Cut {
	case CutPercentile:
		return h.percentile()
	case CutMSE:
		return h.search(h.squaredError)
	case CutKL:
		return h.search(h.divergence)
	}
	return 0, 0, fmt.Errorf("unknown cut %d", h.Cut)
}

func (h *Histogram) percentile() (lo, hi float64, err error) {
	if !(h.Percentile > 50 && h.Percentile <= 100) {
		return 0, 0, fmt.Errorf("percentile %g (above 50, to 100)", h.Percentile)
	}
	drop := h.total * (1 - h.Percentile/100)
	lo, hi = h.lo, h.hi
	for i, below := 0, 0.0; i < histogramBins; i++ {
		if below += h.counts[i]; below > drop {
			lo = max(lo, h.edge(i))
			break
		}
	}
	for i, above := histogramBins-1, 0.0; i >= 0; i-- {
		if above += h.counts[i]; above > drop {
			hi = min(hi, h.edge(i+1))
			break
		}
	}
	return lo, hi, nil
}

// A search tries reaches from the greatest magnitude down, each a little below the one before.
const (
	searchSteps = 200
	searchRatio = 0.97
)

// search cuts the range at a reach on both sides of zero and takes the widest one of the least cost.
func (h *Histogram) search(cost func(p Params) float64) (lo, hi float64, err error) {
	if err := h.Storage.Check(); err != nil {
		return 0, 0, err
	}
	best, reach := math.Inf(1), max(h.hi, -h.lo)
	lo, hi = h.lo, h.hi
	for range searchSteps {
		l, u := max(h.lo, -reach), min(h.hi, reach)
		reach *= searchRatio
		if l > u {
			break // all values lie beyond the reach, on one side
		}
		p, _, err := TFLiteAsymmetric.Choose(l, u, h.Storage)
		if err != nil {
			return 0, 0, err
		}
		if p.Scale == 0 {
			break
		}
		if c := cost(p); c < best {
			best, lo, hi = c, l, u
		}
	}
	return lo, hi, nil
}

func (h *Histogram) squaredError(p Params) float64 {
	sum := 0.0
	for i, n := range h.counts {
		if n > 0 {
			x := h.center(i)
			d := p.Dequantize(RealMLI.Quantize(x, p, h.Storage)) - x
			sum += n * d * d
		}
	}
	return sum
}

// divergence is that of Kullback and Leibler, between the distribution of the values and the one that is
// left when each level spreads its share evenly over the bins that had values. Values beyond the range count
// at its ends. Steps finer than a bin are not compared: they would merge nothing, and a range of one bin would
// always be the best.
func (h *Histogram) divergence(p Params) float64 {
	if p.Scale < 2*h.reach/histogramBins {
		return math.Inf(1)
	}
	type level struct{ count, bins float64 }
	levels := map[int64]level{}
	at := make([]int64, histogramBins)
	first, last := histogramBins, -1
	lo, hi := p.Dequantize(h.Storage.Min)-p.Scale/2, p.Dequantize(h.Storage.Max)+p.Scale/2
	for i, n := range h.counts {
		if n == 0 {
			continue
		}
		at[i] = RealMLI.Quantize(h.center(i), p, h.Storage)
		if x := h.center(i); x >= lo && x <= hi {
			l := levels[at[i]]
			levels[at[i]] = level{l.count + n, l.bins + 1}
			first, last = min(first, i), max(last, i)
		}
	}
	if last < 0 {
		return math.Inf(1)
	}
	inside := 0.0
	for _, l := range levels {
		inside += l.count
	}
	sum := 0.0
	for i := first; i <= last; i++ {
		reference := h.counts[i]
		if reference == 0 {
			continue
		}
		l := levels[at[i]]
		if i == first {
			for j := range first {
				reference += h.counts[j]
			}
		}
		if i == last {
			for j := last + 1; j < histogramBins; j++ {
				reference += h.counts[j]
			}
		}
		r, q := reference/h.total, l.count/l.bins/inside
		sum += r * math.Log(r/q)
	}
	return sum
}
