package repl

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/spelling"
)

// group is a chapter of the help.
type group struct {
	name, title string
	commands    []*command // those of info stand behind the others
}

// groups are in the order in which help lists them.
func groups() []group {
	return []group{
		{name: "running", title: "Running the program", commands: runningCommands()},
		{name: "reverse", title: "Going back", commands: reverseCommands()},
		{name: "breakpoints", title: "Stopping at places and changes", commands: append(breakpointCommands(), signalCommands()...)},
		{name: "stack", title: "Examining the call stack", commands: append(stackCommands(), threadCommands()...)},
		{name: "data", title: "Examining and changing data", commands: dataCommands()},
		{name: "source", title: "Source, symbols and disassembly", commands: sourceCommands()},
		{name: "dsp", title: "DSP, address generation and tensors", commands: dspCommands()},
		{name: "measure", title: "Cycles, traces and profiles", commands: measureCommands()},
		{name: "snapshots", title: "Snapshots", commands: snapshotCommands()},
		{name: "screen", title: "The full-screen view", commands: screenCommands()},
		{name: "session", title: "The debugger itself", commands: sessionCommands()},
	}
}

// command is a row of the command table.
type command struct {
	info      bool // stands below info
	name      string
	min       int      // letters that are enough, though other commands begin so too; 0: any unique prefix
	aliases   []string // other names
	group     string   // "": that in whose list it stands
	args      string   // syntax of what follows, as help shows it
	short     string   // one line
	long      string   // more, in paragraphs
	block     bool     // the lines that follow, up to end, belong to it
	required  string   // the error when nothing follows
	format    bool     // takes /FMT
	ownFormat bool     // reads /FMT itself
	repeat    bool     // an empty line repeats it
	complete  func(s *Session, word string) []string
	run       func(s *Session, a args)
	sub       []*command // commands below it, such as info registers
}

// Errors of commands that need something behind them.
const (
	placeRequired     = "a place is expected, such as FILE:LINE, FUNCTION or *ADDRESS"
	fileRequired      = "a file is expected"
	commandRequired   = "a command is expected"
	conditionRequired = "a condition is expected"
)

// args is the text behind a command.
type args struct {
	text   string
	format debug.Format
	repeat bool // an empty line repeated the command
}

// fields splits the text at blanks.
func (a args) fields() []string { return strings.Fields(a.text) }

// table returns all commands. Those of info stand below it, each in its own group.
func table() []*command {
	info := &command{name: "info", min: 1, group: "session", args: "SUBJECT", short: "show information about the program or the debugger"}
	var list []*command
	for _, g := range groups() {
		each(g.commands, "", func(_ string, c *command) {
			if c.group == "" {
				c.group = g.name
			}
		})
		for _, c := range g.commands {
			if c.info {
				info.sub = append(info.sub, c)
			} else {
				list = append(list, c)
			}
		}
	}
	return append(list, info)
}

// lookup finds a command by its name, an alias, or a unique prefix.
func lookup(list []*command, word, what string) (*command, error) {
	var matches []*command
	for _, c := range list {
		if c.name == word {
			return c, nil
		}
		for _, a := range c.aliases {
			if a == word {
				return c, nil
			}
		}
		if strings.HasPrefix(c.name, word) {
			if c.min > 0 && len(word) >= c.min {
				return c, nil
			}
			matches = append(matches, c)
		}
	}
	switch len(matches) {
	case 1:
		return matches[0], nil
	case 0:
		text := fmt.Sprintf("undefined %s: %q, try \"help\"", what, word)
		if near := spelling.Nearest(word, names(list)); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("%s", text)
	}
	return nil, fmt.Errorf("ambiguous %s %q: %s", what, word, strings.Join(names(matches), ", "))
}

// below tells whether a word is the name, written out, of a command below another.
func below(list []*command, word string) bool {
	return slices.ContainsFunc(list, func(sub *command) bool { return sub.name == word })
}

// names lists names and aliases, sorted.
func names(list []*command) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.name)
		out = append(out, c.aliases...)
	}
	sort.Strings(out)
	return out
}

// parse splits a line into a command and its arguments.
func parse(list []*command, line string) (*command, args, error) {
	line = strings.TrimSpace(line)
	end := 0
	for end < len(line) && (isName(line[end])) {
		end++
	}
	word, rest := line[:end], line[end:]
	if word == "" {
		return nil, args{}, fmt.Errorf("undefined command: %q, try \"help\"", line)
	}
	c, err := lookup(list, word, "command")
	if err != nil {
		return nil, args{}, err
	}
	for c.sub != nil {
		rest = strings.TrimSpace(rest)
		end := strings.IndexAny(rest, " /\t")
		if end < 0 {
			end = len(rest)
		}
		if rest == "" || c.run != nil && !below(c.sub, rest[:end]) {
			break // of a command that takes other words, those below it are written out
		}
		sub, err := lookup(c.sub, rest[:end], c.name+" command")
		if err != nil {
			return nil, args{}, err
		}
		c, rest = sub, rest[end:]
	}
	a := args{text: strings.TrimSpace(rest)}
	switch slash := strings.HasPrefix(a.text, "/"); {
	case !slash || !c.format && !strings.HasPrefix(rest, "/"): // a path may follow
	case !c.format:
		return nil, args{}, fmt.Errorf("%s takes no /format", c.name)
	case c.ownFormat:
	default:
		word, tail, _ := strings.Cut(a.text[1:], " ")
		f, err := cexpr.ParseFormat(word)
		if err != nil {
			return nil, args{}, err
		}
		a = args{text: strings.TrimSpace(tail), format: f}
	}
	if c.required != "" && a.text == "" {
		return nil, args{}, errors.New(c.required)
	}
	if c.run == nil {
		return nil, args{}, fmt.Errorf("%s needs a subject: %s", c.name, strings.Join(names(c.sub), ", "))
	}
	return c, a, nil
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '!'
}
