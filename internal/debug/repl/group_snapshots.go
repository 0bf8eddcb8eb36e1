package repl

import (
	"context"
	"fmt"
	"strconv"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func snapshotCommands() []*command {
	return []*command{
		{name: "checkpoint", min: 2, short: "keep the present moment, to come back to it",
			run: (*Session).checkpoint},
		{name: "restart", args: "NUMBER", short: "go to a kept moment",
			run: (*Session).restart},
		{name: "save", args: "FILE", required: fileRequired, short: "write a snapshot to a file, for restore and run --restore", complete: completeFile,
			run: func(s *Session, a args) { steps.Check(s.d.SaveFile(a.text)) }},
		{name: "restore", args: "FILE", required: fileRequired, short: "continue from a snapshot in a file", complete: completeFile,
			run: (*Session).restore},
		{info: true, name: "checkpoints", min: 2, short: "list the kept moments",
			run: (*Session).checkpoints},
	}
}

func (s *Session) checkpoint(_ args) {
	c := s.d.Checkpoint()
	s.print("Checkpoint %d at %s\n", c.Number, s.d.Locate(c.PC))
}

func (s *Session) restart(a args) {
	n, err := strconv.Atoi(a.text)
	if err != nil {
		steps.Check(fmt.Errorf("%q is not the number of a checkpoint", a.text))
	}
	s.running(func(context.Context) (debug.Stop, error) { return s.d.Restart(n) })
}

func (s *Session) restore(a args) {
	s.running(func(context.Context) (debug.Stop, error) { return s.d.RestoreFile(a.text) })
}

func (s *Session) deleteCheckpoints(f []string) {
	steps.Refuse(len(f) == 0, "delete checkpoint NUMBER")
	for _, text := range f {
		n, err := strconv.Atoi(text)
		if err != nil {
			steps.Check(fmt.Errorf("%q is not the number of a checkpoint", text))
		}
		steps.Check(s.d.DeleteCheckpoint(n))
	}
}

func (s *Session) checkpoints(_ args) {
	list := s.d.Checkpoints()
	if len(list) == 0 {
		s.print("No checkpoints.\n")
	}
	for _, c := range list {
		s.print("%d  instruction %d, cycle %d, at %s\n", c.Number, c.At.Insts, c.At.Cycles, s.d.Locate(c.PC))
	}
}
