package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/isa"
	"arcv2dsp/mlikernels"
)

const baselines = "../../../benchmarks/baselines"

// run measures subjects, all of which must succeed or be skipped.
func run(t *testing.T, cores []string, patterns ...string) []Result {
	t.Helper()
	subjects, err := Select(Subjects(), patterns)
	require.NoError(t, err)
	r := Runner{Jobs: 2}
	results, err := r.Run(t.Context(), Tasks(subjects, Points(cores, nil)))
	require.NoError(t, err)
	require.Len(t, results, len(subjects)*len(cores))
	require.Empty(t, Failed(results))
	return results
}

// programs are the results of all guest programs on all cores.
func programs(t *testing.T) []Result {
	var patterns []string
	for _, p := range benchmarks.Programs() {
		patterns = append(patterns, p.Name)
	}
	return run(t, coreNames(), patterns...)
}

// TestPrograms holds the counts of the guest programs against the baselines, which are exact, and
// those on em9d against the windows of the programs. Every total is the sum of its reasons.
func TestPrograms(t *testing.T) {
	results := programs(t)
	counted := Counted(results)
	if goldenfile.Update() {
		require.NoError(t, UpdateBaseline(baselines, counted))
	}
	base, err := ReadBaseline(baselines, coreNames())
	require.NoError(t, err)
	for _, c := range base.Compare(counted, 0) {
		require.Equal(t, c.Before, c.Cycles, "%s on %s: go test ./internal/measure/bench -update records it", c.Name, c.Core)
	}
	for _, r := range counted {
		sum := r.Insts
		for _, n := range r.Stalls {
			sum += n
		}
		require.Equal(t, r.Cycles, sum, "%s on %s", r.Name, r.Core)
		if r.Core == "em9d" {
			p, ok := benchmarks.Lookup(r.Name)
			require.True(t, ok)
			require.True(t, p.Window.Contains(r.PerUnit()), "%s: %f cycles per %s, not in %v", r.Name, r.PerUnit(), r.Unit, p.Window)
		}
	}
}

// TestKernelBaselines holds the counts of all kernels against the baselines, which are exact.
func TestKernelBaselines(t *testing.T) {
	level.NeedsPlain(t, "measures all kernels")
	cores := []string{"em9d"}
	if !testing.Short() {
		cores = []string{"em9d", "em7d", "em5d", "em11d"}
	}
	results := run(t, cores, "^mli_krn_")
	require.Len(t, Counted(results), len(results), "kernels run on every core with DSP")
	if goldenfile.Update() {
		require.NoError(t, UpdateBaseline(baselines, results))
	}
	base, err := ReadBaseline(baselines, cores)
	require.NoError(t, err)
	for _, c := range base.Compare(results, 0) {
		require.Equal(t, c.Before, c.Cycles, "%s on %s: go test ./internal/measure/bench -update records it", c.Name, c.Core)
	}
	recorded := 0
	for _, r := range base.results {
		if strings.HasPrefix(r.Name, "Kernel/") && r.Options == "" {
			recorded++
		}
	}
	require.Equal(t, len(results), recorded, "the baselines hold these kernels and no others")
}

// TestRecordedTable: the table in docs/bench.md holds the counts of the programs.
func TestRecordedTable(t *testing.T) {
	results := run(t, coreNames(), "core", "dhry")
	slices.SortStableFunc(results, func(a, b Result) int { return strings.Compare(a.Name, b.Name) })
	table := &report.Table{Columns: columns("llrl", "program", "core", "cycles per iteration", "of them lost")}
	for _, r := range results {
		var lost []string
		for _, reason := range report.MostFirst(r.Stalls) {
			lost = append(lost, fmt.Sprintf("%s %.1f", reason, float64(r.Stalls[reason])/float64(r.Work)))
		}
		table.Add(r.Name, r.Core, fmt.Sprintf("%.1f", r.PerUnit()), strings.Join(lost, ", "))
	}
	var text strings.Builder
	require.NoError(t, table.Markdown(&text))
	goldenfile.Section(t, "../../../docs/bench.md", "-update -->\n", "<!-- end -->", text.String())
}

