package mli11

import (
	"encoding/binary"
	"strings"

	"arcv2dsp/internal/program/mli11structs"
)

// Offsets in the structures of the C interface, in bytes.
var (
	tensorData      = mli11structs.Tensor.Offset("data")
	tensorCapacity  = mli11structs.Tensor.Offset("capacity")
	tensorStride    = mli11structs.Tensor.Offset("mem_stride")
	tensorShape     = mli11structs.Tensor.Offset("shape")
	tensorRank      = mli11structs.Tensor.Offset("rank")
	tensorType      = mli11structs.Tensor.Offset("el_type")
	tensorFrac      = mli11structs.Tensor.Offset("el_params.fx.frac_bits")
	tensorZero      = mli11structs.Tensor.Offset("el_params.asym.zero_point")
	tensorScale     = mli11structs.Tensor.Offset("el_params.asym.scale")
	tensorDim       = mli11structs.Tensor.Offset("el_params.asym.dim")
	tensorScaleFrac = mli11structs.Tensor.Offset("el_params.asym.scale_frac_bits")
	tensorSize      = mli11structs.Tensor.Size()
)

// layoutText is the assembly include with the offsets of the structures.
func layoutText() string {
	var b strings.Builder
	b.WriteString("; Offsets in the structures of the MLI 1.1 interface. This text follows from their descriptions.\n")
	for _, s := range mli11structs.All() {
		b.WriteString("\n" + s.Asm())
	}
	return b.String()
}

func put32(b []byte, at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
func get32(b []byte, at int) uint32    { return binary.LittleEndian.Uint32(b[at:]) }
func put16(b []byte, at int, v uint16) { binary.LittleEndian.PutUint16(b[at:], v) }
func get16(b []byte, at int) uint16    { return binary.LittleEndian.Uint16(b[at:]) }
