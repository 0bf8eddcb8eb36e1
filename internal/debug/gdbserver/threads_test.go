package gdbserver

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThreads: tasks are threads whose numbers are their control blocks; registers are those of the
// chosen one until the program goes on.
func TestThreads(t *testing.T) {
	t.Parallel()
	s := serveProgram(t, "../../../testdata/guest/elf/tasks.elf", Options{})
	c := s.connect(t)
	require.Equal(t, "m1", c.ask("qfThreadInfo"), "before the kernel starts")
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,4", s.symbols["add_up"])))
	stop := c.resume("c")
	sum := fmt.Sprintf("%x", s.symbols["tcb_sum"])
	require.Equal(t, sum, stop.pairs["thread"])
	require.Equal(t, "QC"+sum, c.ask("qC"))
	threads := map[string]uint32{}
	for _, name := range []string{"sum", "mix", "blink", "idle", "late"} {
		threads[name] = s.symbols["tcb_"+name]
	}
	list := strings.Split(strings.TrimPrefix(c.ask("qfThreadInfo"), "m"), ",")
	require.Len(t, list, len(threads))
	for _, tcb := range threads {
		require.Contains(t, list, fmt.Sprintf("%x", tcb))
		require.Equal(t, "OK", c.ask(fmt.Sprintf("T%x", tcb)))
	}
	require.Equal(t, "l", c.ask("qsThreadInfo"))
	require.Equal(t, "E16", c.ask("T1"))
	require.Equal(t, "E01", c.ask("Hg4"))
	about := func(tcb uint32) string {
		text, err := hex.DecodeString(c.ask(fmt.Sprintf("qThreadExtraInfo,%x", tcb)))
		require.NoError(t, err)
		return string(text)
	}
	require.Equal(t, "Sum, running, priority 1", about(threads["sum"]))
	require.Equal(t, "Blink, blocked, priority 2", about(threads["blink"]))
	require.Equal(t, "Late, suspended, priority 3", about(threads["late"]))

	require.Equal(t, s.symbols["add_up"], c.register(64))
	before := c.register(28)
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Hg%x", threads["late"])))
	require.Equal(t, s.symbols["vLateTask"], c.register(64))
	require.Equal(t, s.symbols["vPortEndTask"], c.register(31))
	require.Equal(t, s.symbols["stack_late"]+512, c.register(28))
	require.Equal(t, threads["late"], c.register(0), "its parameter")
	require.Equal(t, "E16", c.ask("p41"), "status32 is not kept")
	require.Contains(t, c.ask("g"), "xxxxxxxx")
	require.Equal(t, "E16", c.ask("P0=00000000"))
	require.Equal(t, "OK", c.ask("Hg0"))
	require.Equal(t, before, c.register(28))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Hg%x", threads["late"])))
	require.Equal(t, "OK", c.ask("Hc0"))
	stop = c.resume("c")
	require.Equal(t, sum, stop.pairs["thread"])
	require.Equal(t, s.symbols["add_up"], c.register(64), "what runs is chosen again")
}
