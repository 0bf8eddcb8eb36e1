package speed

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/oracle/torture"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

// program is a C program of testdata with the sources that it needs from elsewhere.
type program struct {
	name    string
	dir     string   // of sources from elsewhere, below the folder of the oracles
	sources []string // there
	define  string
	cpus    []string
}

var both = []string{"em4_dmips", "hs38"}

var programs = []program{
	{name: "lz4", dir: "lz4/lib", sources: []string{"lz4"}, cpus: both},
	{
		name: "zlib", dir: "zlib", define: "Z_SOLO", cpus: both,
		sources: []string{"adler32", "crc32", "deflate", "inffast", "inflate", "inftrees", "trees", "zutil"},
	},
	{
		name: "bzip2", dir: "bzip2", define: "BZ_NO_STDIO", cpus: both,
		sources: []string{"blocksort", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable"},
	},
	{name: "aes", cpus: both},
	{name: "bytecode", cpus: []string{"em4_dmips"}},
	{name: "unaligned", cpus: []string{"hs38"}},
}

// cores are templates that execute what is compiled for a processor.
var cores = map[string]string{"em4_dmips": "em9d", "hs38": "hs38"}

var engines = []arcv2dsp.EngineKind{
	arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT, arcv2dsp.EngineAuto,
}

// workload is a program built for a processor, and what it prints.
type workload struct {
	name, elf, core, want string
}

func workloads(t testing.TB) (list []workload) {
	dir := os.Getenv("ARCV2DSP_ORACLE_DIR")
	if dir == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	gnutools.Path(t, "gcc")
	tmp := t.TempDir()
	for _, p := range programs {
		args := []string{"-w", "-Itestdata", "-I" + filepath.Join(dir, p.dir), "testdata/" + p.name + ".c"}
		if p.define != "" {
			args = append(args, "-D"+p.define)
		}
		for _, s := range p.sources {
			args = append(args, filepath.Join(dir, p.dir, s+".c"))
		}
		host := filepath.Join(tmp, p.name)
		out, err := exec.Command("cc", append([]string{"-O1", "-o", host}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		want, err := exec.Command(host).Output()
		require.NoError(t, err)
		for _, cpu := range p.cpus {
			w := workload{name: p.name + "_" + cpu, elf: filepath.Join(tmp, p.name+"_"+cpu), core: cores[cpu], want: string(want)}
			s := torture.Suite{Source: filepath.Join(dir, "gcc-12.2.0"), Runtime: "../torture/runtime", Libgcc: "../libgcc.sh",
				Cache: filepath.Join(dir, "torture"), CPU: cpu, Opt: "-O2"}
			require.NoError(t, s.Compile(w.elf, args...))
			list = append(list, w)
		}
	}
	return list
}

// run executes a workload on an engine and returns its counts and the seconds of CPU time.
func (w *workload) run(t testing.TB, kind arcv2dsp.EngineKind) (arcv2dsp.Stats, float64) {
	var out bytes.Buffer
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: w.core, Engine: kind, Stdout: &out})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.NoError(t, m.LoadFile(w.elf))
	var stop arcv2dsp.Stop
	spent := cputime.Of(t, func() { stop, err = m.Run(context.Background(), arcv2dsp.Limits{Insts: 1_000_000_000}) })
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s: %v at %s", w.name, stop.Reason, m.Locate(stop.PC))
	require.Equal(t, w.want, out.String(), w.name)
	return m.Stats(), spent.Seconds()
}

// TestEngines runs every program to its end on all engines: they print what the host's build prints, and count the same.
// The default engine is not slower than the block engine with any of them, and by geometric mean at least twice as fast; that is at
// least four times as fast as the reference engine.
func TestEngines(t *testing.T) {
	list := workloads(t)
	logs := map[arcv2dsp.EngineKind]float64{}
	for i := range list {
		w := &list[i]
		want, ref := w.run(t, arcv2dsp.EngineReference)
		speed := map[arcv2dsp.EngineKind]float64{}
		line := fmt.Sprintf("%-18s %9d instructions, MIPS: reference %.0f", w.name, want.Insts, float64(want.Insts)/ref/1e6)
		for _, kind := range engines[1:] {
			best := math.Inf(1)
			for range 2 {
				got, spent := w.run(t, kind)
				require.Equal(t, want.Insts, got.Insts, w.name)
				require.Equal(t, want.Cycles, got.Cycles, w.name)
				require.Equal(t, want.Stalls, got.Stalls, w.name)
				best = min(best, spent)
			}
			speed[kind] = ref / best
			logs[kind] += math.Log(ref/best) / float64(len(list))
			line += fmt.Sprintf(", %s %.0f", strings.TrimSpace(kind.String()), float64(want.Insts)/best/1e6)
		}
		t.Log(line)
		require.Greater(t, speed[arcv2dsp.EngineAuto], 0.95*speed[arcv2dsp.EngineFast], w.name)
	}
	blocks, compiled := math.Exp(logs[arcv2dsp.EngineFast]), math.Exp(logs[arcv2dsp.EngineAuto])
	t.Logf("beside the reference engine: blocks %.2f times, auto %.2f", blocks, compiled)
	require.Greater(t, blocks, 4.0)
	require.Greater(t, compiled, 2*blocks)
}

// BenchmarkEngines measures whole runs, compilation included.
func BenchmarkEngines(b *testing.B) {
	for _, w := range workloads(b) {
		for _, kind := range engines {
			b.Run(w.name+"/"+kind.String(), func(b *testing.B) {
				var insts uint64
				var spent float64
				for b.Loop() {
					s, d := w.run(b, kind)
					insts, spent = insts+s.Insts, spent+d
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(insts)/spent/1e6, "MIPS")
			})
		}
	}
}
