package debug

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
)

// zephyr is where a program with the kernel Zephyr has its threads. A kernel built for debuggers has a table of offsets;
// otherwise debug information has them. A kernel that keeps no list of its threads has those that symbols name.
//
// DEVIATION(446): registers of a thread that does not run are found by entering the kernel's switch to it, with the thread in
// r0 and r2 as its code wants it.
type zephyr struct {
	kernel  uint32   // address of _kernel
	threads []uint32 // by symbols, when there is no list
	names   map[uint32]string
	zephyrLayout
}

// zephyrLayout has the offsets in the kernel and in a thread; absent where a build has no such member.
type zephyrLayout struct {
	current, list                             uint32 // in the kernel
	entry, next, state, priority, stack, name uint32 // in a thread
}

// absent is the offset of what there is not.
const absent = 0xffffffff

// zephyrName is how long a name of a thread may be.
const zephyrName = 32

// Entries of the table of offsets, from its beginning, as version 1 has them.
const (
	infoVersion = iota
	infoCurrent
	infoThreads
	infoEntry
	infoNext
	infoState
	_
	infoPriority
	infoStack
	infoName
	infoEntries
)

// States of a thread, bits of one byte.
const (
	zephyrDummy     = 1 << 0
	zephyrPending   = 1 << 1
	zephyrSleeping  = 1 << 2 // of older kernels: it has not started
	zephyrDead      = 1 << 3
	zephyrSuspended = 1 << 4
)

// findZephyr looks for Zephyr in the program; nil when it is not there.
func (d *Debugger) findZephyr() system {
	kernel, ok := d.m.Symbols().Lookup("_kernel")
	if !ok {
		return nil
	}
	k := &zephyr{kernel: kernel.Addr, names: map[uint32]string{}}
	table, ok := d.m.Symbols().Lookup("_kernel_thread_info_offsets")
	if ok && k.readTable(d, table.Addr) || k.readTypes(d) {
		if k.list == absent {
			k.bySymbols(d)
		}
		return k
	}
	return nil
}

// readTable takes the offsets of the kernel's table. The program need not have started: the table is constant.
func (k *zephyr) readTable(d *Debugger, addr uint32) bool {
	var words [infoEntries]uint32
	for i := range words {
		v, err := d.m.ReadWord(addr + 4*uint32(i))
		if err != nil || v > maxTaskLayout && v != absent {
			return false
		}
		words[i] = v
	}
	k.zephyrLayout = zephyrLayout{
		current: words[infoCurrent], list: words[infoThreads], entry: words[infoEntry], next: words[infoNext],
		state: words[infoState], priority: words[infoPriority], stack: words[infoStack], name: words[infoName],
	}
	if words[infoVersion] == 0 {
		k.name = absent
	}
	return k.current != absent
}

// readTypes takes the offsets of debug information.
func (k *zephyr) readTypes(d *Debugger) bool {
	const thread = "(unsigned)&((struct k_thread *)0)->"
	for _, o := range []struct {
		to    *uint32
		exprs []string
	}{
		{to: &k.current, exprs: []string{"(unsigned)&_kernel.cpus[0].current - (unsigned)&_kernel", "(unsigned)&_kernel.current - (unsigned)&_kernel"}},
		{to: &k.list, exprs: []string{"(unsigned)&_kernel.threads - (unsigned)&_kernel"}},
		{to: &k.entry, exprs: []string{thread + "entry"}},
		{to: &k.next, exprs: []string{thread + "next_thread"}},
		{to: &k.state, exprs: []string{thread + "base.thread_state"}},
		{to: &k.priority, exprs: []string{thread + "base.prio"}},
		{to: &k.stack, exprs: []string{thread + "callee_saved.sp"}},
		{to: &k.name, exprs: []string{thread + "name"}},
	} {
		*o.to = absent
		for _, expr := range o.exprs {
			if v, err := d.evalAt(expr); err == nil && v.Num >= 0 && v.Num <= maxTaskLayout {
				*o.to = uint32(v.Num)
				break
			}
		}
	}
	if k.next == absent {
		k.list = absent
	}
	return k.current != absent && k.state != absent && k.stack != absent
}

// threadSymbols are the symbols of threads, whole or their beginnings, with the names of the threads; an empty one is what
// follows the beginning.
var threadSymbols = []struct{ symbol, name string }{
	{symbol: "z_main_thread", name: "main"},
	{symbol: "z_idle_threads", name: "idle"},
	{symbol: "_k_thread_obj_"},
}

