package dwarf

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEndsOfLocations: a location holds from its first address up to the one before its last, in lists of both kinds.
func TestEndsOfLocations(t *testing.T) {
	const reg3 = opReg0 + 3
	for name, v := range map[string]struct {
		set  Variables
		list location
	}{
		"DWARF 5": {
			set:  Variables{order: binary.LittleEndian, lists: []byte{4, 0x10, 0x14, 1, reg3, 0}},
			list: location{hasList: true, v5: true, base: 0x100},
		},
		"DWARF 4": {
			set:  Variables{order: binary.LittleEndian, loc: []byte{0x10, 0, 0, 0, 0x14, 0, 0, 0, 1, 0, reg3, 0, 0, 0, 0, 0, 0, 0, 0}},
			list: location{hasList: true, base: 0x100},
		},
	} {
		for pc, want := range map[uint32][]byte{0x110: {reg3}, 0x113: {reg3}, 0x10f: nil, 0x114: nil} {
			got, err := v.set.expression(&v.list, pc)
			if want == nil {
				require.ErrorIs(t, err, ErrOptimizedOut, "%s, %#x", name, pc)
				continue
			}
			require.NoError(t, err, "%s, %#x", name, pc)
			require.Equal(t, want, got, "%s, %#x", name, pc)
		}
	}
}

// TestEndsOfFrames: the rules hold for every byte of a function, the last instruction of two bytes too.
func TestEndsOfFrames(t *testing.T) {
	fr := &Frames{set: &Variables{order: binary.LittleEndian}, fdes: []fde{{cie: &cie{codeAlign: 1}, first: 0x100, last: 0x107}}}
	for pc, want := range map[uint32]bool{0xff: false, 0x100: true, 0x106: true, 0x107: true, 0x108: false} {
		_, ok, err := fr.At(pc)
		require.NoError(t, err)
		require.Equal(t, want, ok, "%#x", pc)
	}
}

// TestEncodedPointers: absolute ones and those relative to their place, which is 4 bytes behind the start of a section
// at 0x1000.
func TestEncodedPointers(t *testing.T) {
	for encoding, want := range map[byte]uint32{0x00: 0xfffffff0, 0x1b: 0xff4, 0x0b: 0xfffffff0} {
		c := cursor{data: []byte{0, 0, 0, 0, 0xf0, 0xff, 0xff, 0xff}, off: 4, order: binary.LittleEndian}
		require.Equal(t, want, encoded(&c, encoding, 0x1000), "%#x", encoding)
	}
}
