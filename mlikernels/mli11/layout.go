package mli11

import "encoding/binary"

// Offsets in the structures of the C interface, in bytes. A test compares them with what the C
// compiler makes of the headers and with the assembly sources.
const (
	tensorData      = 0
	tensorCapacity  = 4
	tensorStride    = 8  // four int32
	tensorShape     = 24 // four uint32
	tensorRank      = 40
	tensorType      = 44
	tensorFrac      = 48 // uint8, fixed point
	tensorZero      = 48 // int16 or pointer, affine
	tensorScale     = 52 // int32 or pointer
	tensorDim       = 56
	tensorScaleFrac = 60 // int8
	tensorSize      = 64

	maxRank = 4

	convRelu    = 0
	convStrideW = 4
	convStrideH = 5
	convPadL    = 6
	convPadR    = 7
	convPadT    = 8
	convPadB    = 9
	convSize    = 12

	poolKernelW = 0
	poolKernelH = 1
	poolStrideW = 2
	poolStrideH = 3
	poolPadL    = 4
	poolPadR    = 5
	poolPadT    = 6
	poolPadB    = 7
	poolSize    = 8

	rnnMode = 0
	rnnAct  = 4
	rnnIR   = 8
	rnnSize = 12

	paddingL    = 0
	paddingR    = 1
	paddingT    = 2
	paddingB    = 3
	paddingSize = 4

	concatNum  = 0
	concatAxis = 1
	concatSize = 2

	permuteSize = 4
	reluSize    = 4
)

func put32(b []byte, at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
func get32(b []byte, at int) uint32    { return binary.LittleEndian.Uint32(b[at:]) }
func put16(b []byte, at int, v uint16) { binary.LittleEndian.PutUint16(b[at:], v) }
func get16(b []byte, at int) uint16    { return binary.LittleEndian.Uint16(b[at:]) }
