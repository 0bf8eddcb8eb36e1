package elfarc

import "encoding/binary"

// Field is the place of a relocated value inside the bytes it patches.
type Field uint8

const (
	FieldNone     Field = iota
	FieldByte           // data byte
	FieldHalf           // data halfword
	FieldTriple         // three data bytes
	FieldWord           // 32-bit data word, or a long immediate when the row is middle-endian
	FieldDisp21H        // b<cc>: s21 in halfwords
	FieldDisp21W        // bl<cc>: s21 in words
	FieldDisp25H        // b: s25 in halfwords
	FieldDisp25W        // bl: s25 in words
	FieldDisp9LS        // ld, st: s9
	FieldDisp9S         // ld_s r0,[gp,s11], ldh_s, ldb_s: nine low bits of a 16-bit instruction
	FieldDisp9ST        // st_s r0,[gp,s11]: nine bits in two parts of a 16-bit instruction
	FieldDisp12         // s12 of the general format
	FieldDisp13         // bl_s: s13 in words, 16-bit instruction
	FieldIndex10        // jli_s: u10, 16-bit instruction
	FieldHighByte       // nps400 memory-region byte
)

// span moves Width bits of the value, from bit From, to bit At of the patched word.
type span struct{ From, Width, At uint8 }

// layout says how many bytes a field patches and where its bits go.
type layout struct {
	Size  uint8
	Spans []span
}

// Layouts of the fields, in the order of the constants. The value is counted after the row's shift.
var layouts = [...]layout{
	FieldNone:     {Size: 0},
	FieldByte:     {Size: 1, Spans: []span{{From: 0, Width: 8, At: 0}}},
	FieldHalf:     {Size: 2, Spans: []span{{From: 0, Width: 16, At: 0}}},
	FieldTriple:   {Size: 3, Spans: []span{{From: 0, Width: 24, At: 0}}},
	FieldWord:     {Size: 4, Spans: []span{{From: 0, Width: 32, At: 0}}},
	FieldDisp21H:  {Size: 4, Spans: []span{{From: 0, Width: 10, At: 17}, {From: 10, Width: 10, At: 6}}},
	FieldDisp21W:  {Size: 4, Spans: []span{{From: 0, Width: 9, At: 18}, {From: 9, Width: 10, At: 6}}},
	FieldDisp25H:  {Size: 4, Spans: []span{{From: 0, Width: 10, At: 17}, {From: 10, Width: 10, At: 6}, {From: 20, Width: 4, At: 0}}},
	FieldDisp25W:  {Size: 4, Spans: []span{{From: 0, Width: 9, At: 18}, {From: 9, Width: 10, At: 6}, {From: 19, Width: 4, At: 0}}},
	FieldDisp9LS:  {Size: 4, Spans: []span{{From: 0, Width: 8, At: 16}, {From: 8, Width: 1, At: 15}}},
	FieldDisp9S:   {Size: 2, Spans: []span{{From: 0, Width: 9, At: 0}}},
	FieldDisp9ST:  {Size: 2, Spans: []span{{From: 0, Width: 3, At: 0}, {From: 3, Width: 6, At: 5}}},
	FieldDisp12:   {Size: 4, Spans: []span{{From: 0, Width: 6, At: 6}, {From: 6, Width: 6, At: 0}}},
	FieldDisp13:   {Size: 2, Spans: []span{{From: 0, Width: 11, At: 0}}},
	FieldIndex10:  {Size: 2, Spans: []span{{From: 0, Width: 10, At: 0}}},
	FieldHighByte: {Size: 4, Spans: []span{{From: 16, Width: 8, At: 16}}},
}

// Size returns the number of bytes the field patches.
func (f Field) Size() uint32 { return uint32(layouts[f].Size) }

// Bits returns the number of value bits the field keeps.
func (f Field) Bits() uint {
	n := uint(0)
	for _, s := range layouts[f].Spans {
		n += uint(s.Width)
	}
	return n
}

// Insert returns word with the low bits of v put into the field.
func (f Field) Insert(word, v uint32) uint32 {
	for _, s := range layouts[f].Spans {
		mask := uint32(1)<<s.Width - 1
		word = word&^(mask<<s.At) | (v>>s.From&mask)<<s.At
	}
	return word
}

// Extract is the inverse of Insert: the bits of the field, not sign-extended.
func (f Field) Extract(word uint32) uint32 {
	v := uint32(0)
	for _, s := range layouts[f].Spans {
		v |= (word >> s.At & (1<<s.Width - 1)) << s.From
	}
	return v
}

// getWord reads the patched bytes as one number. b has exactly the field's size.
func getWord(b []byte, middle, big bool) uint32 {
	switch len(b) {
	case 1:
		return uint32(b[0])
	case 2:
		if big {
			return uint32(binary.BigEndian.Uint16(b))
		}
		return uint32(binary.LittleEndian.Uint16(b))
	case 3:
		if big {
			return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
		}
		return uint32(b[2])<<16 | uint32(b[1])<<8 | uint32(b[0])
	case 4:
		switch {
		case big:
			return binary.BigEndian.Uint32(b)
		case middle:
			return uint32(binary.LittleEndian.Uint16(b))<<16 | uint32(binary.LittleEndian.Uint16(b[2:]))
		}
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// putWord is the inverse of getWord.
func putWord(b []byte, w uint32, middle, big bool) {
	switch len(b) {
	case 1:
		b[0] = byte(w)
	case 2:
		if big {
			binary.BigEndian.PutUint16(b, uint16(w))
		} else {
			binary.LittleEndian.PutUint16(b, uint16(w))
		}
	case 3:
		if big {
			b[0], b[1], b[2] = byte(w>>16), byte(w>>8), byte(w)
		} else {
			b[2], b[1], b[0] = byte(w>>16), byte(w>>8), byte(w)
		}
	case 4:
		switch {
		case big:
			binary.BigEndian.PutUint32(b, w)
		case middle:
			binary.LittleEndian.PutUint16(b, uint16(w>>16))
			binary.LittleEndian.PutUint16(b[2:], uint16(w))
		default:
			binary.LittleEndian.PutUint32(b, w)
		}
	}
}
