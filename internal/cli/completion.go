package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// AddCompletion gives a root command, which has its commands already, the one that writes completion
// scripts. A shell it does not know is an error there as an unknown command is elsewhere: the library
// would print its help and succeed.
func AddCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.DisableFlagsInUseLine = true
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			var shells []string
			for _, c := range cmd.Commands() {
				shells = append(shells, c.Name())
			}
			slices.Sort(shells)
			return UsageError(fmt.Errorf("unknown shell %q for %q, there is %s", args[0], cmd.CommandPath(), strings.Join(shells, ", ")))
		}
	}
}
