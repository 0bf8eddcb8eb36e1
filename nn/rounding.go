package nn

import "fmt"

// Rounding is the rounding that a library was built with, where it has a choice.
type Rounding uint8

// The roundings. A library that has no choice ignores the value.
const (
	// Convergent rounds ties to even: MLI's default on cores with the DSP option.
	Convergent Rounding = iota
	// Up rounds ties towards positive infinity: MLI's other build.
	Up
	// Double rounds twice in a requantization: TensorFlow Lite's default.
	Double
	// Single rounds once: TensorFlow Lite's other build.
	Single
)

var roundings = [...]string{Convergent: "convergent", Up: "up", Double: "double", Single: "single"}

func (r Rounding) String() string {
	if int(r) < len(roundings) {
		return roundings[r]
	}
	return fmt.Sprintf("rounding(%d)", uint8(r))
}

// ParseRounding reads the name that String prints.
func ParseRounding(s string) (Rounding, error) {
	for r, name := range roundings {
		if s == name {
			return Rounding(r), nil
		}
	}
	return 0, fmt.Errorf("unknown rounding %q, there are %v", s, roundings)
}
