//go:build !programs

package main

import (
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// libraryOptions are the flags for a library that was built elsewhere.
type libraryOptions struct {
	files       []string
	conventions []string
}

func (o *libraryOptions) vars() cli.Vars {
	return cli.Vars{"library": &o.files, "convention": &o.conventions}
}

// open reads the library, nil when there is none.
func (o *libraryOptions) open() *mlikernels.Foreign {
	if len(o.files) == 0 {
		cli.Refuse(len(o.conventions) > 0, "--convention says what functions of --library expect")
		return nil
	}
	var lib mlikernels.Foreign
	for _, name := range o.files {
		lib.Files = append(lib.Files, mlikernels.ForeignFile{Name: name, Data: steps.Must(readFile(name))})
	}
	for _, text := range o.conventions {
		steps.Check(cli.UsageError(lib.Conventions.Set(text)))
	}
	return &lib
}