// TestBaselinesHaveStalls: each recorded count is the sum of the instructions and stalls beside it.
func TestBaselinesHaveStalls(t *testing.T) {
	for _, core := range coreNames() {
		path := filepath.Join(baselines, core+".txt")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		seen := map[string]bool{}
		reader := benchfmt.NewReader(bytes.NewReader(data), path)
		for reader.Scan() {
			r, ok := reader.Result().(*benchfmt.Result)
			if !ok {
				require.IsType(t, &benchfmt.UnitMetadata{}, reader.Result())
				continue
			}
			seen[string(r.Name)] = true
			cycles, sum := 0.0, 0.0
			for _, v := range r.Values {
				switch {
				case v.Unit == "cycles":
					cycles = v.Value
				case v.Unit == "insts" || strings.HasSuffix(v.Unit, "-stalls"):
					sum += v.Value
				}
			}
			require.NotZero(t, cycles)
			require.Equal(t, cycles, sum, "%s: %s", path, r.Name)
		}
		require.NoError(t, reader.Err())
		require.True(t, seen["Program/dhry"] && seen["Program/core"], path)
	}
}

// TestKernels measures a kernel of each kind with and without AGU. Its results are checked by the
// runner.
func TestKernels(t *testing.T) {
	level.NeedsPlain(t, "runs kernels on three cores twice")
	results := run(t, []string{"em9d", "em7d", "em4"}, "^mli_krn_fully_connected_fx16/64", "^mli_krn_(leaky_)?relu_fx8", "^mli_krn_maxpool_hwc_sa8/2x2")
	byCore := map[string][]Result{}
	for _, r := range results {
		byCore[r.Core] = append(byCore[r.Core], r)
	}
	for i, r := range byCore["em9d"] {
		require.Less(t, r.Cycles, byCore["em7d"][i].Cycles, "%s: the AGU makes it faster", r.Name)
		require.NotZero(t, r.Vendor)
		require.Zero(t, byCore["em7d"][i].Vendor, "the vendor was counted with AGU")
		require.Equal(t, "no DSP instructions", byCore["em4"][i].Skipped)
	}
	again := run(t, []string{"em9d", "em7d", "em4"}, "^mli_krn_fully_connected_fx16/64", "^mli_krn_(leaky_)?relu_fx8", "^mli_krn_maxpool_hwc_sa8/2x2")
	for i := range again {
		again[i].Seconds, results[i].Seconds = 0, 0
	}
	require.Equal(t, results, again, "counts are exact")
}

func TestFigures(t *testing.T) {
	r := Result{Cycles: 300, Insts: 150, Work: 400, Unit: "MAC", Peak: 2, Vendor: 200}
	require.InDelta(t, 0.5, r.IPC(), 1e-9)
	require.InDelta(t, 0.75, r.PerUnit(), 1e-9)
	require.InDelta(t, 200.0/3, r.PercentOfPeak(), 1e-9)
	require.InDelta(t, 1.5, r.Ratio(), 1e-9)
	require.Zero(t, Result{Cycles: 5}.PerUnit())
	require.Zero(t, Result{Cycles: 5, Work: 5, Unit: "byte"}.PercentOfPeak())
	require.Error(t, Result{Cycles: 10, Insts: 5, Stalls: map[string]uint64{"branch": 4}}.check())
	require.NoError(t, Result{Cycles: 10, Insts: 5, Stalls: map[string]uint64{"branch": 4, "jump": 1}}.check())
	require.EqualValues(t, 4, macPeak(isa.AllMPY))
	require.EqualValues(t, 2, macPeak(isa.DSP|isa.MPY7|isa.MPY8))
	require.EqualValues(t, 0, macPeak(isa.MPY6))
}

func TestGeomeanOfTheVendorComparison(t *testing.T) {
	c := Compare([]Result{
		{Name: "a", Cycles: 50, Vendor: 100}, {Name: "b", Cycles: 200, Vendor: 100}, {Name: "c", Cycles: 7},
		{Name: "d", Cycles: 7, Vendor: 1, Failure: "wrong"},
	})
	require.Len(t, c.Rows, 2)
	require.InDelta(t, 1.0, c.Geomean, 1e-9)
}

