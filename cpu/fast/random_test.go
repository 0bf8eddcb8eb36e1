package fast_test

import (
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/memory"
)

var (
	seeds = flag.Int("seeds", 0, "number of random streams per core; 0 is the number for CI")
	first = flag.Uint64("seed", 1, "first seed")

	streamCycles = flag.Uint64("streamcycles", 60_000, "cycles that a stream runs for")
)

// profiles are the cores that streams are made for.
var profiles = map[string]func() cpu.Config{
	"em4": em4, "em9d": em9d, "hs38": hs38, "hs45d": hs45d, "em11d": em11d, "hs38c": hs38c,
	"em4-fpx": func() cpu.Config { return withFPX(em4()) },
	"em9d-split": func() cpu.Config { // unaligned accesses of ports cost cycles
		c := em9d()
		c.XYInterleaved, c.DCCMInterleaved = false, false
		return c
	},
	"em9d-fpu":  func() cpu.Config { return withFPU(em9d()) },
	"hs38-fpu":  func() cpu.Config { return withFPU(hs38()) },
	"hs45d-fpu": func() cpu.Config { return withFPU(hs45d()) },
}

// TestLockstepStreams runs random streams in both engines, cut into pieces of odd lengths. Between pieces
// the engines exchange saved states now and then, and the block engine gives way to the other one. A
// stream that tells them apart is an artifact of the test (-artifacts keeps it); in testdata/regress
// TestLockstepRegress runs it from then on.
func TestLockstepStreams(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = level.Count(20, 2, 1) // 20: four million instructions
	}
	for i, name := range slices.Sorted(maps.Keys(profiles)) {
		cfg := profiles[name]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var insts uint64
			for seed := *first; seed < *first+uint64(n); seed++ {
				s := newStream(seed, cfg(), 40)
				image := s.image()
				table, handlers := s.handlers()
				for k, compile := range []bool{false, true} {
					if !level.Wants(i+k, 1, 2) { // in a short run one of them, in turn
						continue
					}
					done, diff := runStream(t, cfg(), compile, seed, image, table, handlers)
					insts += done
					if diff != "" {
						file := keepStream(t, name, seed, image, table, handlers, diff)
						t.Fatalf("seed %d, compiled %v: %s\nthe stream is %s", seed, compile, diff, file)
					}
				}
			}
			t.Logf("%d instructions", insts)
		})
	}
}

// runStream holds the engines against each other on one stream.
func runStream(t *testing.T, cfg cpu.Config, compile bool, seed uint64, image, table, handlers []byte) (insts uint64, diff string) {
	rng := rand.New(rand.NewPCG(seed, 99))
	piece := append([]uint64{0}, deadlines...)[rng.IntN(len(deadlines)+1)]
	timer := []uint32{0, 37, 101, 499, 1999}[rng.IntN(5)]
	limit := *streamCycles
	if piece == 1 {
		limit /= 8
	}
	ref := streamCPU(t, cfg, seed, timer, image, table, handlers)
	got := streamCPU(t, cfg, seed, timer, image, table, handlers)
	engine := fast.New()
	if compile {
		if err := engine.CompileAt(2); err != nil {
			t.Skip(err)
		}
	}
	got.SetEngine(engine)
	pieces := 0
	var marks [2]mark
	diff = lockstep(ref, got, limit, func() uint64 {
		switch pieces++; {
		case pieces%64 == 0: // both go on from what the other one saved
			a, b := ref.SaveState(), got.SaveState()
			require.NoError(t, ref.RestoreState(b))
			require.NoError(t, got.RestoreState(a))
		case pieces%64 == 30:
			marks = [2]mark{markOf(ref), markOf(got)}
		case pieces%64 == 45 && marks[0].memory != nil: // back to where they were, whatever has been written since
			marks[0].restore(t, ref)
			marks[1].restore(t, got)
		case pieces%64 == 20:
			got.SetEngine(nil)
		case pieces%64 == 21:
			got.SetEngine(engine)
		}
		if piece == 0 {
			return 1 + rng.Uint64N(200)
		}
		return piece
	})
	require.NoError(t, engine.Fault())
	return got.Insts, diff
}

