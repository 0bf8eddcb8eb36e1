// Package table makes devices of a file: registers with names, values after a reset, bits that programs may change, and values that
// reads give one after the other, such as a clock that reports its lock the third time it is asked. A device that does more is a
// Peripheral in Go.
//
// Start with Parse.
package table
