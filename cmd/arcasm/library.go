package main

import (
	"fmt"
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
	opts.FS = hostfile.Tree{Limit: maxInput}
	return o.library.Complete(opts, file)
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
