package nn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Attrs are the attributes of a call by name: int, []int, float64, bool, string, Type or *Graph. An attribute
// that is absent reads as the zero value; operators state their defaults, readers fill them in.
type Attrs map[string]any

// Int is an integer attribute.
func (a Attrs) Int(name string) int { return attr[int](a, name) }

// Ints is a list of integers.
func (a Attrs) Ints(name string) []int { return attr[[]int](a, name) }

// Float is a real attribute.
func (a Attrs) Float(name string) float64 { return attr[float64](a, name) }

// Bool is a flag.
func (a Attrs) Bool(name string) bool { return attr[bool](a, name) }

// String is a name from a list of the operator.
func (a Attrs) String(name string) string { return attr[string](a, name) }

// Type is an element type.
func (a Attrs) Type(name string) Type { return attr[Type](a, name) }

// Graph is the graph that an operator of control flow runs.
func (a Attrs) Graph(name string) *Graph { return attr[*Graph](a, name) }

// attr reads an attribute. Call.Check has refused attributes of another kind before an operator sees
// them, so the zero value stands for an absent one only.
func attr[T any](a Attrs, name string) T {
	v, _ := a[name].(T)
	return v
}

// AttrSpec describes one attribute of an operator.
type AttrSpec struct {
	Name     string
	Default  any      // the value of an absent attribute; its kind is the attribute's kind
	Also     any      // of another kind that the attribute may have as well; nil when there is none
	Required bool     // an absent attribute is an error
	Values   []string // the names a string attribute may have; nil when any will do
	Doc      string   // one line for documentation
}

// check fails for a value of another kind, or a name that is not in the list.
func (s AttrSpec) check(v any) error {
	if kind := reflect.TypeOf(v); kind != reflect.TypeOf(s.Default) && (s.Also == nil || kind != reflect.TypeOf(s.Also)) {
		return fmt.Errorf("attribute %s is of kind %T, it must be %T", s.Name, v, s.Default)
	}
	if name, ok := v.(string); ok && s.Values != nil && !slices.Contains(s.Values, name) {
		return fmt.Errorf("attribute %s is %q, it must be one of %s", s.Name, name, strings.Join(s.Values, ", "))
	}
	return nil
}
