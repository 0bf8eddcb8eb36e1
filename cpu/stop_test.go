package cpu_test

import (
	"testing"
	"time"

	"arcv2dsp/cpu"
	"arcv2dsp/memory"

	"github.com/stretchr/testify/require"
)

// TestStopReadsAsText: a stop and its limits print as a person reads them, not as their fields.
func TestStopReadsAsText(t *testing.T) {
	broken := cpu.Exception{Vector: cpu.VecDivZero, PC: 0x120}
	for _, c := range []struct {
		stop cpu.Stop
		text string
	}{
		{stop: cpu.Stop{Reason: cpu.StopExited, Status: 3, PC: 0x120}, text: "exited with status 3 at 0x00000120"},
		{stop: cpu.Stop{Reason: cpu.StopCycleLimit, PC: 0x120}, text: "cycle limit reached at 0x00000120"},
		{stop: cpu.Stop{Reason: cpu.StopBreakpoint, PC: 0x120}, text: "breakpoint at 0x00000120"},
		{stop: cpu.Stop{Reason: cpu.StopWatchpoint, PC: 0x120, Access: memory.Event{Addr: 0x3000, Size: 4, Access: memory.Write}},
			text: "store of 4 bytes at 0x00003000 is watched, next 0x00000120"},
		{stop: cpu.Stop{Reason: cpu.StopFault, PC: 0x120, Exception: broken, Handling: []cpu.Exception{{Vector: cpu.VecTrap, PC: 0x80}}},
			text: "fault: Divide by Zero (ECR 0x0b0000) at 0x00000120; while handling Trap (ECR 0x090000) at 0x00000080"},
		{stop: cpu.Stop{Reason: cpu.StopFault, Exception: broken, Handling: []cpu.Exception{
			{Vector: cpu.VecTrap, PC: 0x80}, {Vector: cpu.VecInstruction, PC: 0x90, Why: "no aux register 0x5e4"}, {Vector: cpu.VecMemoryError, PC: 0x94}}},
			text: "fault: Instruction Error (ECR 0x020000) at 0x00000090: no aux register 0x5e4; in its handler: Memory Error (ECR 0x010000) at 0x00000094; " +
				"in its handler: Divide by Zero (ECR 0x0b0000) at 0x00000120; while handling Trap (ECR 0x090000) at 0x00000080"},
		{stop: cpu.Stop{Reason: 99}, text: "reason(99) at 0x00000000"},
	} {
		require.Equal(t, c.text, c.stop.String())
	}
	require.Equal(t, "no limit", cpu.Limits{}.String())
	require.Equal(t, "1000 instructions, 20 cycles, 2s", cpu.Limits{Insts: 1000, Cycles: 20, Timeout: 2 * time.Second}.String())
}
