package golden_test

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/mlikernels/golden"
)

func TestShiftTies(t *testing.T) {
	// -1.5, -0.5, 0.5, 1.5, 2.5 in halves.
	ties := []int64{-3, -1, 1, 3, 5}
	for mode, want := range map[golden.Rounding][]int64{
		golden.Convergent: {-2, 0, 0, 2, 2},
		golden.Up:         {-1, 0, 1, 2, 3},
	} {
		for i, x := range ties {
			require.Equal(t, want[i], mode.Shift(x, 1), "%v %d", mode, x)
		}
	}
	require.Equal(t, int64(math.MaxInt64), golden.Up.Shift(1, -63))
	require.Equal(t, int64(math.MinInt64), golden.Up.Shift(-3, -62))
	require.Zero(t, golden.Up.Shift(0, -100))
	require.Zero(t, golden.Convergent.Shift(math.MinInt64, 64))
}

// TestShiftExact compares with rational arithmetic.
func TestShiftExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Int64().Draw(t, "x")
		n := rapid.IntRange(1, 63).Draw(t, "n")
		unit := new(big.Int).Lsh(big.NewInt(1), uint(n))
		floor, rest := new(big.Int).DivMod(big.NewInt(x), unit, new(big.Int))
		cmp := new(big.Int).Lsh(rest, 1).Cmp(unit)
		up, even := floor.Int64(), floor.Int64()
		if cmp >= 0 {
			up++
		}
		if cmp > 0 || cmp == 0 && even%2 != 0 {
			even++
		}
		require.Equal(t, up, golden.Up.Shift(x, n))
		require.Equal(t, even, golden.Convergent.Shift(x, n))
	})
}

func dense(typ golden.Type, name string, in, w, b []int32, frac [4]int) *golden.Case {
	fx := func(t golden.Type, f int, shape []int, data []int32) *golden.Tensor {
		return &golden.Tensor{Type: t, Frac: f, Shape: shape, Data: data, Dim: -1}
	}
	return &golden.Case{Lib: golden.MLI11, Kernel: name, Tensors: map[string]*golden.Tensor{
		"in": fx(typ, frac[0], []int{len(in)}, in), "w": fx(typ, frac[1], []int{1, len(in)}, w),
		"b": fx(typ, frac[2], []int{1}, b), "out": fx(typ, frac[3], nil, nil),
	}}
}

// TestOverflowReported: sums that leave 40 or 32 bits are named, also when they come back.
func TestOverflowReported(t *testing.T) {
	const name = "mli_krn_fully_connected_fx16"
	n := 1024 // 2^10 products of 2^30 are just past 2^39-1
	fill := func(v int32) []int32 {
		s := make([]int32, n)
		for i := range s {
			s[i] = v
		}
		return s
	}
	c := dense(golden.FX16, name, fill(-32768), fill(-32768), []int32{0}, [4]int{0, 0, 0, 0})
	res, err := golden.Run(c)
	require.NoError(t, err)
	require.Equal(t, []golden.Overflow{{Output: 0, Bits: 40, Peak: 1 << 40}}, res.Overflows)

	half := fill(-32768)[:511]
	fits := dense(golden.FX16, name, half, half, []int32{32767}, [4]int{15, 15, 0, 0})
	res, err = golden.Run(fits)
	require.NoError(t, err)
	require.NotEmpty(t, res.Overflows, "the bias alone, shifted by 30, needs 46 bits")

	fits.Tensors["b"].Frac = 30
	res, err = golden.Run(fits)
	require.NoError(t, err)
	require.Empty(t, res.Overflows)
	require.EqualValues(t, 511, res.Outputs["out"].Data[0])
}

// steps is how far, in units of the last bit, a family may be from the float64 reference: half a
// step where the only error is one rounding.
var steps = map[string]float64{
	"conv2d_chw": 0.5, "conv2d_hwc": 0.5, "depthwise_conv2d_chw": 0.5, "fully_connected": 0.5,
	"maxpool_chw": 0, "maxpool_hwc": 0, "avepool_chw": 1.5, "avepool_hwc": 1.5,
	"relu": 0.5, "leaky_relu": 0.5, "eltwise_add": 0, "eltwise_sub": 0, "eltwise_mul": 0.5,
	"eltwise_min": 0, "eltwise_max": 0, "concat": 0, "permute": 0, "padding2d_chw": 0, "padding2d_hwc": 0,
	"sigm": 1.5, "tanh": 1.5, "softmax": 8,
}