// TestElsewhere: the comparison names memories, leaves out what does not fit, and says why a board has no rows.
func TestElsewhere(t *testing.T) {
	subjects, err := Select(Subjects(), []string{"^mli_krn_fully_connected_fx16/", "^mli_krn_maxpool_hwc_fx8/2x2"})
	require.NoError(t, err)
	r := Runner{Jobs: 1}
	var c Comparison
	require.NoError(t, r.Elsewhere(t.Context(), subjects, &c))
	by := map[string]Configuration{}
	for _, e := range c.Elsewhere {
		by[e.Name] = e
	}
	interleaved, apart := by["em9d"], by["em9d not interleaved"]
	require.Equal(t, "X/Y interleaved", interleaved.Memory)
	require.Equal(t, "X/Y", apart.Memory)
	require.Equal(t, 3, interleaved.Rows)
	require.Equal(t, 2, interleaved.WellRows, "the pool of HWC maps in fx8 is left out")
	require.NotEqual(t, interleaved.Geomean, interleaved.WellGeomean)
	require.GreaterOrEqual(t, apart.Geomean, interleaved.Geomean)

	small := by["iotdk-em9d"] // the small AGU: kernels by loads
	require.Equal(t, "DCCM", small.Memory)
	require.Greater(t, small.Geomean, interleaved.Geomean)
	require.Len(t, small.Unfit, 1)
	// 1,024 x 256 weights, as many biases as outputs and the input, in halves, and the structures, in 128 KB
	require.Regexp(t, `^does not fit: 52[78][0-9]{3} bytes, dccm has 131072$`, small.Unfit[0].Skipped)

	kit := by["emsk23-em9d"]
	require.Equal(t, "X/Y interleaved", kit.Memory)
	require.Contains(t, kit.Unfit[0].Skipped, "yccm has 8192")
	require.Contains(t, by["emsk23-em7d"].Reason, "dsp_accshift_option is not 2")
	require.NotContains(t, by, "hsdk4xd-hs47d", "a board without closely coupled memory")
}

// TestRealMACs: a convolution with padding has fewer MACs with data, counted here by hand; every element has data.
func TestRealMACs(t *testing.T) {
	results := run(t, []string{"em9d"}, "^mli_krn_depthwise_conv2d_chw_fx8/3x3 64 16x16 pad1", "^mli_krn_relu_fx8/")
	require.Len(t, results, 2)
	require.EqualValues(t, 64*(3*16-2)*(3*16-2), results[0].Real)
	require.EqualValues(t, 64*16*16*9, results[0].Work)
	require.EqualValues(t, 1024, results[1].Real, "elements")
	require.Equal(t, "X/Y interleaved", results[0].Memory)
}

// shapesByForm has a small shape for every way shapes are written.
var shapesByForm = map[string]string{
	"KHxKW IN-OUT [N groups] [sSTRIDE|sSHxSW] [dN|dHxW] HxW [nopad|padN|padL.R.T.B]": "3x2 3-2 s2x1 7x9 pad1.0.1.1",
	"KHxKW CHANNELS [sSTRIDE|sSHxSW] [dN|dHxW] HxW [nopad|padN|padL.R.T.B]":          "3x3 3 s2 7x5 pad1",
	"IN-OUT": "7-5",
	"KHxKW [sSTRIDE|sSHxSW] HxWxCHANNELS [nopad|padN|padL.R.T.B]": "3x2 s2x1 7x5x3",
	"ELEMENTS":                          "9",
	"IN-OUT [N steps] [none|tanh|sigm]": "5-3 2 steps tanh",
	"IN+IN-OUT":                         "5+3-4",
	"ROWSxCHANNELS":                     "3x5",
	"ELEMENTS topN":                     "9 top2",
	"AxBxC to I.J.K":                    "3x4x5 to 2.0.1",
	"ELEMENTS TYPE-TYPE":                "9 fp32-sa8",
}

// TestShapesRun: a shape of every kernel that has shapes runs, with AGU ports and without.
func TestShapesRun(t *testing.T) {
	var subjects []Subject
	for i, k := range mlikernels.Kernels() {
		if k.Notation == nil || !level.Wants(i, 1, 7) {
			continue
		}
		shape, ok := shapesByForm[k.Notation.Form]
		require.True(t, ok, "no shape of the form %s", k.Notation.Form)
		c, err := k.Find(shape)
		require.NoError(t, err)
		subjects = append(subjects, caseSubject(c))
	}
	require.NotEmpty(t, subjects)
	r := Runner{Jobs: 2}
	results, err := r.Run(t.Context(), Tasks(subjects, Points([]string{"em9d", "em7d"}, nil)))
	require.NoError(t, err)
	require.Empty(t, Failed(results))
}

