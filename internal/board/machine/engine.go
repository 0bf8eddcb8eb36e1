package machine

import (
	"fmt"
	"strings"

	"arcv2dsp/cpu/fast"
)

// Engine chooses what executes instructions.
type Engine uint8

// The engines. They have no type of their own, so that one of the face can take them as they are.
const (
	Auto      = iota // as JIT after a warm-up, where the host can, else as Fast
	Fast             // decoded blocks
	Reference        // one instruction at a time
	JIT              // decoded blocks, and machine code of the host for those executed often
)

var engineNames = [...]string{Auto: "auto", Fast: "fast", Reference: "ref", JIT: "jit"}

func (e Engine) String() string {
	if int(e) < len(engineNames) {
		return engineNames[e]
	}
	return fmt.Sprintf("engine(%d)", uint8(e))
}

// ParseEngine is the inverse of Engine.String.
func ParseEngine(name string) (Engine, error) {
	for e, n := range engineNames {
		if n == name {
			return Engine(e), nil
		}
	}
	return 0, fmt.Errorf("unknown engine %q, there is %s", name, strings.Join(engineNames[:], ", "))
}

// Engine returns the engine that executes while no hook is set, JIT or Fast for Auto. A data cache that holds data is the
// reference engine's.
func (s *System) Engine() Engine {
	switch {
	case s.CPU.HoldsData():
		return Reference
	case s.cfg.Engine != Auto:
		return s.cfg.Engine
	case s.fast != nil && s.fast.Compiles():
		return JIT
	}
	return Fast
}

// SetEngine changes the engine, between any two instructions. JIT and Auto become Fast where the host refuses memory
// for code; for JIT a notice says so.
func (s *System) SetEngine(e Engine) {
	s.cfg.Engine = e
	if e == Reference {
		s.CPU.SetEngine(nil)
		return
	}
	if s.fast == nil {
		s.fast = fast.New()
	}
	refused := func(err error) {
		if err != nil {
			s.cfg.Engine = Fast
			s.cfg.Notice("engine fast instead of jit: " + err.Error())
		}
	}
	switch e {
	case JIT:
		refused(s.fast.Compile())
	case Auto:
		s.fast.Interpret()
		if s.fast.CompileLater(func(error) { s.cfg.Engine = Fast }) != nil {
			s.cfg.Engine = Fast
		}
	default:
		s.fast.Interpret()
	}
	s.CPU.SetEngine(s.fast)
}

// Work says which engine executed how many instructions of the system. What none of them counts the reference engine executed
// because it was chosen, or for a trace or a hook.
type Work = fast.Work

// Work returns what the block engine has done.
func (s *System) Work() Work {
	if s.fast == nil {
		return Work{}
	}
	return s.fast.Work()
}

// The counts of a profile.
type (
	Context = fast.Context
	Cost    = fast.Cost
)

// Profile has an engine of its own count the cost of each instruction, until end is called.
func (s *System) Profile() (end func() []*Context) {
	core, engine := s.CPU, fast.New()
	careful := fast.Careful{Engine: engine}
	if s.cfg.Engine == Reference {
		core.SetEngine(careful)
	} else {
		core.SetEngine(engine)
	}
	core.SetCareful(careful)
	engine.StartProfile(core)
	return func() []*Context {
		contexts := engine.StopProfile(core)
		core.SetCareful(nil)
		if core == s.CPU { // else a program of another family brought another core
			s.SetEngine(s.cfg.Engine)
		}
		return contexts
	}
}
