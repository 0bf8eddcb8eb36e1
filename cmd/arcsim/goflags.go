package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// goFlags marks commands that take long flags with one dash as well, as go test does: -run, -short.
const goFlags = "go flags"

// doubleDash writes the long flags of a marked command with two dashes.
func doubleDash(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations[goFlags] == "" {
		return args
	}
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "--" {
			copy(out[i:], args[i:])
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "-"), "=")
		if strings.HasPrefix(a, "-") && len(name) > 1 && cmd.Flags().Lookup(name) != nil {
			out[i] = "-" + a
		}
	}
	return out
}