// TestFloatReference: the exact model is the float64 reference up to its own rounding.
func TestFloatReference(t *testing.T) {
	families := map[string]bool{}
	for _, file := range vectorFiles(t, "v11_convergent") {
		for c, err := range golden.CaseFile(file) {
			require.NoError(t, err)
			ref, err := c.Float()
			require.NoError(t, err)
			k, ok := golden.Lookup(c.Lib, c.Kernel)
			require.True(t, ok)
			tolerance, listed := steps[k.Family]
			if !listed || k.AccBits == 32 && k.Data == golden.SA8 && k.Inputs[len(k.Inputs)-1] == "b" {
				continue // recurrent cells: TestRecurrentFloat; affine MACs keep few bits of small scales
			}
			if slope := c.Tensors["slope"]; slope != nil && (slope.Value(0) >= 1 || slope.Frac == 15) {
				continue // the library's comparison gives another function there
			}
			families[k.Family] = true
			for role, want := range ref {
				out := c.Tensors[role]
				step := math.Ldexp(1, -out.Frac)
				if out.Type.Affine() {
					step = math.Ldexp(float64(out.Scale[0]), -out.ScaleFrac)
				}
				lo, hi := limits(out)
				for i, w := range want {
					w = max(lo, min(hi, w))
					require.InDelta(t, w, out.Value(i), tolerance*step+tableError[k.Family],
						"%s case %d %s[%d]", c.Kernel, c.ID, role, i)
				}
			}
		}
	}
	require.Len(t, families, len(steps))
}

// tableError is what interpolation between the samples of the library's tables costs.
var tableError = map[string]float64{"sigm": 0.002, "tanh": 0.004, "softmax": 0.004}

// TestRecurrentFloat: cells with values that stay clear of every saturation.
func TestRecurrentFloat(t *testing.T) {
	seed := int32(1)
	tensor := func(frac int, shape ...int) *golden.Tensor {
		x := &golden.Tensor{Type: golden.FX16, Frac: frac, Shape: shape, Dim: -1}
		for range x.Len() {
			seed = seed*1103515245 + 12345
			x.Data = append(x.Data, seed>>16)
		}
		return x
	}
	for _, act := range []int{0, 1, 2} {
		for _, mode := range []int{0, 1, 2} {
			in := []int{3, 5}
			if mode == 0 {
				in = []int{5}
			}
			c := &golden.Case{Lib: golden.MLI11, Params: golden.Params{Ints: map[string]int{"mode": mode, "act": act}}}
			check := func(name string, gates int) {
				c.Kernel = name
				c.Tensors = map[string]*golden.Tensor{
					"in": tensor(15, in...), "prev_out": tensor(15, 4), "w": tensor(17, gates, 4, 9),
					"b": tensor(15, gates, 4), "cell_in": tensor(14, 4),
					"out": {Type: golden.FX16, Frac: 13}, "cell_out": {Type: golden.FX16, Frac: 14},
				}
				got, err := golden.Run(c)
				require.NoError(t, err)
				want, err := c.Float()
				require.NoError(t, err)
				for role, v := range want {
					q, err := golden.Compare(v, got.Outputs[role])
					require.NoError(t, err)
					require.Less(t, q.MaxAbs, 0.004, "%s act %d mode %d %s", name, act, mode, role)
				}
			}
			check("mli_krn_basic_rnn_cell_fx16", 1)
			check("mli_krn_lstm_cell_fx16", 4)
		}
	}
}

// limits are the values the container can hold.
func limits(t *golden.Tensor) (lo, hi float64) {
	bits := t.Type.Bits()
	ends := *t
	ends.Shape, ends.Data = []int{2}, []int32{-1 << (bits - 1), 1<<(bits-1) - 1}
	return ends.Value(0), ends.Value(1)
}

