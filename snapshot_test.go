package arcv2dsp_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/isa"
	"pgregory.net/rapid"
)

type isaInst = isa.Inst

const uart = "nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24"

// snapshotPrograms stop at interesting moments: between interrupts, with files open and input half
// read, waiting for a hostlink answer, asleep, between turns of the DMA controller.
var snapshotPrograms = []struct {
	file, input, output string
	status              uint32
}{
	{file: "ticks.elf", output: strings.Repeat(".", 16), status: 33},
	{file: "cat.elf", input: strings.Repeat("some input\n", 40), output: strings.Repeat("some input\n", 40)},
	{file: "hostlink.elf", input: "typed\n", output: "arg\ntyped\n", status: 300},
	{file: "uart.elf", input: "shout\n", output: "ready> SHOUT\n", status: 7},
	{file: "dma.elf", output: "copied\nlinked\nthe urgent one first\nstopped and begun anew\nrefused\n"},
}

func snapshotConfig(k arcv2dsp.EngineKind, core, input string, out io.Writer) arcv2dsp.Config {
	return arcv2dsp.Config{
		Core: core, Engine: k, Args: []string{"prog", "arg"}, Settings: []arcv2dsp.Setting{{Property: uart}, {Property: "dmac_option=1"}},
		Stdin: strings.NewReader(input), Stdout: out,
	}
}

// TestSnapshotContinues: stopped anywhere, saved, restored in another machine and continued, a run
// equals an unbroken one in state, output and cycles.
func TestSnapshotContinues(t *testing.T) {
	for i, p := range snapshotPrograms {
		if !level.Wants(i, 2, 3) {
			continue
		}
		for _, core := range []string{"em9d", "em11d"} {
			t.Run(p.file+"/"+core, func(t *testing.T) {
				t.Parallel()
				var whole bytes.Buffer
				m := newMachine(t, snapshotConfig(arcv2dsp.EngineFast, core, p.input, &whole), guests+p.file)
				require.Equal(t, p.status, run(t, m, arcv2dsp.Limits{}).Status)
				require.Equal(t, p.output, whole.String())
				stats, regs, aux := m.Stats(), m.Registers(arcv2dsp.CoreRegisters), m.Registers(arcv2dsp.AuxRegisters)

				file := filepath.Join(t.TempDir(), "s.snap")
				rapid.Check(t, func(rt *rapid.T) {
					at := rapid.Uint64Range(1, stats.Insts-1).Draw(rt, "at")
					k := rapid.SampledFrom(engines).Draw(rt, "engine")
					var out bytes.Buffer
					first := newMachine(t, snapshotConfig(k, core, p.input, &out), guests+p.file)
					require.Equal(rt, arcv2dsp.StopInstLimit, run(t, first, arcv2dsp.Limits{Insts: at}).Reason)
					require.NoError(rt, first.SaveFile(file))

					second := newMachine(t, snapshotConfig(k, core, p.input, &out), guests+p.file)
					require.NoError(rt, second.RestoreFile(file))
					require.Equal(rt, p.status, run(t, second, arcv2dsp.Limits{}).Status)
					require.Equal(rt, p.output, out.String())
					require.Equal(rt, stats, second.Stats())
					require.Equal(rt, regs, second.Registers(arcv2dsp.CoreRegisters))
					require.Equal(rt, aux, second.Registers(arcv2dsp.AuxRegisters))
				})
			})
		}
	}
}

// TestRecordedRunIsRepeated: a recording machine that goes back repeats what it did, prints nothing
// twice and ends as before; it can do so again and again.
func TestRecordedRunIsRepeated(t *testing.T) {
	for _, p := range snapshotPrograms {
		t.Run(p.file, func(t *testing.T) {
			var out bytes.Buffer
			m := newMachine(t, snapshotConfig(arcv2dsp.EngineFast, "em9d", p.input, &out), guests+p.file)
			m.Record(true)
			var points []*arcv2dsp.Snapshot
			for {
				points = append(points, m.Snapshot())
				if stop := run(t, m, arcv2dsp.Limits{Insts: 97}); stop.Reason != arcv2dsp.StopInstLimit {
					require.Equal(t, p.status, stop.Status)
					break
				}
				if len(points) > 40 {
					require.Equal(t, p.status, run(t, m, arcv2dsp.Limits{}).Status)
					break
				}
			}
			stats, regs := m.Stats(), m.Registers(arcv2dsp.CoreRegisters)
			for i := len(points) - 1; i >= 0; i -= 3 {
				require.NoError(t, m.Restore(points[i]))
				require.Equal(t, p.status, run(t, m, arcv2dsp.Limits{}).Status)
				require.Equal(t, p.output, out.String(), "nothing is printed twice")
				require.Equal(t, stats, m.Stats())
				require.Equal(t, regs, m.Registers(arcv2dsp.CoreRegisters))
			}
		})
	}
}

// TestSnapshotForks: one snapshot serves many machines that then go different ways.
func TestSnapshotForks(t *testing.T) {
	origin := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
	run(t, origin, arcv2dsp.Limits{Insts: 1001})
	s := origin.Snapshot()
	for i := range uint32(3) {
		m := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
		require.NoError(t, m.Restore(s))
		require.EqualValues(t, 500, m.Reg(0))
		m.SetReg(0, i)
		require.NoError(t, m.WriteWord(0x8000, i))
		run(t, m, arcv2dsp.Limits{Insts: 20})
		require.EqualValues(t, i+10, m.Reg(0))
	}
	w, err := origin.ReadWord(0x8000)
	require.NoError(t, err)
	require.Zero(t, w, "forks do not touch the memory of the origin")
}

