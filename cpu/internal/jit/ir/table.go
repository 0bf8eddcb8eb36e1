package ir

import "encoding/binary"

// A table holds programs as bytes: per instruction the operation, its upper bit for Wide, then as variable
// length numbers how far back each operand is, 0 for none, and what Imm is.

const wideBit = 0x80

// Append appends the bytes of a program.
func Append(b []byte, p Prog) []byte {
	for i, in := range p {
		op := byte(in.Op)
		if in.Wide {
			op |= wideBit
		}
		b = append(b, op)
		for _, x := range in.Operands() {
			back := uint64(0)
			if x >= 0 {
				back = uint64(i) - uint64(x)
			}
			b = binary.AppendUvarint(b, back)
		}
		if shapes[in.Op].imm {
			b = binary.AppendUvarint(b, in.Imm)
		}
	}
	return b
}

// Parse returns the program that some bytes of a table are, in the memory of one that is not needed any more.
func Parse(old Prog, b string) Prog {
	p := old[:0]
	at := 0
	number := func() (v uint64) {
		for shift := 0; ; shift += 7 {
			c := b[at]
			at++
			v |= uint64(c&0x7f) << shift
			if c < 0x80 {
				return v
			}
		}
	}
	for at < len(b) {
		in := Inst{Op: Op(b[at] &^ wideBit), Wide: b[at]&wideBit != 0, A: -1, B: -1, C: -1}
		at++
		s := shapes[in.Op]
		for k, x := range [...]*int32{&in.A, &in.B, &in.C} {
			if k < int(s.operands) {
				if back := number(); back > 0 {
					*x = int32(len(p)) - int32(back)
				}
			}
		}
		if s.imm {
			in.Imm = number()
		}
		p = append(p, in)
	}
	return p
}
