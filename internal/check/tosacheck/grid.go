package tosacheck

import (
	"errors"
	"strings"

	"arcv2dsp/nn/tosa"
)

// ErrNoGrid is the error of a build of the command without these cases.
var ErrNoGrid = errors.New("TOSA's cases made by rule are not in this build of the command")

// gridFile is the file with the cases of an operator.
func gridFile(operator string) string { return "grid/" + strings.ToLower(operator) + ".jsonl.gz" }

// Grid reads the cases that are made by rule: every operator with all its types, ranks, kinds of broadcast, axes
// and attributes up to their limits; a call that breaks each condition marked [E]; a witness of each condition
// marked [P] and of each limit of level 8K. The results come from a second statement of the operators. Only those are read whose
// names are wanted; wanted is asked about all of them, in order.
func Grid(wanted func(id string) bool) ([]*Case, error) {
	var list []*Case
	for _, s := range integerSpecs() {
		cases, err := GridOf(s, wanted)
		if err != nil {
			return nil, err
		}
		list = append(list, cases...)
	}
	return list, nil
}

// integerSpecs are the operators of the grid and of the kernels' table: those of integers, with their
// combinations of integers.
func integerSpecs() []*tosa.Spec {
	var list []*tosa.Spec
	for _, s := range tosa.All() {
		if s.Integer() {
			list = append(list, s.Integers())
		}
	}
	return list
}

// GridOf reads the cases of the grid that belong to one operator.
func GridOf(s *tosa.Spec, wanted func(id string) bool) ([]*Case, error) {
	return ReadVectors(gridFiles, gridFile(s.Name), wanted)
}
