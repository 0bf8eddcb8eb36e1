package regress

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/network/model"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// run plans and runs; all results are wanted.
func run(t *testing.T, o Options, ro RunOptions) *Summary {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = DefaultSeed
	}
	s, err := Plan(o)
	require.NoError(t, err)
	results, err := s.Run(context.Background(), ro)
	require.NoError(t, err)
	require.Len(t, results, len(s.Cases()))
	return s.Summarize(results, 0, ro.Workers)
}

// hostOnly are the operators that hold or pass on what others compute: no kernel does.
var hostOnly = map[string]bool{"CONST of tosa": true, "VARIABLE_READ of tosa": true, "VARIABLE_WRITE of tosa": true}

// TestShort: the short regression passes and covers all kernels on both cores.
func TestShort(t *testing.T) {
	level.NeedsPlain(t, "runs a tenth of the grid on two cores")
	sum := run(t, Options{Short: true}, RunOptions{})
	for _, g := range sum.Groups {
		if g.first != nil {
			t.Errorf("%s: %s", g.first.Name, g.first.Failure.Message)
		}
	}
	require.True(t, sum.Good())
	kernels := 0
	for _, g := range sum.Groups {
		require.Len(t, g.Cores, 2, g.Name)
		k, err := mlikernels.Lookup(g.Name)
		if err == nil {
			kernels++
		}
		if err == nil && k.Of == mlikernels.MLI11() {
			require.NotZero(t, g.Recorded, "%s against recorded outputs", g.Name)
		}
		for core, c := range g.Cores {
			require.NotEqual(t, hostOnly[g.Name], c.Cycles > 0, "%s on %s", g.Name, core)
			lost := uint64(0)
			for _, n := range c.Stalls {
				lost += n
			}
			require.Equal(t, c.Cycles, c.Insts+lost, "%s on %s: cycles are instructions and stalls", g.Name, core)
		}
	}
	require.Equal(t, len(mlikernels.Kernels()), kernels)
	require.Greater(t, planned(sum, "tosa."), 2*1300)
}

// planned counts the cases whose names begin in a way.
func planned(s *Summary, prefix string) (n int) {
	for _, r := range s.Results {
		if strings.HasPrefix(r.Name, prefix) {
			n++
		}
	}
	return n
}

// TestFullGrid: the plan of the README's command.
func TestFullGrid(t *testing.T) {
	s, err := Plan(Options{Seed: DefaultSeed})
	require.NoError(t, err)
	names := map[string]bool{}
	for _, c := range s.Cases() {
		require.False(t, names[c.Name], c.Name)
		names[c.Name] = true
	}
	require.Greater(t, len(names), 60000)
	require.Empty(t, s.Missing)
}

// TestNetworks: the kernels compute whole networks as the golden model does.
func TestNetworks(t *testing.T) {
	level.NeedsPlain(t, "runs 18 networks")
	sum := run(t, Options{Match: regexp.MustCompile("^pictures_.*/convergent/"), Cores: []string{"em9d"}}, RunOptions{})
	require.True(t, sum.Good())
	require.Len(t, sum.Results, 18)
}

// TestBenchmarkNetworks: a short run has the two small networks of arcsim model on both cores, a full run all.
func TestBenchmarkNetworks(t *testing.T) {
	level.NeedsPlain(t, "runs four networks twice")
	full, err := Plan(Options{Match: regexp.MustCompile("/input/double/")})
	require.NoError(t, err)
	require.Len(t, full.Cases(), 2*len(benchmarks.Networks()))
	sum := run(t, Options{Match: regexp.MustCompile("/input/double/"), Short: true}, RunOptions{})
	require.True(t, sum.Good())
	require.Len(t, sum.Results, 4)
	for _, r := range sum.Results {
		require.True(t, r.Network)
		n, err := benchmarks.LookupNetwork(r.Group)
		require.NoError(t, err)
		b, err := model.RunBench(t.Context(), n.Graph(), []*nn.Tensor{n.Input()}, model.BenchOptions{Core: r.Core})
		require.NoError(t, err)
		require.Equal(t, b.Cycles, r.Cycles, "%s as arcsim model bench counts it", r.Name)
		require.Zero(t, b.Host)
	}
}

