package main

import (
	"errors"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// libraryOptions are the flags for a library that was built elsewhere.
type libraryOptions struct {
	files       []string
	conventions []string
}

var errNoLibrary = errors.New("--convention says what functions of --library expect")

func (o *libraryOptions) vars() cli.Vars {
	return cli.Vars{"library": &o.files, "convention": &o.conventions}
}

// open reads the library, nil when there is none.
func (o *libraryOptions) open() *mlikernels.Foreign {
	if len(o.files) == 0 {
		if len(o.conventions) > 0 {
			steps.Check(cli.UsageError(errNoLibrary))
		}
		return nil
	}
	var lib mlikernels.Foreign
	for _, name := range o.files {
		data := steps.Must(readFile(name))
		lib.Files = append(lib.Files, mlikernels.ForeignFile{Name: name, Data: data})
	}
	for _, text := range o.conventions {
		steps.Check(cli.UsageError(lib.Conventions.Set(text)))
	}
	return &lib
}
