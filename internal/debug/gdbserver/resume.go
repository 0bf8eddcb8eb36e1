package gdbserver

import (
	"context"
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
)

// Signals as gdb numbers them.
const (
	sigInt  = 2
	sigTrap = 5
	sigKill = 9
	sigSegv = 11
	sigTerm = 15
	sigStop = 17
	sigXcpu = 24
)

// target is the program as a client sees it.
type target struct {
	d        *debug.Debugger
	regs     []register
	expedite []*register // told with each stop
	points   map[pointKey]*debug.Point
	held     *debug.TaskRegisters // of the chosen thread, which does not run; nil: of what runs
}

func newTarget(d *debug.Debugger) *target {
	t := &target{d: d, regs: registers(d), points: map[pointKey]*debug.Point{}}
	for _, num := range []uint32{regFP, regSP, regBlink, regPC, regStatus32} {
		t.expedite = append(t.expedite, t.register(num))
	}
	return t
}

// motion is a way to resume the program.
type motion struct {
	kind        motionKind
	first, last uint32 // stepRange: from first to before last
}

type motionKind uint8

const (
	goOn motionKind = iota
	step
	stepRange
	back
	stepBack
)

// parseVCont reads the actions of vCont and chooses the first: there is one processor.
func (t *target) parseVCont(text string) (motion, error) {
	chosen := false
	var m motion
	for _, action := range strings.Split(text, ";") {
		action, thread, specific := strings.Cut(action, ":")
		if specific {
			if n, err := parseThread(thread); err != nil || !t.isThread(n) {
				return m, errMalformed
			}
		}
		if action == "" {
			return m, errMalformed
		}
		next := motion{}
		switch action[0] {
		case 'c', 'C': // a signal means nothing to the program
			next.kind = goOn
		case 's', 'S':
			next.kind = step
		case 'r':
			first, last, err := parseRange(action[1:])
			if err != nil {
				return m, err
			}
			next = motion{kind: stepRange, first: first, last: last}
		default:
			return m, errMalformed
		}
		if !chosen {
			m, chosen = next, true
		}
	}
	return m, nil
}

// resume moves the program and returns why it stopped. A brk of the program's own, which gdb would wait
// at for ever, is passed; a step over it is a step.
func (t *target) resume(ctx context.Context, m motion) (debug.Stop, error) {
	t.held = nil
	next := func() debug.Stop {
		if t.d.PassBrk() {
			return debug.Stop{Stop: arcv2dsp.Stop{PC: t.d.PC()}}
		}
		return t.d.StepInst(ctx, 1, false)
	}
	switch m.kind {
	case step:
		return next(), nil
	case stepRange:
		for {
			s := next()
			switch {
			case s.Reason != arcv2dsp.StopStepped || s.PC < m.first || s.PC >= m.last || t.breaksAt(s.PC):
				return s, nil
			case ctx.Err() != nil:
				s.Reason = arcv2dsp.StopInterrupted
				return s, nil
			}
		}
	case back:
		return t.d.ReverseContinue(ctx)
	case stepBack:
		return t.d.ReverseStepInst(ctx, 1, false)
	}
	t.d.PassBrk()
	return t.d.Continue(ctx, debug.Limits{}), nil
}

// appendStop appends the packet for a stop.
func (t *target) appendStop(dst []byte, s debug.Stop) []byte {
	signal := sigTrap
	switch s.Reason {
	case arcv2dsp.StopExited:
		return fmt.Appendf(dst, "W%02x", s.ExitCode())
	case arcv2dsp.StopInterrupted:
		signal = sigInt
	case arcv2dsp.StopFault, arcv2dsp.StopHandler:
		signal = sigSegv
	case arcv2dsp.StopAsleep:
		signal = sigStop
	case arcv2dsp.StopInstLimit, arcv2dsp.StopCycleLimit, arcv2dsp.StopTimeLimit, arcv2dsp.StopMemoryLimit:
		signal = sigXcpu
	}
	dst = fmt.Appendf(dst, "T%02x", signal)
	for _, r := range t.expedite {
		n := len(dst)
		dst = append(dst, hexDigits[r.num>>4], hexDigits[r.num&15], ':')
		with, err := t.appendRegister(dst, r)
		if err != nil {
			dst = dst[:n]
			continue
		}
		dst = append(with, ';')
	}
	dst = fmt.Appendf(dst, "thread:%x;", t.running())
	if s.Reason == debug.HistoryStart {
		return append(dst, "replaylog:begin;"...)
	}
	key, ok := t.keyOf(s.Points)
	if !ok {
		return dst
	}
	at := max(key.addr, min(s.Access.Addr, key.addr+key.size-1))
	switch key.kind {
	case softwareBreak:
		return append(dst, "swbreak:;"...)
	case hardwareBreak:
		return append(dst, "hwbreak:;"...)
	case writeWatch:
		return fmt.Appendf(dst, "watch:%x;", at)
	case readWatch:
		return fmt.Appendf(dst, "rwatch:%x;", at)
	}
	return fmt.Appendf(dst, "awatch:%x;", at)
}

// note is the message to the user about a stop beside its packet.
func (t *target) note(s debug.Stop) string {
	text := ""
	if s.Text != "" && s.Reason != debug.HistoryStart { // a client writes that itself
		text = s.Text + "\n"
	}
	for _, p := range s.Points {
		if !p.Internal {
			text += fmt.Sprintf("%s %d of the simulator\n", p.KindName(), p.Number)
		}
	}
	return text
}
