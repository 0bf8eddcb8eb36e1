package repl

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/steps"
)

func sessionCommands() []*command {
	return []*command{
		{name: "help", min: 1, args: "[COMMAND | GROUP | all]", short: "show the commands, or explain one", complete: completeCommand,
			run: func(s *Session, a args) { s.help(a.text) }},
		{name: "quit", min: 1, aliases: []string{"exit"}, args: "[STATUS]", short: "end the session",
			run: (*Session).leave},
		{name: "source", args: "FILE", required: fileRequired, short: "execute the commands of a file", complete: completeFile,
			run: func(s *Session, a args) { steps.Check(s.Source(a.text)) }},
		{name: "echo", args: "TEXT", short: "print a text, with the escapes of C",
			run: (*Session).echo},
		{name: "if", args: "EXPRESSION", required: conditionRequired, block: true, short: "execute the lines up to else or end if a value is not zero, else those up to end",
			run: (*Session).when},
		{name: "while", args: "EXPRESSION", required: conditionRequired, block: true, short: "execute the lines up to end as long as a value is not zero",
			run: (*Session).while},
		{name: "loop_break", short: "end the while around it",
			run: func(*Session, args) { steps.Check(errBreak) }},
		{name: "loop_continue", short: "execute the lines of the while around it from the first one again",
			run: func(*Session, args) { steps.Check(errContinue) }},
		{name: "define", args: "NAME", block: true, short: "define a command that executes the lines up to end",
			long: "In the lines $arg0, $arg1 ... stand for the words behind the command, $argc for their number. A second definition replaces the first; the debugger's own commands cannot be replaced.",
			run:  (*Session).define},
		{name: "alias", args: "NAME = COMMAND", short: "give a command, with or without arguments, another name",
			run: (*Session).alias},
		{name: "shell", aliases: []string{"!"}, args: "COMMAND", required: commandRequired, short: "execute a command of the host", complete: completeFile,
			run: (*Session).shell},
		{name: "monitor", aliases: []string{"mon"}, args: "COMMAND", required: commandRequired, short: "execute a command of this table",
			long: "A gdb that is connected to arcsim debug --gdb sends these commands by monitor; so its scripts work here as well.",
			run:  func(s *Session, a args) { s.nested(a.text) }},
		{name: "show", args: "SUBJECT", short: "show a setting",
			sub: []*command{{
				name: "logging", short: "show whether, how and to which file the output is written",
				run: func(s *Session, _ args) { s.showLogging() },
			}, {
				name: "print", group: "data", short: "show how structures and arrays are written",
				run: func(s *Session, _ args) { s.showPrint() },
			}}},
		{name: "apropos", args: "WORD", short: "search the help",
			run: (*Session).apropos},
	}
}

func (s *Session) leave(a args) {
	if a.text != "" {
		n := s.number(a.text)
		s.status = n & 255
	}
	s.quit = true
	steps.Check(errQuit)
}

func (s *Session) echo(a args) {
	s.print("%s", cexpr.Unescape(a.text))
}

func (s *Session) define(a args) {
	s.own(a.text)
	lines := steps.Must(s.block())
	s.add(&command{name: a.text, args: "[ARGUMENT...]", short: "defined by the user", run: func(s *Session, given args) {
		s.expand(lines, given.fields())
	}})
}

func (s *Session) alias(a args) {
	name, line, found := strings.Cut(a.text, "=")
	name, line = strings.TrimSpace(name), strings.TrimSpace(line)
	steps.Refuse(!found || line == "", "alias NAME = COMMAND")
	s.own(name)
	c, _, err := parse(s.commands, line)
	steps.Check(err)
	s.add(&command{name: name, args: c.args, short: "stands for: " + line, complete: c.complete, run: func(s *Session, given args) {
		s.nested(line + " " + given.text)
	}})
}

func (s *Session) shell(a args) {
	steps.Refuse(!s.cfg.Shell, "commands of the host are executed for who sits at it only")
	if runtime.GOARCH == "wasm" {
		steps.Check(errors.New("WebAssembly starts no other programs"))
		return
	}
	_ = s.out.Flush() // keeps the order; Run reports a broken output
	c := exec.CommandContext(s.ctx, "sh", "-c", a.text)
	c.Stdin, c.Stdout, c.Stderr = s.cfg.In, s.cfg.Out, s.cfg.Err
	steps.Check(c.Run())
}