func TestSelect(t *testing.T) {
	all := Subjects()
	file := filepath.Join(t.TempDir(), "own.elf")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	got, err := Select(all, []string{"dhry", file, "core"})
	require.NoError(t, err)
	require.Len(t, got, 3)
	require.Equal(t, []string{"core", "dhry", file}, []string{got[0].Name, got[1].Name, got[2].Name})

	_, err = Select(all, []string{"relu_fx17"})
	require.EqualError(t, err, `unknown kernel or program "relu_fx17", did you mean "relu_fx16"?`)
	_, err = Select(all, []string{"relu("})
	require.ErrorContains(t, err, "is no regular expression")
}

// TestEveryKernelIsMeasured: there is a subject for each function of the library.
func TestEveryKernelIsMeasured(t *testing.T) {
	symbols := map[string]bool{}
	for _, s := range Subjects() {
		symbol, _, _ := strings.Cut(s.Name, "/")
		symbols[symbol] = true
	}
	for _, k := range mlikernels.Kernels() {
		require.True(t, symbols[k.Name()], k.Name())
	}
}

func TestFailuresEndNothing(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.elf")
	require.NoError(t, os.WriteFile(bad, []byte("no program"), 0o600))
	dhry, err := Select(Subjects(), []string{"dhry"})
	require.NoError(t, err)
	r := Runner{Jobs: 1}
	results, err := r.Run(t.Context(), Tasks([]Subject{FileSubject(bad), dhry[0]}, Points([]string{"em9d"}, nil)))
	require.NoError(t, err)
	require.Len(t, results, 2)
	require.Contains(t, results[0].Failure, "bad.elf")
	require.Empty(t, results[1].Failure)

	r.Limit = 1000
	results, err = r.Run(t.Context(), Tasks(dhry, Points([]string{"em9d"}, nil)))
	require.NoError(t, err)
	require.Contains(t, results[0].Failure, "did not end: cycle")

	point := Point{Core: "em9d", Settings: []string{"mpy_option=6"}, Label: "mpy_option=6"}
	kernels, err := Select(Subjects(), []string{"relu_fx8"})
	require.NoError(t, err)
	results, err = r.Run(t.Context(), Tasks(kernels, []Point{point}))
	require.NoError(t, err)
	require.Contains(t, results[0].Failure, "needs nsim_isa_mpy_option=8")
}

func TestInterruptKeepsWhatIsThere(t *testing.T) {
	subjects, err := Select(Subjects(), []string{"dhry", "crc", "sort"})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := Runner{Jobs: 1, Done: func(done, total int, _ Result) {
		require.Equal(t, 6, total)
		if done == 2 {
			cancel()
		}
	}}
	results, err := r.Run(ctx, Tasks(subjects, Points([]string{"em9d", "em4"}, nil)))
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, results, 2)
	require.Equal(t, "crc", results[0].Name)
}

func TestBaseline(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "base.txt")
	a := Result{Name: "a", Kind: Program, Core: "em9d", Cycles: 1000, Insts: 900, Stalls: map[string]uint64{"branch": 100}}
	b := Result{Name: "mli_krn_b/1024-256 x", Kind: Kernel, Core: "em9d", Cycles: 2_000_000, Insts: 2_000_000, Work: 4, Unit: "MAC"}
	require.NoError(t, UpdateBaseline(path, []Result{b, a}))

	base, err := ReadBaseline(path, []string{"em9d"})
	require.NoError(t, err)
	slower := a
	slower.Cycles, slower.Insts = 1006, 906
	fresh := Result{Name: "c", Kind: Program, Core: "em9d", Cycles: 1, Insts: 1}
	broken := Result{Name: "a", Kind: Program, Core: "em9d", Failure: "did not end"}
	changes := base.Compare([]Result{slower, b, fresh, broken}, 0.5)
	require.Len(t, changes, 4)
	require.True(t, changes[0].Regressed)
	require.InDelta(t, 0.6, changes[0].Percent, 1e-9)
	require.EqualValues(t, 2_000_000, changes[1].Before)
	require.False(t, changes[1].Regressed)
	require.Zero(t, changes[2].Before)
	require.False(t, changes[2].Regressed)
	require.True(t, changes[3].Regressed)
	require.False(t, base.Compare([]Result{slower}, 0.61)[0].Regressed)

	// an update replaces what it measured and keeps the rest
	require.NoError(t, UpdateBaseline(path, []Result{slower}))
	base, err = ReadBaseline(path, []string{"em9d"})
	require.NoError(t, err)
	changes = base.Compare([]Result{slower, b}, 0)
	require.EqualValues(t, 1006, changes[0].Before)
	require.EqualValues(t, 2_000_000, changes[1].Before)

	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.ErrorContains(t, UpdateBaseline(path, []Result{a, broken}), "no baseline is written")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Error(t, UpdateBaseline(filepath.Join(dir, "none", "base.txt"), []Result{a}))
}

