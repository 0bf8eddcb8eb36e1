package cpu

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestStateIsPlainData: SaveState copies memory, so State may hold nothing that points elsewhere.
func TestStateIsPlainData(t *testing.T) {
	var walk func(path string, typ reflect.Type)
	walk = func(path string, typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Struct:
			for i := range typ.NumField() {
				walk(path+"."+typ.Field(i).Name, typ.Field(i).Type)
			}
		case reflect.Array:
			walk(path+"[]", typ.Elem())
		case reflect.Bool, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
			reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		default:
			t.Errorf("%s is a %s", path, typ)
		}
	}
	walk("State", reflect.TypeFor[State]())
}

// TestHotLayout: engines rely on R being first and 8-byte aligned.
func TestHotLayout(t *testing.T) {
	require.Zero(t, unsafe.Offsetof(CPU{}.R))
	require.Zero(t, unsafe.Alignof(CPU{})%8)
	require.Zero(t, uintptr(unsafe.Pointer(&new(CPU).R))%8)
}

func TestSlots(t *testing.T) {
	for r := range uint8(58) {
		require.Equal(t, r, Slot(r))
	}
	require.EqualValues(t, 64, Slot(58))
	require.EqualValues(t, 66, Slot(59))
	require.EqualValues(t, 60, Slot(60))
	for r := uint8(61); r < 64; r++ {
		require.EqualValues(t, SlotZero, Slot(r))
	}
}
