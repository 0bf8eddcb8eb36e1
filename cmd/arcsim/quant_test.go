package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/nn"
)

// TestQuantCheck: the report is that of package quant, and its threshold decides the status.
func TestQuantCheck(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, x *nn.Tensor) string {
		data, err := nn.FormatNPY(x)
		require.NoError(t, err)
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return path
	}
	reference := nn.New(nn.F32, 2, 2)
	copy(reference.Floats, []float32{0.5, -1, 1.25, 300})
	want := write("a.npy", reference)
	got := write("b.npy", nn.FromInts(nn.I8, []int{2, 2}, []int64{1, -2, 3, 127}))
	run := func(args ...string) (int, string, string) {
		var out, msg bytes.Buffer
		status := Main(append([]string{"quant", "check", want, got}, args...), nil, &out, &msg)
		return status, out.String(), msg.String()
	}
	const typ = "!quant.uniform<i8:f32, 0.5>"
	status, out, _ := run("--type", typ)
	require.Equal(t, 0, status)
	require.Contains(t, out, "max error 236.5 at 3")
	require.Contains(t, out, "in lsb: max 473.00")
	require.Contains(t, out, "1 saturated")
	status, out, _ = run("--type", typ, "--json")
	require.Equal(t, 0, status)
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, 236.5, report["max_error"])
	require.InDelta(t, 2.07, report["sqnr_db"], 0.01) // 10 log10(90002.8 / 55932.3)
	status, _, msg := run("--type", typ, "--sqnr", "30")
	require.Equal(t, cli.Failed, status)
	require.Contains(t, msg, "SQNR 2.1 dB is below 30 dB")
	status, _, msg = run("--type", "!quant.uniform<i8:f32:0, {0.5}>")
	require.Equal(t, cli.Host, status)
	require.Contains(t, msg, "1 scales along axis 0 of size 2")
	status, _, msg = run("--type", "i8")
	require.Equal(t, cli.Usage, status)
	require.Contains(t, msg, "--type: column 1: expected a type !quant.")
}

// TestQuantCheckReadsDoublePrecision: the reals of NumPy's default type on both sides.
func TestQuantCheckReadsDoublePrecision(t *testing.T) {
	header := []byte("\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }" + strings.Repeat(" ", 60) + "\n")
	dir := t.TempDir()
	write := func(name string, values ...float64) string {
		data := header
		for _, v := range values {
			data = binary.LittleEndian.AppendUint64(data[:len(data):len(data)], math.Float64bits(v))
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o644))
		return path
	}
	var out, msg bytes.Buffer
	status := Main([]string{"quant", "check", write("a.npy", 3, 4), write("b.npy", 3, 4.0000000005)}, nil, &out, &msg)
	require.Equal(t, 0, status, msg.String())
	require.Contains(t, out.String(), "2 values, SQNR 200.0 dB") // 20 log10(5 / 5e-10): less than float32 tells apart
}
