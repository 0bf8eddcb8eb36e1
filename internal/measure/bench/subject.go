package bench

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/mlikernels"
)

// Subject is something whose cycles can be counted.
type Subject struct {
	Name   string
	Kind   Kind
	About  string
	Work   uint64
	Unit   string
	Vendor uint64

	kernel  func() (*kernelCall, error)
	program benchmarks.Program // Program
	path    string             // File
}

// Subjects lists all kernels, with the calls whose cost is known for the vendor's, and all guest
// programs.
func Subjects() []Subject {
	var all []Subject
	for _, k := range mlikernels.Kernels() {
		for _, c := range k.Measured() {
			all = append(all, caseSubject(c))
		}
	}
	slices.SortStableFunc(all, func(a, b Subject) int { return cmp.Compare(a.Name, b.Name) })
	for _, p := range benchmarks.Programs() {
		all = append(all, Subject{
			Name: p.Name, Kind: Program, About: p.About, Work: p.Work, Unit: p.Unit, program: p,
		})
	}
	return all
}

func caseSubject(c mlikernels.Case) Subject {
	return Subject{Name: c.FullName(), Kind: Kernel, Vendor: uint64(c.Vendor),
		kernel: sync.OnceValues(func() (*kernelCall, error) { return callOf(c) })}
}

// Symbol is the name without the shape.
func (s Subject) Symbol() string {
	symbol, _, _ := strings.Cut(s.Name, "/")
	return symbol
}

// FileSubject is a program of the user's own.
func FileSubject(path string) Subject {
	return Subject{Name: path, Kind: File, path: path}
}

// Select returns the subjects that the patterns name, in the order of the subjects: a program or a kernel by its
// name, a call by NAME/CASE, an ELF file by its path, everything else as a regular expression that must match somewhere.
// Without patterns all are returned.
func Select(all []Subject, patterns []string) ([]Subject, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	chosen := map[int]bool{}
	var others []Subject
	for _, pattern := range patterns {
		if i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == pattern }); i >= 0 {
			chosen[i] = true
			continue
		}
		if info, err := os.Stat(pattern); err == nil && info.Mode().IsRegular() {
			others = append(others, FileSubject(pattern))
			continue
		}
		if c, err := mlikernels.Find(pattern); err == nil {
			i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == c.FullName() })
			switch {
			case strings.Contains(pattern, "/") && i < 0:
				others = append(others, caseSubject(c))
			case strings.Contains(pattern, "/"):
				chosen[i] = true
			default:
				for k, s := range all {
					chosen[k] = chosen[k] || s.Symbol() == c.Kernel.Name()
				}
			}
			continue
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%q is no regular expression: %w", pattern, err)
		}
		found := false
		for i, s := range all {
			if re.MatchString(s.Name) {
				chosen[i], found = true, true
			}
		}
		if !found {
			return nil, spelling.Unknown("kernel or program", pattern, names(all))
		}
	}
	var list []Subject
	for i, s := range all {
		if chosen[i] {
			list = append(list, s)
		}
	}
	return append(list, others...), nil
}

// Choose returns the subjects that users name, in the order of the subjects: a program by its name, a kernel by its own or with
// the case behind a slash, a file by its path. A pattern is a regular expression that chooses as well. Without both all are
// returned.
func Choose(all []Subject, named []string, pattern string) ([]Subject, error) {
	var patterns []string
	for _, name := range named {
		var forms []string
		for _, s := range all {
			symbol := s.Symbol()
			k, err := mlikernels.Lookup(symbol)
			if s.Name == name || symbol == name || err == nil && (k.Short() == name || k.Short()+strings.TrimPrefix(s.Name, symbol) == name) {
				forms = append(forms, s.Name)
			}
		}
		if info, err := os.Stat(name); len(forms) == 0 && (err != nil || !info.Mode().IsRegular()) {
			if some, err := Select(all, []string{name}); err == nil {
				return nil, fmt.Errorf("unknown kernel or program %q; -run %[1]s would choose %d%s", name, len(some), spelling.Hint(name, names(all)))
			}
			return nil, spelling.Unknown("kernel or program", name, names(all))
		} else if len(forms) == 0 {
			forms = []string{name}
		}
		patterns = append(patterns, forms...)
	}
	if pattern != "" {
		patterns = append(patterns, pattern)
	}
	return Select(all, patterns)
}

// names lists what a user may write: kernels without the shape, for a pattern need not have it.
func names(all []Subject) []string {
	var list []string
	for _, s := range all {
		symbol := s.Symbol()
		list = append(list, symbol)
		if k, err := mlikernels.Lookup(symbol); err == nil {
			list = append(list, k.Short())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
