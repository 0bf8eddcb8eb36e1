package main

import (
	"errors"

	"arcv2dsp/internal/term/cli"
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
func (o *libraryOptions) open() (*mlikernels.Foreign, error) {
	if len(o.files) == 0 {
		if len(o.conventions) > 0 {
			return nil, cli.UsageError(errNoLibrary)
		}
		return nil, nil
	}
	var lib mlikernels.Foreign
	for _, name := range o.files {
		data, err := readFile(name)
		if err != nil {
			return nil, err
		}
		lib.Files = append(lib.Files, mlikernels.ForeignFile{Name: name, Data: data})
	}
	for _, text := range o.conventions {
		if err := lib.Conventions.Set(text); err != nil {
			return nil, cli.UsageError(err)
		}
	}
	return &lib, nil
}