// mark is a saved state with the memory it belongs to.
type mark struct {
	state  []byte
	memory *memory.Snapshot
}

func markOf(c *cpu.CPU) mark { return mark{state: c.SaveState(), memory: c.Mem.Snapshot()} }

func (m mark) restore(t *testing.T, c *cpu.CPU) {
	t.Helper()
	require.NoError(t, c.RestoreState(m.state))
	c.Mem.Restore(m.memory)
}

// streamCPU makes a processor about to run a stream, everything in it full of garbage.
func streamCPU(t *testing.T, cfg cpu.Config, seed uint64, timer uint32, image, table, handlers []byte) *cpu.CPU {
	t.Helper()
	mem := memory.New(memory.None, 64<<20)
	for _, r := range []memory.Region{
		{Name: "low", Kind: memory.RAM, Base: 0, Size: dataBase},
		{Name: "data", Kind: memory.RAM, Base: dataBase, Size: badAddress - dataBase},
		{Name: "xccm", Kind: memory.XCCM, Base: 0xc0000000, Size: 64 << 10},
		{Name: "yccm", Kind: memory.YCCM, Base: 0xe0000000, Size: 64 << 10},
	} {
		require.NoError(t, mem.Map(r))
	}
	c, err := cpu.New(cfg, mem)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 55))
	for _, base := range []uint32{dataBase, 0xc0000000, 0xe0000000} {
		data := make([]byte, 0x8000)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		require.NoError(t, mem.Poke(base, data))
	}
	require.NoError(t, mem.Poke(stackTop-0x1000, make([]byte, 0x1000)))
	require.NoError(t, mem.Poke(0, table))
	require.NoError(t, mem.Poke(0x800, handlers))
	require.NoError(t, mem.Poke(codeBase, image))
	for r := range uint8(32) {
		c.R[r] = rng.Uint32()
	}
	for _, slot := range []uint8{cpu.SlotAccLo, cpu.SlotAccHi} {
		c.R[slot] = rng.Uint32()
		c.R[slot+1] = uint32(int32(int8(rng.Uint32())))
	}
	c.R[13], c.R[14], c.R[15], c.R[16] = dataBase+0x800, dataBase+0x4000, dataBase+0x6ff8, badAddress
	c.R[20], c.R[25], c.R[28] = 0, codeBase, stackTop
	require.True(t, c.SetAux(0x0d, stackTop-0x100)) // the stack of user mode
	c.PC = codeBase
	status := uint32(1<<31 | 3<<1)
	c.SetStatus32(status)
	if timer != 0 {
		require.True(t, c.SetAux(0x23, timer))
		require.True(t, c.SetAux(0x22, 1))
	}
	return c
}

// keepStream writes a failing stream to a file, with what it is as a comment.
func keepStream(t *testing.T, profile string, seed uint64, image, table, handlers []byte, diff string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\nprofile %s\nseed %d\n", strings.ReplaceAll(diff, "\n", " "), profile, seed)
	for _, part := range []struct {
		name string
		data []byte
	}{{"table", table}, {"handlers", handlers}, {"image", image}} {
		fmt.Fprintf(&b, "%s %s\n", part.name, hex.EncodeToString(part.data))
	}
	file := filepath.Join(t.ArtifactDir(), fmt.Sprintf("%s-%d.txt", profile, seed))
	require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	return file
}

// TestLockstepRegress runs the streams that once told the engines apart.
func TestLockstepRegress(t *testing.T) {
	files, err := filepath.Glob("testdata/regress/*.txt")
	require.NoError(t, err)
	for i, file := range files {
		if !level.Wants(i, 1, 5) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			rows := compiled.Table(t, file)
			part := func(name string) []byte {
				data, err := hex.DecodeString(rows[name][0])
				require.NoError(t, err)
				return data
			}
			var seed uint64
			_, err := fmt.Sscan(rows["seed"][0], &seed)
			require.NoError(t, err)
			cfg := profiles[rows["profile"][0]]()
			for _, compile := range []bool{false, true} {
				_, diff := runStream(t, cfg, compile, seed, part("image"), part("table"), part("handlers"))
				require.Empty(t, diff, "compiled: %v", compile)
			}
		})
	}
}
