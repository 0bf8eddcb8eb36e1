package main

import (
	"errors"

	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
	"arcv2dsp/mlikernels/kernel"
)

// libraryOptions are the flags for a library that was built elsewhere.
type libraryOptions struct {
	files       []string
	conventions []string
}

var errNoLibrary = errors.New("--convention says what functions of --library expect")

// libraryHelp explains the flags in the pages of commands that have them.
const libraryHelp = `With --library the functions are those of a library built elsewhere: ELF objects, archives (both may be given
several times and are linked together) or one linked program. Functions of the compiler's run-time library that
it lacks (memcpy, memset, memmove, 64-bit shifts and divisions by their names in libgcc) are added. --convention says
what its functions expect besides the C interface: dsp_ctrl=NUMBER, the value of DSP_CTRL throughout;
unaligned=yes, STATUS32.AD is set; strides=spelled, strides of tensors without holes are written out and not 0;
types=NAME:NUMBER,..., the numbers of element types (fx8, fx16, sa8, sa32); round=up, its functions round ties up;
define=NAME:FUNCTION, a function by another name.`

// addTo adds the flags to a command.
func (o *libraryOptions) addTo(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.files, "library", nil, "take the functions from `FILE`: an ELF object, an archive or a linked program (repeatable)")
	f.StringArrayVar(&o.conventions, "convention", nil, "`KEY=VALUE` that functions of --library expect (repeatable)")
}

// open reads the library, nil when there is none.
func (o *libraryOptions) open() (*kernel.Foreign, error) {
	if len(o.files) == 0 {
		if len(o.conventions) > 0 {
			return nil, cli.UsageError(errNoLibrary)
		}
		return nil, nil
	}
	var lib kernel.Foreign
	for _, name := range o.files {
		data, err := readFile(name)
		if err != nil {
			return nil, cli.HostError(err)
		}
		lib.Files = append(lib.Files, kernel.ForeignFile{Name: name, Data: data})
	}
	for _, text := range o.conventions {
		if err := lib.Conventions.Set(text); err != nil {
			return nil, cli.UsageError(err)
		}
	}
	return &lib, nil
}
