package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/cli"
)

func newCoresCmd(s cli.Streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cores",
		Short: "List core templates and boards, show the configuration of one",
		Long: `List what --core takes: templates, which leave the whole address space to memory, and boards, which have
the options and closely coupled memories of public boards.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return listCores(asJSON, s) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	cmd.AddCommand(newCoresShowCmd(s))
	return cmd
}

// coreJSON is one line of the list.
type coreJSON struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Summary string `json:"summary"`
}

func listCores(asJSON bool, s cli.Streams) error {
	var list []coreJSON
	for _, c := range arcv2dsp.Cores() {
		list = append(list, coreJSON{Name: c.Name, Kind: "template", Summary: c.Summary})
	}
	for _, c := range arcv2dsp.Boards() {
		list = append(list, coreJSON{Name: c.Name, Kind: "board", Summary: c.Summary})
	}
	if asJSON {
		return printJSON(struct {
			Schema int        `json:"schema"`
			Cores  []coreJSON `json:"cores"`
		}{Schema: 1, Cores: list}, s)
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Kind, c.Summary)
	}
	return hostError(w.Flush())
}

// showOptions are the flags of cores show.
type showOptions struct {
	settings  settingFlags
	registers bool
	json      bool
}

func newCoresShowCmd(s cli.Streams) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show [flags] [NAME]",
		Short: "Show the configuration of a core and its build configuration registers",
		Long: `Show every option of a core with its value and the origin of the value, and the values of the build
configuration registers, from which software learns what the core has. Registers that are not listed read 0
or do not exist.`,
		Example: `  arcsim cores show emsk23-em9d
  arcsim cores show --tcf board.tcf --bcr
  arcsim cores show em9d -p mpy_option=7 -p dsp_option=0 --bcr --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return showCore(&o, args, s) },
	}
	f := cmd.Flags()
	o.settings.flags(f)
	f.BoolVar(&o.registers, "bcr", false, "print the build configuration registers only")
	f.BoolVar(&o.json, "json", false, "print JSON; with --bcr one object, address to value")
	return cmd
}

func showCore(o *showOptions, args []string, s cli.Streams) error {
	cfg := arcv2dsp.Config{Settings: o.settings.list(), Notice: func(text string) { s.Warn("%s", text) }}
	if len(args) > 0 {
		cfg.Core = args[0]
	}
	if len(args) == 0 && len(cfg.Settings) == 0 {
		return cli.UsageError(errors.New("no core: arcsim cores show NAME, or --tcf FILE, or --props FILE"))
	}
	m, err := arcv2dsp.New(cfg)
	if err != nil {
		return configError(err)
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	if o.registers {
		return printRegisters(m, o.json, s)
	}
	if err := printConfig(m, o.json, s); err != nil || o.json {
		return err
	}
	fmt.Fprintln(s.Out, "# build configuration registers")
	return printRegisters(m, false, s)
}

// printRegisters prints the build configuration registers.
func printRegisters(m *arcv2dsp.Machine, asJSON bool, s cli.Streams) error {
	if asJSON {
		return printJSON(registerValues(m), s)
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, r := range m.BuildRegisters() {
		fmt.Fprintf(w, "%#x\t%#x\t%s\n", r.Addr, r.Value, r.Name)
	}
	return hostError(w.Flush())
}

// registerValues maps the addresses of the build configuration registers to their values.
func registerValues(m *arcv2dsp.Machine) map[string]string {
	values := map[string]string{}
	for _, r := range m.BuildRegisters() {
		values[fmt.Sprintf("%#x", r.Addr)] = fmt.Sprintf("%#x", r.Value)
	}
	return values
}

func printJSON(v any, s cli.Streams) error {
	e := json.NewEncoder(s.Out)
	e.SetIndent("", "  ")
	return hostError(e.Encode(v))
}

// hostError is cli.HostError of an error that may be none.
func hostError(err error) error {
	if err != nil {
		return cli.HostError(err)
	}
	return nil
}
