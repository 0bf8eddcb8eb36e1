package mli

// The rectifier that functions of every version end with.

// Kinds of rectifier, as the library numbers them.
const (
	ReluNone = 0 // container range only
	ReluGen  = 1 // [0, max]
	Relu1    = 2 // [-1, 1]
	Relu6    = 3 // [0, 6]
)

// Limits is the closed range a rectifier lets through.
type Limits struct{ lo, hi int64 }

// Clamp is the nearest value in the range.
func (l Limits) Clamp(x int64) int64 { return Clamp(x, l.lo, l.hi) }

// ReluLimits finds the range of a rectifier over elements of a type, false for a kind that does not exist. Level is the
// element of -1, 0, 1 or 6 in the format of the tensor; a limit that the container cannot hold is the container's own.
func ReluLimits(kind int, t Type, level func(k int64) int64) (Limits, bool) {
	lo, hi := t.Element().Range()
	at := func(k int64) int64 { return Clamp(level(k), lo, hi) }
	switch kind {
	case ReluNone:
		return Limits{lo: lo, hi: hi}, true
	case ReluGen:
		return Limits{lo: at(0), hi: hi}, true
	case Relu1:
		return Limits{lo: at(-1), hi: at(1)}, true
	case Relu6:
		return Limits{lo: at(0), hi: at(6)}, true
	}
	return Limits{}, false
}
