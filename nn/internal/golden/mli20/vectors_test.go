package mli20_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/mli20"
	"arcv2dsp/nn/internal/mlirecord"
)

const recorded = "recorded"

// registry finds the operators that records name.
var registry = nn.NewRegistry(mli20.Operators())

// difference runs a record, in a build with the full accumulator or without, and says how the results differ
// from the recorded ones.
func difference(t *testing.T, r *mlirecord.Record, full bool, results ...string) error {
	t.Helper()
	op, err := r.Operator(registry)
	require.NoError(t, err)
	for _, name := range results {
		r.Tensors["out"] = r.Tensors[name]
	}
	c := r.Case(op)
	require.NotEmpty(t, c.Want)
	if full {
		c.Attrs["full_accumulator"] = true
	}
	ran, err := c.Expect()
	if err != nil {
		return err
	}
	got := ran.Results()
	for role, w := range c.Want {
		if err := nn.Difference(got[role], w); err != nil {
			return err
		}
		require.Equal(t, w.Format.Frac, got[role].Format.Frac)
		for i := range w.Format.Mantissas {
			require.Equal(t, w.Format.Scale(i), got[role].Format.Scale(i))
			require.Equal(t, w.Format.Zero(i), got[role].Format.Zero(i))
		}
	}
	return nil
}

// TestVectors runs every recorded case of the library's own code and wants every bit.
func TestVectors(t *testing.T) {
	for _, set := range []struct {
		round nn.Rounding
		cases int
	}{{nn.Convergent, 578}, {nn.Up, 588}} {
		t.Run(set.round.String(), func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(recorded, "calls", "*.jsonl.gz"))
			require.NoError(t, err)
			kernels, n := map[string]bool{}, 0
			for _, file := range files {
				for _, r := range records.Each(t, file, mlirecord.Parse) {
					if r.Round != set.round {
						continue
					}
					n++
					kernels[r.Kernel] = true
					require.NoError(t, difference(t, r, false), "%s: %s case %d (%v)", file, r.Kernel, r.ID, r.Attrs)
				}
			}
			require.Equal(t, set.cases, n, "records")
			for _, f := range mli20.Functions() {
				// Of softmax for fx8 there are the divergent lines only; conversions are among the user tests, and
				// fully_connected_fx8 is recorded nowhere.
				switch f.Name {
				case "mli_krn_softmax_fx8", "mli_hlp_convert_tensor", "mli_krn_fully_connected_fx8":
					continue
				}
				require.True(t, kernels[f.Name], f.Name)
			}
		})
	}
}

// TestFullAccumulator: the ten recorded calls of the other build are equal with its accumulator, and differ
// without, so that the choice is seen.
func TestFullAccumulator(t *testing.T) {
	n := 0
	for _, r := range records.Each(t, filepath.Join(recorded, "full_accumulator.jsonl.gz"), mlirecord.Parse) {
		require.NoError(t, difference(t, r, true), "%s case %d", r.Kernel, r.ID)
		require.Error(t, difference(t, r, false), "%s case %d", r.Kernel, r.ID)
		n++
	}
	require.Equal(t, 10, n)
}

// TestDivergent states for every call in which the two codes of the library differ which of them is ours.
func TestDivergent(t *testing.T) {
	const reference, em, own = "out_ref_reducedacc", "out_em_dsp", "own"
	n := map[string]int{}
	for _, r := range records.Each(t, filepath.Join(recorded, "divergent.jsonl.gz"), mlirecord.Parse) {
		ours := em // affine sums with the reduced accumulator, biases of 16-bit sums with all bits
		switch r.Kernel {
		case "mli_krn_rnn_dense_fx16":
			ours = reference // EM rounds up whatever the build says: DEVIATION(382)
		case "mli_krn_softmax_fx8":
			ours = own // both are defective: DEVIATION(380)
		}
		n[ours]++
		if ours != own {
			require.NoError(t, difference(t, r, false, ours), "%s case %d", r.Kernel, r.ID)
			continue
		}
		for _, theirs := range []string{reference, em} {
			require.Error(t, difference(t, r, false, theirs), "%s case %d", r.Kernel, r.ID)
		}
		// Our result is a distribution: no element is negative and they sum to one, give or take their rounding.
		op, _ := registry.Lookup(nn.MLI20, r.Kernel)
		c := r.Case(op)
		ran, err := c.Expect()
		require.NoError(t, err)
		var sum, lines float64 = 0, 1
		if axis := c.Attrs.Int("axis"); axis >= 0 {
			lines = float64(c.In[0].Len() / c.In[0].Shape[axis])
		}
		for i := range ran.Out[0].Len() {
			require.GreaterOrEqual(t, ran.Out[0].Value(i), 0.0)
			sum += ran.Out[0].Value(i)
		}
		require.InDelta(t, lines, sum, float64(ran.Out[0].Len()+1)/128)
	}
	require.Equal(t, map[string]int{em: 8, reference: 1, own: 7}, n)
}

// TestTables compares the computed tables with the library's.
func TestTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(recorded, "luts_v20.json"))
	require.NoError(t, err)
	var want map[string]struct {
		Length   int     `json:"length"`
		InFrac   int     `json:"in_frac"`
		OutFrac  int     `json:"out_frac"`
		InOffset int     `json:"in_offset"`
		Data     []int32 `json:"data"`
	}
	require.NoError(t, json.Unmarshal(text, &want))
	names := map[string]string{"sigm": "sigm", "tanh": "tanh", "softmax": "exp", "l2_normalize": "sqrt"}
	for name, table := range mli20.Tables() {
		found := false
		for theirs, w := range want {
			if !strings.Contains(theirs, names[name]) {
				continue
			}
			found = true
			require.Equal(t, w.Data, table.Data, name)
			require.Equal(t, mli.Table{InFrac: w.InFrac, OutFrac: w.OutFrac, Offset: w.InOffset, Data: w.Data}, *table, name)
		}
		require.True(t, found, name)
	}
}
