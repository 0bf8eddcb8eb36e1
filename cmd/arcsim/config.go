package main

import (
	"fmt"
	"text/tabwriter"

	"arcv2dsp"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// configJSON is the layout of --print-config --json.
type configJSON struct {
	Schema      int      `json:"schema"`
	Core        string   `json:"core"`
	Timing      string   `json:"timing"`
	Settings    any      `json:"settings"`
	NotModelled []string `json:"not_modelled"`

	// Registers are the build configuration registers, address to value.
	Registers map[string]string `json:"registers"`
}

// printConfig prints every option with its value and origin.
func printConfig(m *arcv2dsp.Machine, asJSON bool, s cli.Streams) {
	timing := m.Core().Timing.Core
	if asJSON {
		list := m.Core().NotModelled()
		if list == nil {
			list = []string{}
		}
		steps.Check(render.JSON(s.Out, configJSON{
			Schema: 1, Core: m.Core().Name, Timing: timing, Settings: m.Core().Options(), NotModelled: list,
			Registers: registerValues(m),
		}))
		return
	}
	fmt.Fprintf(s.Out, "# core %s, cycles as %s\n", m.Core().Name, timing)
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, set := range m.Core().Options() {
		fmt.Fprintf(w, "%s=%s\t# %s\n", set.Name, set.Value, set.Origin)
	}
	steps.Check(w.Flush())
	for _, text := range m.Core().NotModelled() {
		fmt.Fprintf(s.Out, "# no effect: %s\n", text)
	}
}