// TestNetworksAreTelling: no layer's output is all zero or mostly at the ends of its type.
func TestNetworksAreTelling(t *testing.T) {
	texts, err := networkTexts()
	require.NoError(t, err)
	for i := range texts {
		for typ := range networkTypes {
			g, err := texts[i].graph(typ, nn.Up)
			require.NoError(t, err)
			input := *g.Values[g.Inputs[0]].Tensor
			s := nn.NewSession(g, nn.GoldenExecutor{})
			s.After = func(node int, c *nn.Call) error {
				out := c.Out[0]
				lo, hi := out.Type.Range()
				zero, ends := 0, 0
				for _, v := range out.Ints {
					switch v {
					case 0:
						zero++
					case lo, hi:
						ends++
					}
				}
				require.Less(t, zero, out.Len()*97/100+1, "%s, layer %d", g.Name, node)
				require.Less(t, ends, out.Len()/5+1, "%s, layer %d", g.Name, node)
				return nil
			}
			_, err = s.Run(t.Context(), []*nn.Tensor{seeded("a picture", &input)})
			require.NoError(t, err, g.Name)
		}
	}
}

// TestSame: results do not depend on the number of workers, the engine or the other cases.
func TestSame(t *testing.T) {
	level.NeedsPlain(t, "runs three kernels five times")
	o := Options{Match: regexp.MustCompile("^mli_krn_(lstm_cell_fx8|maxpool_hwc_sa8|conv2d_hwc_fx16)/"), Short: true}
	first := run(t, o, RunOptions{Workers: 1})
	require.True(t, first.Good())
	compare := func(s *Summary) {
		t.Helper()
		cycles := map[string]uint64{}
		for _, r := range first.Results {
			cycles[r.Name] = r.Cycles
		}
		for i := range s.Results {
			require.Equal(t, cycles[s.Results[i].Name], s.Results[i].Cycles, s.Results[i].Name)
		}
	}
	four := run(t, o, RunOptions{Workers: 4})
	require.Len(t, four.Results, len(first.Results))
	for i := range four.Results {
		require.Equal(t, first.Results[i].Name, four.Results[i].Name, "order")
	}
	compare(four)
	o.Match = regexp.MustCompile("^mli_krn_(maxpool_hwc_sa8|conv2d_hwc_fx16)/")
	compare(run(t, o, RunOptions{Workers: 2}))
	for _, o.Engine = range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineJIT} {
		compare(run(t, o, RunOptions{Workers: 2}))
	}
}

// TestSeed: another seed gives other data.
func TestSeed(t *testing.T) {
	k, err := mlikernels.Lookup("mli_krn_relu_fx16")
	require.NoError(t, err)
	p := k.Grid()[20]
	data := func(seed uint64) []int64 {
		job, err := p.Job(nn.Up, seed)
		require.NoError(t, err)
		return job.Input("in").Ints
	}
	require.Equal(t, data(1), data(1))
	require.NotEqual(t, data(1), data(2))
}

// faulty are kernels that misbehave in ways other than computing wrong values.
var faulty = []struct {
	name, body, want string
}{
	{name: "does not return", body: "1:\tb\t1b", want: `does not return: it branches to itself at .*<mli_krn_relu_fx8`},
	{name: "unmapped memory", body: "\tmov\tr3,0x40000000\n\tst\tr3,[r3]\n\tmov\tr0,0\n\tj\t[blink]", want: `exception at .*<mli_krn_relu_fx8.*: Memory Error`},
	{name: "illegal instruction", body: "\tunimp_s\n", want: `exception at .*Instruction Error`},
	{name: "misaligned", body: "\tld\tr3,[r0,1]\n\tj\t[blink]", want: `Misaligned Access`},
	{name: "writes its input", body: "\tld\tr3,[r0]\n\tstb\tr3,[r3]\n\tmov\tr0,0\n\tj\t[blink]", want: `byte 0 of in, which is read only`},
	{name: "writes before its output", body: "\tld\tr3,[r2]\n\tstb\t0,[r3,-1]\n\tmov\tr0,0\n\tj\t[blink]", want: `1 bytes before out`},
	{name: "loses a saved register", body: "\tmov\tr13,1\n\tmov\tr0,0\n\tj\t[blink]", want: `r13 is not restored`},
	{name: "loses the stack", body: "\tsub\tsp,sp,4\n\tmov\tr0,0\n\tj\t[blink]", want: `sp is 0x`},
	{name: "loses DSP_CTRL", body: "\tsr\t0x13,[0x59f]\n\tmov\tr0,0\n\tj\t[blink]", want: `DSP_CTRL is 0x13`},
	{name: "refuses", body: "\tmov\tr0,4\n\tj\t[blink]", want: `status is BAD_FUNC_CFG, expected OK`},
	{name: "does nothing", body: "\tmov\tr0,0\n\tj\t[blink]", want: `the kernel did not set the rank of out`},
}

