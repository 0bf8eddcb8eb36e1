package debug

import (
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

const tasksProgram = "../../testdata/guest/elf/tasks.elf"

// byName returns the task of a name.
func byName(t testing.TB, list []Task, name string) Task {
	t.Helper()
	for _, k := range list {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no task %s", name)
	return Task{}
}

// TestTasks: names, states and priorities along a run, none before the kernel starts.
func TestTasks(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, tasksProgram, Options{})
	list, err := d.Tasks()
	require.NoError(t, err)
	require.Empty(t, list)
	require.Zero(t, d.RunningTask())
	for _, row := range []struct {
		at                     string
		sum, mix, blink, ready TaskState
	}{
		{at: "vBlinkTask", sum: TaskReady, mix: TaskReady, blink: TaskRunning},
		{at: "vSumTask", sum: TaskRunning, mix: TaskReady, blink: TaskBlocked},
		{at: "mix", sum: TaskReady, mix: TaskRunning, blink: TaskBlocked},
		{at: "dispatch", sum: TaskReady, mix: TaskReady, blink: TaskRunning},
		{at: "add_up", sum: TaskRunning, mix: TaskReady, blink: TaskBlocked},
	} {
		_, err := d.Break("*"+row.at, "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		list, err := d.Tasks()
		require.NoError(t, err)
		require.Len(t, list, 5)
		for name, want := range map[string]Task{
			"Sum": {State: row.sum, Priority: 1}, "Mix": {State: row.mix, Priority: 1},
			"Blink": {State: row.blink, Priority: 2}, "IDLE": {State: TaskReady}, "Late": {State: TaskSuspended, Priority: 3},
		} {
			got := byName(t, list, name)
			if name == "Blink" && row.at == "dispatch" { // it has entered the list of those that wait, and still runs
				want.State = TaskRunning
			}
			require.Equal(t, want.State, got.State, "%s at %s", name, row.at)
			require.Equal(t, want.Priority, got.Priority)
			require.Equal(t, got.State == TaskRunning, d.RunningTask() == got.ID)
		}
	}
}

// TestTaskRegisters: the registers shown of a task that does not run are those it goes on with, and
// looking at them changes nothing.
func TestTaskRegisters(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, tasksProgram, Options{})
	for _, row := range []struct {
		name, at, condition string
		called              bool // it has called the kernel, which keeps what a callee keeps
	}{
		{name: "Mix", at: "*add_up", condition: "$r13 > 5050 * 20"},
		{name: "Blink", at: "*add_up", condition: "$r13 > 5050 * 30", called: true},
		{name: "Sum", at: "*xTaskIncrementTick", condition: "pxCurrentTCB == (unsigned)&tcb_mix"}, // in a handler
		{name: "Sum", at: "*dispatch"},
	} {
		name := row.name
		_, err := d.Break(row.at, row.condition, true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		list, err := d.Tasks()
		require.NoError(t, err)
		k := byName(t, list, name)
		before := d.state(t)
		require.NoError(t, d.SelectTask(k.ID))
		got, err := d.TaskRegisters(k.ID)
		require.NoError(t, err)
		frames, _ := d.Backtrace(0)
		require.Equal(t, got.PC, frames[0].PC)
		v, err := d.Eval("$sp")
		require.NoError(t, err)
		require.EqualValues(t, got.Core[regSP], v.Num)
		_, err = d.Eval("$r13 = 1")
		require.ErrorContains(t, err, "does not run")
		require.Equal(t, before, d.state(t))

		_, err = d.Break("*"+"0x"+hex8(got.PC), "$sp == 0x"+hex8(got.Core[regSP]), true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		require.Zero(t, d.TaskSelected())
		require.Equal(t, k.ID, d.RunningTask())
		for n := range uint8(32) {
			if row.called && n < 13 || n >= 29 && n <= 30 { // r30 and ilink are nobody's
				continue
			}
			require.Equal(t, d.CoreReg(n), got.Core[n], "r%d of %s", n, name)
		}
	}
}

func hex8(v uint32) string {
	const digits = "0123456789abcdef"
	var b [8]byte
	for i := range b {
		b[7-i] = digits[v>>(4*i)&15]
	}
	return string(b[:])
}

// TestTasksDamaged: lists and stacks that a program overwrote end in an error.
func TestTasksDamaged(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		symbol string
		off    uint32
		value  uint32
		want   string
	}{
		{symbol: "xDelayedTaskList1", off: 0, value: 0xffffffff, want: "xDelayedTaskList1 is damaged"},
		{symbol: "xDelayedTaskList1", off: 0, value: 2, want: "ends before its 2 items"},
		{symbol: "xDelayedTaskList1", off: 12, value: 0xfffffffe, want: ""},
		{symbol: "xSuspendedTaskList", off: 12, value: 0, want: ""},
		{symbol: "pxCurrentTCB", off: 0, value: 0xfffffff0, want: ""},
		{symbol: "pxReadyTasksLists", off: 20, value: 5, want: "pxReadyTasksLists[1] is damaged"},
	} {
		d, _ := start(t, tasksProgram, Options{NoHistory: true})
		_, err := d.Break("*add_up", "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		addr, ok := d.m.Symbol(row.symbol)
		require.True(t, ok)
		require.NoError(t, d.WriteMemory(addr+row.off, binary.LittleEndian.AppendUint32(nil, row.value)))
		list, err := d.Tasks()
		require.LessOrEqual(t, len(list), 6)
		if row.want != "" {
			require.ErrorContains(t, err, row.want)
		}
		for _, k := range list {
			_, _ = d.TaskFrame(k.ID) // whatever it finds, it comes back
		}
	}
	d, _ := start(t, tasksProgram, Options{NoHistory: true})
	_, err := d.Break("*add_up", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	list, err := d.Tasks()
	require.NoError(t, err)
	k := byName(t, list, "Blink")
	require.NoError(t, d.WriteMemory(k.top, make([]byte, 8)))
	require.ErrorContains(t, d.SelectTask(k.ID), "does not say where it goes on")
	require.ErrorContains(t, d.SelectTask(0x1234), "no task has its control block at 0x00001234")
}

// TestTasksByDebugInformation: a kernel compiled with another layout is read by its types.
func TestTasksByDebugInformation(t *testing.T) {
	gcc := gnutools.Path(t, "gcc")
	dir := t.TempDir()
	source := filepath.Join(dir, "kernel.c")
	require.NoError(t, os.WriteFile(source, []byte(`
typedef struct item {
	unsigned check; unsigned xItemValue; struct item *pxNext, *pxPrevious; void *pvOwner; void *pvContainer;
} ListItem_t;
typedef struct { unsigned check, uxNumberOfItems; ListItem_t *pxIndex; ListItem_t xListEnd; unsigned check2; } List_t;
typedef struct {
	unsigned *pxTopOfStack; int mpu[7]; ListItem_t xStateListItem, xEventListItem;
	unsigned uxPriority, *pxStack; char pcTaskName[24];
} TCB_t;
static List_t pxReadyTasksLists[3], xSuspendedTaskList, xDelayedTaskList1;
static TCB_t a = {.uxPriority = 2, .pcTaskName = "first task of all"}, b = {.uxPriority = 1, .pcTaskName = "second"},
	c = {.uxPriority = 0, .pcTaskName = "third"};
TCB_t *volatile pxCurrentTCB;
static void put(List_t *l, TCB_t *t)
{
	l->uxNumberOfItems = 1;
	l->xListEnd.pxNext = l->xListEnd.pxPrevious = &t->xStateListItem;
	t->xStateListItem.pxNext = t->xStateListItem.pxPrevious = &l->xListEnd;
	t->xStateListItem.pvOwner = t;
	t->xStateListItem.pvContainer = l;
}
void done(void) { for (;;); }
void _start(void)
{
	__asm__ volatile ("mov sp, 0x80010000");
	put(&pxReadyTasksLists[2], &a);
	put(&xDelayedTaskList1, &b);
	put(&xSuspendedTaskList, &c);
	c.xEventListItem.pvContainer = &xSuspendedTaskList;
	pxCurrentTCB = &a;
	done();
}
`), 0o600))
	program := filepath.Join(dir, "kernel.elf")
	out, err := exec.Command(gcc, "-mcpu=em4_dmips", "-g", "-O0", "-nostdlib", "-static", "-Wl,-marcelf,-e,_start", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	d, _ := start(t, program, Options{NoHistory: true})
	_, err = d.Break("*done", "", true)
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(context.Background(), Limits{}).Reason)
	list, err := d.Tasks()
	require.NoError(t, err)
	require.Len(t, list, 3)
	for name, want := range map[string]Task{
		"first task of all": {State: TaskRunning, Priority: 2},
		"second":            {State: TaskBlocked, Priority: 1},
		"third":             {State: TaskBlocked, Priority: 0},
	} {
		got := byName(t, list, name)
		require.Equal(t, want.State, got.State, name)
		require.Equal(t, want.Priority, got.Priority, name)
	}
}
