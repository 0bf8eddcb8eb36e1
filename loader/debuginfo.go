package loader

import "arcv2dsp/internal/dwarfline"

// Variables returns the variables and types of the program, nil when it has no debug information.
func (im *Image) Variables() (*dwarfline.Variables, error) {
	if im.file == nil {
		return nil, nil
	}
	v, err := dwarfline.ReadVariables(im.file)
	if err != nil {
		return nil, &Error{Name: im.Name, Err: err}
	}
	return v, nil
}

// Frames returns the call frame information of the program, nil when it has none.
func (im *Image) Frames() (*dwarfline.Frames, error) {
	if im.file == nil {
		return nil, nil
	}
	f, err := dwarfline.ReadFrames(im.file)
	if err != nil {
		return nil, &Error{Name: im.Name, Err: err}
	}
	return f, nil
}
