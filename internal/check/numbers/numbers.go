// Package numbers checks recorded numbers: what libraries made of integers, reals, ranges and types, a JSON object for each record.
// It computes each record by packages quant, tflite and mlir and compares. It knows records by their keys; calls of
// operators are not among them, package regress reads those.
package numbers

import (
	"encoding/json"
	"fmt"
	"reflect"

	"arcv2dsp/internal/term/steps"
)

// Format is a kind of recorded numbers.
type Format struct {
	Name string
	Keys []string // every record has them, and none of another format has them all
	// Check computes a record and returns the first difference.
	Check func(record []byte) error
}

// Formats lists the kinds of records. A record is of the first format whose keys it has.
func Formats() []Format {
	return []Format{
		{Name: "gemmlowp's functions", Keys: []string{"fn", "type", "integer_bits", "x", "out"}, Check: checked(fixedPoint)},
		{Name: "gemmlowp's primitives", Keys: []string{"fn", "type", "out"}, Check: checked(primitive)},
		{Name: "requantization of TensorFlow Lite", Keys: []string{"op", "rounding", "multiplier", "shift", "x"}, Check: checked(requantized)},
		{Name: "TensorFlow Lite's table of the sigmoid", Keys: []string{"op", "rounding", "table"}, Check: checked(sigmoidTable)},
		{Name: "TensorFlow Lite's tables of softmax", Keys: []string{"op", "rounding", "exp_lut", "one_over_one_plus_x_lut"}, Check: checked(softmaxTables)},
		{Name: "MLIR's types", Keys: []string{"text", "valid"}, Check: checked(typeText)},
		{Name: "MLIR's fake quantization", Keys: []string{"kind", "num_bits", "is_signed", "result"}, Check: checked(fakeQuantType)},
		{Name: "MLIR's constants", Keys: []string{"params", "values", "quantized"}, Check: checked(constant)},
		{Name: "TOSA's apply_scale_32", Keys: []string{"multiplier", "shift", "double_round", "value", "out"}, Check: checked(applyScale)},
		{Name: "TensorFlow's fake quantization", Keys: []string{"variant", "nudged_min", "level"}, Check: checked(fakeQuant)},
		{Name: "MLIR's solver", Keys: []string{"num_levels", "storage_min", "satisfied"}, Check: checked(solved)},
		{Name: "MLIR's real math", Keys: []string{"op", "lhs", "rhs", "out"}, Check: checked(realMath)},
		{Name: "quantization of TensorFlow Lite", Keys: []string{"op", "id", "scale"}, Check: checked(quantized)},
	}
}

// FormatOf is the format of a record with these keys, nil if there is none.
func FormatOf(keys map[string]json.RawMessage) *Format {
formats:
	for _, f := range Formats() {
		for _, key := range f.Keys {
			if keys[key] == nil {
				continue formats
			}
		}
		return &f
	}
	return nil
}

// checked decodes a record for a check of its type.
func checked[T any](check func(T)) func(record []byte) error {
	return func(record []byte) error {
		return steps.Run(func() {
			var v T
			steps.Check(json.Unmarshal(record, &v))
			check(v)
		})
	}
}

// equal compares what is computed with what is recorded; a difference of lists is told by its element.
func equal[T any](what string, got, recorded T) {
	if reflect.DeepEqual(got, recorded) {
		return
	}
	g, r := reflect.ValueOf(got), reflect.ValueOf(recorded)
	if g.Kind() != reflect.Slice {
		steps.Check(fmt.Errorf("%s is %v, recorded is %v", what, got, recorded))
	}
	if g.Len() != r.Len() {
		steps.Check(fmt.Errorf("%s has %d elements, recorded are %d", what, g.Len(), r.Len()))
	}
	for i := range g.Len() {
		if a, b := g.Index(i).Interface(), r.Index(i).Interface(); a != b {
			steps.Check(fmt.Errorf("%s: element %d is %v, recorded is %v", what, i, a, b))
		}
	}
	// both are empty
}

// same reports that a list of arguments and that of the results have as many elements.
func same(arguments, results int) {
	if arguments != results {
		steps.Check(fmt.Errorf("there are %d arguments and %d results", arguments, results))
	}
}

// list is a number or a list of them, as records write what may be either.
type list[T any] []T

// UnmarshalJSON reads a number as a list of one.
func (l *list[T]) UnmarshalJSON(text []byte) error {
	var all []T
	if json.Unmarshal(text, &all) == nil {
		*l = all
		return nil
	}
	var one T
	err := json.Unmarshal(text, &one)
	*l = list[T]{one}
	return err
}
