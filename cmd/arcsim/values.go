package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/loader"
)

// flagValues says what flags take, for checks and for completion. A name behind that of its command counts
// before a name alone.
func flagValues() map[string]cli.Values {
	core := cli.Values{What: "core", Closed: true, List: anyOf(coreValues)}
	count := cli.Values{Count: true}
	values := map[string]cli.Values{
		"core": core,
		"engine": {What: "engine", Closed: true, List: choice("auto\tmachine code after a warm-up, where the host can", "fast\tthe block engine",
			"ref\tthe reference engine", "jit\tthe block engine with machine code of the host")},
		"hostio": {What: "host I/O", Closed: true, List: choice("auto\tby what the program contains", "gnu\tsystem calls by swi",
			"metaware\thostlink", "qemu\tthe console of QEMU", "none\tno host calls")},
		"prop":         {List: anyOf(propertyValues), Inside: true},
		"max-inst":     count,
		"max-cycles":   count,
		"trace-format": {What: "trace format", Closed: true, List: choice("text", "csv", "jsonl")},
		"color":        {What: "color", Closed: true, List: choice("auto", "always", "never")},
		"view":         {List: choice(timelineViews...)},
		"from":         {List: symbolValues},
		"to":           {List: symbolValues},
		"set-reg":      {List: anyOf(settableRegisters), Inside: true},
	}
	maps.Copy(values, kernelFlagValues())
	return values
}

// completeArguments gives commands the completion of their arguments; the shell completes files beside it.
func completeArguments(root *cobra.Command) {
	arguments := map[string]func([]string) []string{"cores show": anyOf(coreValues)}
	maps.Copy(arguments, kernelArgumentValues())
	for path, list := range arguments {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd.CommandPath() != root.Name()+" "+path { // a root with one command lacks the others
			continue
		}
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var match []string
			for _, text := range list(args) {
				if strings.HasPrefix(text, word) {
					match = append(match, text)
				}
			}
			return match, cobra.ShellCompDirectiveDefault
		}
	}
}

// choice is a list of values.
func choice(list ...string) func([]string) []string {
	return func([]string) []string { return list }
}

// anyOf is a list of values whatever the arguments are.
func anyOf(list func() []string) func([]string) []string {
	return func([]string) []string { return list() }
}

// textOf are the texts of the rows of a table.
func textOf[T any](rows []T, text func(T) string) []string {
	var list []string
	for _, r := range rows {
		list = append(list, text(r))
	}
	return list
}

func coreValues() []string {
	presets := slices.Concat(arcv2dsp.Cores(), arcv2dsp.Boards())
	list := textOf(presets, func(c arcv2dsp.Preset) string { return c.Name + "\t" + c.Summary })
	for _, c := range presets {
		for _, name := range c.Also {
			list = append(list, name+"\t"+c.Name)
		}
	}
	return list
}

func propertyValues() []string {
	const prefix = "nsim_isa_"
	var list []string
	for _, p := range config.Properties() {
		about := p.Help
		if p.Lacks != "" {
			about = "no effect: " + p.Lacks
		}
		list = append(list, strings.TrimPrefix(p.Name, prefix)+"=\t"+about)
	}
	slices.Sort(list)
	return list
}

// settableRegisters are the core registers, for NAME=VALUE.
func settableRegisters() []string {
	m, err := arcv2dsp.New(arcv2dsp.Config{HostIO: arcv2dsp.HostNone})
	if err != nil {
		return nil // the command itself says what is wrong
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	return textOf(m.Registers(arcv2dsp.CoreRegisters), func(r arcv2dsp.Register) string { return strings.ToLower(r.Name) + "=" })
}

// symbolValues are the symbols of the program among the arguments.
func symbolValues(args []string) []string {
	for _, path := range args {
		data, err := readFile(path)
		if err != nil {
			continue
		}
		im, err := loader.Read(path, data)
		if err != nil {
			continue
		}
		list := textOf(im.Symbols.All(), func(s loader.Symbol) string { return s.Name })
		slices.Sort(list)
		return slices.Compact(list)
	}
	return nil
}
