package perturb

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// extremes are numbers that sizes, counts and offsets of a file change to.
var extremes = []uint32{0, 1, 2, 7, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0xffffff, 0x7ffffff0, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff}

// File is a copy of a file with one to four changes: bits, bytes and words, lies of 32 and 64 bits, and pieces that are missing, doubled,
// moved or cut off.
func File(r *rand.Rand, data []byte) []byte {
	d := bytes.Clone(data)
	for range 1 + r.IntN(4) {
		if len(d) == 0 {
			return d
		}
		at := r.IntN(len(d))
		n := 1 + r.IntN(min(64, len(d)-at))
		switch r.IntN(9) {
		case 0:
			d[at] ^= 1 << r.IntN(8)
		case 1:
			d[at] = byte(r.Uint32())
		case 2, 3:
			if at &^= 3; at+4 <= len(d) {
				binary.LittleEndian.PutUint32(d[at:], extremes[r.IntN(len(extremes))])
			}
		case 4:
			if at &^= 7; at+8 <= len(d) {
				binary.LittleEndian.PutUint64(d[at:], uint64(extremes[r.IntN(len(extremes))])<<r.IntN(33))
			}
		case 5:
			d = append(d[:at:at], d[at+n:]...)
		case 6:
			d = append(d[:at+n:at+n], d[at:]...)
		case 7:
			copy(d[at:at+n], d[r.IntN(len(d)-n+1):])
		case 8:
			d = d[:at]
		}
	}
	return d
}

// maxWord bounds a word that is repeated: one that is repeated again would fill memory.
const maxWord = 1 << 16

// words are what a word of a text changes to.
var words = []string{"", "0", "-1", "1e999", "NaN", "99999999999999999999", "4294967295", "-2147483649", "0x", "\"", "{", "}", "[", "]]", "(", ",", "=", ":", "\\", "%s%n",
	"\x00", "\x1b[2J", "\xff\xfe", "é", "null", "true", "../../../etc/passwd", "/dev/zero", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}

// Text is a copy of a text with one to four changes: of words, of lines, and those of File.
func Text(r *rand.Rand, data []byte) []byte {
	d := bytes.Clone(data)
	for range 1 + r.IntN(4) {
		spans := wordsOf(d)
		if len(spans) == 0 || r.IntN(4) == 0 {
			return File(r, d)
		}
		s := spans[r.IntN(len(spans))]
		other := spans[r.IntN(len(spans))]
		word := []byte(words[r.IntN(len(words))])
		switch r.IntN(5) {
		case 0:
			word = bytes.Clone(d[other[0]:other[1]])
		case 1:
			word = bytes.Repeat(d[s[0]:s[1]], min(1+r.IntN(300), 1+maxWord/(s[1]-s[0])))
		case 2:
			word = fmt.Append(nil, r.Int64()>>r.IntN(64))
		}
		d = bytes.Join([][]byte{d[:s[0]], word, d[s[1]:]}, nil)
	}
	return d
}

// wordsOf finds the places of letters and digits that belong together, and of single other characters.
func wordsOf(d []byte) (spans [][2]int) {
	name := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
	}
	for at := 0; at < len(d); {
		end := at + 1
		for name(d[at]) && end < len(d) && name(d[end]) {
			end++
		}
		if d[at] > ' ' {
			spans = append(spans, [2]int{at, end})
		}
		at = end
	}
	return spans
}
