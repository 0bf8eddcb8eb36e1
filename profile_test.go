package arcv2dsp_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestProfilePrograms compares the profiles of the two engines: programs with interrupts, exceptions,
// host calls, calls of all kinds and AGU accesses that cost cycles.
func TestProfilePrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/guest/elf/*.elf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range append(files, "internal/measure/profile/testdata/calls.elf") {
		if !level.Wants(i, 1, 5) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			var chains [2][]arcv2dsp.CallChain
			for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
				m, err := arcv2dsp.New(arcv2dsp.Config{
					Engine: engine, Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("some input\n"),
				})
				require.NoError(t, err)
				defer m.Close()
				if err := m.LoadFile(file); errors.Is(err, arcv2dsp.ErrBigEndian) {
					t.Skip("big-endian")
				} else {
					require.NoError(t, err)
				}
				p := m.StartProfile()
				for cycles := uint64(0); cycles < 300_000; cycles += 9973 {
					stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: 9973, Timeout: 10 * time.Second})
					require.NoError(t, err)
					if stop.Reason != arcv2dsp.StopCycleLimit {
						break
					}
				}
				chains[i] = p.Stop()
				require.Equal(t, m.Stats(), total(chains[i]))
			}
			require.ElementsMatch(t, chains[1], chains[0])
		})
	}
}

func total(chains []arcv2dsp.CallChain) (sum arcv2dsp.Stats) {
	for _, c := range chains {
		for _, cost := range c.Costs {
			sum.Insts += cost.Insts
			sum.Cycles += cost.Cycles()
			for r, n := range cost.Stalls {
				sum.Stalls[r] += n
			}
		}
	}
	return sum
}

// TestProfile runs a program with a profile on each engine, with caches and with hooks: the same
// chains and costs where the core is the same, and always the totals of the run.
func TestProfile(t *testing.T) {
	const file = "testdata/elf/small/fsm-em4-O2.elf"
	run := func(cfg arcv2dsp.Config, hooks arcv2dsp.Hooks) []arcv2dsp.CallChain {
		cfg.Stdout = io.Discard
		m, err := arcv2dsp.New(cfg)
		require.NoError(t, err)
		defer m.Close()
		require.NoError(t, m.LoadFile(file))
		before, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 100})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopInstLimit, before.Reason)
		start := m.Stats()

		p := m.StartProfile()
		m.Observe(hooks)
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopExited, stop.Reason)
		chains := p.Stop()

		require.Equal(t, m.Stats().Sub(start), total(chains))
		return chains
	}
	want := run(arcv2dsp.Config{Core: "em9d"}, arcv2dsp.Hooks{})
	require.Equal(t, want, run(arcv2dsp.Config{Core: "em9d", Engine: arcv2dsp.EngineReference}, arcv2dsp.Hooks{}))
	seen := 0
	require.Equal(t, want, run(arcv2dsp.Config{Core: "em9d"}, arcv2dsp.Hooks{
		Branch: func(uint32, uint32) { seen++ },
	}))
	require.NotZero(t, seen)
	run(arcv2dsp.Config{Core: "em11d"}, arcv2dsp.Hooks{})
}

// TestProfileRestore goes back to a snapshot while a profile counts: it has what was executed before and behind.
func TestProfileRestore(t *testing.T) {
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
		m := newMachine(t, arcv2dsp.Config{Core: "em9d", Engine: engine}, "testdata/elf/small/fsm-em4-O2.elf")
		run := func(insts uint64) arcv2dsp.Stats {
			start := m.Stats()
			stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: insts})
			require.NoError(t, err)
			require.Equal(t, arcv2dsp.StopInstLimit, stop.Reason)
			return m.Stats().Sub(start)
		}
		run(100)
		s := m.Snapshot()
		p := m.StartProfile()
		want := run(500)
		require.NoError(t, m.Restore(s))
		again := run(300)
		want.Insts, want.Cycles = want.Insts+again.Insts, want.Cycles+again.Cycles
		for r, n := range again.Stalls {
			want.Stalls[r] += n
		}
		require.Equal(t, want, total(p.Stop()))
	}
}

// TestProfileTasks: instructions of a task of a pre-emptive kernel count for it, whoever was interrupted
// or gave up the processor before; handlers keep what they execute themselves.
func TestProfileTasks(t *testing.T) {
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
		m := newMachine(t, arcv2dsp.Config{Engine: engine}, guests+"tasks.elf")
		p := m.StartProfile()
		require.EqualValues(t, 20, run(t, m, arcv2dsp.Limits{}).Status)
		name := func(addr uint32) string {
			s, _, ok := m.Symbols().At(addr)
			require.True(t, ok)
			return s.Name
		}
		cycles := map[string]uint64{} // by the calls and the function at their end
		var handlers, all uint64
		for _, c := range p.Stop() {
			chain := ""
			if c.Handler {
				chain = "[handlers];"
			}
			for _, call := range slices.Backward(c.Calls) {
				chain += name(call) + ";"
			}
			for i := range c.Costs {
				n := c.Costs[i].Cycles()
				cycles[chain+name(c.Costs[i].PC)] += n
				if all += n; c.Handler {
					handlers += n
				}
			}
		}
		var chains []string
		for chain := range cycles {
			if !strings.HasPrefix(chain, "_start") {
				chains = append(chains, chain)
			}
		}
		require.ElementsMatch(t, []string{
			"[handlers];irq_timer0", "[handlers];irq_timer0;dispatcher",
			"[handlers];irq_timer0;dispatcher;vTaskSwitchContext",
			"[handlers];irq_timer0;xTaskIncrementTick", "[handlers];irq_timer0;xTaskIncrementTick;uxListRemove",
			"[handlers];irq_timer0;xTaskIncrementTick;vListInsert", // its end, which vListInsertEnd shares
			"[handlers];irq_timer0;xTaskIncrementTick;vListInsertEnd",
			"start_r", "vBlinkTask", "vBlinkTask;vTaskDelay", "vBlinkTask;vTaskDelay;dispatch",
			"vBlinkTask;vTaskDelay;dispatch;dispatcher",
			"vBlinkTask;vTaskDelay;dispatch;dispatcher;vTaskSwitchContext",
			"vBlinkTask;vTaskDelay;uxListRemove", "vBlinkTask;vTaskDelay;vListInsert",
			"vMixTask", "vMixTask;mix", "vSumTask", "vSumTask;sum", "vSumTask;sum;add_up",
		}, chains)
		require.Less(t, handlers*10, all)
		sum := cycles["vSumTask"] + cycles["vSumTask;sum"] + cycles["vSumTask;sum;add_up"]
		mix := cycles["vMixTask"] + cycles["vMixTask;mix"]
		require.InEpsilon(t, sum, mix, 0.1, "they take turns at every tick")
	}
}

// TestProfileKernels: chains of calls begin where tasks do, however these are switched, and where interrupts
// come together.
func TestProfileKernels(t *testing.T) {
	for program, want := range map[string][]string{
		"kernel.elf":   {"_start", "busy", "consumer", "idle", "periodic", "producer", "worker"},
		"dispatch.elf": {"_start", "busy", "polite", "sleeper"},
		"threads.elf":  {"_start", "fourth", "idle", "reader", "third", "watch", "writer"},
	} {
		t.Run(program, func(t *testing.T) {
			m := newMachine(t, arcv2dsp.Config{Settings: []arcv2dsp.Setting{{Property: "nsim_isa_stack_checking=1"}}}, guests+program)
			p := m.StartProfile()
			require.Equal(t, arcv2dsp.StopCycleLimit, run(t, m, arcv2dsp.Limits{Cycles: 200_000}).Reason)
			var begin []string
			for _, c := range p.Stop() {
				if len(c.Calls) == 0 && !c.Handler {
					s, offset, ok := m.Symbols().At(c.Entry)
					require.True(t, ok)
					require.Zero(t, offset, "in the middle of %s", s.Name)
					begin = append(begin, s.Name)
				}
			}
			require.ElementsMatch(t, want, begin)
		})
	}
}
