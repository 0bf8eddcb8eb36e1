package repl

import (
	"errors"
	"sort"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func measureCommands() []*command {
	return []*command{
		{name: "stat", short: "show instructions, cycles and lost cycles since the start",
			run: (*Session).statSoFar},
		{name: "trace", args: "on FILE [text|csv|jsonl] | off", short: "write each instruction to a file", complete: completeFile,
			run: (*Session).trace},
		{name: "profile", args: "on | off", short: "count cycles by function; without on or off, show the counts", complete: oneOf("on", "off"),
			run: (*Session).profiling},
		{info: true, name: "timing", short: "show the cycles between the last two stops, and where they were lost",
			run: (*Session).timing},
	}
}

func (s *Session) statSoFar(_ args) {
	total, _ := s.d.Stats()
	s.stats(total)
}

func (s *Session) trace(a args) {
	f := a.fields()
	switch {
	case len(f) == 0:
		if path := s.d.Tracing(); path != "" {
			s.print("Tracing to %s.\n", path)
		} else {
			s.print("Not tracing.\n")
		}
	case f[0] == "off" && len(f) == 1:
		steps.Check(s.d.StopTrace())
	case f[0] == "on" && (len(f) == 2 || len(f) == 3):
		format := "text"
		if len(f) == 3 {
			format = f[2]
		}
		steps.Check(s.d.StartTrace(f[1], format))
	default:
		steps.Check(errors.New("trace on FILE, or trace off"))
	}
}

func (s *Session) profiling(a args) {
	switch a.text {
	case "on":
		steps.Check(s.d.StartProfile())
		return
	case "off":
		s.profile(s.d.StopProfile())
	case "":
		steps.Refuse(!s.d.Profiling(), "no profile is being taken: profile on")
		s.profile(s.d.ProfileSoFar())
	default:
		steps.Check(errors.New("profile on, or profile off"))
	}
}

func (s *Session) profile(list []debug.Cost) {
	total := uint64(0)
	for _, c := range list {
		total += c.Cycles
	}
	s.print("%12s %6s %12s  %s\n", "cycles", "%", "instructions", "function")
	for _, c := range list {
		s.print("%12d %6.1f %12d  %s\n", c.Cycles, 100*float64(c.Cycles)/float64(max(total, 1)), c.Insts, c.Name)
	}
}

// stats prints counters.
func (s *Session) stats(st debug.Stats) {
	s.print("instructions  %12d\ncycles        %12d\nIPC           %12.3f\n", st.Insts, st.Cycles, st.IPC())
	lost := st.Reasons()
	var names []string
	for n := range lost {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		return lost[names[i]] > lost[names[j]] || lost[names[i]] == lost[names[j]] && names[i] < names[j]
	})
	for _, n := range names {
		s.print("  %-12s%12d  %5.1f %%\n", n, lost[n], 100*float64(lost[n])/float64(max(st.Cycles, 1)))
	}
}

func (s *Session) timing(_ args) {
	core, provisional := s.d.Timing()
	note := ""
	if provisional {
		note = ", provisional"
	}
	_, ran := s.d.Stats()
	s.print("Since the stop before (cycle table %s%s):\n", core, note)
	if ran.Insts == 0 && ran.Cycles == 0 {
		s.print("nothing was executed\n")
		return
	}
	s.stats(ran)
}
