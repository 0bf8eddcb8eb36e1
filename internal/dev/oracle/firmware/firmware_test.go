package firmware

import (
	"bytes"
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

var (
	files    = flag.String("elf", "", "ELF files with commas between; without, programs of the project's own")
	core     = flag.String("core", "", "core or board; by default the one that the file asks for")
	settings = flag.String("p", "", "properties with commas between")
	cycles   = flag.Uint64("cycles", 2_000_000_000, "end a program after so many cycles")
	status   = flag.Uint("status", 0, "exit status of a program that is well")
)

// program is an ELF file and the status with which it exits when it is well.
type program struct {
	file   string
	status uint32
}

// outcome is all that a run shows.
type outcome struct {
	Reason  arcv2dsp.Reason
	Status  uint32
	Printed string
	Stats   arcv2dsp.Stats
}

func run(t *testing.T, file string, engine arcv2dsp.EngineKind) outcome {
	t.Helper()
	var out bytes.Buffer
	cfg := arcv2dsp.Config{Core: *core, Engine: engine, Stdout: &out, Stderr: &out}
	for _, p := range strings.FieldsFunc(*settings, func(r rune) bool { return r == ',' }) {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: p})
	}
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	require.NoError(t, m.LoadFile(file))
	stop, err := m.Run(t.Context(), arcv2dsp.Limits{Cycles: *cycles})
	require.NoError(t, err)
	return outcome{Reason: stop.Reason, Status: stop.Status, Printed: out.String(), Stats: m.Stats()}
}

// TestFirmware: each program exits with the status of one that is well, and every engine shows the same: the text that it
// prints, the status, the counts of instructions, cycles and lost cycles.
func TestFirmware(t *testing.T) {
	level.NeedsPlain(t, "runs programs on three engines")
	const guests, small = "../../../../testdata/guest/elf/", "../../../../testdata/elf/small/"
	list := []program{{guests + "hello.elf", 0}, {small + "sort-em4_dmips-O2.elf", 0x46968734}, {small + "matmul16-hs38-O2.elf", 0x2ffd9301}}
	if *files != "" {
		list = nil
		for _, file := range strings.Split(*files, ",") {
			list = append(list, program{file, uint32(*status)})
		}
	}
	for _, p := range list {
		file := p.file
		t.Run(filepath.Base(file), func(t *testing.T) {
			want := run(t, file, arcv2dsp.EngineReference)
			require.Equal(t, arcv2dsp.StopExited, want.Reason, want.Printed)
			require.Equal(t, p.status, want.Status, want.Printed)
			require.Equal(t, want, run(t, file, arcv2dsp.EngineFast), "the block engine")
			require.Equal(t, want, run(t, file, arcv2dsp.EngineJIT), "compiled code")
			t.Logf("%d instructions, %d cycles\n%s", want.Stats.Insts, want.Stats.Cycles, want.Printed)
		})
	}
}
