//go:build ((amd64 || arm64) && (linux || darwin)) || (amd64 && windows)

package exec

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// exits is code that adds 2 to the count and leaves by exit 7.
var exits = map[string][]byte{
	"amd64": {0x49, 0x83, 0xc7, 0x02, 0xb8, 7, 0, 0, 0, 0xc3},                 // add r15,2; mov eax,7; ret
	"arm64": {0xd6, 0xa, 0, 0x91, 0xe0, 0, 0x80, 0x52, 0xc0, 0x3, 0x5f, 0xd6}, // add x22,x22,2; mov w0,7; ret
}

// TestArea calls such code, and fills an area part by part.
func TestArea(t *testing.T) {
	if !Supported() {
		t.Skip(ErrFeatures)
	}
	a, err := New(4096)
	require.NoError(t, err)
	defer a.Close()
	code := exits[runtime.GOARCH]
	var x uint64
	for range Parts + 1 { // the first part twice
		n := 0
		for {
			at, err := a.Put(code)
			if err != nil {
				require.ErrorIs(t, err, ErrFull)
				break
			}
			count, exit := Call(at, unsafe.Pointer(&x), unsafe.Pointer(&x), unsafe.Pointer(&x), 40)
			require.EqualValues(t, 42, count)
			require.EqualValues(t, 7, exit)
			n++
		}
		require.Equal(t, 4096/Parts/alignment, n)
		require.False(t, a.Holds(1))
		a.Next()
	}
	require.Equal(t, 1, a.Part())
	a.Reset()
	require.Zero(t, a.Part())
	require.True(t, a.Holds(4096/Parts))
	require.True(t, a.Fits(4096/Parts))
	require.False(t, a.Fits(4096/Parts+1))
}

// TestSpare closes areas: the next one has the memory of one that is not worn, and is empty. Areas that are open at the
// same time never share memory.
func TestSpare(t *testing.T) {
	if !Supported() {
		t.Skip(ErrFeatures)
	}
	const size = 3 << 13 // of this test alone
	defer func(a *Area) { spare.area = a }(spare.area)
	spare.area = nil
	open := func() *Area {
		a, err := New(size)
		require.NoError(t, err)
		return a
	}
	first, second := open(), open()
	at := address(first.run)
	require.NotEqual(t, at, address(second.run))
	_, err := first.Put(exits[runtime.GOARCH])
	require.NoError(t, err)
	first.Close()
	second.Close() // one is enough
	again, other := open(), open()
	require.Equal(t, at, address(again.run))
	require.NotEqual(t, at, address(other.run))
	require.Zero(t, again.used)
	got, err := again.Put(exits[runtime.GOARCH])
	require.NoError(t, err)
	require.Equal(t, at, got)
	again.Next()
	again.Close()
	require.Nil(t, spare.area, "an area that has filled several parts is given back")
	smaller, err := New(size / 3)
	require.NoError(t, err)
	other.Close()
	require.NotNil(t, spare.area)
	smaller.Close()
	last := open()
	require.Nil(t, spare.area)
	last.worn = true
	last.Close()
}
