package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"arcv2dsp"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// report describes a finished run.
type report struct {
	m       *arcv2dsp.Machine
	stop    arcv2dsp.Stop
	status  int            // of the process
	ran     arcv2dsp.Stats // counted in this run
	program string
	elapsed time.Duration
	energy  *render.Energy // nil when nothing is known
}

func (r report) mips() float64 {
	if r.elapsed <= 0 {
		return 0
	}
	return float64(r.ran.Insts) / r.elapsed.Seconds() / 1e6
}

// text prints the statistics for people.
func (r report) text(w io.Writer) {
	st := r.m.Stats()
	table, core := r.m.Core().Timing, r.m.Core().Name
	if table.Core != core {
		core += ", cycles as " + table.Core
	}
	if table.Provisional {
		core += ", cycles provisional"
	}
	if note := memoryNote(r.m); note != "" {
		core += ", " + note
	}
	fmt.Fprintf(w, "\n Statistics of %s (%s, engine %s):\n\n", r.program, core, r.m.Engine())
	fmt.Fprintf(w, "%20s  instructions\n", render.Thousands(st.Insts))
	fmt.Fprintf(w, "%20s  cycles            %8.3f instructions per cycle\n", render.Thousands(st.Cycles), st.IPC())
	lost := st.Reasons()
	for _, name := range render.MostFirst(lost) {
		fmt.Fprintf(w, "%20s  lost: %-12s %7.2f %% of the cycles\n", render.Thousands(lost[name]), name,
			100*float64(lost[name])/float64(st.Cycles))
	}
	r.work().text(w)
	if r.energy != nil {
		fmt.Fprintf(w, "\n%s\n", r.energy)
	}
	fmt.Fprintf(w, "\n%20.3f  seconds           %8.1f million instructions per second\n\n", r.elapsed.Seconds(), r.mips())
}

// memoryNote says what the figures suppose of memory: that it is flat, on a core without a board, or that wait states of the
// board are assumed.
func memoryNote(m *arcv2dsp.Machine) string {
	if m.Core().FlatMemory {
		return "flat memory"
	}
	var assumed []string
	for _, r := range m.Regions() {
		if r.Waits == "assumed" {
			assumed = append(assumed, r.Name)
		}
	}
	if len(assumed) == 0 {
		return ""
	}
	return "wait states of " + strings.Join(assumed, ", ") + " assumed"
}

// statJSON is the layout of --json, described in docs/formats.md.
type statJSON struct {
	Schema       int               `json:"schema"`
	Program      string            `json:"program"`
	Core         string            `json:"core"`
	Timing       string            `json:"timing"`
	Provisional  bool              `json:"provisional"`
	Memory       string            `json:"memory,omitempty"`
	Engine       string            `json:"engine"`
	Stop         string            `json:"stop"`
	ExitCode     *uint32           `json:"exit_code"`
	Status       int               `json:"status"`
	PC           uint32            `json:"pc"`
	Location     string            `json:"location"`
	Instructions uint64            `json:"instructions"`
	Cycles       uint64            `json:"cycles"`
	IPC          float64           `json:"ipc"`
	Stalls       map[string]uint64 `json:"stalls"`
	Energy       *render.Energy    `json:"energy,omitempty"`
	Exception    *exceptionJSON    `json:"exception,omitempty"`
	Host         hostJSON          `json:"host"`
}

type exceptionJSON struct {
	Vector uint8  `json:"vector"`
	ECR    uint32 `json:"ecr"`
	PC     uint32 `json:"pc"`
	Addr   uint32 `json:"addr"`
	Text   string `json:"text"`
}

// hostJSON has the values that differ from run to run and from host to host.
type hostJSON struct {
	Seconds float64  `json:"seconds"`
	MIPS    float64  `json:"mips"`
	Work    workJSON `json:"work"`
}

// workJSON says who executed how many instructions of a run.
type workJSON struct {
	Compiled  uint64            `json:"compiled"`
	Blocks    uint64            `json:"blocks"`
	Reference uint64            `json:"reference"`
	Before    uint64            `json:"before_compilation"` // of all
	Handed    map[string]uint64 `json:"handed"`             // of reference, by mnemonic
	Apart     uint64            `json:"apart"`              // of reference
}

func (r report) work() workJSON {
	w := r.m.Work()
	return workJSON{Compiled: w.Compiled, Blocks: w.Blocks, Reference: r.ran.Insts - w.Compiled - w.Blocks, Before: w.Before, Handed: w.Handed, Apart: w.Apart}
}

// text prints the shares of the engines for people, with reasons.
func (j workJSON) text(w io.Writer) {
	all := j.Compiled + j.Blocks + j.Reference
	if all == 0 {
		return
	}
	line := func(n uint64, what, why string) {
		if n != 0 {
			fmt.Fprintf(w, "%20s  %-18s%7.2f %% of the instructions%s\n", render.Thousands(n), what, 100*float64(n)/float64(all), why)
		}
	}
	fmt.Fprintln(w)
	line(j.Compiled, "in machine code", "")
	why := ""
	if j.Before != 0 {
		why = fmt.Sprintf("; %s before compilation began", render.Thousands(j.Before))
	}
	line(j.Blocks, "in blocks", why)
	var reasons []string
	left := j.Reference - j.Apart
	for i, name := range render.MostFirst(j.Handed) {
		left -= j.Handed[name]
		if i < 5 {
			reasons = append(reasons, fmt.Sprintf("%s %s", render.Thousands(j.Handed[name]), name))
		}
	}
	if j.Apart != 0 {
		reasons = append(reasons, render.Thousands(j.Apart)+" between blocks")
	}
	if left != 0 {
		reasons = append(reasons, render.Thousands(left)+" chosen or watched")
	}
	why = ""
	if len(reasons) > 0 {
		why = ": " + strings.Join(reasons, ", ")
	}
	line(j.Reference, "in the reference", why)
}

func (r report) writeJSON(path string, s cli.Streams) {
	st := r.m.Stats()
	table := r.m.Core().Timing
	j := statJSON{
		Schema: 1, Program: r.program, Core: r.m.Core().Name, Timing: table.Core, Provisional: table.Provisional, Memory: memoryNote(r.m),
		Engine: r.m.Engine().String(), Stop: r.stop.Reason.String(), Status: r.status,
		PC: r.stop.PC, Location: r.m.Locate(r.stop.PC),
		Instructions: st.Insts, Cycles: st.Cycles, IPC: st.IPC(), Stalls: st.Reasons(),
		Energy: r.energy, Host: hostJSON{Seconds: r.elapsed.Seconds(), MIPS: r.mips(), Work: r.work()},
	}
	switch r.stop.Reason {
	case arcv2dsp.StopExited:
		j.ExitCode = &r.stop.Status
	case arcv2dsp.StopFault:
		e := r.stop.Exception
		j.Exception = &exceptionJSON{Vector: e.Vector, ECR: e.ECR(), PC: e.PC, Addr: e.Addr, Text: e.String()}
	}
	steps.Check(writeText(path, s, func(w io.Writer) error { return render.JSON(w, j) }))
}
