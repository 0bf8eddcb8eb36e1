package debug

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
)

// system is a real-time operating system whose data the debugger knows.
type system interface {
	// running returns the task that runs, 0 before the system has started.
	running(d *Debugger) (uint32, error)
	// tasks returns all tasks of a system that has started, the running one given. The error names a list that is damaged.
	tasks(d *Debugger, current uint32) ([]Task, error)
	// resumptions returns where the code of the system can be entered to restore a task.
	resumptions(d *Debugger, t Task) ([]resumption, error)
}

// Tasks of a real-time operating system with the public data of FreeRTOS: the running one is at pxCurrentTCB, and every
// other task is in one of its lists. Debug information has the layout of lists and tasks; without it, the layout
// of the usual configuration is assumed.

// Task is a task of the program's operating system.
type Task struct {
	ID       uint32 // address of its control block
	Name     string
	State    TaskState
	Priority int32
	Stack    uint32 // lowest address of its stack
	top      uint32 // stack pointer while it does not run
}

// TaskState is what a task does.
type TaskState string

// States of a task.
const (
	TaskRunning   TaskState = "running"
	TaskReady     TaskState = "ready"
	TaskBlocked   TaskState = "blocked"
	TaskSuspended TaskState = "suspended"
	TaskDeleted   TaskState = "deleted"
)

// rtos is where a program with FreeRTOS has its tasks.
type rtos struct {
	current uint32 // address of the pointer to what runs
	lists   []taskList
	layout  taskLayout
}

// taskList is a list of tasks in a state.
type taskList struct {
	name  string
	addr  uint32
	state TaskState
}

// taskLayout has the offsets in lists, their items, and control blocks.
type taskLayout struct {
	list     uint32 // size of a list
	count    uint32 // in a list: how many items it has
	end      uint32 // in a list: the item that marks its end
	next     uint32 // in an item
	owner    uint32 // in an item: the control block
	event    uint32 // in a control block: the list that its event item is in
	priority uint32
	low      uint32 // in a control block: the lowest address of the stack
	name     uint32
	nameSize uint32
}

// Bounds on reading lists that may be damaged.
const (
	maxTasks      = 1024
	maxPriorities = 1024
)

// rtosLists are the lists of tasks by their symbols. The ready lists are an array.
var rtosLists = []struct {
	name  string
	state TaskState
}{
	{name: "pxReadyTasksLists", state: TaskReady},
	{name: "xPendingReadyList", state: TaskReady},
	{name: "xDelayedTaskList1", state: TaskBlocked},
	{name: "xDelayedTaskList2", state: TaskBlocked},
	{name: "xSuspendedTaskList", state: TaskSuspended},
	{name: "xTasksWaitingTermination", state: TaskDeleted},
}

// findFreeRTOS looks for FreeRTOS in the program; nil when it is not there.
func (d *Debugger) findFreeRTOS() system {
	current, ok := d.m.Symbols().Lookup("pxCurrentTCB")
	if !ok {
		return nil
	}
	ready, ok := d.m.Symbols().Lookup(rtosLists[0].name)
	if !ok {
		return nil
	}
	k := &rtos{current: current.Addr, layout: d.taskLayout()}
	for _, s := range rtosLists {
		sym, ok := d.m.Symbols().Lookup(s.name)
		if !ok {
			continue
		}
		n := uint32(1)
		if s.name == ready.Name {
			n = min(max(sym.Size/k.layout.list, 1), maxPriorities)
		}
		for i := range n {
			l := taskList{name: s.name, addr: sym.Addr + i*k.layout.list, state: s.state}
			if n > 1 {
				l.name = fmt.Sprintf("%s[%d]", s.name, i)
			}
			k.lists = append(k.lists, l)
		}
	}
	return k
}

// taskLayout finds the layout: each offset by debug information when there is some.
func (d *Debugger) taskLayout() taskLayout {
	l := taskLayout{
		list: 20, count: 0, end: 8, next: 4, owner: 12, event: 40, priority: 44, low: 48, name: 52, nameSize: 16,
	}
	for _, s := range rtosLists[1:] { // a single list, whose end may be a whole item
		if sym, ok := d.m.Symbols().Lookup(s.name); ok && sym.Size >= l.list && sym.Size <= 2*l.list {
			l.list = sym.Size
			break
		}
	}
	for _, o := range []struct {
		to   *uint32
		expr string
	}{
		{to: &l.list, expr: "sizeof(pxReadyTasksLists[0])"},
		{to: &l.count, expr: "(unsigned)&pxReadyTasksLists[0].uxNumberOfItems - (unsigned)&pxReadyTasksLists[0]"},
		{to: &l.end, expr: "(unsigned)&pxReadyTasksLists[0].xListEnd - (unsigned)&pxReadyTasksLists[0]"},
		{to: &l.next, expr: "(unsigned)&pxReadyTasksLists[0].xListEnd.pxNext - (unsigned)&pxReadyTasksLists[0].xListEnd"},
		{to: &l.owner, expr: "(unsigned)&((*pxCurrentTCB).xStateListItem.pvOwner) - (unsigned)&((*pxCurrentTCB).xStateListItem)"},
		{to: &l.event, expr: "(unsigned)&((*pxCurrentTCB).xEventListItem.pxContainer) - (unsigned)pxCurrentTCB"},
		{to: &l.event, expr: "(unsigned)&((*pxCurrentTCB).xEventListItem.pvContainer) - (unsigned)pxCurrentTCB"},
		{to: &l.priority, expr: "(unsigned)&((*pxCurrentTCB).uxPriority) - (unsigned)pxCurrentTCB"},
		{to: &l.low, expr: "(unsigned)&((*pxCurrentTCB).pxStack) - (unsigned)pxCurrentTCB"},
		{to: &l.name, expr: "(unsigned)&((*pxCurrentTCB).pcTaskName) - (unsigned)pxCurrentTCB"},
		{to: &l.nameSize, expr: "sizeof((*pxCurrentTCB).pcTaskName)"},
	} {
		if v, err := d.evalAt(o.expr); err == nil && v.Num >= 0 && v.Num <= maxTaskLayout {
			*o.to = uint32(v.Num)
		}
	}
	l.list = max(l.list, 1)
	l.nameSize = min(l.nameSize, 64)
	return l
}

