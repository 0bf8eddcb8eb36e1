package isa

import (
	"debug/elf"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// programCode returns the instructions of a compiled program, in order.
func programCode(b *testing.B) []Code {
	b.Helper()
	f, err := elf.Open(filepath.Join("..", "testdata", "elf", "small", "sort-em4-O2.elf"))
	require.NoError(b, err)
	defer f.Close()
	text, err := f.Section(".text").Data()
	require.NoError(b, err)
	d := NewDecoder(GNUEM)
	var code []Code
	for len(text) > 8 {
		c := LittleCode((*[8]byte)(text))
		in := d.Decode(c)
		code = append(code, c)
		text = text[in.Len:]
	}
	return code
}

// pairsCode returns instructions of every kind, in no order.
func pairsCode(b *testing.B) []Code {
	b.Helper()
	var code []Code
	for i, p := range readPairs(b) {
		if p.pass == "em" && i%64 == 0 {
			var buf [8]byte
			copy(buf[:], p.code)
			code = append(code, LittleCode(&buf))
		}
	}
	return code
}

// BenchmarkDecode reports the time of one instruction: of a program, and of all instructions mixed,
// which no predictor and no cache likes.
func BenchmarkDecode(b *testing.B) {
	for _, test := range []struct {
		name string
		code func(*testing.B) []Code
	}{{"program", programCode}, {"mixed", pairsCode}} {
		b.Run(test.name, func(b *testing.B) {
			code := test.code(b)
			d := NewDecoder(GNUEM)
			var in Inst
			n := 0
			for b.Loop() {
				d.DecodeInto(&in, code[n])
				if n++; n == len(code) {
					n = 0
				}
			}
		})
	}
}

func BenchmarkNewDecoder(b *testing.B) {
	for b.Loop() {
		d := &Decoder{features: GNUEM}
		for half := range uint32(1 << 16) {
			d.Decode(Code(half) << 48)
		}
	}
}
