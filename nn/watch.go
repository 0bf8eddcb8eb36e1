package nn

// Watch notes, for people, how near a call came to the limits of its types.
type Watch struct {
	Least, Most int64 // the sums on the way of every accumulator
	Sums        bool  // there was an accumulator
	Saturated   []int // the output elements that were clamped to their type
}

// Reach notes the least and the greatest sum on the way of an accumulator.
func (w *Watch) Reach(least, most int64) {
	if w == nil {
		return
	}
	w.Least, w.Most, w.Sums = min(w.Least, least), max(w.Most, most), true
}

// Clamp brings v into the range of the output element's type and notes it when that changes v.
func (w *Watch) Clamp(t Type, v int64, element int) int64 {
	r := t.Clamp(v)
	if w != nil && r != v {
		w.Saturated = append(w.Saturated, element)
	}
	return r
}
