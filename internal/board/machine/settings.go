package machine

import (
	"errors"
	"fmt"
	"strings"

	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/term/hostfile"
)

// Wish is the user's choice of a core.
type Wish struct {
	Core     string // a template or a board; empty leaves the choice to the settings or the program
	Settings []Setting
	Lenient  bool              // unknown properties are a notice, not an error
	Notice   func(text string) // New lets nil drop it
}

// Setting is one property, or a file of them.
type Setting struct {
	Property string // name=value
	File     string // a .props file
	TCF      string // a tool configuration file
	Origin   string // where the setting stands, for messages
}

// chosenByDefault is the origin of a core that nothing has chosen.
const chosenByDefault = "default"

// Options resolves core and settings. family is the one of the program, "" when there is no program
// yet. It reports whether the program's family was used.
func (w *Wish) Options(family config.Family) (o *config.Config, byProgram bool, err error) {
	list := make([]config.Settings, len(w.Settings))
	complete := "" // the file that describes the whole core
	for i, s := range w.Settings {
		if list[i], err = s.read(); err != nil {
			return nil, false, err
		}
		f := list[i].Family()
		switch file := s.TCF + s.File; {
		case f == "":
		case file == "" && w.Core == "" && complete == "":
			o, err = config.New(config.Plain(f), "nsim_isa_family by "+s.Origin)
		case file != "" && w.Core != "":
			err = fmt.Errorf("core %s and %s each describe a whole core: leave one of them out", w.Core, file)
		case file != "" && complete == "":
			complete = file
			o = config.NewComplete(f, file)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if o == nil {
		name, origin := w.Core, "--core"
		if byProgram = name == ""; byProgram {
			name, origin = config.Default, chosenByDefault
			if family != "" {
				origin = "e_flags of the program"
			}
			if family == config.HS {
				name = config.DefaultHS
			}
		}
		if o, err = config.New(name, origin); err != nil {
			return nil, false, err
		}
	}
	var errs []error
	for i := range list {
		errs = append(errs, o.Apply(list[i])...)
	}
	if w.Lenient {
		errs = w.tolerate(errs)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	if err = o.Check(); err != nil && complete != "" {
		err = fmt.Errorf("%s: %w", complete, err)
	}
	return o, byProgram, err
}

// read returns the properties of the setting.
func (s Setting) read() (config.Settings, error) {
	switch {
	case s.TCF != "":
		data, err := readSmall(s.TCF, maxTCF, "tool configuration file")
		if err != nil {
			return nil, err
		}
		return config.ParseTCF(data, s.TCF)
	case s.File != "":
		data, err := readSmall(s.File, maxProps, "property file")
		if err != nil {
			return nil, err
		}
		return config.ParseProps(data, s.File)
	}
	return config.OneSetting(s.Property, s.Origin), nil
}

// tolerate turns unknown properties into one notice and returns the other errors.
func (w *Wish) tolerate(errs []error) []error {
	var hard []error
	var ignored []string
	for _, err := range errs {
		var unknown *config.UnknownError
		if errors.As(err, &unknown) {
			ignored = append(ignored, unknown.Name)
		} else {
			hard = append(hard, err)
		}
	}
	if len(ignored) > 0 {
		w.Notice("unknown properties ignored: " + strings.Join(ignored, ", "))
	}
	return hard
}

// Largest files of settings.
const (
	maxProps = 1 << 20
	maxTCF   = 4 << 20
)

func readSmall(path string, limit int64, kind string) ([]byte, error) {
	data, err := hostfile.Read(path, limit)
	var tooLong *hostfile.TooLongError
	if errors.As(err, &tooLong) {
		err = fmt.Errorf("%w, this is no %s", err, kind)
	}
	return data, err
}