// TestRoundTrip: what the writer writes, the reader reads back.
func TestRoundTrip(t *testing.T) {
	for _, file := range vectorFiles(t, "v11_up") {
		for c, err := range golden.CaseFile(file) {
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, golden.WriteCase(&b, c))
			back, err := golden.ParseCase(b.Bytes())
			require.NoError(t, err)
			require.Equal(t, c, back)
		}
	}
}

// TestMalformedLines: a bad line is named with its reason, and the good ones around it are read.
func TestMalformedLines(t *testing.T) {
	good := `{"id":1,"lib":"1.1","round":"up","kernel":"mli_krn_relu_fx8","cfg":{"relu":0},` +
		`"in":{"type":"fx8","shape":[1],"frac":7,"data":[1]},"out":{"type":"fx8","shape":[1],"frac":7,"data":[1]}}`
	for _, row := range []struct{ line, want string }{
		{line: `{"id":1`, want: "unexpected end"},
		{line: `[]`, want: "cannot unmarshal array"},
		{line: `{"id":"x","kernel":"k"}`, want: "cannot unmarshal string"},
		{line: strings.Replace(good, `"mli_krn_relu_fx8"`, `""`, 1), want: "no kernel name"},
		{line: strings.Replace(good, `"up"`, `"down"`, 1), want: `unknown rounding mode "down"`},
		{line: strings.Replace(good, `"relu":0`, `"relu":"a"`, 1), want: `cfg "relu"`},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[2]`, 1), want: "needs 2 elements, data has 1"},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[-1]`, 1), want: "dimension 0 is -1"},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[99999,99999]`, 1), want: "more than"},
		{line: strings.Replace(good, `"data":[1]`, `"data":[200]`, 1), want: "element 0 is 200, outside fx8"},
		{line: strings.Replace(good, `"data":[1]`, `"data":[9999999999]`, 1), want: "9999999999"},
		{line: strings.Replace(good, `"frac":7,`, ``, 1), want: "no frac"},
		{line: strings.Replace(good, `"fx8"`, `"fx9"`, 1), want: `unknown element type "fx9"`},
		{line: strings.Replace(good, `"type":"fx8"`, `"type":"sa8"`, 1), want: "no sfrac"},
		{line: strings.Replace(good, `"type":"fx8","shape":[1],"frac":7`,
			`"type":"sa8","shape":[1],"sfrac":7,"dim":3,"scale":[1],"zp":[0]`, 1), want: "scale axis 3"},
		{line: strings.Replace(good, `"type":"fx8","shape":[1],"frac":7`,
			`"type":"sa8","shape":[1],"sfrac":7,"scale":[0],"zp":[0]`, 1), want: "scale 0 is not positive"},
	} {
		text := good + "\n\n" + row.line + "\n" + good + "\n"
		var cases int
		var bad []error
		for c, err := range golden.Cases("v.jsonl", strings.NewReader(text)) {
			if err != nil {
				bad = append(bad, err)
			} else if c != nil {
				cases++
			}
		}
		require.Equal(t, 2, cases, row.line)
		require.Len(t, bad, 1, row.line)
		require.ErrorContains(t, bad[0], "v.jsonl:3: ")
		require.ErrorContains(t, bad[0], row.want)
		var at *golden.LineError
		require.True(t, errors.As(bad[0], &at))
		require.Equal(t, 3, at.Line)
	}
	for _, err := range golden.CaseFile("no/such/file.jsonl") {
		require.ErrorContains(t, err, "no/such/file.jsonl")
	}
}

// FuzzCase: no record makes the reader or the model panic.
func FuzzCase(f *testing.F) {
	for _, file := range vectorFiles(f, "v11_up") {
		n := 0
		for c, err := range golden.CaseFile(file) {
			require.NoError(f, err)
			var b bytes.Buffer
			require.NoError(f, golden.WriteCase(&b, c))
			f.Add(b.Bytes())
			if n++; n == 3 {
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := golden.ParseCase(line)
		if err != nil {
			return
		}
		size := 1
		for _, x := range c.Tensors {
			size *= min(x.Len(), 1<<12)
			if size > 1<<24 || x.Len() > 1<<12 {
				return
			}
		}
		_, _ = golden.Run(c)
		_, _ = c.Float()
	})
}
