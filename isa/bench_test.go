package isa

import "testing"

func BenchmarkDecode(b *testing.B) {
	d := NewDecoder(GNUEM)
	var code []Code
	for i, p := range readPairs(b) {
		if p.pass == "em" && i%64 == 0 {
			var buf [8]byte
			copy(buf[:], p.code)
			code = append(code, LittleCode(&buf))
		}
	}
	b.ResetTimer()
	n := 0
	for b.Loop() {
		in := d.Decode(code[n])
		if in.Op == Invalid {
			b.Fatal("does not decode")
		}
		if n++; n == len(code) {
			n = 0
		}
	}
}

func BenchmarkBuildDecoder(b *testing.B) {
	tables()
	for b.Loop() {
		buildDecoder(GNUEM)
	}
}
