package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/hostfile"
)

// option is one option in the spelling of the GNU tools, which flag libraries do not read: -mcpu=NAME,
// -Ttext ADDR, -Idir. O holds the values.
type option[O any] struct {
	name string // with its dashes; with "=" at its end when the value must follow directly
	arg  string // what the value is; "" when there is none; in brackets when it may be left out
	help string // "" keeps it out of the help: accepted for compatibility
	set  func(o *O, value string) error
}

// parseOptions reads a command line; file takes what is no option.
func parseOptions[O any](table []option[O], args []string, o *O, file func(name string)) error {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			for _, name := range args[i+1:] {
				file(name)
			}
			return nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			if name, ok := strings.CutPrefix(arg, "@"); ok {
				if text, err := hostfile.Read(name, maxOptions); err == nil {
					if err := parseOptions(table, strings.Fields(string(text)), o, file); err != nil {
						return err
					}
					continue
				}
			}
			file(arg)
			continue
		}
		x, value, need := findOption(table, arg)
		if x == nil {
			text := "unknown option " + arg
			if name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "="); name == "core" { // arcsim's name for it
				text += "; -mcpu=NAME names the core"
			}
			return errors.New(text)
		}
		if need {
			if i++; i == len(args) {
				return fmt.Errorf("option %s needs a value: %s", x.name, x.arg)
			}
			value = args[i]
		}
		if err := x.set(o, value); err != nil {
			return err
		}
	}
	return nil
}

// findOption finds the option that an argument begins with, the longest name first; need is true when
// its value is the next argument.
func findOption[O any](table []option[O], arg string) (x *option[O], value string, need bool) {
	for i := range table {
		x := &table[i]
		switch {
		case x.arg == "" || strings.HasPrefix(x.arg, "["):
			if arg == x.name {
				return x, "", false
			}
		case arg == x.name && !strings.HasSuffix(x.name, "="):
			return x, "", true
		}
	}
	for i := range table {
		c := &table[i]
		rest, ok := strings.CutPrefix(arg, c.name)
		if !ok || c.arg == "" || x != nil && len(x.name) > len(c.name) {
			continue
		}
		// The value of a long option follows "=".
		if len(c.name) > 2 && !strings.HasSuffix(c.name, "=") {
			if rest, ok = strings.CutPrefix(rest, "="); !ok {
				continue
			}
		}
		x, value = c, rest
	}
	return x, value, false
}

// optionHelp lists options.
func optionHelp[O any](table []option[O]) string {
	var b strings.Builder
	for _, x := range table {
		if x.help == "" {
			continue
		}
		text := x.name
		switch {
		case strings.HasPrefix(x.arg, "["), strings.HasSuffix(x.name, "="):
			text += x.arg
		case x.arg != "":
			text += " " + x.arg
		}
		fmt.Fprintf(&b, "  %-24s %s\n", text, x.help)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// completeOptions proposes option names and cores to the shell; anything else is a file.
func completeOptions[O any](table []option[O]) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if !strings.HasPrefix(word, "-") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var words []cobra.Completion
		for _, x := range table {
			if x.help == "" {
				continue
			}
			if x.name == "-mcpu=" {
				for _, name := range asm.CPUs() {
					words = append(words, x.name+name)
				}
				continue
			}
			words = append(words, cobra.CompletionWithDesc(x.name, x.help))
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
