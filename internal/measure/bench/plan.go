package bench

import (
	"fmt"
	"slices"

	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/mlikernels"
)

// ReadSuites reads the suites of a file, or the one of a name. For a sweep each must have options to vary.
func ReadSuites(file, text, name string, sweep bool) ([]Suite, error) {
	all, err := ParseSuites(file, text)
	if err != nil {
		return nil, err
	}
	if name != "" {
		var known []string
		for _, s := range all {
			known = append(known, s.Name)
		}
		i := slices.Index(known, name)
		if i < 0 {
			return nil, spelling.Unknown("suite", name, known)
		}
		all = all[i : i+1]
	}
	for _, s := range all {
		if sweep && len(s.Axes) == 0 {
			return nil, fmt.Errorf("%s: suite %s has no options to vary: no table [suites.%s.sweep]", file, s.Name, s.Name)
		}
	}
	return all, nil
}

// Part is a suite, or the subjects that a user names, with its tasks.
type Part struct {
	Suite *Suite
	Tasks []Task
}

// Parts are suites with their tasks, and the cores of all.
func Parts(suites []Suite) (parts []Part, cores []string, err error) {
	all := Subjects()
	for _, s := range suites {
		subjects, err := s.Select(all)
		if err != nil {
			return nil, nil, err
		}
		points, err := s.Points()
		if err != nil {
			return nil, nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		for _, c := range s.Cores {
			if !slices.Contains(cores, c) {
				cores = append(cores, c)
			}
		}
		parts = append(parts, Part{Suite: &s, Tasks: Tasks(subjects, points)})
	}
	return parts, cores, nil
}

// AllTasks are the tasks of parts.
func AllTasks(parts []Part) []Task {
	var all []Task
	for _, p := range parts {
		all = append(all, p.Tasks...)
	}
	return all
}

// Take leaves tasks to the parts, by their indices among all. The choices of a sweep that lack some of their subjects cannot be
// compared, so a part is no suite any more.
func Take(parts []Part, chosen []int) {
	first := 0
	for i := range parts {
		all := parts[i].Tasks
		parts[i] = Part{}
		for k, t := range all {
			if slices.Contains(chosen, first+k) {
				parts[i].Tasks = append(parts[i].Tasks, t)
			}
		}
		first += len(all)
	}
}

// OfLibrary keeps only the subjects for which a foreign library has functions.
func OfLibrary(parts []Part, library *mlikernels.Foreign) error {
	of, err := mlikernels.ForeignCollection(library, mlikernels.Collections())
	if err != nil {
		return err
	}
	lib, err := of.Link(library, mlikernels.Variant{Round: library.Conventions.Round})
	if err != nil {
		return err
	}
	for i := range parts {
		parts[i].Tasks = slices.DeleteFunc(parts[i].Tasks, func(t Task) bool { return lib.Entry(t.Subject.Symbol()) == 0 })
	}
	if len(AllTasks(parts)) == 0 {
		return fmt.Errorf("%s has none of these", library.Name())
	}
	return nil
}
