package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/debug/lsp"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
)

func newLSPCmd(s cli.Streams) *cobra.Command {
	var o lsp.Options
	var names []string
	return pages.Command("lsp", func(cmd *cobra.Command, _ []string) {
		o.Defsym = valuesOf(names)
		o.Library = library
		for _, dir := range o.Include {
			if name, ok := strings.CutPrefix(dir, "@"); ok {
				cli.Valid(library(name))
			}
		}
		err := lsp.Serve(cmd.Context(), duplex{s.In, s.Out}, o)
		if errors.Is(err, lsp.ErrNoShutdown) {
			err = &cli.ExitError{Status: cli.Failed, Err: err}
		}
		steps.Check(err)
	}, cli.Vars{"core": &o.Core, "include": &o.Include, "defsym": &names, "profile": &o.Profile})
}

// valuesOf reads NAME=VALUE.
func valuesOf(list []string) map[string]int64 {
	values := map[string]int64{}
	for _, text := range list {
		name, value, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(value, 0, 64)
		cli.Refuse(err != nil || name == "", "--defsym %s: expected NAME=VALUE", text)
		values[name] = n
	}
	return values
}
