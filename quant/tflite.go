package quant

import "math"

// SymmetricFloats quantizes values to bytes as TensorFlow Lite's hybrid kernels do: zero point 0, values of
// -127 to 127, the greatest magnitude at an end. All of it is float32 arithmetic.
func SymmetricFloats(x []float32) (scale float32, q []int64, err error) {
	var reach float32
	for _, v := range x {
		reach = max(reach, v, -v)
	}
	if err := checkRange(0, float64(reach)); err != nil {
		return 0, nil, err
	}
	q = make([]int64, len(x))
	if reach == 0 {
		return 1, q, nil
	}
	const limit = 127
	inverse := limit / reach
	for i, v := range x {
		q[i] = int64(max(-limit, min(limit, math.Round(float64(v*inverse)))))
	}
	return reach / limit, q, nil
}

// AsymmetricFloats quantizes values to bytes as TensorFlow Lite's hybrid kernels do: the range of the
// values with zero, in float64, then float32.
func AsymmetricFloats(x []float32) (Params, []int64, error) {
	q := make([]int64, len(x))
	var lo, hi float64
	for _, v := range x {
		lo, hi = min(lo, float64(v)), max(hi, float64(v))
	}
	if err := checkRange(lo, hi); err != nil {
		return Params{}, nil, err
	}
	if lo == hi {
		return Params{Scale: 1}, q, nil
	}
	scale := (hi - lo) / float64(Int8.Levels())
	p := Params{Scale: float64(float32(scale)), ZeroPoint: nudgeZero(lo, hi, scale, Int8)}
	inverse := 1 / float32(p.Scale)
	for i, v := range x {
		steps := float32(p.ZeroPoint) + v*inverse
		q[i] = Int8.Clamp(int64(math.Round(float64(steps))))
	}
	return p, q, nil
}
