package debug

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

// TestZephyr: threads of a kernel with Zephyr's data are named with state and priority, and go on where they were left, by
// the table of offsets, by debug information, and by symbols where there is no list.
func TestZephyr(t *testing.T) {
	gcc := gnutools.Path(t, "gcc")
	for _, tt := range []struct {
		name, ticker string
		args         []string
	}{
		{name: "table", ticker: "ticker", args: []string{"-DLIST", "-DTABLE"}},
		{name: "debug information", ticker: "ticker", args: []string{"-DLIST", "-g"}},
		{name: "symbols", ticker: "ticker", args: []string{"-g"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "threads.elf")
			// CAUSE is where the switch keeps why a thread was left.
			cause := "-Wa,--defsym,CAUSE=28"
			if tt.args[0] == "-DLIST" {
				cause = "-Wa,--defsym,CAUSE=64"
			}
			args := append([]string{"-mcpu=em4_dmips", "-O1", "-fno-omit-frame-pointer", "-nostdlib", "-static", "-Wl,-marcelf,-e,_start", cause, "-o", program}, tt.args...)
			out, err := exec.Command(gcc, append(args, "testdata/threads.c")...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			d, _ := start(t, program, Options{NoHistory: true})
			list, err := d.Tasks()
			require.NoError(t, err)
			require.Empty(t, list, "before the kernel has started")
			_, err = d.Break("*at_work", "", true)
			require.NoError(t, err)
			ctx := context.Background()
			require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{Cycles: 100_000}).Reason)

			list, err = d.Tasks()
			require.NoError(t, err)
			require.Len(t, list, 3)
			main, ticker, worker := byName(t, list, "main"), byName(t, list, tt.ticker), byName(t, list, "worker")
			require.Equal(t, TaskBlocked, main.State)
			require.Equal(t, TaskReady, ticker.State)
			require.Equal(t, TaskRunning, worker.State)
			require.Equal(t, []int32{0, 5, -1}, []int32{main.Priority, ticker.Priority, worker.Priority})
			require.Equal(t, worker.ID, d.RunningTask())

			before := d.state(t)
			f, err := d.TaskFrame(main.ID)
			require.NoError(t, err)
			require.Equal(t, "pause_main", f.Function)
			regs, err := d.TaskRegisters(ticker.ID)
			require.NoError(t, err)
			interrupted, ok := d.m.Symbol("interrupted")
			require.True(t, ok)
			require.InDelta(t, interrupted, regs.PC, 4)
			require.EqualValues(t, 0x1234, regs.Core[13])
			require.EqualValues(t, 41, regs.Core[14])
			require.NoError(t, d.SelectTask(main.ID))
			frames, _ := d.Backtrace(0)
			require.Equal(t, "pause_main", frames[0].Function)
			require.Equal(t, "run", frames[1].Function)
			require.NoError(t, d.SelectTask(0))
			require.Equal(t, before, d.state(t), "looking changes nothing")

			stop := d.Continue(ctx, Limits{Cycles: 100_000})
			require.Equal(t, arcv2dsp.StopExited, stop.Reason)
			require.EqualValues(t, 105, stop.Status, "four switches and one note, and the registers of the ticker were kept")
		})
	}
}
