package dap

import (
	"fmt"
	"math"

	protocol "github.com/google/go-dap"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

// frameOf is a frame that the client was told of.
type frameOf struct {
	task  uint32 // of the operating system, by its control block; 0 is the running one
	level int
}

// forget makes the answers about the last stop invalid.
func (s *session) forget() { s.frames, s.handles = nil, nil }

// frame finds a frame by its number.
func (s *session) frame(id int) frameOf {
	steps.Refuse(id < 1 || id > len(s.frames), "no frame %d: the program has moved", id)
	return s.frames[id-1]
}

// choose makes a frame the one that expressions are about.
func (s *session) choose(f frameOf) {
	if s.d.TaskSelected() != f.task {
		steps.Check(s.d.SelectTask(f.task))
	}
	_, err := s.d.Select(f.level)
	steps.Check(err)
}

func (s *session) threads(struct{}) any {
	body := protocol.ThreadsResponseBody{Threads: []protocol.Thread{{Id: coreThread, Name: s.d.Core()}}}
	if s.moving != nil {
		return body
	}
	tasks, _ := s.d.Tasks() // a damaged list ends where it is damaged
	for _, t := range tasks {
		if t.State == debug.TaskRunning {
			body.Threads[0].Name += ", task " + t.Name
		} else {
			body.Threads = append(body.Threads, protocol.Thread{Id: int(t.ID), Name: fmt.Sprintf("%s (%s)", t.Name, t.State)})
		}
	}
	return body
}

// maxStack is how many frames are told at once.
const maxStack = 1000

func (s *session) stackTrace(a protocol.StackTraceArguments) any {
	steps.Refuse(a.StartFrame < 0 || a.Levels < 0, "frames from %d, %d of them", a.StartFrame, a.Levels)
	task := uint32(0)
	if a.ThreadId > coreThread && a.ThreadId <= math.MaxUint32 {
		task = uint32(a.ThreadId)
	}
	s.choose(frameOf{task: task})
	n := a.Levels
	if n == 0 || n > maxStack {
		n = maxStack
	}
	frames, more := s.d.Backtrace(min(a.StartFrame, maxStack) + n)
	body := protocol.StackTraceResponseBody{StackFrames: []protocol.StackFrame{}, TotalFrames: len(frames)}
	if more {
		body.TotalFrames++
	}
	for _, f := range frames[min(a.StartFrame, len(frames)):] {
		s.frames = append(s.frames, frameOf{task: task, level: f.Level})
		out := protocol.StackFrame{Id: len(s.frames), Name: f.Function, InstructionPointerReference: reference(f.PC), ModuleId: 1}
		if out.Name == "" {
			out.Name = s.d.Locate(f.PC)
		}
		if f.Inlined {
			out.Name += " (inlined)"
		}
		if f.At.Line > 0 {
			out.Source, out.Line, out.Column = s.sourceOf(f.At.File), s.toClient(f.At.Line), 1
		} else {
			out.PresentationHint = "subtle"
		}
		body.StackFrames = append(body.StackFrames, out)
	}
	return body
}

func (s *session) exceptionInfo(protocol.ExceptionInfoArguments) any {
	body := protocol.ExceptionInfoResponseBody{ExceptionId: s.last.Word(), Description: s.last.Text, BreakMode: "unhandled"}
	switch s.last.Reason {
	case arcv2dsp.StopFault, arcv2dsp.StopAsleep:
	case arcv2dsp.StopHandler:
		body.ExceptionId, body.BreakMode = debug.ExceptionWord(s.last.Exception.Vector), "always"
	default:
		steps.Check(fmt.Errorf("the program did not stop for an exception but for: %s", s.last.Word()))
	}
	return body
}
