//go:build !programs

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/debug/gdbserver"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

// newServeCmd is the command where no server can listen. The page is not in such a build: it is what the page loads.
func newServeCmd(cli.Streams) *cobra.Command {
	var port int
	return pages.Command("serve", func(*cobra.Command, []string) {
		_, err := gdbserver.Listen(fmt.Sprint(port))
		steps.Check(err)
	}, cli.Vars{"port": &port})
}