func TestSnapshotFileIsChecked(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	m := newMachine(t, arcv2dsp.Config{}, guests+"ticks.elf")
	run(t, m, arcv2dsp.Limits{Insts: 5000})
	require.NoError(t, m.SaveFile(good))
	data, err := os.ReadFile(good)
	require.NoError(t, err)
	damage := func(at int) []byte {
		b := bytes.Clone(data)
		b[at] ^= 0x40
		return b
	}
	earlier := bytes.Clone(data[:len(data)-sha256.Size]) // whole, but for its version
	earlier[18] = 0
	sum := sha256.Sum256(earlier)
	earlier = append(earlier, sum[:]...)
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{name: "empty", data: nil, want: "this is no snapshot"},
		{name: "other", data: []byte("something else altogether"), want: "this is no snapshot"},
		{name: "magic only", data: data[:20], want: "the snapshot is truncated"},
		{name: "half", data: data[:len(data)/2], want: "its checksum is wrong"},
		{name: "version", data: damage(18), want: "a snapshot of version"},
		{name: "earlier version", data: earlier, want: "a snapshot of version 0, this is for version 1"},
		{name: "body", data: damage(len(data) / 2), want: "its checksum is wrong"},
		{name: "checksum", data: damage(len(data) - 1), want: "its checksum is wrong"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bad := filepath.Join(dir, tt.name)
			require.NoError(t, os.WriteFile(bad, tt.data, 0o644))
			before := m.Stats()
			require.ErrorContains(t, m.RestoreFile(bad), tt.want)
			require.Equal(t, before, m.Stats(), "the machine is as it was")
		})
	}
	other := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
	require.ErrorIs(t, other.RestoreFile(good), arcv2dsp.ErrSnapshot)
	list, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, list, "no temporary files are left")
}

// changeHeader replaces text in the header of a snapshot, which then has the right checksum.
func changeHeader(t *testing.T, file, old, text string) {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	start := len("arcv2dsp snapshot\n") + 4
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(data[start : len(data)-sha256.Size])))
	require.NoError(t, err)
	size := 4 + binary.LittleEndian.Uint32(body)
	header := bytes.Replace(body[4:size], []byte(old), []byte(text), 1)
	require.NotEqual(t, body[4:size], header)
	changed := bytes.NewBuffer(bytes.Clone(data[:start]))
	w, err := flate.NewWriter(changed, flate.BestSpeed)
	require.NoError(t, err)
	for _, part := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(header))), header, body[size:]} {
		_, err := w.Write(part)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	sum := sha256.Sum256(changed.Bytes())
	changed.Write(sum[:])
	require.NoError(t, os.WriteFile(file, changed.Bytes(), 0o644))
}

// TestRefusedSnapshotLeavesTheMachine: a failure late, at the state of the core, at the caches or at
// the guest's files, leaves nothing of the snapshot behind.
func TestRefusedSnapshotLeavesTheMachine(t *testing.T) {
	dir := t.TempDir()
	for name, change := range map[string][2]string{
		"core":   {`"cpu":"`, `"cpu":"AAAA`},
		"caches": {`"cpu":"`, `"dcache":[1,2,3],"cpu":"`},
		"files":  {`"files":[`, `"files":[{"kind":4,"path":"gone"},`},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, arcv2dsp.Config{}, guests+"ticks.elf")
			before := filepath.Join(dir, name+".before")
			require.NoError(t, m.SaveFile(before))

			other := newMachine(t, arcv2dsp.Config{}, guests+"ticks.elf")
			run(t, other, arcv2dsp.Limits{})
			bad := filepath.Join(dir, name+".bad")
			require.NoError(t, other.SaveFile(bad))
			changeHeader(t, bad, change[0], change[1])
			require.Error(t, m.RestoreFile(bad))

			after := filepath.Join(dir, name+".after")
			require.NoError(t, m.SaveFile(after))
			want, err := os.ReadFile(before)
			require.NoError(t, err)
			got, err := os.ReadFile(after)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got))
		})
	}
}

// TestSnapshotWithADistantTick: a file that puts off what is done every 65,536 cycles does not disable the time limit of a
// run.
func TestSnapshotWithADistantTick(t *testing.T) {
	file := filepath.Join(t.TempDir(), "snapshot")
	m := newMachine(t, arcv2dsp.Config{}, guests+"spin.elf")
	run(t, m, arcv2dsp.Limits{Insts: 100})
	require.NoError(t, m.SaveFile(file))
	changeHeader(t, file, `"next_tick":65536`, `"next_tick":18446744073709551615`)
	require.NoError(t, m.RestoreFile(file))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	stop, err := m.Run(ctx, arcv2dsp.Limits{Cycles: 4e10})
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopTimeLimit, stop.Reason)
}

// TestEndlessSnapshot: of a file that is no snapshot no more is read than says so, however long it is.
func TestEndlessSnapshot(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip("no " + endless + " here")
	}
	m := newMachine(t, arcv2dsp.Config{Memory: 1 << 30}, guests+"ticks.elf")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	require.ErrorContains(t, m.RestoreFile(endless), "this is no snapshot")
	runtime.ReadMemStats(&after)
	// The bound leaves room for goroutines of earlier tests; a reader without a limit would take as much as the machine: 1 GB.
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
}