func TestBadBaselines(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{name: "other core", text: "format: arcsim-bench-1\ncore: em7d\n\nBenchmarkProgram/a 1 5 cycles\n",
			want: "a baseline of core em7d, measured was em9d"},
		{name: "other version", text: "format: arcsim-bench-0\ncore: em9d\n\nBenchmarkProgram/a 1 5 cycles\n",
			want: "base.txt:4: format arcsim-bench-0, this version reads arcsim-bench-1"},
		{name: "other tool", text: "BenchmarkProgram/a 1 5 cycles\n", want: "base.txt:1: not written by arcsim bench"},
		{name: "no cycles", text: "format: arcsim-bench-1\ncore: em9d\nBenchmarkProgram/a 1 5 ns/op\n", want: "base.txt:3: no cycles"},
		{name: "half a cycle", text: "format: arcsim-bench-1\ncore: em9d\nBenchmarkProgram/a 1 1.5 cycles\n", want: "no cycles"},
		{name: "syntax", text: "BenchmarkProgram/a x\n", want: "base.txt:1:"},
		{name: "empty", text: "", want: "holds no results"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "base.txt")
			require.NoError(t, os.WriteFile(path, []byte(test.text), 0o600))
			_, err := ReadBaseline(path, []string{"em9d"})
			require.ErrorContains(t, err, test.want)
		})
	}
	_, err := ReadBaseline(filepath.Join(t.TempDir(), "none.txt"), []string{"em9d"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestSuites(t *testing.T) {
	suites, err := ParseSuites(benchmarks.SuitesFile, benchmarks.SuitesTOML)
	require.NoError(t, err)
	all := Subjects()
	for _, s := range suites {
		_, err := s.Select(all)
		require.NoError(t, err, s.Name)
		points, err := s.Points()
		require.NoError(t, err)
		want := len(s.Cores)
		for _, a := range s.Axes {
			want *= len(a.Values)
		}
		require.Len(t, points, want, s.Name)
	}
}

// manyAxes has 2^14 combinations, each value being legal.
const manyAxes = `icache = ["512", "1024"]
dcache = ["512", "1024"]
wait = [0, 1]
agu = [false, true]
turbo_boost = ["0", "1"]
swap_option = ["0", "1"]
bitscan_option = ["0", "1"]
bitstream_option = ["0", "1"]
unaligned_option = ["0", "1"]
stack_checking = ["0", "1"]
enable_timer_0 = ["0", "1"]
enable_timer_1 = ["0", "1"]
rtc_option = ["0", "1"]
fast_irq = ["0", "1"]
`

func TestBadSuites(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{name: "syntax", text: "[suites.a]\nabout = \"x\nsubjects = []\n", want: "s.toml:2: "},
		{name: "unknown key", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n\n# twice\nsubject = [\"core\"]\n",
			want: "s.toml:6: suites.a.subject: unknown key"},
		{name: "unknown table", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suit.b]\nx = 1\n",
			want: "s.toml:5: suit.b.x: unknown key"},
		{name: "wrong type", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = \"em9d\"\n", want: "s.toml:3: suites.a.cores: "},
		{name: "unknown core", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em8d\"]\n",
			want: `s.toml:3: suites.a.cores: unknown core "em8d"`},
		{name: "no subjects", text: "[suites.a]\ncores = [\"em9d\"]\n", want: "s.toml:1: suites.a: no subjects"},
		{name: "no cores", text: "\n[suites.a]\nsubjects = [\"dhry\"]\n", want: "s.toml:2: suites.a: no cores"},
		{name: "unknown property", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\nmpy_optoin = [\"6\"]\n",
			want: "s.toml:5: suites.a.sweep.mpy_optoin: "},
		{name: "bad value", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\nwait = [1, -2]\n",
			want: `s.toml:5: suites.a.sweep.wait: "-2" is not a number of cycles`},
		{name: "bad switch", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\nagu = [\"on\"]\n",
			want: `s.toml:5: suites.a.sweep.agu: "on" is neither`},
		{name: "no values", text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\nagu = []\n",
			want: "s.toml:5: suites.a.sweep.agu: no values"},
		{name: "no UTF-8", text: "# \n\n[suites.a]\nabout = \"\xe2\"\n", want: "s.toml:4: "},
		{name: "too many", want: "s.toml:4: suites.a.sweep: more than 10000 combinations",
			text: "[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\n" + manyAxes},
		{name: "empty", text: "", want: "s.toml:1: no suites"},
		{name: "bad shape", want: `s.toml:5: suites.a.shapes.relu: shape "big": relu takes ELEMENTS`,
			text: "[suites.a]\nsubjects = [\"relu\"]\ncores = [\"em9d\"]\n[suites.a.shapes]\nrelu = [\"64\", \"big\"]\n"},
		{name: "shape twice", want: `s.toml:5: suites.a.shapes.relu: shape "64" is there twice`,
			text: "[suites.a]\nsubjects = [\"relu\"]\ncores = [\"em9d\"]\n[suites.a.shapes]\nrelu = [\"64\", \"64\"]\n"},
		{name: "no shapes", want: "s.toml:4: suites.a.shapes.relu: no shapes",
			text: "[suites.a]\nsubjects = [\"relu\"]\ncores = [\"em9d\"]\nshapes.relu = []\n"},
		{name: "unknown family", want: `s.toml:5: suites.a.shapes.rule: unknown family with shapes "rule"`,
			text: "[suites.a]\nsubjects = [\"relu\"]\ncores = [\"em9d\"]\n[suites.a.shapes]\nrule = [\"64\"]\n"},
		{name: "a multiplier no DSP has", want: "s.toml:5: suites.a.sweep.mpy_option: nsim_isa_dsp_option=2 needs nsim_isa_mpy_option=8",
			text: "[suites.a]\nsubjects = [\"relu\"]\ncores = [\"em9d\"]\n[suites.a.sweep]\nmpy_option = [\"6\", \"8\"]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseSuites("s.toml", test.text)
			require.ErrorContains(t, err, test.want)
			var e *SuiteError
			require.ErrorAs(t, err, &e)
		})
	}
}

// TestPareto: with the multiplier from slow to fast and the cache from small to large,
//
//	m=6 c=1  400   front: nothing is cheaper
//	m=2 c=1  200   front: faster than m=6 c=1
//	m=6 c=2  400   no: m=6 c=1 is as fast with the smaller cache
//	m=2 c=2  100   front: the fastest
func TestPareto(t *testing.T) {
	s := Suite{Name: "x", Cores: []string{"em9d"}, Axes: []Axis{{Name: "m", Values: []string{"6", "2"}}, {Name: "c", Values: []string{"1", "2"}}}}
	result := func(options string, cycles uint64) Result {
		return Result{Name: "p", Core: "em9d", Options: options, Cycles: cycles, Insts: cycles}
	}
	choices := Pareto(s, []Result{result("m=6 c=1", 400), result("m=2 c=1", 200), result("m=6 c=2", 400), result("m=2 c=2", 100)})
	require.Len(t, choices, 4)
	var front []bool
	for _, c := range choices {
		front = append(front, c.Front)
	}
	require.Equal(t, []bool{true, true, false, true}, front)
	require.InDelta(t, 4, choices[0].Geomean, 1e-9)
	require.InDelta(t, 1, choices[3].Geomean, 1e-9)
}

// TestSweepOfMemory: each access to data costs its wait states, and only that.
func TestSweepOfMemory(t *testing.T) {
	subjects, err := Select(Subjects(), []string{"sort"})
	require.NoError(t, err)
	s := Suite{Cores: []string{"em9d"}, Axes: []Axis{{Name: "wait", Values: []string{"2", "1", "0"}}}}
	points, err := s.Points()
	require.NoError(t, err)
	r := Runner{Jobs: 2}
	results, err := r.Run(t.Context(), Tasks(subjects, points))
	require.NoError(t, err)
	require.Empty(t, Failed(results))
	one := results[1].Stalls["wait-state"]
	require.NotZero(t, one)
	require.Equal(t, 2*one, results[0].Stalls["wait-state"])
	require.Zero(t, results[2].Stalls["wait-state"])
	require.Equal(t, results[2].Cycles+2*one, results[0].Cycles)
}

// TestSuiteSelection: mistakes that only show when the subjects are known have their place too.
func TestSuiteSelection(t *testing.T) {
	const head = "[suites.a]\ncores = [\"em9d\"]\n"
	for _, test := range []struct{ name, text, want string }{
		{name: "unknown subject", text: head + "subjects = [\"relu_fx17\"]\n",
			want: `s.toml:3: suites.a.subjects: unknown kernel or program "relu_fx17", did you mean "relu_fx16"?`},
		{name: "not a subject", text: head + "subjects = [\"relu_fx8\"]\n\nshapes.tanh = [\"10\"]\n",
			want: "s.toml:5: suites.a.shapes.tanh: no kernel of this family is among the subjects"},
	} {
		t.Run(test.name, func(t *testing.T) {
			suites, err := ParseSuites("s.toml", test.text)
			require.NoError(t, err)
			_, err = suites[0].Select(Subjects())
			require.EqualError(t, err, test.want)
		})
	}
}

// sweep measures the only suite of a text.
func sweep(t *testing.T, text string) (Suite, []Result) {
	t.Helper()
	suites, err := ParseSuites("s.toml", text)
	require.NoError(t, err)
	require.Len(t, suites, 1)
	subjects, err := suites[0].Select(Subjects())
	require.NoError(t, err)
	points, err := suites[0].Points()
	require.NoError(t, err)
	r := Runner{Jobs: 2}
	results, err := r.Run(t.Context(), Tasks(subjects, points))
	require.NoError(t, err)
	require.Empty(t, Failed(results))
	return suites[0], results
}

// TestSweepOfShapes: kernels are measured with the shapes of the suite alone.
func TestSweepOfShapes(t *testing.T) {
	s, results := sweep(t, `[suites.a]
subjects = ["^mli_krn_fully_connected_fx16/", "^mli_krn_relu_fx8/"]
cores = ["em9d"]
shapes.fully_connected = ["32-16", "32-32", "64-64"]
sweep.agu = [false, true]
`)
	var names []string
	for _, r := range results[:len(results)/2] {
		names = append(names, strings.TrimPrefix(r.Name, "mli_krn_"))
	}
	require.Equal(t, []string{"relu_fx8/1024", "fully_connected_fx16/32-16", "fully_connected_fx16/32-32", "fully_connected_fx16/64-64"}, names)
	choices := Pareto(s, results)
	require.Len(t, choices, 2)
	require.True(t, choices[1].Front)
	byName := map[string]Result{}
	for _, r := range results[len(results)/2:] {
		byName[strings.TrimPrefix(r.Name, "mli_krn_fully_connected_fx16/")] = r
	}
	require.EqualValues(t, 32*16, byName["32-16"].Work)
	require.Zero(t, byName["32-16"].Vendor)
	require.NotZero(t, byName["64-64"].Vendor)
	require.Less(t, byName["32-16"].Cycles, byName["32-32"].Cycles)
}

// TestSweepOfKernels: the cost of memories and caches to kernels has its reason, and nothing else changes.
func TestSweepOfKernels(t *testing.T) {
	level.NeedsPlain(t, "measures kernels")
	const suite = `[suites.a]
subjects = ["^mli_krn_fully_connected_fx16/64", "^mli_krn_(leaky_)?relu_fx8/", "^mli_krn_maxpool_hwc_fx8/2x2", "^mli_krn_conv2d_chw_fx8/1x1 64-64 1x1"]
cores = ["em9d"]
[suites.a.sweep]
`
	const subjects = 5
	_, results := sweep(t, suite+"agu = [false, true]\nwait = [2, 1, 0]\n")
	require.Len(t, results, 6*subjects)
	for i := 0; i < len(results); i += 3 * subjects {
		for j := range subjects {
			two, one, none := results[i+j], results[i+subjects+j], results[i+2*subjects+j]
			require.Zero(t, none.Stalls["wait-state"])
			require.NotZero(t, one.Stalls["wait-state"])
			require.Equal(t, 2*one.Stalls["wait-state"], two.Stalls["wait-state"], "%s %s", two.Name, two.Options)
			for _, r := range []Result{one, two, none} {
				sum := r.Insts
				for _, n := range r.Stalls {
					sum += n
				}
				require.Equal(t, r.Cycles, sum)
				require.Equal(t, none.Insts, r.Insts)
			}
		}
	}
	_, results = sweep(t, suite+`icache = ["0", "512,16,1,a", "16384,32,2,a"]`)
	for j := range subjects {
		coupled, small, large := results[j], results[subjects+j], results[2*subjects+j]
		require.Zero(t, coupled.Stalls["icache"])
		require.NotZero(t, large.Stalls["icache"])
		require.Equal(t, coupled.Cycles+large.Stalls["icache"], large.Cycles, "%s: code behind a cache costs its misses", large.Name)
		require.Equal(t, coupled.Cycles+small.Stalls["icache"], small.Cycles)
	}
	_, results = sweep(t, suite+`dcache = ["0", "512,32,2,a", "16384,32,2,a"]`)
	for j := range subjects {
		require.Zero(t, results[j].Stalls["dcache"])
		require.NotZero(t, results[2*subjects+j].Stalls["dcache"])
	}
}

// TestBenchstatReadsIt has benchstat itself compare two outputs.
func TestBenchstatReadsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("builds benchstat")
	}
	write := func(name string, cycles uint64) string {
		var text bytes.Buffer
		host := ThisHost()
		require.NoError(t, WriteGo(&text, []Result{{Name: "a", Kind: Program, Core: "em9d", Cycles: cycles, Insts: 1000,
			Stalls: map[string]uint64{"branch": cycles - 1000}}}, &host))
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, text.Bytes(), 0o600))
		return path
	}
	cmd := exec.Command("go", "run", "golang.org/x/perf/cmd/benchstat", "-format", "csv", write("old", 2000), write("new", 1500))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	require.Contains(t, string(out), "Program/a,2000,0%,1500,0%,-25.00%,n=1")
	require.Contains(t, string(out), "Program/a,1000,0%,500,0%,-50.00%,n=1") // branch-stalls
}

