// Package dspunit is the arithmetic of the ARCv2 DSP extension: rounding, saturation, the
// accumulators with their guard bits, accumulator control, fractional products, and the address
// generation unit (AGU) with its conversions.
//
// It holds no processor: no registers, no memory, no instruction names. Package cpu/internal/semantics
// builds one function per instruction from the primitives here, and cpu owns the state.
//
// Nearly everything is a pure function whose comment is its exact integer definition. Functions
// that instruction functions call keep to the rules of the engine generator (one return at the
// end, no loops, no variable division), because their bodies are copied into the fast engine.
//
// Start with Mode (mode.go), then the accumulator views (acc.go), then AGU (agu.go).
package dspunit
