package hostio

import (
	"encoding/binary"
	"errors"
)

// errItem says that a hostlink packet does not have the items its call needs.
var errItem = errors.New("malformed hostlink packet")

// items reads the items of a hostlink payload. After the first that is not as expected every read
// gives zero, and err says so.
type items struct {
	left []byte
	room int // bytes an answer may have
	err  error
}

// next returns the data of the next item.
func (in *items) next() (kind uint16, data []byte) {
	if in.err != nil {
		return 0, nil
	}
	if len(in.left) < 4 {
		in.err = errItem
		return 0, nil
	}
	kind = binary.LittleEndian.Uint16(in.left)
	n := int(binary.LittleEndian.Uint16(in.left[2:]))
	if 4+n > len(in.left) {
		in.err = errItem
		return 0, nil
	}
	data = in.left[4 : 4+n]
	in.left = in.left[min(4+(n+3)&^3, len(in.left)):]
	return kind, data
}

// num reads an integer of any width.
func (in *items) num() uint32 {
	kind, data := in.next()
	switch {
	case kind == hlChar && len(data) == 1:
		return uint32(data[0])
	case kind == hlShort && len(data) == 2:
		return uint32(binary.LittleEndian.Uint16(data))
	case kind == hlInt && len(data) == 4, kind == hlInt64 && len(data) == 8:
		return binary.LittleEndian.Uint32(data)
	}
	in.err = errItem
	return 0
}

// bytes reads a buffer.
func (in *items) bytes() []byte {
	kind, data := in.next()
	if kind != hlString {
		in.err = errItem
		return nil
	}
	return data
}

// text reads a string; its zero byte is not part of it.
func (in *items) text() string {
	data := in.bytes()
	for i, c := range data {
		if c == 0 {
			return string(data[:i])
		}
	}
	return string(data)
}

// answer builds the items of a reply.
type answer struct{ data []byte }

func (a *answer) item(kind uint16, data []byte) *answer {
	a.data = binary.LittleEndian.AppendUint16(a.data, kind)
	a.data = binary.LittleEndian.AppendUint16(a.data, uint16(len(data)))
	a.data = append(a.data, data...)
	for len(a.data)%4 != 0 {
		a.data = append(a.data, 0)
	}
	return a
}

func (a *answer) num(v uint32) *answer {
	return a.item(hlInt, binary.LittleEndian.AppendUint32(nil, v))
}

func (a *answer) bytes(b []byte) *answer { return a.item(hlString, b) }

func (a *answer) text(s string) *answer { return a.item(hlString, append([]byte(s), 0)) }