// bySymbols finds the threads that are variables.
func (k *zephyr) bySymbols(d *Debugger) {
	for _, s := range d.m.Symbols().All() {
		for _, t := range threadSymbols {
			rest, ok := strings.CutPrefix(s.Name, t.symbol)
			if !ok || t.name != "" && rest != "" || t.name == "" && rest == "" || len(k.threads) >= maxTasks {
				continue
			}
			k.threads = append(k.threads, s.Addr)
			k.names[s.Addr] = t.name + rest
		}
	}
}

func (k *zephyr) running(d *Debugger) (uint32, error) { return d.m.ReadWord(k.kernel + k.current) }

func (k *zephyr) tasks(d *Debugger, current uint32) (list []Task, err error) {
	for _, addr := range k.threads {
		t, err := k.thread(d, addr, current)
		if err != nil {
			return list, err
		}
		if t.State != "" {
			list = append(list, t)
		}
	}
	if k.list == absent {
		return list, nil
	}
	at := k.kernel + k.list
	for range maxTasks {
		addr, err := d.m.ReadWord(at)
		if err != nil {
			return list, fmt.Errorf("the list of threads is damaged, or the program is changing it: %w", cexpr.MemoryError(at, err))
		}
		if addr == 0 {
			return list, nil
		}
		t, err := k.thread(d, addr, current)
		if err != nil {
			return list, fmt.Errorf("the list of threads is damaged, or the program is changing it: %w", err)
		}
		if t.State != "" {
			list = append(list, t)
		}
		at = addr + k.next
	}
	return list, fmt.Errorf("the list of threads has more than %d", maxTasks)
}

// thread reads a thread. The dummy of the kernel's start has no state.
func (k *zephyr) thread(d *Debugger, addr, current uint32) (Task, error) {
	t := Task{ID: addr}
	var err error
	if t.top, err = d.m.ReadWord(addr + k.stack); err != nil {
		return t, cexpr.MemoryError(addr+k.stack, err)
	}
	t.Stack = t.top
	var state, priority [1]byte
	if err := d.m.ReadMemory(addr+k.state, state[:]); err != nil {
		return t, cexpr.MemoryError(addr+k.state, err)
	}
	if k.priority != absent {
		if err := d.m.ReadMemory(addr+k.priority, priority[:]); err != nil {
			return t, cexpr.MemoryError(addr+k.priority, err)
		}
	}
	t.Priority = int32(int8(priority[0]))
	t.State = threadState(state[0])
	if addr == current {
		t.State = TaskRunning
	}
	t.Name = k.nameOf(d, addr)
	return t, nil
}

// threadState is the state that bits of a thread say, "" for no thread.
func threadState(bits byte) TaskState {
	switch {
	case bits&zephyrDummy != 0:
		return ""
	case bits&zephyrDead != 0:
		return TaskDeleted
	case bits&zephyrSuspended != 0:
		return TaskSuspended
	case bits&(zephyrPending|zephyrSleeping) != 0:
		return TaskBlocked
	}
	return TaskReady
}

// nameOf is the name of a thread: its own, or that of its function or symbol.
func (k *zephyr) nameOf(d *Debugger, addr uint32) string {
	if k.name != absent {
		var name [zephyrName]byte
		if err := d.m.ReadMemory(addr+k.name, name[:]); err == nil && name[0] != 0 {
			text, _, _ := bytes.Cut(name[:], []byte{0})
			return printable(string(text))
		}
	}
	if name := k.names[addr]; name != "" {
		return name
	}
	if k.entry != absent {
		if at, err := d.m.ReadWord(addr + k.entry); err == nil {
			if s, off, ok := d.m.Symbols().At(at); ok && off == 0 {
				return s.Name
			}
		}
	}
	if s, off, ok := d.m.Symbols().At(addr); ok && off == 0 {
		return s.Name
	}
	return "?"
}

// switchSymbols are the places in the kernel's code that go to the thread in r2, and functions that do it for one in r0 when
// the word at r1 is no thread.
var switchSymbols = []string{"_switch_to_target_thread", "z_arc_switch", "z_arch_switch", "arch_switch"}

func (k *zephyr) resumptions(d *Debugger, t Task) (ways []resumption, err error) {
	for _, name := range switchSymbols {
		s, ok := d.m.Symbols().Lookup(name)
		if !ok {
			continue
		}
		zero := t.top - 256 // nothing is kept below the stack pointer
		ways = append(ways, resumption{at: s.Addr, sp: t.top, regs: map[uint8]uint32{0: t.ID, 1: zero, 2: t.ID}, clear: zero})
	}
	if len(ways) == 0 {
		return nil, errors.New("the program does not name the kernel's switch of threads")
	}
	return ways, nil
}
