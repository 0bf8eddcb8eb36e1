package regress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"arcv2dsp/internal/measure/report"
)

// summaryJSON is the layout of --json, described in docs/formats.md.
type summaryJSON struct {
	Schema   int           `json:"schema"`
	Status   string        `json:"status"`
	Seed     uint64        `json:"seed"`
	Engine   string        `json:"engine"`
	Cores    []string      `json:"cores"`
	Cases    int           `json:"cases"`
	Passed   int           `json:"passed"`
	Failed   int           `json:"failed"`
	NotRun   int           `json:"not_run"`
	Kernels  []groupJSON   `json:"kernels"`
	Failures []failureJSON `json:"failures"`
	Missing  []missingJSON `json:"missing"`
	LeftOut  []LeftOut     `json:"left_out"`
	Host     hostJSON      `json:"host"`
}

type groupJSON struct {
	Name     string                `json:"name"`
	Unit     string                `json:"unit"`
	Cases    int                   `json:"cases"`
	Recorded int                   `json:"recorded"`
	Passed   int                   `json:"passed"`
	Failed   int                   `json:"failed"`
	Cores    map[string]totalsJSON `json:"cores"`
}

type totalsJSON struct {
	Cycles       uint64            `json:"cycles"`
	Instructions uint64            `json:"instructions"`
	Work         uint64            `json:"work"`
	PerWork      float64           `json:"cycles_per_work"`
	Stalls       map[string]uint64 `json:"stalls"`
}

type failureJSON struct {
	Case string `json:"case"`
	*Failure
}

type missingJSON struct {
	Kernel string `json:"kernel"`
	Core   string `json:"core"`
	Why    string `json:"why"`
}

// hostJSON has the values that differ from run to run.
type hostJSON struct {
	Seconds float64 `json:"seconds"`
	Workers int     `json:"workers"`
}

// JSON writes the summary and all failures.
func (s *Summary) JSON(w io.Writer) error {
	j := summaryJSON{Schema: 1, Status: "FAILED", Seed: s.Suite.Seed, Engine: s.Suite.Engine.String(),
		Cores: s.Suite.Cores, Cases: len(s.Results), Passed: s.Passed, Failed: s.Failed, NotRun: s.NotRun,
		Kernels: []groupJSON{}, Failures: []failureJSON{}, Missing: []missingJSON{}, LeftOut: append([]LeftOut{}, s.Suite.LeftOut...),
		Host: hostJSON{Seconds: s.Elapsed.Seconds(), Workers: s.Workers}}
	if s.Good() {
		j.Status = "PASSED"
	}
	for _, g := range s.Groups {
		e := groupJSON{Name: g.Name, Unit: g.Unit, Cases: g.Cases, Recorded: g.Recorded, Passed: g.Passed,
			Failed: g.Failed, Cores: map[string]totalsJSON{}}
		for core, t := range g.Cores {
			e.Cores[core] = totalsJSON{Cycles: t.Cycles, Instructions: t.Insts, Work: t.Work, PerWork: t.Per(), Stalls: t.Stalls}
		}
		j.Kernels = append(j.Kernels, e)
	}
	for i := range s.Results {
		if f := s.Results[i].Failure; f != nil {
			j.Failures = append(j.Failures, failureJSON{Case: s.Results[i].Name, Failure: f})
		}
	}
	for _, m := range s.Suite.Missing {
		j.Missing = append(j.Missing, missingJSON(m))
	}
	return report.JSON(w, j)
}

// Times are the times of the cases in a JUnit file.
type Times string

const (
	HostTimes Times = "host" // of the machine that ran them
	CoreTimes Times = "core" // of the simulated core at its nominal frequency: the same in every run
)

// nanosecondsPerCycle is the time of a cycle of the simulated core, as its programs see it.
const nanosecondsPerCycle = 10

// JUnit writes every case as a test, a suite per kernel.
func (s *Summary) JUnit(w io.Writer, times Times) error {
	var tests []report.Test
	for i := range s.Results {
		r := &s.Results[i]
		t := report.Test{Suite: r.Group, Name: strings.TrimPrefix(r.Name, r.Group+"/"), Time: r.Elapsed}
		if times == CoreTimes {
			t.Time = time.Duration(r.Cycles * nanosecondsPerCycle)
		}
		switch {
		case r.NotRun:
			t.Skipped = "the run ended before this case"
		case r.Failure != nil:
			t.Failure = r.Failure.Message
			t.Detail = "repeat: " + r.Failure.Repeat
			if m := r.Failure.Mismatch; m != nil {
				t.Detail = m.Neighbourhood + t.Detail
			}
		}
		tests = append(tests, t)
	}
	for _, m := range s.Suite.Missing {
		tests = append(tests, report.Test{Suite: m.Kernel, Name: "missing/" + m.Core, Failure: m.Why})
	}
	return report.JUnit(w, "arcsim regress", [][2]string{{"seed", fmt.Sprint(s.Suite.Seed)},
		{"engine", s.Suite.Engine.String()}, {"cores", strings.Join(s.Suite.Cores, " ")}}, tests)
}
