package arcv2dsp_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// boardConfig is the board of testdata/guest/board.s. Pin 3 rises at 7000 and 15000, pin 5 falls at 9000.
func boardConfig(engine arcv2dsp.EngineKind, out *bytes.Buffer) arcv2dsp.Config {
	cfg := arcv2dsp.Config{Engine: engine, Stdout: out}
	for _, device := range []string{
		"uart0,kind=dwuart,base=0xf0000000,irq=24",
		"gpio0,kind=dwgpio,base=0xf0002000,irq=25,pins=0:0x20/7000:0x28/9000:0/12000:0x20/15000:0x28",
		"timer0,kind=dwtimer,base=0xf0004000,irq=26",
		"rtc0,kind=dwrtc,base=0xf0006000,irq=27,hz=5000", // 20,000 cycles
	} {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: "nsim_mem-dev=" + device})
	}
	return cfg
}

// boardLog is the events with their cycles, by hand: timers at about 5,000 and its multiples, pins as above, the
// clock at three times 20,000.
const boardLog = "tg1g4tg1tttr"

// TestBoard: interrupts of GPIO, timers and the real-time clock come in their cycles, on each engine and
// however the run is cut.
func TestBoard(t *testing.T) {
	var cycles []uint64
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference, arcv2dsp.EngineJIT} {
		for _, piece := range []uint64{0, 1, 977} {
			var out bytes.Buffer
			m := newMachine(t, boardConfig(engine, &out), guests+"board.elf")
			for {
				stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: piece})
				require.NoError(t, err)
				if stop.Reason != arcv2dsp.StopCycleLimit {
					require.Equal(t, arcv2dsp.StopExited, stop.Reason)
					require.EqualValues(t, 5, stop.Status)
					break
				}
			}
			require.Equal(t, boardLog, out.String())
			cycles = append(cycles, m.Stats().Cycles)
			require.Equal(t, cycles[0], m.Stats().Cycles)
		}
	}
	require.InDelta(t, 60_000, cycles[0], 300)

	m := newMachine(t, boardConfig(arcv2dsp.EngineFast, &bytes.Buffer{}), guests+"board.elf")
	run(t, m, arcv2dsp.Limits{})
	m.Reset()
	require.NoError(t, m.LoadFile(guests+"board.elf"))
	run(t, m, arcv2dsp.Limits{})
	require.Equal(t, cycles[0], m.Stats().Cycles, "after a reset")
}

// TestBoardSnapshots: a run that is taken back, or goes on in another machine from a file, is the same.
func TestBoardSnapshots(t *testing.T) {
	for _, at := range []uint64{60, 4_999, 7_010, 12_345, 15_003, 40_001, 59_000} {
		var whole, rest bytes.Buffer
		m := newMachine(t, boardConfig(arcv2dsp.EngineFast, &whole), guests+"board.elf")
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: at})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopCycleLimit, stop.Reason)
		before := whole.Len()
		s := m.Snapshot()
		file := filepath.Join(t.TempDir(), "snapshot")
		require.NoError(t, m.SaveFile(file))
		run(t, m, arcv2dsp.Limits{})
		end := m.Stats()
		require.Equal(t, boardLog, whole.String())
		require.NoError(t, m.Restore(s))
		run(t, m, arcv2dsp.Limits{})
		require.Equal(t, end, m.Stats())
		require.Equal(t, boardLog+boardLog[before:], whole.String())

		m = newMachine(t, boardConfig(arcv2dsp.EngineReference, &rest), guests+"board.elf")
		require.NoError(t, m.RestoreFile(file))
		run(t, m, arcv2dsp.Limits{})
		require.Equal(t, end, m.Stats())
		require.Equal(t, boardLog[before:], rest.String())

		cfg := boardConfig(arcv2dsp.EngineFast, &rest)
		cfg.Settings = cfg.Settings[:3]
		require.ErrorIs(t, newMachine(t, cfg, guests+"board.elf").Restore(s), arcv2dsp.ErrSnapshot)
	}
}

// TestBoardWatchdog: a program that hangs is interrupted, then begins again with its memory as it was.
func TestBoardWatchdog(t *testing.T) {
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference, arcv2dsp.EngineJIT} {
		m := newMachine(t, arcv2dsp.Config{Engine: engine, Settings: []arcv2dsp.Setting{
			{Property: "nsim_mem-dev=wdt0,kind=dwwdt,base=0xf0005000,irq=25"},
		}}, guests+"watchdog.elf")
		require.EqualValues(t, 0x11, run(t, m, arcv2dsp.Limits{Cycles: 1_000_000}).Status)
		// three restarts of 15,000 rounds of three cycles, then two periods of 65,536
		require.InDelta(t, 3*15_000*3+2*65_536, m.Stats().Cycles, 300)
	}
}

// TestBoardErrors: a mistake in a device gives one line.
func TestBoardErrors(t *testing.T) {
	for device, want := range map[string]string{
		"x,kind=dwspi,base=0x1000":                         `device kind "dwspi" is not simulated, dwuart, dwgpio, dwtimer, dwwdt, dwrtc, bank are`,
		"x,kind=dwtimer,base=0x1000,pins=1:1":              "pins is a setting of a dwgpio, x is a dwtimer",
		"x,kind=dwtimer,base=0x1000,hz=1":                  "hz is a setting of a dwrtc",
		"x,kind=dwgpio,base=0x1000,pins=5":                 `"5" in pins=5 is not CYCLE:PINS`,
		"x,kind=dwgpio,base=0x1000,pins=5:1/5:2":           "do not rise",
		"x,kind=dwgpio,base=0x1000,pins=5:0x100000000":     "not a 32-bit number",
		"x,kind=dwrtc,base=0x1000,speed=1":                 `a device has no "speed"`,
		"x,kind=dwgpio,base=0x1000,irq=25,pins=-1:1":       "not CYCLE:PINS",
		"x,kind=dwwdt,base=0xffffffff":                     "not a multiple of 4",
		"x,kind=dwwdt,base=0xfffffffc":                     "do not fit the address space",
		"x,kind=dwtimer,base=0x1000,irq=25,irq=26,kind=no": `device kind "no"`,
	} {
		_, err := arcv2dsp.New(arcv2dsp.Config{Settings: []arcv2dsp.Setting{{Property: "nsim_mem-dev=" + device}}})
		require.ErrorContains(t, err, want, fmt.Sprint(device))
	}
}

// TestBoardConsole: the UART of a board prints on standard output, where its public software expects it.
func TestBoardConsole(t *testing.T) {
	for board, uart := range map[string]uint32{"emsk23-em9d": 0xf0009000, "emsdp-em11d": 0xf0004000} {
		var out bytes.Buffer
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: board, Stdout: &out})
		require.NoError(t, err)
		require.NoError(t, m.Load(linked(t, fmt.Sprintf(`
	.globl __start
__start:
	mov r1, %#x
	mov r2, 'A'
wait:	ld r3, [r1, 0x14]	; line status
	bbit0 r3, 5, wait
	st r2, [r1]
	mov r0, 0
	flag 1
	nop
`, uart))))
		stop := run(t, m, arcv2dsp.Limits{Insts: 1000})
		require.Equal(t, arcv2dsp.StopExited, stop.Reason, stop.String())
		require.Equal(t, "A", out.String(), board)
		require.NoError(t, m.Close())
	}
}
