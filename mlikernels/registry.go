package mlikernels

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli11"
	"arcv2dsp/mlikernels/internal/mli20"
	"arcv2dsp/nn"
)

// Collections lists the libraries.
var Collections = sync.OnceValue(func() []*kernel.Collection {
	return []*kernel.Collection{mli11.Collection(), mli20.Collection(), arcq.Collection()}
})

// LookupCollection finds a library by its name; mli is short for mli11.
func LookupCollection(name string) (*kernel.Collection, error) {
	var names []string
	for _, c := range Collections() {
		if names = append(names, c.Name); c.Name == name || name == "mli" && c.Name == string(nn.MLI11) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("unknown library %q, there are %s", name, strings.Join(names, ", "))
}

// kernels lists the kernels of all libraries by name. Two of one name are a fault of the program.
var kernels = sync.OnceValue(func() []*kernel.Kernel {
	var all []*kernel.Kernel
	for _, c := range Collections() {
		all = append(all, c.Kernels...)
	}
	slices.SortFunc(all, func(a, b *kernel.Kernel) int { return strings.Compare(a.Name(), b.Name()) })
	for i, k := range all[1:] {
		if k.Name() == all[i].Name() {
			panic("mlikernels: registered twice: " + k.Name())
		}
	}
	return all
})

// Kernels lists the kernels of all libraries by name.
func Kernels() []*kernel.Kernel { return kernels() }

// Lookup finds a kernel by its name, or by its name without what all symbols of its library begin with.
func Lookup(name string) (*kernel.Kernel, error) {
	for _, k := range Kernels() {
		if k.Name() == name {
			return k, nil
		}
	}
	for _, k := range Kernels() {
		if k.Short() == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("unknown kernel %q%s", name, suggest(name))
}

// maxSuggested is how many kernels of an operator a message lists.
const maxSuggested = 6

// suggest proposes the kernels of an operator by its name, else a kernel whose name contains the given one, else the
// one whose name is most like it.
func suggest(name string) string {
	for _, c := range Collections() {
		name = strings.TrimPrefix(name, c.Prefix)
	}
	var all []string
	for _, k := range Kernels() {
		if k.Operator == name {
			all = append(all, k.Short())
		}
	}
	switch n := len(all); {
	case n > maxSuggested:
		return fmt.Sprintf(", there is %s and %d more", strings.Join(all[:maxSuggested], ", "), n-maxSuggested)
	case n > 0:
		return ", there is " + strings.Join(all, ", ")
	}
	qualified, names := "", map[string]string{} // by what follows the prefix
	for _, k := range Kernels() {
		names[strings.TrimPrefix(k.Name(), k.Of.Prefix)] = k.Name()
		switch {
		case name == "" || !strings.Contains(k.Name(), name):
		case k.Of.Qualifier == "":
			return fmt.Sprintf(", did you mean %q?", k.Name())
		case qualified == "":
			qualified = fmt.Sprintf(", did you mean %q?", k.Name())
		}
	}
	if near := spelling.Nearest(name, slices.Sorted(maps.Keys(names))); qualified == "" && near != "" {
		return fmt.Sprintf(", did you mean %q?", names[near])
	}
	return qualified
}

// Find finds a case by the name of its kernel, or that name and its own: NAME or NAME/CASE.
func Find(name string) (kernel.Case, error) {
	symbol, of, _ := strings.Cut(name, "/")
	k, err := Lookup(symbol)
	if err != nil {
		return kernel.Case{}, err
	}
	return k.Find(of)
}

func noShapes(operator string) error {
	return fmt.Errorf("%s has no shapes, those that have are %s", operator, strings.Join(ShapeOperators(), ", "))
}

// ShapeOperators lists the operators whose shapes can be written.
func ShapeOperators() []string {
	var all []string
	for _, k := range Kernels() {
		if k.Notation != nil && !slices.Contains(all, k.Operator) {
			all = append(all, k.Operator)
		}
	}
	return all
}

// CheckShape says what is wrong with a shape of an operator.
func CheckShape(operator, shape string) error {
	for _, k := range Kernels() {
		if k.Operator == operator && k.Notation != nil {
			_, err := k.Notation.Parse(shape)
			return err
		}
	}
	return noShapes(operator)
}

// Floats lists the kernels in single precision. They are no part of Collections, whose kernels every core of the
// regression runs; an executor takes them on a core that has the unit.
func Floats() []*kernel.Kernel { return arcq.Floats().Kernels }

// For lists the kernels that compute an operator by their rank: the first that takes a call computes it.
func For(op *nn.Operator) []*kernel.Kernel {
	var all []*kernel.Kernel
	for _, c := range Collections() {
		for _, k := range c.Kernels {
			if slices.Contains(k.Computes, op) {
				all = append(all, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *kernel.Kernel) int { return a.Rank - b.Rank })
	return all
}
