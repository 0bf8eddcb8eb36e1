package numbers_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp/internal/check/numbers"

	"github.com/stretchr/testify/require"
)

const folder = "../../../testdata/quant"

// records are those of one file of testdata/quant; FORMAT.md there says where they come from.
func records(t *testing.T, name string) [][]byte {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, name))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var all [][]byte
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<22)
	for scan.Scan() {
		all = append(all, []byte(scan.Text()))
	}
	require.NoError(t, scan.Err())
	return all
}

func formatOf(t *testing.T, record []byte) *numbers.Format {
	t.Helper()
	var keys map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(record, &keys))
	return numbers.FormatOf(keys)
}

// files are the recorded numbers, with how many of them there are.
var files = map[string]int{
	"gemmlowp_fixedpoint.jsonl.gz":           28,
	"gemmlowp_primitives.jsonl.gz":           237,
	"mlir_const_fake_quant_to_type.jsonl.gz": 61,
	"mlir_fxpmath.jsonl.gz":                  47,
	"mlir_quantize_const.jsonl.gz":           49,
	"mlir_solver_min_max.jsonl.gz":           41,
	"mlir_tf_fake_quant.jsonl.gz":            39,
	"mlir_tosa_apply_scale_32.jsonl.gz":      30,
	"mlir_types_roundtrip.jsonl.gz":          94,
	"tflm_quantize_params.jsonl.gz":          97,
	"tflm_requant_primitives.jsonl.gz":       118,
}

// TestRecords: every record is of a format, and what is computed equals it.
func TestRecords(t *testing.T) {
	for name, count := range files {
		all := records(t, name)
		require.Len(t, all, count, name)
		for i, record := range all {
			f := formatOf(t, record)
			require.NotNil(t, f, "%s line %d", name, i+1)
			require.NoError(t, f.Check(record), "%s line %d, %s", name, i+1, f.Name)
		}
	}
}

// TestWrongRecords: a record in which one recorded result is off by one is refused, for every key that holds results.
func TestWrongRecords(t *testing.T) {
	results := map[string][]string{
		"gemmlowp_fixedpoint.jsonl.gz":           {"out"},
		"gemmlowp_primitives.jsonl.gz":           {"out"},
		"mlir_const_fake_quant_to_type.jsonl.gz": {"type", "result"},
		"mlir_fxpmath.jsonl.gz":                  {"out", "multiplier", "exponent"},
		"mlir_quantize_const.jsonl.gz":           {"quantized"},
		"mlir_solver_min_max.jsonl.gz":           {"scale", "zero_point", "adj_min", "adj_max", "steps", "satisfied"},
		"mlir_tf_fake_quant.jsonl.gz": {"nudged_min", "nudged_max", "scale", "nudged_zero_point", "output", "output_pre2021",
			"level", "grad_x", "grad_min", "grad_max"},
		"mlir_tosa_apply_scale_32.jsonl.gz": {"out"},
		"mlir_types_roundtrip.jsonl.gz":     {"printed", "valid"},
		"tflm_quantize_params.jsonl.gz":     {"q", "dequantized", "output", "nudged_min", "nudged_max"},
		"tflm_requant_primitives.jsonl.gz":  {"out"},
	}
	require.Len(t, results, len(files))
	for name, keys := range results {
		seen := map[string]int{}
		for i, record := range records(t, name) {
			if i%5 != 0 && i > 20 {
				continue
			}
			for _, key := range keys {
				var v map[string]any
				d := json.NewDecoder(strings.NewReader(string(record)))
				d.UseNumber()
				require.NoError(t, d.Decode(&v))
				changed, ok := wrong(v[key])
				if !ok {
					continue
				}
				v[key] = changed
				text, err := json.Marshal(v)
				require.NoError(t, err)
				require.Error(t, formatOf(t, text).Check(text), "%s line %d: a wrong %s passes", name, i+1, key)
				seen[key]++
			}
		}
		for _, key := range keys {
			require.Positive(t, seen[key], "%s: no %s was changed", name, key)
		}
	}
}

// wrong changes a number, the first of a list, a truth or a text.
func wrong(v any) (any, bool) {
	switch x := v.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n + 1, true
		}
		f, err := x.Float64()
		return f*1.5 + 1, err == nil
	case bool:
		return !x, true
	case string:
		return strings.Replace(x, "8", "7", 1), strings.Contains(x, "8")
	case []any:
		if len(x) == 0 {
			return nil, false
		}
		first, ok := wrong(x[0])
		x[0] = first
		return x, ok
	case map[string]any:
		first, ok := wrong(x["bits"])
		x["bits"] = first
		return x, ok
	}
	return nil, false
}
