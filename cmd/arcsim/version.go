package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
)

func newVersionCmd(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit it was built from and the platform",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "arcsim %s %s/%s\n", cli.Version(), runtime.GOOS, runtime.GOARCH)
			return hostError(err)
		},
	}
}
