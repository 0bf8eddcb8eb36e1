package repl

import (
	"errors"
	"strings"

	"arcv2dsp/internal/debug"
)

func sessionCommands() []*command {
	return []*command{
		{
			name: "help", min: 1, group: "session", args: "[COMMAND | GROUP]", short: "show the commands, or what one does", complete: completeCommand,
			run: func(s *Session, a args) error { return s.help(a.text) },
		},
		{
			name: "quit", min: 1, aliases: []string{"exit"}, group: "session", args: "[STATUS]", short: "end the session",
			run: func(s *Session, a args) error {
				if a.text != "" {
					n, err := s.number(a.text)
					if err != nil {
						return err
					}
					s.status = n & 255
				}
				s.quit = true
				return errQuit
			},
		},
		{
			name: "source", group: "session", args: "FILE", short: "execute the commands of a file", complete: completeFile,
			run: func(s *Session, a args) error {
				if a.text == "" {
					return errors.New("source FILE")
				}
				return s.Source(a.text)
			},
		},
		{
			name: "echo", group: "session", args: "TEXT", short: "print a text, with the escapes of C",
			run: func(s *Session, a args) error {
				s.print("%s", debug.Unescape(a.text))
				return nil
			},
		},
		{
			name: "apropos", group: "session", args: "WORD", short: "search the help",
			run: func(s *Session, a args) error {
				word := strings.ToLower(a.text)
				each(s.commands, "", func(path string, c *command) {
					if strings.Contains(strings.ToLower(path+" "+c.short+" "+c.long), word) && word != "" {
						s.print("%s -- %s\n", path, c.short)
					}
				})
				return nil
			},
		},
	}
}

// each visits the commands and those below them, with their full names.
func each(list []*command, above string, visit func(path string, c *command)) {
	for _, c := range list {
		visit(above+c.name, c)
		each(c.sub, above+c.name+" ", visit)
	}
}

func (s *Session) help(text string) error {
	if text == "" {
		for _, g := range groups() {
			s.print("%s\n", s.paint(bold, g.title+" (help "+g.name+"):"))
			for _, c := range s.commands {
				if c.group == g.name {
					s.print("  %-18s %s\n", c.name, c.short)
				}
			}
		}
		s.print("Commands may be shortened as long as they are unique. An empty line repeats the last one.\n")
		return nil
	}
	for _, g := range groups() {
		if g.name == text {
			each(s.commands, "", func(path string, c *command) {
				if c.group == g.name {
					s.print("%s -- %s\n", path, c.short)
				}
			})
			return nil
		}
	}
	list, path := s.commands, ""
	var c *command
	for _, word := range strings.Fields(text) {
		found, err := lookup(list, word, "command")
		if err != nil {
			return err
		}
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
	return nil
}

// usage is the syntax of a command.
func usage(path string, c *command) string { return strings.TrimSpace(path + " " + c.args) }