// TestFaultyKernels: a kernel that misbehaves fails its cases, and those of others still run.
func TestFaultyKernels(t *testing.T) {
	for i, f := range faulty {
		if !level.Wants(i, 3, 10) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			tree := sourcesWith(t, nil)
			tree["relu/mli_krn_relu_fx8.s"] = &fstest.MapFile{Data: []byte("\t.global\tmli_krn_relu_fx8\n\t.type\tmli_krn_relu_fx8,@function\nmli_krn_relu_fx8:\n" +
				f.body + "\n\t.size\tmli_krn_relu_fx8,.-mli_krn_relu_fx8\n")}
			one := run(t, Options{Trees: mutated(tree), Match: regexp.MustCompile(`^mli_krn_relu_fx(8|16)/1x7_.*/convergent/em9d$`)}, RunOptions{})
			bad, good := 0, 0
			for i := range one.Results {
				r := &one.Results[i]
				if r.Group == "mli_krn_relu_fx16" {
					require.True(t, r.Passed(), r.Name)
					good++
					continue
				}
				bad++
				require.NotNil(t, r.Failure, r.Name)
				require.Regexp(t, f.want, r.Failure.Message)
			}
			require.NotZero(t, bad)
			require.NotZero(t, good)
		})
	}
}

// TestMissing: a kernel without a source, or one that does not assemble, fails the run.
func TestMissing(t *testing.T) {
	level.NeedsPlain(t, "assembles both versions of a library")
	tree := sourcesWith(t, nil)
	tree["relu/mli_krn_relu_fx8.s"] = &fstest.MapFile{Data: []byte("\tnop\n")}
	tree["relu/mli_krn_relu_fx16.s"] = &fstest.MapFile{Data: []byte("\tno_such_instruction\n")}
	sum := run(t, Options{Trees: mutated(tree), Match: regexp.MustCompile("_relu_fx"), Short: true}, RunOptions{})
	require.False(t, sum.Good())
	require.Zero(t, sum.Failed)
	var why []string
	for _, m := range sum.Suite.Missing {
		why = append(why, m.Kernel+" "+m.Core+" "+m.Why)
	}
	text := strings.Join(why, "\n")
	require.Contains(t, text, "mli_krn_relu_fx8 em9d relu/mli_krn_relu_fx8.s does not define it")
	require.Regexp(t, `mli_krn_relu_fx16 em7d relu/mli_krn_relu_fx16.s:1:.*no_such_instruction`, text)
	var b strings.Builder
	require.NoError(t, sum.Text(&b))
	require.Contains(t, b.String(), "MISSING mli_krn_relu_fx8 on em9d: relu/mli_krn_relu_fx8.s does not define it")
	require.True(t, strings.HasSuffix(b.String(), "Summary Status: FAILED\n"))
}

// TestFailFast: the run ends at the first failure; the cases left out are named.
func TestFailFast(t *testing.T) {
	s := planFor(t, sourcesWith(t, []edit{{"shared/mli_interface.inc", "DSP_MODE,0x17", "DSP_MODE,0x14"}}), "^mli_krn_eltwise_mul_fx16/.*/convergent/em9d$")
	results, err := s.Run(context.Background(), RunOptions{Workers: 1, FailFast: true})
	require.NoError(t, err)
	sum := s.Summarize(results, 0, 1)
	require.Equal(t, 1, sum.Failed)
	require.NotZero(t, sum.NotRun)
	require.Equal(t, len(s.Cases()), sum.Passed+sum.Failed+sum.NotRun)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	results, err = s.Run(ctx, RunOptions{})
	require.NoError(t, err)
	require.Equal(t, len(s.Cases()), s.Summarize(results, 0, 1).NotRun)
}

// TestMinimize: the smaller case is small, fails in the same kernel and is a record.
func TestMinimize(t *testing.T) {
	level.NeedsPlain(t, "assembles a library and runs large cases")
	tree := sourcesWith(t, []edit{{"shared/requant.inc", "mpy\tr8,r8,6", "mpy\tr8,r8,5"}})
	s := planFor(t, tree, `^mli_krn_conv2d_hwc_fx8/7x11x13-17_.*/convergent/em9d$`)
	dir := t.TempDir()
	results, err := s.Run(context.Background(), RunOptions{Workers: 1, FailFast: true, Minimize: dir})
	require.NoError(t, err)
	found := 0
	for i := range results {
		f := results[i].Failure
		if f == nil || f.Minimized == "" {
			continue
		}
		found++
		c, err := askFile(f.Minimized, 0, true)
		require.NoError(t, err)
		elements := c.Job.Input("in").Len() + c.Job.Input("w").Len() + c.Job.Input("b").Len()
		require.LessOrEqual(t, elements, 24, "elements of the smaller case")
		require.Equal(t, 3, c.Job.Attrs.Int("relu"))
		require.NotEmpty(t, c.stated)
		require.Nil(t, c.Model, "the outputs in the record are the golden model's")

		good, err := RunSingle(context.Background(), c, SingleOptions{Core: "em9d"})
		require.NoError(t, err)
		require.Nil(t, good.Failure, "the real kernel")
		bad, err := RunSingle(context.Background(), c, SingleOptions{Core: "em9d", Tree: tree, Source: good.Kernel.Source.File})
		require.NoError(t, err)
		require.NotNil(t, bad.Failure, "the faulty kernel")
	}
	require.Equal(t, 1, found, "the first failure of the kernel")
}

