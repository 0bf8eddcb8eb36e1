package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"arcv2dsp/internal/term/hostfile"
)

// Man returns the manual pages of a command and of those below it, by the names of their files.
func Man(root *cobra.Command, help *Help) map[string]string {
	pages := map[string]string{}
	help.addMan(root, pages)
	return pages
}

func (h *Help) addMan(c *cobra.Command, pages map[string]string) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	name := manName(c)
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s\" \"%s\"\n", roff(strings.ToUpper(name)), roff(c.Root().Name()), roff(c.Root().Short))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	b.WriteString(".SH SYNOPSIS\n")
	line := c.UseLine()
	if !c.Runnable() {
		line = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, ".B %s\n", roff(line))
	if c.Long != "" {
		b.WriteString(".SH DESCRIPTION\n")
		manText(&b, c.Long)
	}
	if !c.DisableFlagParsing {
		b.WriteString(".SH OPTIONS\n")
		for _, t := range h.Flags(c) {
			if t.Name != "" {
				fmt.Fprintf(&b, ".SS %s\n", roff(t.Name))
			}
			for _, f := range t.Flags {
				value, usage := pflag.UnquoteUsage(f)
				fmt.Fprintf(&b, ".TP\n.B %s %s\n%s\n", roff(Spelled(f)), roff(value), roff(usage))
			}
		}
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.Lines(c.Example) {
			fmt.Fprintf(&b, "%s\n", roff(strings.TrimRight(line, "\n")))
		}
		b.WriteString(".fi\n")
	}
	var others []string
	if c.HasParent() {
		others = append(others, manName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
			others = append(others, manName(sub))
			h.addMan(sub, pages)
		}
	}
	if len(others) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, o := range others {
			end := ","
			if i == len(others)-1 {
				end = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(o), end)
		}
	}
	pages[name+".1"] = b.String()
}

// manText writes paragraphs; indented lines stay as they are.
func manText(b *strings.Builder, text string) {
	literal, between := false, false // between paragraphs
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented != literal && line != "" {
			literal, between = indented, true
			if !literal {
				b.WriteString(".fi\n")
			}
		} else if line == "" && !literal {
			between = true
			continue
		}
		if between {
			b.WriteString(".PP\n")
			if literal {
				b.WriteString(".nf\n")
			}
			between = false
		}
		b.WriteString(roff(line) + "\n")
	}
	if literal {
		b.WriteString(".fi\n")
	}
}

// manName is the name of the page of a command.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// roff writes a text so that nothing in it is a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// AddMan gives a root command, which has its commands already, the one that writes manual pages.
func AddMan(root *cobra.Command, s Streams, help *Help) {
	var dir string
	cmd := &cobra.Command{
		Use:     "man -o DIR",
		Hidden:  true,
		Short:   "Write the manual pages",
		Long:    "Write a manual page for each command, from the descriptions that --help prints.",
		Example: "  " + root.Name() + " man -o ~/.local/share/man/man1",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if dir == "" {
				return UsageError(fmt.Errorf("no folder: -o DIR"))
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return HostError(err)
			}
			pages := Man(root, help)
			for name, text := range pages {
				if err := hostfile.Write(filepath.Join(dir, name), []byte(text)); err != nil {
					return HostError(err)
				}
			}
			fmt.Fprintf(s.Out, "%d pages in %s\n", len(pages), dir)
			return nil
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "`DIR` to write to")
	root.AddCommand(cmd)
}
