package model

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// TestLimits: the largest part of a layer's cycles comes first, parts below two percent are left out, and a layer without
// cycles has no limit.
func TestLimits(t *testing.T) {
	l := Layer{Cycles: 1000, Insts: 610, Stalls: map[string]uint64{"write-buffer": 280, "branch": 100, "jump": 10}}
	require.Equal(t, "instructions 61 %, write-buffer 28 %, branch 10 %", l.limits())
	require.Empty(t, (&Layer{}).limits())
}

// TestMemoryMap: pieces of memory that are in use for the same layer do not meet, in the plan and in the memories of a board, and
// the page draws all of them with the names of their tensors.
func TestMemoryMap(t *testing.T) {
	level.NeedsPlain(t, "measures a network")
	own, err := benchmarks.LookupNetwork("keywords")
	require.NoError(t, err)
	data, err := own.File()
	require.NoError(t, err)
	g, err := tflite.Read(data, golden.Operators(), nn.Double)
	require.NoError(t, err)
	for _, o := range []BenchOptions{{Core: "em9d"}, {Core: "emsk23-em9d", Placed: true}} {
		b, err := RunBench(context.Background(), g, RandomInputs(g, 1), o)
		require.NoError(t, err)
		require.NotEmpty(t, b.Map)
		for i, p := range b.Map {
			for _, q := range b.Map[i+1:] {
				apart := p.Memory != q.Memory || p.Last < q.First || q.Last < p.First || p.Offset+p.Bytes <= q.Offset || q.Offset+q.Bytes <= p.Offset
				inPlace := p.Offset == q.Offset && p.Bytes == q.Bytes
				require.True(t, apart || inPlace, "%+v %+v", p, q)
			}
		}
		b.File = "kws.tflite"
		var page bytes.Buffer
		require.NoError(t, WritePage(&page, []*Bench{b}, "", map[string]string{b.Layers[0].Kernel: "k/first.txt"}))
		for _, want := range []string{"Network kws.tflite", b.Layers[0].Ins[0].Name, "padding SAME", " over the layers", "cycles go to", `<a href="k/first.txt">`} {
			require.Contains(t, page.String(), want)
		}
		rows := Comparison([]*Bench{b}, []*Bench{b})
		var text bytes.Buffer
		require.NoError(t, rows.Text(&text))
		require.Equal(t, len(b.Layers)+1, bytes.Count(text.Bytes(), []byte("1.000")))
	}
}
