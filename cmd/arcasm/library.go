package main

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/mlikernels"
)

// useLibrary is -I @NAME: includes come from a library of kernels where the host has no such file, and the symbols
// that tell its sources their variant are defined, as for the core with AGU ports and rounding to nearest even.
func (o *assembleOptions) useLibrary(name string) error {
	c, err := mlikernels.LookupCollection(name)
	if err != nil {
		return err
	}
	o.library = c
	return nil
}

// withLibrary returns the options of the assembly, completed by those of the library.
func (o *assembleOptions) withLibrary(file string) asm.Options {
	opts := o.Options
	if o.library == nil {
		return opts
	}
	of := o.library.Options(hostfile.Tree{Limit: maxInput}, file, mlikernels.Variant{AGU: mlikernels.HasAGU(cmp.Or(o.CPU, "em9d"))})
	opts.FS, opts.NoConstants, opts.CPU = of.FS, true, cmp.Or(o.CPU, of.CPU)
	opts.Include = append(opts.Include[:len(opts.Include):len(opts.Include)], of.Include...)
	maps.Copy(of.Defsym, o.Defsym)
	opts.Defsym = of.Defsym
	return opts
}

// hintLibrary names the library that has an include which was not found.
func (o *assembleOptions) hintLibrary(list asm.ErrorList, s cli.Streams) {
	if o.library != nil || !strings.Contains(list.Error(), "cannot read") {
		return
	}
	for _, c := range mlikernels.Collections() {
		includes, err := c.Includes()
		if err != nil {
			return
		}
		for _, name := range includes {
			if missing := "cannot read " + strconv.Quote(path.Base(name)); strings.Contains(list.Error(), missing) {
				fmt.Fprintf(s.Err, "arcasm: %s is an include of the kernel library: -I @%s finds it\n", path.Base(name), c.Name)
				return
			}
		}
	}
}