// TestOutput: JSON and JUnit say what the text says.
func TestOutput(t *testing.T) {
	tree := sourcesWith(t, []edit{{"shared/mli_interface.inc", "DSP_MODE,0x17", "DSP_MODE,0x14"}})
	s := planFor(t, tree, "^mli_krn_eltwise_(mul|add)_fx16/.*/convergent/em9d$")
	results, err := s.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	sum := s.Summarize(results, 0, 2)
	require.NotZero(t, sum.Failed)

	var text, js, ju strings.Builder
	require.NoError(t, sum.Text(&text))
	require.Regexp(t, `FAIL mli_krn_eltwise_mul_fx16/\S+/convergent/em9d and \d+ more of this kernel\n`+
		` +out\[[\d ]+\], element \d+, is -?\d+, expected -?\d+; \d+ of \d+ elements differ\n +expected +got\n`, text.String())
	require.Regexp(t, `repeat: arcsim regress -run '\^mli_krn_eltwise_mul_fx16/\S+\$'\n`, text.String())
	require.True(t, strings.HasSuffix(text.String(), "\nSummary Status: FAILED\n"))

	require.NoError(t, sum.JSON(&js))
	var j summaryJSON
	require.NoError(t, json.Unmarshal([]byte(js.String()), &j))
	require.Equal(t, "FAILED", j.Status)
	require.Equal(t, sum.Failed, j.Failed)
	require.Len(t, j.Failures, sum.Failed)
	require.NotEmpty(t, j.Failures[0].Mismatch.Neighbourhood)

	require.NoError(t, sum.JUnit(&ju, HostTimes))
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	require.NoError(t, xml.Unmarshal([]byte(ju.String()), &suites))
	require.Equal(t, len(results), suites.Tests)
	require.Equal(t, sum.Failed, suites.Failures)
}

func TestNeighbourhood(t *testing.T) {
	want, got := nn.New(nn.I8, 2, 3, 4), nn.New(nn.I8, 2, 3, 4)
	for i := range want.Ints {
		want.Ints[i], got.Ints[i] = int64(i), int64(i)
	}
	got.Ints[17] = -128
	f := differ("out", got, want)
	require.NotNil(t, f)
	require.Equal(t, "out[1 1 1], element 17, is -128, expected 17; 1 of 24 elements differ", f.Message)
	require.Equal(t, ""+
		"                                expected                                got\n"+
		"      0:     12      13      14      15         12      13      14      15\n"+
		"      1:     16      17      18      19         16    -128*     18      19\n"+
		"      2:     20      21      22      23         20      21      22      23\n"+
		"            [0]     [1]     [2]     [3]\n", f.Mismatch.Neighbourhood)
}

func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "regress.json")
	st, err := ReadState(path)
	require.NoError(t, err)
	require.Empty(t, st.Failed)
	want := State{Schema: stateSchema, Seed: 7, Failed: []string{"a/b"}, Vectors: []string{"f.jsonl"}}
	require.NoError(t, want.Write(path))
	st, err = ReadState(path)
	require.NoError(t, err)
	require.Equal(t, want, st)
	for text, message := range map[string]string{"{": "unexpected end", `{"schema":9}`: "schema 9 is not 1"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err = ReadState(path)
		require.ErrorContains(t, err, message)
	}
}

// TestStateAfter: a case that passes now is forgotten, one that did not run again is not.
func TestStateAfter(t *testing.T) {
	s := &Suite{Options: Options{Seed: 1}}
	results := []Result{{Case: Case{Name: "a"}}, {Case: Case{Name: "b"}, Outcome: Outcome{Failure: &Failure{}}}, {Case: Case{Name: "c"}, Outcome: Outcome{NotRun: true}}}
	before := State{Seed: 1, Failed: []string{"a", "c", "d"}}
	require.Equal(t, []string{"b", "c", "d"}, s.After(before, results).Failed)
	before.Seed = 2
	require.Equal(t, []string{"b"}, s.After(before, results).Failed, "other data")
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{"plain/name-1.x": "plain/name-1.x", "": "''", "^a$": "'^a$'",
		"it's": `'it'\''s'`, "two words": "'two words'"} {
		require.Equal(t, want, quote(text))
	}
}
