package tflite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"arcv2dsp/internal/term/steps"
)

// Custom operators carry their options as a FlexBuffer. Those known here are maps from names to small
// numbers and booleans, so the reader takes maps of scalars and refuses everything else.

// flexType is the upper six bits of a packed type.
type flexType uint8

// The types of values that options have.
const (
	flexInt           flexType = 1
	flexUint          flexType = 2
	flexFloat         flexType = 3
	flexIndirectInt   flexType = 6
	flexIndirectFloat flexType = 8
	flexMap           flexType = 9
	flexBool          flexType = 26
)

var errFlex = errors.New("the custom options are damaged")

// flex is a FlexBuffer.
type flex []byte

// uint reads an unsigned number of width bytes.
func (f flex) uint(pos, width int) (uint64, error) {
	if pos < 0 || pos > len(f)-width {
		return 0, errFlex
	}
	b := f[pos:]
	switch width {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), nil
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), nil
	case 8:
		return binary.LittleEndian.Uint64(b), nil
	}
	return 0, errFlex
}

// refer follows the offset at a position, which counts backwards.
func (f flex) refer(pos, width int) (int, error) {
	back, err := f.uint(pos, width)
	if err != nil || back > uint64(pos) {
		return 0, errFlex
	}
	return pos - int(back), nil
}

// parseFlexMap reads a map of integers and booleans.
func parseFlexMap(data []byte) (map[string]any, error) {
	f := flex(data)
	if len(f) == 0 {
		return nil, nil
	}
	if len(f) < 3 {
		return nil, errFlex
	}
	width, kind := int(f[len(f)-1]), flexType(f[len(f)-2]>>2)
	if kind != flexMap {
		return nil, fmt.Errorf("the custom options are of FlexBuffer type %d, not a map", kind)
	}
	values, err := f.refer(len(f)-2-width, width)
	if err != nil {
		return nil, err
	}
	return f.mapAt(values, 1<<(f[len(f)-2]&3))
}

// mapAt reads the map whose values begin at a position. Before the values stand, in elements of the same
// width: the offset of the keys, the width of the keys, the number of entries. A byte of type per entry
// follows the values.
func (f flex) mapAt(values, width int) (_ map[string]any, err error) {
	defer steps.Return(&err)
	count, err := f.uint(values-width, width)
	if err != nil || count > uint64(len(f)) {
		return nil, errFlex
	}
	keyWidth, err := f.uint(values-2*width, width)
	if err != nil || keyWidth > 8 {
		return nil, errFlex
	}
	keys := steps.Must(f.refer(values-3*width, width))
	entries := map[string]any{}
	for i := range int(count) {
		at := steps.Must(f.refer(keys+i*int(keyWidth), int(keyWidth)))
		name := steps.Must(f.key(at))
		v, err := f.scalar(values+i*width, width, values+int(count)*width+i)
		if err != nil {
			return nil, fmt.Errorf("custom option %s: %w", name, err)
		}
		entries[name] = v
	}
	return entries, nil
}

// maxKey bounds the name of an option.
const maxKey = 64

// key reads a name that ends with a zero byte.
func (f flex) key(pos int) (string, error) {
	for n := range maxKey {
		if pos+n >= len(f) {
			break
		}
		if f[pos+n] == 0 {
			return string(f[pos : pos+n]), nil
		}
	}
	return "", errFlex
}

// scalar reads an integer or boolean whose type byte is at another position.
func (f flex) scalar(pos, width, typePos int) (_ any, err error) {
	defer steps.Return(&err)
	packed := steps.Must(f.uint(typePos, 1))
	kind := flexType(packed >> 2)
	if direct, ok := map[flexType]flexType{flexIndirectInt: flexInt, flexIndirectFloat: flexFloat}[kind]; ok {
		pos = steps.Must(f.refer(pos, width))
		width, kind = 1<<(packed&3), direct
	}
	v := steps.Must(f.uint(pos, width))
	switch kind {
	case flexInt:
		return int(int64(v<<(64-8*width)) >> (64 - 8*width)), nil
	case flexUint:
		if int(v) < 0 {
			return nil, fmt.Errorf("%d is too large", v)
		}
		return int(v), nil
	case flexBool:
		return v != 0, nil
	case flexFloat:
		switch width {
		case 4:
			return float64(math.Float32frombits(uint32(v))), nil
		case 8:
			return math.Float64frombits(v), nil
		}
	}
	return nil, fmt.Errorf("FlexBuffer type %d of %d bytes is neither a number nor a boolean", kind, width)
}
