package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Help orders the help of commands that have many flags. --help shows such a command in about thirty lines: the flags
// used most, and the names of the others by topic. The command help, the manual page and docs/cli have all of them.
type Help struct {
	// Topics of flags, in the order in which they are shown. A flag means the same in every command.
	Topics []Topic
	// Often has the flags used most, by the path of the command below the root.
	Often map[string]string
}

// Topic is a group of flags; both lists are separated by blanks.
type Topic struct{ Name, Flags string }

// helpWidth is the width of help in columns.
const helpWidth = 100

// Flags returns the flags of a command by topic. Commands with few flags have one topic without a name.
func (h *Help) Flags(cmd *cobra.Command) []FlagTopic {
	all := FlagTopic{}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && (f.Name != "help" || len(h.often(cmd)) == 0) {
			all.Flags = append(all.Flags, f)
		}
	})
	if len(h.often(cmd)) == 0 {
		return []FlagTopic{all}
	}
	var list []FlagTopic
	for _, t := range h.Topics {
		var part FlagTopic
		part.Name = t.Name
		for _, name := range strings.Fields(t.Flags) {
			if i := slices.IndexFunc(all.Flags, func(f *pflag.Flag) bool { return f.Name == name }); i >= 0 {
				part.Flags = append(part.Flags, all.Flags[i])
				all.Flags = slices.Delete(all.Flags, i, i+1)
			}
		}
		if len(part.Flags) > 0 {
			list = append(list, part)
		}
	}
	if len(all.Flags) > 0 {
		list = append(list, FlagTopic{Name: OtherTopic, Flags: all.Flags})
	}
	return list
}

// OtherTopic is where flags are that no topic has.
const OtherTopic = "Other"

// FlagTopic has the flags of a command that belong to a topic.
type FlagTopic struct {
	Name  string
	Flags []*pflag.Flag
}

// usages describes the flags in columns.
func (t *FlagTopic) usages() string {
	set := pflag.NewFlagSet(t.Name, pflag.ContinueOnError)
	set.SortFlags = false
	for _, f := range t.Flags {
		set.AddFlag(f)
	}
	return set.FlagUsagesWrapped(helpWidth)
}

// often are the names of the flags of a command used most; there are none where the help is short anyway.
func (h *Help) often(cmd *cobra.Command) []string {
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	return strings.Fields(h.Often[path])
}

// Add gives a root command, which has its commands already, its help.
func (h *Help) Add(root *cobra.Command) {
	whole := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if len(h.often(cmd)) == 0 {
			h.list(cmd, whole)
			return
		}
		fmt.Fprint(cmd.OutOrStdout(), h.brief(cmd))
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command with all its flags, by topic",
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var list []string
			if cmd, _, err := root.Find(args); err == nil {
				for _, sub := range cmd.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), word) {
						list = append(list, sub.Name()+"\t"+sub.Short)
					}
				}
			}
			return list, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = fmt.Errorf("unknown command %q for %q", rest[0], cmd.CommandPath())
			}
			if err != nil {
				return UsageError(err)
			}
			cmd.InitDefaultHelpFlag()
			if len(h.often(cmd)) == 0 {
				h.list(cmd, whole)
				return nil
			}
			fmt.Fprint(cmd.OutOrStdout(), h.long(cmd))
			return nil
		},
	})
}

// list is the help that the library writes. The command help is none of those listed: the text of the root names it.
func (h *Help) list(cmd *cobra.Command, whole func(*cobra.Command, []string)) {
	if root := cmd.Root(); cmd == root {
		for _, sub := range root.Commands() {
			if sub.Name() == "help" {
				root.RemoveCommand(sub)
				defer root.AddCommand(sub)
			}
		}
	}
	whole(cmd, nil)
}

// head is a text about a command with its use and examples.
func head(cmd *cobra.Command, text, examples string) string {
	return fmt.Sprintf("%s\n\nUsage:\n  %s\n\nExamples:\n%s\n", text, cmd.UseLine(), examples)
}

// fewExamples is how many lines of examples fit on the screen beside the flags.
const fewExamples = 4

// brief is the help of a command on one screen.
func (h *Help) brief(cmd *cobra.Command) string {
	var b strings.Builder
	first, _, _ := strings.Cut(cmd.Long, "\n\n")
	examples := strings.Split(cmd.Example, "\n")
	b.WriteString(head(cmd, first, strings.Join(examples[:min(fewExamples, len(examples))], "\n")))
	often := h.often(cmd)
	most := FlagTopic{Name: "often"}
	for _, name := range often {
		most.Flags = append(most.Flags, cmd.Flags().Lookup(name))
	}
	fmt.Fprintf(&b, "\nFlags used most:\n%s", most.usages())
	topics := h.Flags(cmd)
	wide := 0
	for _, t := range topics {
		wide = max(wide, len(t.Name))
	}
	fmt.Fprintf(&b, "\nAll flags are explained by %s help%s:\n", cmd.Root().Name(), strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()))
	for _, t := range topics {
		var names []string
		for _, f := range t.Flags {
			if !slices.Contains(often, f.Name) {
				names = append(names, "--"+f.Name)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "  %-*s  %s\n", wide, t.Name, strings.Join(names, " "))
		}
	}
	return b.String()
}

// long is all help of a command.
func (h *Help) long(cmd *cobra.Command) string {
	var b strings.Builder
	b.WriteString(head(cmd, cmd.Long, cmd.Example))
	for _, t := range h.Flags(cmd) {
		fmt.Fprintf(&b, "\n%s:\n%s", t.Name, t.usages())
	}
	return b.String()
}

// Spelled is a flag as a user writes it, in both forms where there are two.
func Spelled(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + ", --" + f.Name
	}
	return "--" + f.Name
}
