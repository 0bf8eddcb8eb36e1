package mli11

import (
	"encoding/binary"
	"strings"

	"arcv2dsp/mlikernels/internal/mli11/structs"
)

// Offsets in the structures of the C interface, in bytes.
var (
	tensorData      = structs.Tensor.Offset("data")
	tensorCapacity  = structs.Tensor.Offset("capacity")
	tensorStride    = structs.Tensor.Offset("mem_stride")
	tensorShape     = structs.Tensor.Offset("shape")
	tensorRank      = structs.Tensor.Offset("rank")
	tensorType      = structs.Tensor.Offset("el_type")
	tensorFrac      = structs.Tensor.Offset("el_params.fx.frac_bits")
	tensorZero      = structs.Tensor.Offset("el_params.asym.zero_point")
	tensorScale     = structs.Tensor.Offset("el_params.asym.scale")
	tensorDim       = structs.Tensor.Offset("el_params.asym.dim")
	tensorScaleFrac = structs.Tensor.Offset("el_params.asym.scale_frac_bits")
	tensorSize      = structs.Tensor.Size()
)

// layoutText is the assembly include with the offsets of the structures.
func layoutText() string {
	var b strings.Builder
	b.WriteString("; Offsets in the structures of the MLI 1.1 interface. This text follows from their descriptions.\n")
	for _, s := range structs.All() {
		b.WriteString("\n" + s.Asm())
	}
	return b.String()
}

func put32(b []byte, at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
func get32(b []byte, at int) uint32    { return binary.LittleEndian.Uint32(b[at:]) }
func put16(b []byte, at int, v uint16) { binary.LittleEndian.PutUint16(b[at:], v) }
func get16(b []byte, at int) uint16    { return binary.LittleEndian.Uint16(b[at:]) }
