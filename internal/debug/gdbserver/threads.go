package gdbserver

import (
	"fmt"
	"strconv"
	"strings"
)

// A task of the program's operating system is a thread, whose number is the address of its control block. A
// program without an operating system, or before that runs, is one thread, number 1.

// onlyThread is the number of the thread of a program without tasks.
const onlyThread = 1

// Numbers that stand for threads.
const (
	anyThread  = 0
	allThreads = -1
)

// parseThread reads the number of a thread, with or without the process.
func parseThread(text string) (n int64, err error) {
	if rest, ok := strings.CutPrefix(text, "p"); ok {
		process, thread, both := strings.Cut(rest, ".")
		if p, err := parseThread(process); err != nil || p > onlyThread {
			return 0, errMalformed
		}
		if !both {
			return allThreads, nil
		}
		text = thread
	}
	if text == "-1" {
		return allThreads, nil
	}
	v, err := strconv.ParseUint(text, 16, 32)
	if err != nil {
		return 0, errMalformed
	}
	return int64(v), nil
}

// running is the number of the thread that runs.
func (t *target) running() uint32 {
	if tcb := t.d.RunningTask(); tcb != 0 {
		return tcb
	}
	return onlyThread
}

// isThread reports whether there is a thread with a number, or the number stands for some.
func (t *target) isThread(n int64) bool {
	if n == anyThread || n == allThreads || n == int64(t.running()) {
		return true
	}
	list, _ := t.d.Tasks() // those of lists that are not damaged
	for _, k := range list {
		if int64(k.ID) == n {
			return true
		}
	}
	return false
}

// choose makes registers those of a thread.
func (t *target) choose(text string) error {
	n, err := parseThread(text)
	if err != nil {
		return err
	}
	if !t.isThread(n) {
		return errMalformed
	}
	t.held = nil
	if n <= 0 || n == int64(t.running()) {
		return nil
	}
	regs, err := t.d.TaskRegisters(uint32(n))
	if err == nil {
		t.held = &regs
	}
	return err
}

// threadList is the reply to qfThreadInfo.
func (t *target) threadList() string {
	list, _ := t.d.Tasks()
	if len(list) == 0 {
		return fmt.Sprintf("m%x", onlyThread)
	}
	var ids []string
	for _, k := range list {
		ids = append(ids, strconv.FormatUint(uint64(k.ID), 16))
	}
	return "m" + strings.Join(ids, ",")
}

// threadText describes a thread to the user.
func (t *target) threadText(text string) string {
	n, err := parseThread(text)
	if err != nil {
		return ""
	}
	list, _ := t.d.Tasks()
	for _, k := range list {
		if int64(k.ID) == n {
			return fmt.Sprintf("%s, %s, priority %d", k.Name, k.State, k.Priority)
		}
	}
	return t.d.Core()
}

// heldValue reads a register of a thread that does not run; only those of the core are kept.
func (t *target) heldValue(r *register) (uint64, error) {
	switch {
	case r.num == regPC:
		return uint64(t.held.PC), nil
	case r.num >= len(t.held.Core):
		return 0, errInvalid
	}
	return uint64(t.held.Core[r.num]), nil
}