// FuzzParseSuites: whatever a file holds, the error has its place.
func FuzzParseSuites(f *testing.F) {
	f.Add(benchmarks.SuitesTOML)
	f.Add("[suites.a]\nsubjects = [\"dhry\"]\ncores = [\"em9d\"]\nsweep.wait = [1, 2.5, true, {}]\n")
	f.Add("suites = 3\n")
	f.Add("[[suites]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		suites, err := ParseSuites("s.toml", text)
		var e *SuiteError
		if err != nil {
			require.ErrorAs(t, err, &e)
			require.Positive(t, e.Line)
			return
		}
		for _, s := range suites {
			points, err := s.Points()
			require.NoError(t, err)
			require.LessOrEqual(t, len(points), maxPoints)
		}
	})
}

// FuzzReadBaseline: a baseline keeps its content when it is written again.
func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte("Unit cycles better=lower\nformat: arcsim-bench-1\ncore: em9d\n\nBenchmarkProgram/a 1 5 cycles 4 insts\n"))
	f.Add([]byte("format: arcsim-bench-1\nBenchmarkA 1 NaN cycles\n"))
	f.Add([]byte("format: arcsim-bench-1\nBenchmarkA 1 1e300 cycles\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := readGo("base.txt", data)
		if err != nil {
			return
		}
		kept, err := keptLines("base.txt", data, nil)
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, writeLines(&text, kept))
		again, err := readGo("again.txt", text.Bytes())
		require.NoError(t, err, text.String())
		require.Equal(t, records, again)
	})
}
