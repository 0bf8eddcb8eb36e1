package cli

import (
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arcv2dsp/internal/term/steps"
)

// Pages are the descriptions of commands, a text file for each. The first line of a page is the usage of the command, the
// second one says in short what it does, and an explanation follows; below the lines "Examples:" and "Flags:" are examples and
// flags. A flag is a line
//
//	-o, --output = -: write to `FILE`, - for standard output
//
// with its default behind =, and --flag[=VALUE] where a flag without a value means VALUE. Lists are given by several flags where
// the explanation ends in "(repeatable)", else with commas. The default "processors" is their number. A line @NAME stands for
// the flags of the page NAME.
type Pages struct {
	Files fs.FS
	// Words has what {{NAME}} stands for in a page; without a word it is the page NAME.
	Words map[string]func() string
	// Unknown is the error of arguments that name no command below one.
	Unknown func(cmd *cobra.Command, args []string) error
}

// Vars are the variables that flags set, by the name of the flag.
type Vars map[string]any

// RunFunc executes a command, a row of steps. An error of the command line is a UsageError; one without a status has the
// status Host.
type RunFunc func(cmd *cobra.Command, args []string)

// Command makes the command that a page describes. Its flags set the variables; each flag has one and each variable a flag.
func (p *Pages) Command(page string, run RunFunc, vars ...Vars) *cobra.Command {
	text := p.read(page)
	text, flags, _ := strings.Cut(text, "\nFlags:\n")
	text, examples, _ := strings.Cut(text, "\nExamples:\n")
	lines := strings.SplitN(text, "\n", 3)
	cmd := &cobra.Command{Use: lines[0], Short: lines[1], Long: strings.TrimSpace(lines[2]), Example: strings.Trim(examples, "\n")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return HostError(steps.Run(func() { run(cmd, args) })) }
	cmd.Args = arguments(cmd)
	all := Vars{}
	for _, v := range vars {
		maps.Copy(all, v)
	}
	p.flags(cmd.Flags(), page, flags, all)
	for name := range all {
		panic(fmt.Sprintf("%s: the page lacks the flag %s", page, name))
	}
	return cmd
}

// Text is a page as it is.
func (p *Pages) Text(page string) string { return strings.TrimSpace(p.read(page)) }

// Group makes a command that only has others below it.
func (p *Pages) Group(page string, below ...*cobra.Command) *cobra.Command {
	cmd := p.Command(page, nil)
	cmd.DisableFlagsInUseLine, cmd.Args = true, nil
	cmd.AddCommand(below...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return UsageError(p.Unknown(cmd, args))
	}
	return cmd
}

// read returns the text of a page.
func (p *Pages) read(page string) string {
	data, err := fs.ReadFile(p.Files, page+".txt")
	if err != nil {
		panic(err) // a page of the program itself is missing
	}
	text := string(data) + "\n"
	for {
		before, rest, found := strings.Cut(text, "{{")
		name, after, _ := strings.Cut(rest, "}}")
		if !found {
			return text
		}
		word := p.Words[name]
		if word == nil {
			word = func() string { return p.Text(name) }
		}
		text = before + word() + after
	}
}

// flags adds the flags of a page and takes their variables away.
func (p *Pages) flags(set *pflag.FlagSet, page, text string, vars Vars) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, other := strings.CutPrefix(line, "@"); other {
			p.flags(set, name, p.read(name), vars)
			continue
		}
		if line == "" {
			continue
		}
		spec, usage, _ := strings.Cut(line, ": ")
		spec, def, _ := strings.Cut(spec, " = ")
		short := ""
		if !strings.HasPrefix(spec, "--") {
			short, spec, _ = strings.Cut(spec[1:], ", ")
		}
		name, bare, hasBare := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(spec, "]"), "--"), "[=")
		if vars[name] == nil {
			panic(fmt.Sprintf("%s: the flag %s has no variable", page, name))
		}
		add(set, vars[name], name, short, def, usage)
		if hasBare {
			set.Lookup(name).NoOptDefVal = bare
		}
		delete(vars, name)
	}
}

// add adds a flag for a variable.
func add(set *pflag.FlagSet, to any, name, short, def, usage string) {
	several := strings.HasSuffix(usage, "(repeatable)")
	switch v := to.(type) {
	case *string:
		set.StringVarP(v, name, short, "", usage)
	case *bool:
		set.BoolVarP(v, name, short, false, usage)
	case *int:
		set.IntVarP(v, name, short, 0, usage)
	case *uint64:
		set.Uint64VarP(v, name, short, 0, usage)
	case *float64:
		set.Float64VarP(v, name, short, 0, usage)
	case *time.Duration:
		set.DurationVarP(v, name, short, 0, usage)
	case *[]int:
		set.IntSliceVarP(v, name, short, nil, usage)
		for text := range strings.SplitSeq(def, ",") {
			n, err := strconv.Atoi(text)
			if err != nil && def != "" {
				panic(fmt.Sprintf("flag %s: %v", name, err))
			}
			*v = append(*v, n)
		}
		set.Lookup(name).DefValue = def
		return
	case *[]string:
		if several {
			set.StringArrayVarP(v, name, short, nil, usage)
		} else {
			set.StringSliceVarP(v, name, short, nil, usage)
		}
	default:
		panic(fmt.Sprintf("flag %s: a variable of type %T", name, to))
	}
	if def == "" {
		return
	}
	f := set.Lookup(name)
	f.DefValue = def
	if def == "processors" {
		def = fmt.Sprint(runtime.NumCPU())
	}
	if list, ok := to.(*[]string); ok { // the value of a flag would follow what is set here
		*list = strings.Split(def, ",")
		return
	}
	if err := f.Value.Set(def); err != nil {
		panic(fmt.Sprintf("flag %s: %v", name, err))
	}
}

// arguments checks the number of arguments by the usage of a command: NAME is one, [NAME] one or none, NAME... any number from
// one. Alternatives with blanks around them are left to the command.
func arguments(cmd *cobra.Command) cobra.PositionalArgs {
	value := false // of the flag before it
	var words []string
	for i, w := range strings.Fields(cmd.Use) {
		flag := strings.HasPrefix(w, "-")
		if i > 0 && w != "[flags]" && !flag && !value {
			words = append(words, w)
		}
		value = flag
	}
	least, most := 0, len(words)
	for _, w := range words {
		if !strings.HasPrefix(w, "[") {
			least++
		}
		if strings.Contains(w, "...") {
			most = -1
		}
	}
	free := slices.Contains(words, "|")
	return func(_ *cobra.Command, args []string) error {
		switch {
		case free:
			return nil
		case most >= 0 && len(args) > most:
			return UsageError(fmt.Errorf("unexpected argument %q: %s", args[most], cmd.UseLine()))
		case len(args) < least:
			return UsageError(fmt.Errorf("no %s: %s", words[len(args)], cmd.UseLine()))
		}
		return nil
	}
}