func (s *Session) apropos(a args) {
	word := strings.ToLower(a.text)
	each(s.commands, "", func(path string, c *command) {
		if strings.Contains(strings.ToLower(path+" "+c.short+" "+c.long), word) && word != "" {
			s.print("%s -- %s\n", path, c.short)
		}
	})
}

// own checks that a name can be one of the user's commands.
func (s *Session) own(name string) {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r > 127 || !isName(byte(r)) }) {
		steps.Check(fmt.Errorf("%q cannot be the name of a command", name))
	}
	for _, c := range s.commands {
		steps.Refuse(c.group != userGroup && (c.name == name || slices.Contains(c.aliases, name)), "%s is a command of the debugger", name)
	}
}

// userGroup is the group of the user's commands, which help does not list by chapter.
const userGroup = "user"

// add makes a command of the user known, in place of an earlier one.
func (s *Session) add(c *command) {
	c.group = userGroup
	s.commands = slices.DeleteFunc(s.commands, func(old *command) bool { return old.group == userGroup && old.name == c.name })
	s.commands = append(s.commands, c)
}

// expand executes the lines of a defined command with its arguments in place.
func (s *Session) expand(lines, given []string) {
	var old []string
	for i := len(given) - 1; i >= 0; i-- { // $arg10 before $arg1
		old = append(old, fmt.Sprintf("$arg%d", i), given[i])
	}
	in := strings.NewReplacer(append(old, "$argc", fmt.Sprint(len(given)))...)
	own := make(listed, len(lines))
	for i, line := range lines {
		own[i] = in.Replace(line)
	}
	steps.Check(s.perform(&own))
}

// nested executes a line inside another command.
func (s *Session) nested(line string) {
	steps.Check(s.deeper())
	defer func() { s.depth-- }()
	steps.Check(s.Execute(line))
}

// each visits the commands and those below them, with their full names.
func each(list []*command, above string, visit func(path string, c *command)) {
	for _, c := range list {
		visit(above+c.name, c)
		each(c.sub, above+c.name+" ", visit)
	}
}

// helpWidth is the width of help on a narrow terminal.
const helpWidth = 78

// overview names all commands on one screen, by group.
func (s *Session) overview() {
	for _, g := range groups() {
		s.print("%s\n", s.paint(bold, g.title+" (help "+g.name+"):"))
		line := " "
		for _, c := range s.commands {
			if c.group != g.name {
				continue
			}
			if len(line)+1+len(c.name) > helpWidth {
				s.print("%s\n", line)
				line = " "
			}
			line += " " + c.name
		}
		s.print("%s\n", line)
	}
	s.print("help all says what each does, help COMMAND more, apropos WORD searches. Commands\n" +
		"may be shortened as long as they are unique. An empty line repeats the last one.\n")
}

func (s *Session) help(text string) {
	switch text {
	case "":
		s.overview()
		return
	case "all":
		for _, g := range groups() {
			s.print("%s\n", s.paint(bold, g.title+" (help "+g.name+"):"))
			for _, c := range s.commands {
				if c.group == g.name {
					s.print("  %-18s %s\n", c.name, c.short)
				}
			}
		}
		return
	}
	for _, g := range groups() {
		if g.name == text {
			each(s.commands, "", func(path string, c *command) {
				if c.group == g.name {
					s.print("%s -- %s\n", path, c.short)
				}
			})
			return
		}
	}
	list, path := s.commands, ""
	var c *command
	for _, word := range strings.Fields(text) {
		found := steps.Must(lookup(list, word, "command"))
		c, list = found, found.sub
		path += c.name + " "
	}
	s.print("%s\n", usage(strings.TrimSpace(path), c))
	for _, line := range []string{c.short, c.long} {
		if line != "" {
			s.print("%s\n", line)
		}
	}
	if len(c.aliases) > 0 {
		s.print("Also: %s\n", strings.Join(c.aliases, ", "))
	}
	for _, sub := range c.sub {
		s.print("  %s %-14s %s\n", c.name, sub.name, sub.short)
	}
}

// usage is the syntax of a command.
func usage(path string, c *command) string { return strings.TrimSpace(path + " " + c.args) }
