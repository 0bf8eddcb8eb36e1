package loader

import (
	"os/exec"
	"path/filepath"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"

	"github.com/stretchr/testify/require"
)

func TestHex(t *testing.T) {
	im, err := Read("p.hex", []byte("\n:020000040001F9\r\n:040000006162636472\n:04000400656667685E\n"+
		":020000021000EC\n:010010007877\n:0400000500000100F6\n:00000001FF\n"))
	require.NoError(t, err)
	require.Equal(t, FormatHex, im.Format)
	require.True(t, im.HasEntry)
	require.Equal(t, uint32(0x100), im.Entry)
	require.Len(t, im.Segments, 2)
	require.Equal(t, uint32(0x10000), im.Segments[0].Addr)
	require.Equal(t, "abcdefgh", string(im.Segments[0].Data))
	require.Equal(t, uint32(0x10010), im.Segments[1].Addr)
	mem := sparse{}
	require.NoError(t, im.Load(mem))
	require.Equal(t, byte('x'), mem[0x10010])
}

// TestHexOfObjcopy compares with the same program as ELF.
func TestHexOfObjcopy(t *testing.T) {
	objcopy := gnutools.Path(t, "objcopy")
	out := filepath.Join(t.TempDir(), "sort.hex")
	msg, err := exec.Command(objcopy, "-O", "ihex", "testdata/sort.elf", out).CombinedOutput()
	require.NoError(t, err, string(msg))
	hex, err := Open(out)
	require.NoError(t, err)
	ref, err := Open("testdata/sort.elf")
	require.NoError(t, err)
	require.Equal(t, ref.Entry, hex.Entry)
	require.Equal(t, ref.Bytes(0, 1<<20), hex.Bytes(0, 1<<20))
}

func TestHexErrors(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{name: "no end", data: ":010010007877\n", want: "x: line 1: the end record is missing: the file is truncated"},
		{name: "checksum", data: ":010010007878\n", want: "x: line 1: bad checksum 0x78, expected 0x77"},
		{name: "digits", data: ":01001000787\n", want: "x: line 1: bad hexadecimal digits"},
		{name: "length", data: ":020010007876\n", want: "x: line 1: record of 6 bytes, its length byte says 7"},
		{name: "short", data: ":00\n", want: "x: line 1: record of 1 bytes, expected at least 5"},
		{name: "type", data: ":0100000978" + "7E\n", want: "x: line 1: unknown record type 9"},
		{name: "colon", data: ":00000001FF\nabc\n", want: "x: line 2: record after the end record"},
		{name: "garbage", data: ":010010007877\nabc\n", want: "x: line 2: a record starts with ':'"},
		{name: "linear", data: ":01000004807B\n", want: "x: line 1: linear address record of 1 bytes, expected 2"},
		{name: "overlap", data: ":010010007877\n:010010007877\n:00000001FF\n", want: "x: offset 0xe: 0x10..0x11 overlaps 0x10..0x11 of the segment at offset 0x0"},
		{name: "no data", data: ":00000001FF\n", want: "x: the file has no data records"},
		{name: "top", data: ":02000004FFFFFC\n:02FFFF00414" + "27D\n", want: "x: line 2: data reaches beyond the address space"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("x", []byte(c.data))
			require.EqualError(t, err, c.want)
		})
	}
}
