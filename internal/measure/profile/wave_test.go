package profile_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/isa"
)

// vcd is a value change dump as readVCD understands it.
type vcd struct {
	widths  map[string]int      // by name
	changes []map[string]uint64 // new values by name
	times   []uint64            // of changes
}

// readVCD reads a dump strictly: the header in the order of IEEE 1364, each identifier declared once,
// times that grow, values no wider than declared and different from those before.
func readVCD(text string) (v vcd, err error) {
	v.widths = map[string]int{}
	names, values := map[string]string{}, map[string]uint64{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	header, dumping := true, false
	for i, line := range lines {
		fail := func(why string) (vcd, error) { return vcd{}, fmt.Errorf("line %d: %s: %s", i+1, why, line) }
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			return fail("empty")
		case header:
			if f[len(f)-1] != "$end" {
				return fail("no $end")
			}
			switch f[0] {
			case "$version", "$comment", "$scope", "$upscope":
			case "$timescale":
				if len(f) != 4 || f[1] != "10" || f[2] != "ns" {
					return fail("timescale")
				}
			case "$var":
				bits, err := strconv.Atoi(f[2])
				if err != nil || len(f) != 6 || f[1] != "reg" || names[f[3]] != "" || v.widths[f[4]] != 0 {
					return fail("declaration")
				}
				names[f[3]], v.widths[f[4]] = f[4], bits
			case "$enddefinitions":
				header = false
			default:
				return fail("unknown keyword")
			}
		case f[0] == "$dumpvars":
			dumping = true
		case f[0] == "$end":
			if !dumping || len(values) != len(names) {
				return fail("incomplete $dumpvars")
			}
			dumping = false
		case line[0] == '#':
			at, err := strconv.ParseUint(line[1:], 10, 64)
			if err != nil || len(v.times) > 0 && at <= v.times[len(v.times)-1] {
				return fail("time")
			}
			v.times = append(v.times, at)
			v.changes = append(v.changes, map[string]uint64{})
		case line[0] == 'b':
			if len(f) != 2 || names[f[1]] == "" || len(v.times) == 0 {
				return fail("change")
			}
			name := names[f[1]]
			n, err := strconv.ParseUint(f[0][1:], 2, v.widths[name])
			old, known := values[name]
			if err != nil || known && n == old || known == dumping {
				return fail("value")
			}
			values[name] = n
			v.changes[len(v.changes)-1][name] = n
		default:
			return fail("what is this")
		}
	}
	return v, nil
}

// TestWave compares a dump with what a hook sees of the same run.
func TestWave(t *testing.T) {
	m := load(t)
	var b bytes.Buffer
	w, err := profile.NewWave(m, []string{"pc", "lp_count", "acc*", "r[0-3]", "sp", "aux:0x21"}, &b)
	require.NoError(t, err)
	want := map[uint64]uint64{} // pc by cycle
	m.Observe(w.Hooks())
	m.Observe(arcv2dsp.Hooks{After: func(uint32, *isa.Inst) { want[m.Stats().Cycles] = uint64(m.PC()) }})
	run(t, m)
	require.NoError(t, w.Close())

	v, err := readVCD(b.String())
	require.NoError(t, err)
	require.Equal(t, 32, v.widths["pc"])
	require.Equal(t, 40, v.widths["acclo"])
	for _, name := range []string{"lp_count", "acchi", "r0", "r3", "sp", "aux:0x21"} {
		require.NotZero(t, v.widths[name], name)
	}
	require.Equal(t, m.Stats().Cycles, v.times[len(v.times)-1])
	pcs, lowest := 0, uint64(100)
	for i, at := range v.times {
		if pc, ok := v.changes[i]["pc"]; ok && want[at] != 0 {
			require.Equal(t, want[at], pc, "cycle %d", at)
			pcs++
		}
		if n, ok := v.changes[i]["lp_count"]; ok && i > 0 {
			lowest = min(lowest, n)
		}
	}
	require.Greater(t, pcs, 3000)
	require.Zero(t, lowest)
}

func TestWaveSignals(t *testing.T) {
	m := load(t)
	var b bytes.Buffer
	for _, bad := range []struct{ pattern, message string }{
		{"nothing", "nothing"}, {"r[", "syntax error"}, {"zz*", "zz*"},
	} {
		_, err := profile.NewWave(m, []string{bad.pattern}, &b)
		require.ErrorContains(t, err, bad.message)
	}
	w, err := profile.NewWave(m, []string{"*"}, &b) // more than one character of identifiers can name
	require.NoError(t, err)
	m.Observe(w.Hooks())
	_, err = m.Run(context.Background(), arcv2dsp.Limits{Insts: 400})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	v, err := readVCD(b.String())
	require.NoError(t, err)
	require.Greater(t, len(v.widths), 100)
	last := map[string]uint64{}
	for _, c := range v.changes {
		maps.Copy(last, c)
	}
	for name := range v.widths { // all of them read as by their names
		r, err := m.Register(name)
		require.NoError(t, err)
		require.Equal(t, r.Value, last[name], name)
	}
}

func TestVCDReader(t *testing.T) {
	vcd2fst := tool(t, "vcd2fst")
	m := load(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "f.vcd")
	f, err := os.Create(file)
	require.NoError(t, err)
	w, err := profile.NewWave(m, []string{"pc", "acc*"}, f)
	require.NoError(t, err)
	m.Observe(w.Hooks())
	run(t, m)
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	fst := filepath.Join(dir, "f.fst")
	command(t, vcd2fst, file, fst)
	back := command(t, tool(t, "fst2vcd"), fst)
	require.Contains(t, back, fmt.Sprintf("#%d\n", m.Stats().Cycles))
	require.Contains(t, back, " acclo ")
}
