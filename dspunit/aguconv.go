package dspunit

import "math/bits"

// Load converts v, the Size bytes read at the pointer as a little-endian number, to the register
// value. The bits of v above Size bytes are ignored.
func (p *Port) Load(v uint32) uint32 {
	if p.Rev {
		v = p.reverse(v)
	}
	w := v&p.M1 | v<<(p.S2&31)&p.M2
	return w + (w&p.Sb)*p.Mul
}

// Store converts register value v to the number whose low Size bytes are written.
func (p *Port) Store(v uint32) uint32 {
	w := v>>(p.D1&31)&p.N1 | v>>(p.D2&31)&p.N2
	if p.Rev {
		w = p.reverse(w)
	}
	return w
}

// reverse reverses the elements within the Size bytes of v.
func (p *Port) reverse(v uint32) uint32 {
	switch {
	case p.Size == p.Elem:
		return v
	case p.Elem == 2:
		return bits.RotateLeft32(v, 16)
	case p.Size == 2:
		return v>>8&0xff | v&0xff<<8
	}
	return bits.ReverseBytes32(v)
}

// convert sets the access size and conversion of the port for register width vw (0, 1, 2 for 8,
// 16, 32 bits) and conversion code fx. A combination without a meaning leaves the size zero.
//
//	vw fx     memory            register
//	2  11     32                32
//	2  8 9 10 16                32 signed, unsigned, fractional (in the upper half)
//	2  4 5 6  8                 32 signed, unsigned, fractional (in the upper byte)
//	2  3      2 x 16            2 x 16
//	2  0 1 2  2 x 8             2 x 16 signed, unsigned, fractional (in the upper bytes)
//	2  7      4 x 8             4 x 8
//	1  3      16                16
//	1  0 1 2  8                 16 signed, unsigned, fractional
//	1  7      2 x 8             2 x 8
//	0  7      8                 8
//
// DEVIATION(46): loads narrower than the register (vw 0 and 1) clear its upper bits.
// DEVIATION(43): stores convert the other way, fractional ones by taking the upper bits without
// rounding. With REP a store writes element 0 alone, the one element a load would read.
func (p *Port) convert(vw, fx uint32, rep bool) {
	const ( // codes of the signed forms; unsigned and fractional ones follow
		byteToWord  = 2<<6 | 4
		halfToWord  = 2<<6 | 8
		bytesToHalf = 2 << 6
		byteToHalf  = 1 << 6
	)
	// load of one element into the low bits, store of the low bits
	scalar := func(size uint8, mask uint32) {
		p.Size, p.Elem = size, size
		p.M1, p.N1 = mask, mask
	}
	switch code := vw<<6 | fx; code {
	case 2<<6 | 11:
		scalar(4, 0xffffffff)
	case halfToWord, halfToWord + 1, halfToWord + 2:
		scalar(2, 0xffff)
		switch code - halfToWord {
		case 0:
			p.Sb, p.Mul = 0x8000, 0x1fffe
		case 2:
			p.Sb, p.Mul, p.D1 = 0xffff, 0xffff, 16
		}
	case byteToWord, byteToWord + 1, byteToWord + 2:
		scalar(1, 0xff)
		switch code - byteToWord {
		case 0:
			p.Sb, p.Mul = 0x80, 0x1fffffe
		case 2:
			p.Sb, p.Mul, p.D1 = 0xff, 0xffffff, 24
		}
	case 2<<6 | 3:
		scalar(4, 0xffffffff)
		p.Elem = 2
		if rep {
			scalar(2, 0xffff)
			p.S2, p.M2 = 16, 0xffff0000
		}
	case bytesToHalf, bytesToHalf + 1, bytesToHalf + 2:
		p.Size, p.Elem = 2, 1
		p.M1, p.S2, p.M2 = 0xff, 8, 0xff0000
		p.N1, p.D2, p.N2 = 0xff, 8, 0xff00
		switch code - bytesToHalf {
		case 0:
			p.Sb, p.Mul = 0x00800080, 0x1fe
		case 2:
			p.Sb, p.Mul = 0x00ff00ff, 0xff
			p.D1, p.D2 = 8, 16
		}
		if rep {
			p.Size, p.S2, p.N2 = 1, 16, 0
		}
	case 2<<6 | 7:
		scalar(4, 0xffffffff)
		p.Elem = 1
		if rep {
			scalar(1, 0xff)
			p.Sb, p.Mul = 0xff, 0x01010100
		}
	case 1<<6 | 3:
		scalar(2, 0xffff)
	case byteToHalf, byteToHalf + 1, byteToHalf + 2:
		scalar(1, 0xff)
		switch code - byteToHalf {
		case 0:
			p.Sb, p.Mul = 0x80, 0x1fe
		case 2:
			p.Sb, p.Mul, p.D1 = 0xff, 0xff, 8
		}
	case 1<<6 | 7:
		scalar(2, 0xffff)
		p.Elem = 1
		if rep {
			scalar(1, 0xff)
			p.Sb, p.Mul = 0xff, 0x100
		}
	case 7:
		scalar(1, 0xff)
	}
}
