package tosa

import (
	"cmp"

	"arcv2dsp/nn"
)

// Verdict is a condition and what a call makes of it.
type Verdict struct {
	*Condition
	Asked  bool   // the call has what the condition is about: its elements may not be known yet
	Detail string // the values that break it, "" when it is kept
}

// Verdicts asks every condition that has a predicate. The call must have the structure its operator wants:
// a fault there is returned instead.
func Verdicts(c *nn.Call) ([]Verdict, error) {
	s, ok := Lookup(c.Op.Name)
	if !ok {
		return nil, nil
	}
	if err := cmp.Or(c.CheckPorts(), s.structure(c)); err != nil {
		return nil, err
	}
	filled := true
	for _, t := range c.In {
		filled = filled && (t == nil || t.Filled())
	}
	var list []Verdict
	for i := range s.Conditions {
		v := Verdict{Condition: &s.Conditions[i]}
		if v.Asked = !v.While() && (filled || !v.Elements); v.Asked {
			v.Detail = v.Broken(c)
		}
		list = append(list, v)
	}
	return list, nil
}
