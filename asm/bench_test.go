package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// benchmarkSource is 100,000 lines of the em pairs without control transfers.
func benchmarkSource(b *testing.B) (text string, lines int) {
	var all []string
	for _, r := range readTable(b, "pairs.tsv.gz", 6) {
		switch r[1] {
		case "BRANCH", "BRCC", "BBIT0", "BBIT1", "JUMP", "LOOP", "BI", "BIH", "JLI", "EI", "LEAVE", "ENTER", "SJLI":
			continue
		}
		if r[5] == "em" {
			all = append(all, r[4])
		}
	}
	for len(all) < 100_000 {
		all = append(all, all[:min(len(all), 100_000-len(all))]...)
	}
	return "\t" + strings.Join(all[:100_000], "\n\t") + "\n", 100_000
}

// BenchmarkAssemble is the speed on plain instructions, the objects included.
func BenchmarkAssemble(b *testing.B) {
	text, lines := benchmarkSource(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		obj, err := AssembleString(Options{CPU: "em4"}, "bench.s", text)
		require.NoError(b, err)
		_, err = obj.Bytes()
		require.NoError(b, err)
	}
	b.ReportMetric(float64(lines)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkMacros is the speed of expansions, labels and branches.
func BenchmarkMacros(b *testing.B) {
	text := ".macro step a,b\n add \\a,\\a,\\b\n brne \\a,\\b,1f\n ld.ab r2,[r1,4]\n1: sub.f 0,\\a,8\n.endm\n" +
		strings.Repeat(" step r0,r3\n", 10_000)
	b.ReportAllocs()
	for b.Loop() {
		_, err := AssembleString(Options{CPU: "em4"}, "bench.s", text)
		require.NoError(b, err)
	}
	b.ReportMetric(40_000*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkSmall measures a source of a few lines.
func BenchmarkSmall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, err := AssembleString(Options{}, "bench.s", "f: add r0,r0,1\n j_s [blink]\n")
		require.NoError(b, err)
	}
}
