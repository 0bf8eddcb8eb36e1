package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"arcv2dsp"
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

func newCoresCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := pages.Command("cores", func(*cobra.Command, []string) { listCores(asJSON, s) }, cli.Vars{"json": &asJSON})
	cmd.AddCommand(newCoresShowCmd(s))
	return cmd
}

// coreJSON is one line of the list.
type coreJSON struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Summary string `json:"summary"`
}

func listCores(asJSON bool, s cli.Streams) {
	var list []coreJSON
	for _, c := range arcv2dsp.Cores() {
		list = append(list, coreJSON{Name: c.Name, Kind: "template", Summary: c.Summary})
	}
	for _, c := range arcv2dsp.Boards() {
		list = append(list, coreJSON{Name: c.Name, Kind: "board", Summary: c.Summary})
	}
	if asJSON {
		steps.Check(render.JSON(s.Out, map[string]any{"schema": 1, "cores": list}))
		return
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Kind, c.Summary)
	}
	steps.Check(w.Flush())
}

// showOptions are the flags of cores show.
type showOptions struct {
	settings  settingFlags
	registers bool
	json      bool
}

func newCoresShowCmd(s cli.Streams) *cobra.Command {
	var o showOptions
	return pages.Command("cores_show", func(_ *cobra.Command, args []string) { showCore(&o, args, s) },
		cli.Vars{"bcr": &o.registers, "json": &o.json}, o.settings.vars())
}

func showCore(o *showOptions, args []string, s cli.Streams) {
	cfg := arcv2dsp.Config{Settings: o.settings.list(), Notice: func(text string) { s.Warn("%s", text) }}
	if len(args) > 0 {
		cfg.Core = args[0]
	}
	cli.Refuse(len(args) == 0 && len(cfg.Settings) == 0, "no core: arcsim cores show NAME, or --tcf FILE, or --props FILE")
	m := newMachine(cfg)
	defer func() { _ = m.Close() }() // nothing is left to lose
	if o.registers {
		printRegisters(m, o.json, s)
		return
	}
	printConfig(m, o.json, s)
	if !o.json {
		fmt.Fprintln(s.Out, "# build configuration registers")
		printRegisters(m, false, s)
	}
}

// printRegisters prints the build configuration registers.
func printRegisters(m *arcv2dsp.Machine, asJSON bool, s cli.Streams) {
	if asJSON {
		steps.Check(render.JSON(s.Out, registerValues(m)))
		return
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, r := range m.Registers(arcv2dsp.BuildRegisters) {
		fmt.Fprintf(w, "%#x\t%#x\t%s\n", r.Aux, r.Value, r.Name)
	}
	steps.Check(w.Flush())
}

// registerValues maps the addresses of the build configuration registers to their values.
func registerValues(m *arcv2dsp.Machine) map[string]string {
	values := map[string]string{}
	for _, r := range m.Registers(arcv2dsp.BuildRegisters) {
		values[fmt.Sprintf("%#x", r.Aux)] = fmt.Sprintf("%#x", r.Value)
	}
	return values
}
