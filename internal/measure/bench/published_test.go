package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/loader"
)

// publishedFile has the rows of the table in docs/timing.md that holds the model against published cycles.
const publishedFile = "../../../cpu/internal/timing/published.toml"

// publishedRow is one row; a row with a program or a subject can be computed here.
type publishedRow struct {
	What, Core, Program, Subject string
	Modelled                     uint64
	Figures                      uint64 // instructions whose cycles the program has 100 of, 25 of each
}

// TestPublishedCycles recomputes what the rows that can run here say of the model. -update writes the new
// cycles; go test ./cpu/internal/timing -update then renews the document.
func TestPublishedCycles(t *testing.T) {
	var f struct{ Row []publishedRow }
	_, err := toml.DecodeFile(publishedFile, &f)
	require.NoError(t, err)
	subjects := publishedSubjects(t)
	ran := 0
	for _, row := range f.Row {
		var cycles uint64
		switch {
		case row.Figures != 0:
			m, total := programCycles(t, row.Core, "em4_fpuda", row.Program, nil)
			require.NoError(t, m.Close())
			require.Zero(t, total%100)
			cycles = total / 100
		case row.Program != "":
			var m *arcv2dsp.Machine
			m, cycles = programCycles(t, row.Core, "em9d", row.Program, fillVectors)
			checkSums(t, m)
			require.NoError(t, m.Close())
		case row.Subject != "":
			cycles = subjectCycles(t, subjects, row)
		default:
			continue
		}
		ran++
		if goldenfile.Update() {
			rewriteModelled(t, row, cycles)
			continue
		}
		require.Equal(t, row.Modelled, cycles, row.What)
	}
	require.Equal(t, 12, ran)
}

// publishedSubjects are the kernels of the suite whose shapes are those of the published network.
func publishedSubjects(t *testing.T) map[string]Subject {
	list, err := ParseSuites(benchmarks.SuitesFile, benchmarks.SuitesTOML)
	require.NoError(t, err)
	byName := map[string]Subject{}
	for _, s := range list {
		if s.Name != "cifar10" {
			continue
		}
		found, err := s.Select(Subjects())
		require.NoError(t, err)
		for _, sub := range found {
			byName[sub.Name] = sub
		}
	}
	return byName
}

func subjectCycles(t *testing.T, subjects map[string]Subject, row publishedRow) uint64 {
	sub, ok := subjects[row.Subject]
	require.True(t, ok, "the suite has no %s", row.Subject)
	r := Runner{Jobs: 1}
	results, err := r.Run(t.Context(), Tasks([]Subject{sub}, Points([]string{row.Core}, nil)))
	require.NoError(t, err)
	require.Empty(t, Failed(results))
	return results[0].Cycles
}

// Vectors of the programs that add: length words in X and Y memory, their sums behind the first.
const length, xBase, yBase = 1024, 0xc0000000, 0xe0000000

// fillVectors writes them.
func fillVectors(t *testing.T, m *arcv2dsp.Machine) {
	for i := range uint32(length) {
		for base, v := range map[uint32]uint32{xBase: 3*i + 1, yBase: 0x10000 * i} {
			require.NoError(t, m.WriteMemory(base+4*i, []byte{byte(v), byte(v >> 8), byte(v >> 16), byte(v >> 24)}))
		}
	}
}

// checkSums checks the sums that a program has left in X memory.
func checkSums(t *testing.T, m *arcv2dsp.Machine) {
	for i := range uint32(length) {
		var b [4]byte
		require.NoError(t, m.ReadMemory(xBase+4*length+4*i, b[:]))
		require.Equal(t, 0x10003*i+1, uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24, "sum %d", i)
	}
}

// programCycles are the cycles of a program from its label begin to its label finish, on the machine that ran it.
func programCycles(t *testing.T, core, assembleFor, name string, fill func(*testing.T, *arcv2dsp.Machine)) (m *arcv2dsp.Machine, cycles uint64) {
	text, err := os.ReadFile(filepath.Join("testdata", "published", name+".s"))
	require.NoError(t, err)
	object, err := asm.AssembleString(asm.Options{CPU: assembleFor, Strict: true}, name+".s", string(text))
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	program, err := link.Link(link.Options{Entry: "_start", Defines: []link.Define{{Name: "__STACK_SIZE", Expr: "4096"}}},
		[]link.Input{{Name: name, Data: data}})
	require.NoError(t, err)
	data, err = program.Bytes()
	require.NoError(t, err)
	image, err := loader.Read(name, data)
	require.NoError(t, err)
	m, err = arcv2dsp.New(arcv2dsp.Config{Core: core})
	require.NoError(t, err)
	require.NoError(t, m.Load(image))
	if fill != nil {
		fill(t, m)
	}
	var at [2]uint64
	for i, label := range []string{"begin", "finish"} {
		addr, ok := m.Symbol(label)
		require.True(t, ok, label)
		m.SetBreakpoint(addr)
		stop, err := m.Run(t.Context(), arcv2dsp.Limits{Insts: 100_000})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason)
		m.ClearBreakpoint(addr)
		at[i] = m.Stats().Cycles
	}
	return m, at[1] - at[0]
}

// rewriteModelled puts the cycles into the row.
func rewriteModelled(t *testing.T, row publishedRow, cycles uint64) {
	data, err := os.ReadFile(publishedFile)
	require.NoError(t, err)
	at := regexp.MustCompile(`(?s)(what +=  *"` + regexp.QuoteMeta(row.What) + `".*?modelled +=) *[0-9]+`)
	place := at.FindSubmatchIndex(data)
	require.NotNil(t, place, row.What)
	text := string(data[:place[3]]) + " " + strconv.FormatUint(cycles, 10) + string(data[place[1]:])
	require.NoError(t, os.WriteFile(publishedFile, []byte(text), 0o644))
}
