package tosa

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tosa"
)

// The words of the specification, by which graphs and calls are judged.
type (
	// Spec is an operator as the specification states it.
	Spec = tosa.Spec
	// TypeSet is a combination of element types that an operator supports.
	TypeSet = tosa.TypeSet
	// Rank bounds the dimensions of a tensor.
	Rank = tosa.Rank
	// Length bounds the elements of a tensor, Limit a size by the level.
	Length = tosa.Length
	Limit  = tosa.Limit
	// Condition is a rule for the calls of an operator, Verdict the outcome for one call.
	Condition = tosa.Condition
	Verdict   = tosa.Verdict
	// Extension names a part of TOSA beyond the profile.
	Extension = tosa.Extension
	// Profile names a profile of TOSA.
	Profile = tosa.Profile
	// Compliance says how near an output must come to its Reference, Mode by which rule.
	Compliance = tosa.Compliance
	Reference  = tosa.Reference
	Mode       = tosa.Mode
	// Level bounds the sizes a conforming implementation must take, Target joins a level with extensions.
	Level  = tosa.Level
	Target = tosa.Target
)

// The profiles.
const (
	Integer  = tosa.Integer
	Floating = tosa.Floating
)

// ControlFlow is the extension with branches and loops.
const ControlFlow = tosa.ControlFlow

// The modes of compliance.
const (
	Exact         = tosa.Exact
	DotProduct    = tosa.DotProduct
	Ulps          = tosa.Ulps
	FPSpecial     = tosa.FPSpecial
	ReduceProduct = tosa.ReduceProduct
	AbsError      = tosa.AbsError
	Relative      = tosa.Relative
)

// The levels of the specification.
var (
	Level8K   = tosa.Level8K
	LevelNone = tosa.LevelNone
)

// The modes of RESIZE.
const (
	Bilinear = tosa.Bilinear
	Nearest  = tosa.Nearest
)

// All lists the operators of the specification.
func All() []*Spec { return tosa.All() }

// Lookup finds an operator by name.
func Lookup(name string) (*Spec, bool) { return tosa.Lookup(name) }

// Everything is the target without bounds and with all extensions.
func Everything() Target { return tosa.Everything() }

// Extensions lists all extensions.
func Extensions() []Extension { return tosa.Extensions() }

// ParseExtensions reads a list with commas: names of extensions, "all" or "none".
func ParseExtensions(s string) ([]Extension, error) { return tosa.ParseExtensions(s) }

// ParseLevel reads the name of a level.
func ParseLevel(s string) (Level, error) { return tosa.ParseLevel(s) }

// Needed lists the extensions that a call needs.
func Needed(c *nn.Call) []Extension { return tosa.Needed(c) }

// Steps counts the elements that the golden function of a call visits.
func Steps(c *nn.Call) int64 { return tosa.Steps(c) }

// Verdicts asks every condition of a call's operator.
func Verdicts(c *nn.Call) ([]Verdict, error) { return tosa.Verdicts(c) }
