package quant

import "math"

// Float is a floating-point type, by MLIR's name.
type Float uint8

// The floating-point types. NoFloat stands for none.
const (
	NoFloat Float = iota
	F16
	BF16
	F32
	F64
	TF32
	F80
	F128
	F8E5M2
	F8E4M3FN
	F4E2M1FN
)

// floats says how wide a type is and which positive numbers it has. A small type can be the storage of
// quantized values; its integers there reach to its largest number.
var floats = [...]struct {
	name              string
	bits              int
	smallest, largest float64
	storage           bool
}{
	NoFloat: {name: "none"},
	F16:     {name: "f16", bits: 16, smallest: 0x1p-24, largest: 65504},
	BF16:    {name: "bf16", bits: 16, smallest: 0x1p-133, largest: 0x1.fep127},
	F32:     {name: "f32", bits: 32, smallest: math.SmallestNonzeroFloat32, largest: math.MaxFloat32},
	F64:     {name: "f64", bits: 64, smallest: math.SmallestNonzeroFloat64, largest: math.MaxFloat64},
	TF32:    {name: "tf32", bits: 19, smallest: 0x1p-136, largest: 0x1.ffcp127},
	// The widest types have every scale that is kept here as a float64.
	F80:      {name: "f80", bits: 80, smallest: math.SmallestNonzeroFloat64, largest: math.MaxFloat64},
	F128:     {name: "f128", bits: 128, smallest: math.SmallestNonzeroFloat64, largest: math.MaxFloat64},
	F8E5M2:   {name: "f8E5M2", bits: 8, smallest: 0x1p-16, largest: 57344, storage: true},
	F8E4M3FN: {name: "f8E4M3FN", bits: 8, smallest: 0x1p-9, largest: 448, storage: true},
	F4E2M1FN: {name: "f4E2M1FN", bits: 4, smallest: 0.5, largest: 6, storage: true},
}

func (f Float) String() string {
	if int(f) < len(floats) {
		return floats[f].name
	}
	return floats[NoFloat].name
}

// ParseFloat finds a type by name.
func ParseFloat(name string) (Float, bool) {
	for f, row := range floats {
		if row.name == name && Float(f) != NoFloat {
			return Float(f), true
		}
	}
	return NoFloat, false
}

// Bits is the width of the type.
func (f Float) Bits() int { return floats[f].bits }
