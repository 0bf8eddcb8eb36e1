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
	"arcv2dsp/mlikernels"
)

func newModelCompileCmd(s cli.Streams) *cobra.Command {
	var dir, core, rounding, name string
	var placed bool
	var settings settingFlags
	var inputs modelInputs
	return pages.Command("model_compile", func(_ *cobra.Command, args []string) error {
		if dir == "" {
			return cli.UsageError(errors.New("where to? -o DIR"))
		}
		board, err := mlikernels.CheckBoard(settings.orCore(core), settings.list()...)
		if err != nil {
			return configError(err)
		}
		g, err := loadModel(args[0], rounding)
		if err != nil {
			return err
		}
		steps, err := inputs.read(g)
		if err != nil {
			return err
		}
		if name == "" {
			base := filepath.Base(args[0])
			name = strings.TrimSuffix(base, filepath.Ext(base))
		}
		o := netc.Options{Name: name, Inputs: steps}
		if placed {
			if o.Placement, err = mlikernels.NewPlacement(g, mlikernels.PlacedOptions{Core: settings.orCore(core), Settings: settings.list()}); err != nil {
				return cli.FailedError(err)
			}
			if !o.Placement.Fits() {
				return cli.FailedError(errors.New(o.Placement.Verdict(0).String()))
			}
		}
		p, err := netc.Compile(g, o)
		if err != nil {
			return cli.FailedError(err)
		}
		if err := writeProgram(p, dir, board.AGU); err != nil {
			return err
		}
		fmt.Fprintf(s.Out, "%s: %d layers in %s for %s: arena %s bytes, state %s bytes, constants %s bytes\n", p.Name, p.Layers, dir, board.Name,
			render.Thousands(uint64(p.Arena)), render.Thousands(uint64(p.State)), render.Thousands(uint64(p.Constants)))
		placement, err := mlikernels.NewPlacement(g, mlikernels.PlacedOptions{Core: settings.orCore(core), Settings: settings.list()})
		if err != nil {
			s.Warn("whether it fits is not known: %v", err)
			return nil
		}
		fmt.Fprintln(s.Out, placement.Verdict(0))
		return nil
	}, cli.Vars{"rounding": &rounding, "output": &dir, "name": &name, "placed": &placed, "core": &core}, settings.vars(), inputs.vars())
}

// writeProgram writes the program and what it links: archive and headers of the library, without the objects.
func writeProgram(p *netc.Program, dir string, agu bool) error {
	exported := map[string][]byte{}
	if err := exportCollection(p.Library, exported, agu, mlikernels.Lines{}); err != nil {
		return err
	}
	files := maps.Clone(p.Files)
	for name, data := range exported {
		if !strings.HasPrefix(name, "obj/") {
			files[name] = data
		}
	}
	return writeFolder(dir, files)
}
