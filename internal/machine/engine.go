package machine

import (
	"fmt"
	"strings"

	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/uop"
)

// Engine chooses what executes instructions.
type Engine uint8

// The engines. They have no type of their own, so that one of the face can take them as they are.
const (
	Fast      = iota // decoded blocks
	Reference        // one instruction at a time
	JIT              // decoded blocks, and machine code of the host for those executed often
	Auto             // the same after a warm-up, where the host can, else decoded blocks
)

var engineNames = [...]string{Fast: "fast", Reference: "ref", JIT: "jit", Auto: "auto"}

func (e Engine) String() string { return engineNames[e] }

// ParseEngine is the inverse of Engine.String.
func ParseEngine(name string) (Engine, error) {
	for e, n := range engineNames {
		if n == name {
			return Engine(e), nil
		}
	}
	return 0, fmt.Errorf("unknown engine %q, there is %s", name, strings.Join(engineNames[:], ", "))
}

// Engine returns the engine that executes while no hook is set. A data cache that holds data is the reference
// engine's.
func (s *System) Engine() Engine {
	if s.CPU.HoldsData() {
		return Reference
	}
	return s.cfg.Engine
}

// SetEngine changes the engine, between any two instructions. One that the host refuses becomes Fast, with a
// notice.
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
			s.cfg.Notice("engine fast instead of " + e.String() + ": " + err.Error())
		}
	}
	switch e {
	case JIT:
		refused(s.fast.Compile())
	case Auto:
		s.fast.Interpret()
		refused(s.fast.CompileLater(refused))
	default:
		s.fast.Interpret()
	}
	s.CPU.SetEngine(s.fast)
}

// Profile has an engine of its own count the cost of each instruction, until end is called.
func (s *System) Profile() (end func() []*uop.Context) {
	core, engine := s.CPU, fast.New()
	careful := fast.Careful{Engine: engine}
	if s.cfg.Engine == Reference {
		core.SetEngine(careful)
	} else {
		core.SetEngine(engine)
	}
	core.SetCareful(careful)
	engine.StartProfile(core)
	return func() []*uop.Context {
		contexts := engine.StopProfile(core)
		core.SetCareful(nil)
		if core == s.CPU { // else a program of another family brought another core
			s.SetEngine(s.cfg.Engine)
		}
		return contexts
	}
}
