package arcq

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// TestFactorsAlike: two factors are the same for a span of sums if and only if all elements are, sum by sum.
func TestFactorsAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	seen := map[bool]int{}
	for i := range 300 {
		m := quant.Multiplier{Value: 1<<30 + r.Int32N(1<<30), Shift: -24 - r.IntN(5)}
		first := r.Int64N(1<<30) - 1<<29
		if i%2 == 0 { // around the end of an element
			first = int64((float64(r.IntN(4)-2)+0.5)/m.Real()) - r.Int64N(1<<12)
		}
		s := sumSpan{first, first + r.Int64N(1<<12)}
		f := tflite.Filter{OutZero: r.Int64N(256) - 128, Limits: tflite.Limits{Min: -100, Max: 127}}
		for _, by := range []quant.Scaling{quant.ScaleDouble, quant.ScaleSingle} {
			for _, other := range []quant.Multiplier{nearFactor(m), {Value: m.Value - m.Value>>3, Shift: m.Shift}} {
				want := true
				for sum := s.least; sum <= s.greatest; sum++ {
					element := func(m quant.Multiplier) int64 {
						return max(f.Min, min(int64(by.Apply(int32(sum), m))+f.OutZero, f.Max))
					}
					want = want && element(m) == element(other)
				}
				require.Equal(t, want, s.same(m, other, f, by), "%v and %v for %v", m, other, s)
				seen[want]++
			}
		}
	}
	require.Greater(t, seen[true], 100)
	require.Greater(t, seen[false], 100)
	wraps := sumSpan{least: 0, greatest: 1 << 31}
	m := quant.Multiplier{Value: 1 << 30, Shift: -31}
	require.False(t, wraps.same(m, m, tflite.Filter{}, quant.ScaleDouble), "sums of more than 32 bits")
}

// TestSumsOf: the span of a channel has every sum that data can give, and its ends are such sums.
func TestSumsOf(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, name := range []string{"CONV_2D", "DEPTHWISE_CONV_2D"} {
		shape := map[string][]int{"CONV_2D": {9, 1, 1, 9}, "DEPTHWISE_CONV_2D": {1, 1, 1, 9}}[name]
		c := channelCall(r, name, "NONE", []int{1, 1, 1, 9}, shape, []int{1, 1, 1, 9}, func(int) float32 { return 1 }, 8)
		zero := c.In[0].Format.Zero(0)
		for ch, s := range sumsOf(c, zero) {
			ends := sumSpan{c.In[2].Ints[ch], c.In[2].Ints[ch]}
			for cell := range len(c.In[1].Ints) / len(c.In[2].Ints) {
				w := c.In[1].Ints[ch*len(c.In[1].Ints)/9+cell] // of a depthwise window of one cell as well
				least, greatest := int64(0), int64(0)          // beside the map
				for x := int64(-128); x < 128; x++ {
					least, greatest = min(least, w*(x-zero)), max(greatest, w*(x-zero))
				}
				ends.least, ends.greatest = ends.least+least, ends.greatest+greatest
			}
			require.Equal(t, ends, s, "%s, channel %d", name, ch)
		}
	}
}

// TestFactorsOfFewWeights: a channel whose weights hardly count gets a usual factor, and one whose sums tell the two apart keeps its own.
func TestFactorsOfFewWeights(t *testing.T) {
	for _, round := range []nn.Rounding{nn.Double, nn.Single} {
		r := rand.New(rand.NewPCG(5, 5))
		factor := func(channel int) float32 {
			if channel == 2 || channel == 3 {
				return 1.7 / (1 << 26)
			}
			return 1.7 / (1 << 9)
		}
		c := channelCall(r, "CONV_2D", "NONE", []int{1, 2, 3, 4}, []int{9, 3, 3, 4}, []int{1, 2, 3, 9}, factor, 16)
		c.Rounding = round
		c.In[0].Format.Scales[0] = 1.3 // so that the factors need all their bits
		plain, err := tflite.Filtered(c)
		require.NoError(t, err)
		f, err := filtered(c)
		require.NoError(t, err)
		require.Equal(t, plain.Factors[0], f.Factors[0])
		require.NotEqual(t, int64(anyRare), rareChannels(f.Factors, round))
		require.Equal(t, int64(anyRare), rareChannels(plain.Factors, round))
		// A bias at which the two factors give different elements, which is where one goes on to the next.
		s, far := sumsOf(c, f.InZero)[2], plain.Factors[2]
		apart := int64(0)
		for k := 0.5; apart == 0; k++ {
			middle := int64(k / far.Real())
			require.Less(t, middle, int64(1<<31-8))
			for sum := middle - 8; sum < middle+8; sum++ {
				if scaling(c).Apply(int32(sum), far) != scaling(c).Apply(int32(sum), nearFactor(far)) {
					apart = sum
				}
			}
		}
		c.In[2].Ints[2] += apart - s.least
		f, err = filtered(c)
		require.NoError(t, err)
		require.Equal(t, far, f.Factors[2])
	}
}
