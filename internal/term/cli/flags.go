package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arcv2dsp/internal/term/spelling"
)

// SingleDash writes the long flags of a command line with two dashes: people who know go test, nSIM or the
// GNU tools write -run, -core. Arguments of the program that the command line names are left alone.
func SingleDash(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.DisableFlagParsing || len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args
	}
	cmd.InitDefaultHelpFlag()
	out := strings.Fields(cmd.CommandPath())[1:]
	flags := cmd.Flags()
	for i := 0; i < len(rest); i++ {
		a := rest[i]
		out = append(out, a)
		if a == "--" || !strings.HasPrefix(a, "-") && cmd.Annotations[endsAtProgram] != "" {
			return append(out, rest[i+1:]...)
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			continue
		}
		name, _, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
		f := flags.Lookup(name)
		if f == nil && len(name) == 1 {
			f = flags.ShorthandLookup(name)
		} else if f != nil && !strings.HasPrefix(a, "--") && len(name) > 1 {
			out[len(out)-1] = "-" + a
		}
		if f != nil && f.NoOptDefVal == "" && !joined && i+1 < len(rest) { // the value may begin with a dash
			i++
			out = append(out, rest[i])
		}
	}
	return out
}

// endsAtProgram marks commands whose flags end at the program: arguments behind it are the program's.
const endsAtProgram = "flags end at the program"

// EndAtProgram makes the flags of a command end at its first argument.
func EndAtProgram(cmd *cobra.Command) {
	cmd.Flags().SetInterspersed(false)
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[endsAtProgram] = "true"
}

// Values are the values that a flag takes.
type Values struct {
	// List returns the values, each with what it is behind a tab; args are the arguments of the command.
	List func(args []string) []string
	// Closed: there are no others. A flag that takes a list takes several, separated by commas.
	Closed bool
	// Count: a number of things, with a unit.
	Count bool
	// The noun for one value in messages about those that do not exist.
	What string
	// Inside: more follows the value, as behind NAME=.
	Inside bool
}

// FlagValues makes flags of a command and of those below it check and complete what they take. The table
// has the names of flags; a name behind that of its command counts before a name alone.
func FlagValues(cmd *cobra.Command, table map[string]Values) {
	for _, sub := range cmd.Commands() {
		FlagValues(sub, table)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		v, ok := table[cmd.Name()+" "+f.Name]
		if !ok {
			v, ok = table[f.Name]
		}
		if !ok || f.Value.Type() == "bool" {
			return
		}
		several := strings.Contains(f.Value.Type(), "Slice")
		if v.Count || v.Closed {
			f.Value = checked{Value: f.Value, Values: v, several: several}
		}
		if v.List != nil {
			err := cmd.RegisterFlagCompletionFunc(f.Name, v.complete(several))
			if err != nil {
				panic(err) // the flag is there, and no one else completes it
			}
		}
	})
}

// names are the values without what they are.
func (v *Values) names() []string {
	var list []string
	for _, text := range v.List(nil) {
		name, _, _ := strings.Cut(text, "\t")
		list = append(list, name)
	}
	return list
}

// complete completes the last of the values of a flag.
func (v *Values) complete(several bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if i := strings.LastIndexByte(word, ','); several && i >= 0 {
			before = word[:i+1]
		}
		var list []string
		for _, text := range v.List(args) {
			if strings.HasPrefix(before+text, word) {
				list = append(list, before+text)
			}
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if v.Inside {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		if len(list) == 0 && !v.Closed {
			directive = cobra.ShellCompDirectiveDefault
		}
		return list, directive
	}
}

// checked is a value that says at once what is wrong with it.
type checked struct {
	pflag.Value
	Values
	several bool
}

// Set implements pflag.Value.
func (c checked) Set(text string) error {
	if c.Count {
		n, err := ParseCount(text)
		if err != nil {
			return err
		}
		return c.Value.Set(fmt.Sprint(n))
	}
	list := []string{text}
	if strings.Contains(text, ",") {
		if !c.several {
			return fmt.Errorf("this command takes one %s, not several", c.What)
		}
		list = strings.Split(text, ",")
	}
	known := c.names()
	for _, name := range list {
		if !slices.Contains(known, name) && name != "" {
			return spelling.Unknown(c.What, name, known)
		}
	}
	return c.Value.Set(text)
}

// otherWords are the flags of other simulators.
var otherWords = map[string]string{
	"cpu": "core", "mcpu": "core", "machine": "core", "board": "core", "target": "core",
	"limit": "max-inst", "instructions": "max-inst", "cycles": "max-cycles", "stats": "stat", "log": "trace", "port": "gdb",
	"out": "output", "tests": "run", "filter": "run", "gdbserver": "gdb", "semihosting": "hostio", "mem": "memory", "ram": "memory",
}

// replaced are flags of earlier versions, with what stands for them.
var replaced = map[string]string{
	"stat-json": "--json -o FILE", "gobench": "--format go", "markdown": "--format markdown", "listen": "debug --gdb=ADDRESS or --dap=ADDRESS",
	"gdb": "arcsim debug --gdb",
}

// oneLine is a value as a message quotes it.
func oneLine(value string) string {
	if strings.ContainsAny(value, "\n\r") {
		return strconv.Quote(value)
	}
	return value
}

// FlagError words what is wrong with a flag, for cobra.Command.SetFlagErrorFunc.
func FlagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return fmt.Errorf("--%s %s: this flag takes no value", invalid.GetFlag().Name, oneLine(invalid.GetValue()))
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %s: %w", invalid.GetFlag().Name, oneLine(invalid.GetValue()), errors.Unwrap(invalid))
	case errors.As(err, &missing):
		name := missing.GetSpecifiedName()
		if group := missing.GetSpecifiedShortnames(); group != "" {
			name = group
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if now := replaced[name]; now != "" {
			return fmt.Errorf("%w; %s does that", err, now)
		}
		near := otherWords[name]
		if !slices.Contains(known, near) {
			near = spelling.Nearest(name, known)
		}
		if near != "" {
			return fmt.Errorf("%w, did you mean --%s?", err, near)
		}
		return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
	}
	return err
}
