package repl

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

// errNoTasks is the error of naming a task where there is none.
var errNoTasks = errors.New("the program has no tasks: no operating system with the symbols of FreeRTOS has been started")

func threadCommands() []*command {
	return []*command{
		{name: "thread", min: 2, args: "[N | apply all COMMAND]",
			short: "select a task of the program's operating system, or show which one is selected",
			long: `Frames, registers and variables are those of the task until the program moves. A task that does not run has the registers with which it will go on.
thread apply all COMMAND executes a command for each task.`,
			run: (*Session).thread},
		{info: true, name: "threads", min: 2, short: "show the tasks of the program's operating system (FreeRTOS, by its symbols; Zephyr, by its table of offsets, debug information or symbols)",
			run: (*Session).threads},
	}
}

func (s *Session) thread(a args) {
	words := a.fields()
	switch {
	case len(words) == 0:
		s.showThread()
		return
	case words[0] == "apply":
		steps.Refuse(len(words) < 3 || words[1] != "all", "thread apply needs all and a command, as in thread apply all backtrace")
		s.forThreads(strings.Join(words[2:], " "))
		return
	}
	n, err := strconv.Atoi(words[0])
	if err != nil || len(words) > 1 {
		steps.Check(fmt.Errorf("%q is not the number of a task, info threads lists them", a.text))
	}
	list := steps.Must(s.tasks())
	steps.Refuse(n < 1 || n > len(list), "no task %d, there are %d", n, len(list))
	steps.Check(s.d.SelectTask(list[n-1].ID))
	s.showThread()
	s.selectFrame(0)
}

func (s *Session) threads(_ args) {
	list, err := s.tasks()
	if errors.Is(err, errNoTasks) {
		s.print("No tasks.\n")
		return
	}
	steps.Check(err)
	s.print("  %-3s %-16s  %-10s  %-9s %-8s  %s\n", "Id", "Name", "TCB", "State", "Priority", "Frame")
	for i, t := range list {
		mark := " "
		if s.selectedTask(t) {
			mark = "*"
		}
		s.print("%s %-3d %-16s  0x%08x  %-9s %-8d  %s\n", mark, i+1, t.Name, t.ID, t.State, t.Priority, s.taskFrame(t))
	}
}

// tasks lists the tasks; a list that is damaged is reported, the others are still of use.
func (s *Session) tasks() ([]debug.Task, error) {
	list, err := s.d.Tasks()
	switch {
	case len(list) == 0 && err != nil:
		return nil, err
	case len(list) == 0:
		return nil, errNoTasks
	case err != nil:
		s.report(err)
	}
	return list, nil
}

// selectedTask reports whether frames and registers are those of a task.
func (s *Session) selectedTask(t debug.Task) bool {
	id := s.d.TaskSelected()
	return t.ID == id || id == 0 && t.State == debug.TaskRunning
}

// taskFrame writes where a task is, or why that is not known.
func (s *Session) taskFrame(t debug.Task) string {
	f, err := s.d.TaskFrame(t.ID)
	if err != nil {
		return err.Error()
	}
	name := f.Function
	if name == "" {
		name = "??"
	}
	text := fmt.Sprintf("0x%08x in %s ()", f.PC, name)
	if f.At.Line != 0 {
		text += fmt.Sprintf(" at %s:%d", path.Clean(f.At.File), f.At.Line)
	}
	return text
}

func (s *Session) showThread() {
	list := steps.Must(s.tasks())
	for i, t := range list {
		if s.selectedTask(t) {
			s.print("[Task %d, %s (0x%08x), %s]\n", i+1, t.Name, t.ID, t.State)
		}
	}
}

// forThreads executes a command for each task, and selects again what was selected.
func (s *Session) forThreads(line string) {
	list := steps.Must(s.tasks())
	selected, at := s.d.TaskSelected(), s.d.PC()
	for i, t := range list {
		s.print("\nTask %d, %s (0x%08x), %s:\n", i+1, t.Name, t.ID, t.State)
		if err := s.d.SelectTask(t.ID); err != nil {
			s.report(err)
			continue
		}
		steps.Check(s.execute(line))
		steps.Refuse(s.d.PC() != at, "the command moved the program: the other tasks are left out")
	}
	steps.Check(s.d.SelectTask(selected))
}
