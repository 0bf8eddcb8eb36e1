package debug

import (
	"context"
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/isa"
)

// Registers of a task that does not run are on its stack, in an order that only the code of the operating system defines.
// So the debugger executes that code: it takes a snapshot, lets the task go on until it has left the operating system,
// reads the registers, and restores the snapshot.

// taskView has the registers with which a task that does not run will go on.
type taskView struct {
	id   uint32
	regs TaskRegisters
}

// maxRestore bounds the instructions by which the operating system restores a task.
const maxRestore = 4096

// Auxiliary register of the active interrupts, and STATUS32 as a task is restored with: kernel mode,
// no loops, interrupts off.
const (
	auxIRQAct     = 0x43
	statusRestore = 1 << 12
	statusIE      = 1 << 31
)

// TaskSelected returns the task that frames and registers are of, by its ID; 0 is the running one.
func (d *Debugger) TaskSelected() uint32 {
	if d.view == nil {
		return 0
	}
	return d.view.id
}

// SelectTask makes frames and registers those of a task until the program moves; ID 0 is the running one.
func (d *Debugger) SelectTask(id uint32) error {
	v, err := d.viewOf(id)
	if err != nil {
		return err
	}
	d.view, d.stack, d.selected = v, nil, 0
	d.lister = listPlace{}
	return nil
}

// viewOf finds the registers of a task; nil is the running one.
func (d *Debugger) viewOf(id uint32) (*taskView, error) {
	if id == 0 {
		return nil, nil
	}
	list, damage := d.Tasks()
	for _, t := range list {
		switch {
		case t.ID != id:
		case t.State == TaskRunning:
			return nil, nil
		default:
			return d.restored(t)
		}
	}
	if damage != nil {
		return nil, damage
	}
	return nil, fmt.Errorf("no task has its control block at 0x%08x", id)
}

// TaskFrame returns the innermost frame of a task, by its ID.
func (d *Debugger) TaskFrame(id uint32) (*Frame, error) {
	now, stack, selected := d.view, d.stack, d.selected
	defer func() { d.view, d.stack, d.selected = now, stack, selected }()
	v, err := d.viewOf(id)
	if err != nil {
		return nil, err
	}
	d.view, d.stack, d.selected = v, nil, 0
	return d.Frame(0)
}

// TaskRegisters are the registers that the operating system keeps of a task: pc and the core registers.
type TaskRegisters struct {
	PC   uint32
	Core [64]uint32
}

// TaskRegisters returns the registers of a task that does not run, or of the one that does.
func (d *Debugger) TaskRegisters(id uint32) (TaskRegisters, error) {
	v, err := d.viewOf(id)
	if err != nil {
		return TaskRegisters{}, err
	}
	if v == nil {
		v = d.runningView()
	}
	return v.regs, nil
}

// runningView has the registers of the machine.
func (d *Debugger) runningView() *taskView {
	v := &taskView{regs: TaskRegisters{PC: d.m.PC()}}
	for n := range v.regs.Core {
		v.regs.Core[n] = d.m.Reg(uint8(n))
	}
	return v
}

// restored lets the code of the operating system restore a task.
//
// DEVIATION(250): the top of the stack is the nesting of critical sections and then the address where
// its code goes on, as in FreeRTOS's port to ARC; other ports are tried with the address first.
func (d *Debugger) restored(t Task) (v *taskView, err error) {
	if d.trace != nil || d.profile != nil {
		return nil, errors.New("the registers of a task that does not run cannot be found while a trace or a profile is taken")
	}
	ways, err := d.theRTOS().resumptions(d, t)
	if err != nil {
		return nil, err
	}
	for _, way := range ways {
		d.withoutEffect(func() { v, err = d.goOn(t, way) })
		if err == nil {
			return v, nil
		}
	}
	if err == nil {
		err = errors.New("there is no address of code")
	}
	return nil, fmt.Errorf("the stack of task %s at 0x%08x does not say where it goes on: %w", t.Name, t.top, err)
}

// resumption is a place in the code of the operating system that restores a task.
type resumption struct {
	at, sp uint32
	regs   map[uint8]uint32 // what it is called with
	clear  uint32           // a word that is to be 0, 0 for none
}

func (k *rtos) resumptions(d *Debugger, t Task) (ways []resumption, err error) {
	for _, depth := range []uint32{4, 0} {
		at, err := d.m.ReadWord(t.top + depth)
		if err != nil {
			return nil, cexpr.MemoryError(t.top+depth, err)
		}
		if at != 0 && at&1 == 0 && d.isCode(at) {
			ways = append(ways, resumption{at: at, sp: t.top + depth + 4})
		}
	}
	return ways, nil
}

// goOn executes the code of the operating system from a place until it leaves for the task. Functions that it calls return
// before that.
func (d *Debugger) goOn(t Task, way resumption) (_ *taskView, err error) {
	defer steps.Return(&err)
	d.m.SetPC(way.at)
	steps.Check(d.m.SetRegister("status32", statusRestore))
	d.m.SetAux(auxIRQAct, 0)
	d.m.SetReg(regSP, way.sp)
	for n, v := range way.regs {
		d.m.SetReg(n, v)
	}
	if way.clear != 0 {
		if err := d.m.WriteMemory(way.clear, make([]byte, 4)); err != nil {
			return nil, cexpr.MemoryError(way.clear, err)
		}
	}
	calls := 0
	for range maxRestore {
		pc := d.m.PC()
		in := steps.Must(d.m.Decode(pc))
		switch leaves := leavesRTOS(&in); {
		case isCall(&in):
			calls++
		case leaves && calls > 0 && in.Exec() != isa.RTIE:
			calls--
			steps.Check(d.quietStep())
			continue
		}
		leaves := calls == 0 && leavesRTOS(&in)
		steps.Check(d.quietStep())
		if leaves && in.Delay && d.m.PC() == pc+uint32(in.Len) {
			steps.Check(d.quietStep())
		}
		if leaves {
			v := d.runningView()
			v.id = t.ID
			return v, nil
		}
	}
	return nil, fmt.Errorf("the code at 0x%08x does not leave the operating system", way.at)
}

// leavesRTOS reports whether an instruction goes to where a register or a handler's return says.
func leavesRTOS(in *isa.Inst) bool {
	switch in.Exec() {
	case isa.RTIE, isa.LEAVE_S:
		return true
	case isa.J:
		return in.Args[0].Kind == isa.OpReg
	}
	return false
}

// isCall reports whether an instruction is a call.
func isCall(in *isa.Inst) bool {
	switch in.Exec() {
	case isa.BL, isa.JL:
		return true
	}
	return false
}

// quietStep executes an instruction with interrupts off.
func (d *Debugger) quietStep() error {
	s, err := d.m.Step(context.Background())
	if err != nil {
		return err
	}
	if s.Reason != arcv2dsp.StopStepped {
		return fmt.Errorf("at 0x%08x: %s", s.PC, s.Reason)
	}
	status, err := d.m.Register("status32")
	if err != nil {
		return err
	}
	return d.m.SetRegister("status32", status.Value&^statusIE)
}
