package isa

// A decoder is made by spaces, each when the first instruction of it comes, since a program has few of the instructions. A
// space is what the major opcode selects, the top five bits of an instruction; of the general instructions, majors 4 to 7,
// it is what the sub-opcode in the low bits of the first halfword selects as well.

// numSpaces counts the numbers of spaces: the major opcode and six bits for a sub-opcode.
const numSpaces = 1 << (5 + 6)

// spacePart says for a major opcode which bits of the first halfword select a space, and how many bits below the
// major opcode do.
type spacePart struct {
	sub   uint16
	shift uint8
}

var spaceParts = [1 << 5]spacePart{4: {0x3f, 6}, 5: {0x3f, 6}, 6: {0x3f, 6}, 7: {0x3f, 6}}

// restBits are the bits of the first halfword below the major opcode.
const restBits = 11

// spaceOf returns the number of the space of a first halfword, and the rest of the halfword.
func spaceOf(half uint16) (space, rest uint16) {
	p := spaceParts[half>>restBits]
	return half>>restBits<<6 | half&p.sub, half & (1<<restBits - 1) >> (p.shift & 15)
}

// start is what an encoding or a space fixes of the first halfword.
type start struct{ mask, value uint16 }

// spaceStart returns what a space fixes.
func spaceStart(space uint16) start {
	p := spaceParts[space>>6]
	return start{0xf800 | p.sub, space>>6<<restBits | space&p.sub}
}

// generalStart returns what a general instruction fixes in all its forms.
func generalStart(major, sub uint8) start {
	return start{0xf83f, uint16(major)<<restBits | uint16(sub)}
}

// meets reports whether some halfword begins as both say.
func (s start) meets(o start) bool { return (s.value^o.value)&s.mask&o.mask == 0 }

// startOf returns what a pattern fixes.
func startOf(pattern string) (s start) {
	at := 15
	for i := 0; i < len(pattern) && at >= 0; i++ {
		switch c := pattern[i]; c {
		case ' ':
			continue
		case '0', '1':
			s.mask |= 1 << at
			s.value |= uint16(c&1) << at
		}
		at--
	}
	return s
}

// start returns what the form fixes when its opcode bits are value.
func (f *Form) start(value uint32) start {
	if f.Size == 2 {
		return start{uint16(f.Mask), uint16(value)}
	}
	return start{uint16(f.Mask >> 16), uint16(value >> 16)}
}
