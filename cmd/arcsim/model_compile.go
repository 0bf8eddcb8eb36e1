//go:build !programs

package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/network/netc"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

func newModelCompileCmd(s cli.Streams) *cobra.Command {
	var file modelFile
	var dir, core, name string
	var placed bool
	var settings settingFlags
	var inputs modelInputs
	return pages.Command("model_compile", func(cmd *cobra.Command, args []string) {
		cli.Refuse(dir == "", "where to? -o DIR")
		goesOn := func() { steps.Check(cmd.Context().Err()) } // no part takes long
		board, err := mlikernels.CheckBoard(settings.orCore(core), settings.list()...)
		steps.Check(configError(err))
		goesOn()
		g := file.load(args[0])
		if name == "" {
			base := filepath.Base(args[0])
			name = strings.TrimSuffix(base, filepath.Ext(base))
		}
		o := netc.Options{Name: name, Inputs: inputs.read(g)}
		goesOn()
		if placed {
			o.Placement, err = mlikernels.NewPlacement(g, mlikernels.PlacedOptions{Core: settings.orCore(core), Settings: settings.list()})
			steps.Check(cli.FailedError(err))
			if !o.Placement.Fits() {
				steps.Check(cli.FailedError(errors.New(o.Placement.Verdict(0).String())))
			}
		}
		goesOn()
		p, err := netc.Compile(g, o)
		steps.Check(cli.FailedError(err))
		goesOn()
		maps.Copy(p.Files, steps.Must(p.Library.Export(mlikernels.Export{AGU: board.AGU})))
		writeFolder(cmd.Context(), dir, p.Files)
		fmt.Fprintf(s.Out, "%s: %d layers in %s for %s: arena %s bytes, state %s bytes, constants %s bytes\n", p.Name, p.Layers, dir, board.Name,
			render.Thousands(uint64(p.Arena)), render.Thousands(uint64(p.State)), render.Thousands(uint64(p.Constants)))
		placement, err := mlikernels.NewPlacement(g, mlikernels.PlacedOptions{Core: settings.orCore(core), Settings: settings.list()})
		if err != nil {
			s.Warn("whether it fits is not known: %v", err)
			return
		}
		fmt.Fprintln(s.Out, placement.Verdict(0))
	}, file.vars(), cli.Vars{"output": &dir, "name": &name, "placed": &placed, "core": &core}, settings.vars(), inputs.vars())
}