// maxTaskLayout bounds offsets: debug information may be damaged.
const maxTaskLayout = 1 << 16

// evalAt evaluates an expression of globals.
func (d *Debugger) evalAt(text string) (Value, error) {
	x, err := d.Compile(text, cexpr.Scope{Fixed: true})
	if err != nil {
		return Value{}, err
	}
	return x.Eval()
}

// RunningTask returns the ID of the task that runs, 0 when there are none.
func (d *Debugger) RunningTask() uint32 {
	k := d.theRTOS()
	if k == nil {
		return 0
	}
	id, err := k.running(d)
	if err != nil {
		return 0
	}
	return id
}

// theRTOS returns the program's operating system, which is looked for once.
func (d *Debugger) theRTOS() system {
	if !d.soughtRTOS {
		d.soughtRTOS = true
		if d.rtos = d.findFreeRTOS(); d.rtos == nil {
			d.rtos = d.findZephyr()
		}
	}
	return d.rtos
}

// Tasks returns the tasks of the operating system by the addresses of their control blocks; none when the program
// has no operating system that is known, or has not started it. The error names a list that is damaged; the tasks
// that were found are still returned.
func (d *Debugger) Tasks() ([]Task, error) {
	k := d.theRTOS()
	if k == nil {
		return nil, nil
	}
	current, err := k.running(d)
	if err != nil || current == 0 {
		return nil, err
	}
	list, err := k.tasks(d, current)
	slices.SortFunc(list, func(a, b Task) int { return cmp.Compare(a.ID, b.ID) })
	return list, err
}

func (k *rtos) running(d *Debugger) (uint32, error) { return d.m.ReadWord(k.current) }

func (k *rtos) tasks(d *Debugger, current uint32) (list []Task, err error) {
	add := func(tcb uint32, state TaskState) error {
		if slices.ContainsFunc(list, func(t Task) bool { return t.ID == tcb }) {
			return nil
		}
		t, err := d.task(k, tcb, state)
		if err == nil {
			list = append(list, t)
		}
		return err
	}
	err = add(current, TaskRunning)
	for _, l := range k.lists {
		if e := d.eachTask(k, l, func(tcb uint32) error { return add(tcb, l.state) }); e != nil && err == nil {
			err = fmt.Errorf("%s is damaged, or the program is changing it: %w", l.name, e)
		}
	}
	return list, err
}

// eachTask calls f with the control blocks of a list.
func (d *Debugger) eachTask(k *rtos, l taskList, f func(tcb uint32) error) (err error) {
	defer steps.Return(&err)
	n, err := d.m.ReadWord(l.addr + k.layout.count)
	if err != nil || n == 0 {
		return err
	}
	end := l.addr + k.layout.end
	item := end
	for range min(n, maxTasks) {
		item = steps.Must(d.m.ReadWord(item + k.layout.next))
		if item == end {
			return fmt.Errorf("it ends before its %d items", n)
		}
		tcb := steps.Must(d.m.ReadWord(item + k.layout.owner))
		steps.Check(f(tcb))
	}
	if n > maxTasks {
		return fmt.Errorf("it has %d items", n)
	}
	return nil
}

// task reads a control block.
func (d *Debugger) task(k *rtos, tcb uint32, state TaskState) (Task, error) {
	t := Task{ID: tcb, State: state}
	var event, priority uint32
	for _, w := range []struct {
		to  *uint32
		off uint32
	}{
		{to: &t.top, off: 0}, // FreeRTOS wants it first
		{to: &priority, off: k.layout.priority},
		{to: &t.Stack, off: k.layout.low},
		{to: &event, off: k.layout.event},
	} {
		v, err := d.m.ReadWord(tcb + w.off)
		if err != nil {
			return Task{}, cexpr.MemoryError(tcb+w.off, err)
		}
		*w.to = v
	}
	t.Priority = int32(priority)
	name := make([]byte, k.layout.nameSize)
	if err := d.m.ReadMemory(tcb+k.layout.name, name); err != nil {
		return Task{}, cexpr.MemoryError(tcb+k.layout.name, err)
	}
	if n := bytes.IndexByte(name, 0); n >= 0 {
		name = name[:n]
	}
	t.Name = printable(string(name))
	if state == TaskSuspended && event != 0 {
		t.State = TaskBlocked // it waits for an event without a time limit
	}
	return t, nil
}

// printable replaces what a terminal would not show as it is.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}
