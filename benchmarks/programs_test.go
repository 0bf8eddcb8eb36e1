package benchmarks_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

// TestProgramsPrintWhatTheyMust runs every program on every core that has its instructions.
func TestProgramsPrintWhatTheyMust(t *testing.T) {
	for _, p := range benchmarks.Programs() {
		image, err := p.Build()
		require.NoError(t, err)
		for _, core := range arcv2dsp.Cores() {
			t.Run(p.Name+"/"+core.Name, func(t *testing.T) {
				var out bytes.Buffer
				m, err := arcv2dsp.New(arcv2dsp.Config{Core: core.Name, Stdout: &out})
				require.NoError(t, err)
				defer m.Close()
				if !m.Core().Features.Has(p.Needs) {
					t.Skipf("needs %v", p.Needs)
				}
				require.NoError(t, m.Load(image))
				stop, err := m.Run(t.Context(), arcv2dsp.Limits{Insts: 10_000_000})
				require.NoError(t, err)
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v", stop)
				require.Zero(t, stop.Status)
				require.Equal(t, p.Output, out.String())
			})
		}
	}
}

// want is the output a program has in its description.
func want(t *testing.T, name string) string {
	t.Helper()
	p, ok := benchmarks.Lookup(name)
	require.True(t, ok)
	return p.Output
}

// seeded is the generator of guest.h.
func seeded(seed uint32) func() uint32 {
	return func() uint32 {
		seed = seed*1664525 + 1013904223
		return seed
	}
}

func noiseBytes(seed uint32, n int) []byte {
	next, data := seeded(seed), make([]byte, n)
	for i := range data {
		data[i] = byte(next() >> 24)
	}
	return data
}

// digest is FNV-1a over words.
func digest(words []uint32) uint32 {
	h := uint32(2166136261)
	for _, w := range words {
		h = (h ^ w) * 16777619
	}
	return h
}

func TestSHA256(t *testing.T) {
	var b strings.Builder
	for _, in := range []struct {
		name string
		data []byte
	}{{name: "abc", data: []byte("abc")}, {name: "data", data: noiseBytes(256, 4096)}} {
		sum := sha256.Sum256(in.data)
		for i := 0; i < len(sum); i += 4 {
			fmt.Fprintf(&b, "%s %08x\n", in.name, binary.BigEndian.Uint32(sum[i:]))
		}
	}
	require.Equal(t, b.String(), want(t, "sha256"))
}

func TestCRC(t *testing.T) {
	sum := crc32.ChecksumIEEE(noiseBytes(32, 4096))
	require.Equal(t, fmt.Sprintf("check cbf43926\nbits %08x\ntable %08x\n", sum, sum), want(t, "crc"))
}

func TestSort(t *testing.T) {
	next, words := seeded(2024), make([]uint32, 1000)
	for i := range words {
		words[i] = next() >> 8
	}
	slices.Sort(words)
	d := digest(words)
	require.Equal(t, fmt.Sprintf("quick %08x\nheap %08x\ninsertion %08x\n", d, d, d), want(t, "sort"))
}

func TestMatrix(t *testing.T) {
	const n = 32
	next := seeded(7)
	var a, b [n][n]int64
	for i := range n {
		for j := range n {
			a[i][j] = int64(int32(next()) >> 12)
			b[i][j] = int64(int32(next()) >> 12)
		}
	}
	var words, halfwords []uint32
	for i := range n {
		for j := range n {
			var sum, sum16 int64
			for k := range n {
				sum += a[i][k] * b[k][j]
				sum16 += int64(int16(a[i][k])) * int64(int16(b[k][j]))
			}
			words, halfwords = append(words, uint32(sum)), append(halfwords, uint32(sum16))
		}
	}
	require.Equal(t, fmt.Sprintf("words %08x\nhalfwords %08x\n", digest(words), digest(halfwords)), want(t, "matrix"))
}

// compiled lists the sources in C of the programs.
func compiled(t *testing.T) []string {
	t.Helper()
	var sources []string
	for _, p := range benchmarks.Programs() {
		source := p.Name + "/" + p.Name + ".c"
		if _, err := os.Stat(source); err == nil {
			sources = append(sources, source)
		}
	}
	require.NotEmpty(t, sources)
	return sources
}

// hostStart is start.inc for the host.
const hostStart = `#include <stdio.h>
void bench_begin(void) {}
void bench_end(void) {}
void write_text(const char *text, unsigned size) { fwrite(text, 1, size, stdout); }
`

// TestCompiledForTheHost: the same sources, by the host's compiler on the host's processor, print the
// same.
func TestCompiledForTheHost(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	start := filepath.Join(t.TempDir(), "start.c")
	require.NoError(t, os.WriteFile(start, []byte(hostStart), 0o600))
	for _, source := range compiled(t) {
		name := filepath.Base(filepath.Dir(source))
		program := filepath.Join(t.TempDir(), name)
		text, err := exec.Command(cc, "-O1", "-fno-builtin", "-I.", "-o", program, source, start).CombinedOutput()
		require.NoError(t, err, string(text))
		out, err := exec.Command(program).Output()
		require.NoError(t, err)
		require.Equal(t, want(t, name), string(out), name)
	}
}

// TestCompiledProgramsAreFresh: the assembly beside a C source is the compiler's output.
func TestCompiledProgramsAreFresh(t *testing.T) {
	gnutools.Path(t, "gcc")
	out := t.TempDir()
	text, err := exec.Command("sh", "build.sh", out).CombinedOutput()
	require.NoError(t, err, string(text))
	for _, source := range compiled(t) {
		file := strings.TrimSuffix(source, ".c") + ".s"
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		fresh, err := os.ReadFile(filepath.Join(out, file))
		require.NoError(t, err)
		require.Equal(t, string(fresh), string(got), "%s: run benchmarks/build.sh", file)
	}
}
