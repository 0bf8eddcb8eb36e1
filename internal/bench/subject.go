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
	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
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
	seen := map[string]bool{}
	for _, ref := range mlikernels.References() {
		seen[ref.Kernel.Name()] = true
		all = append(all, referenceSubject(ref))
	}
	for _, k := range mlikernels.Kernels() {
		if seen[k.Name()] {
			continue
		}
		if p, ok := plainPoint(k); ok {
			all = append(all, Subject{
				Name: k.Name() + "/" + p.Name, Kind: Kernel,
				kernel: sync.OnceValues(func() (*kernelCall, error) { return gridCall(k, p) }),
			})
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

func referenceSubject(ref kernel.Reference) Subject {
	return Subject{
		Name: ref.Name(), Kind: Kernel, Work: uint64(ref.Work), Unit: ref.Unit, Vendor: uint64(ref.Vendor),
		kernel: sync.OnceValues(func() (*kernelCall, error) { return referenceCall(ref) }),
	}
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

// UnknownError says that nothing has a name.
type UnknownError struct {
	What  string // "kernel or program", "suite"
	Name  string
	Known []string
}

func (e *UnknownError) Error() string { return fmt.Sprintf("unknown %s %q", e.What, e.Name) }

// Select returns the subjects that the patterns name, in the order of the subjects: a program by its
// name, an ELF file by its path, everything else as a regular expression that must match somewhere.
// Without patterns all are returned.
func Select(all []Subject, patterns []string) ([]Subject, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	chosen := map[int]bool{}
	var files []Subject
	for _, pattern := range patterns {
		if i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == pattern }); i >= 0 {
			chosen[i] = true
			continue
		}
		if info, err := os.Stat(pattern); err == nil && info.Mode().IsRegular() {
			files = append(files, FileSubject(pattern))
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
			return nil, &UnknownError{What: "kernel or program", Name: pattern, Known: names(all)}
		}
	}
	var list []Subject
	for i, s := range all {
		if chosen[i] {
			list = append(list, s)
		}
	}
	return append(list, files...), nil
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
