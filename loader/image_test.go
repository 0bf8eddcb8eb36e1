package loader

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

// sparse is a memory that remembers what was stored.
type sparse map[uint32]byte

func (m sparse) Poke(addr uint32, data []byte) error {
	for i, b := range data {
		m[addr+uint32(i)] = b
	}
	return nil
}

// TestELF loads a program made by GCC and GNU ld; the figures are those of readelf.
func TestELF(t *testing.T) {
	im, err := Open("testdata/sort.elf")
	require.NoError(t, err)
	require.Equal(t, FormatELF, im.Format)
	require.Equal(t, uint32(0x80), im.Entry)
	require.True(t, im.HasEntry)
	require.False(t, im.BigEndian)
	require.Equal(t, uint32(elfarc.FlagCPUEM), im.Flags&elfarc.FlagCPUMask)

	mem := sparse{}
	require.NoError(t, im.Load(mem))
	require.Equal(t, byte(0x80), mem[0], "reset vector")
	sum, ok := im.Symbols.Lookup("checksum")
	require.True(t, ok)
	require.Equal(t, uint32(0x80000000), sum.Addr)
	require.Equal(t, ".result", sum.Section)
	zero, ok := mem[sum.Addr]
	require.True(t, ok, "zero-filled")
	require.Zero(t, zero)

	start, ok := im.Symbols.Lookup("__start")
	require.True(t, ok)
	require.Equal(t, elf.STT_FUNC, start.Type)
	require.Equal(t, im.Entry, start.Addr)
	s, off, ok := im.Symbols.At(start.Addr + 4)
	require.True(t, ok)
	require.Equal(t, "__start", s.Name)
	require.Equal(t, uint32(4), off)
	sect, ok := im.Section(start.Addr)
	require.True(t, ok)
	require.Equal(t, ".text", sect.Name)
	_, ok = im.Section(0x40000000)
	require.False(t, ok)
	require.Equal(t, []byte{0x80, 0, 0, 0}, im.Bytes(0, 4))
	require.Nil(t, im.Bytes(0x40000000, 4))
	for _, fn := range im.Symbols.Functions() {
		at, off, ok := im.Symbols.At(fn.Addr)
		require.True(t, ok)
		require.Zero(t, off)
		require.Equal(t, fn.Addr, at.Addr)
	}
	require.Contains(t, im.Symbols.WithPrefix("__bss", 10), "__bss_start")
	_, ok = im.Symbols.Lookup("nosuch")
	require.False(t, ok)
}

func segment(addr uint32, data string, mem uint32) *elfarc.Segment {
	s := &elfarc.Section{Name: ".s", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Addr: addr, Align: 1, Data: []byte(data)}
	return &elfarc.Segment{
		Type: elf.PT_LOAD, Flags: elf.PF_R, VAddr: addr, PAddr: addr, MemSz: max(mem, uint32(len(data))), Align: 4, Sections: []*elfarc.Section{s},
	}
}

func program(t testing.TB, change func(*elfarc.File), segments ...*elfarc.Segment) []byte {
	f := &elfarc.File{Type: elf.ET_EXEC, Machine: elfarc.MachineARCv2, Flags: elfarc.FlagCPUEM, Segments: segments}
	for _, s := range segments {
		f.Sections = append(f.Sections, s.Sections...)
	}
	if change != nil {
		change(f)
	}
	b, err := f.Bytes()
	require.NoError(t, err)
	return b
}

// TestLoadAddress checks that data goes to the load address and zeros to the run address.
func TestLoadAddress(t *testing.T) {
	seg := segment(0x80000000, "abc", 8)
	seg.PAddr = 0x1000
	im, err := Read("rom.elf", program(t, nil, seg))
	require.NoError(t, err)
	mem := sparse{}
	require.NoError(t, im.Load(mem))
	require.Equal(t, sparse{0x1000: 'a', 0x1001: 'b', 0x1002: 'c', 0x80000003: 0, 0x80000004: 0, 0x80000005: 0, 0x80000006: 0, 0x80000007: 0}, mem)
}

func TestBigEndian(t *testing.T) {
	im, err := Read("be.elf", program(t, func(f *elfarc.File) { f.BigEndian = true }, segment(0x100, "abcd", 0)))
	require.NoError(t, err)
	require.True(t, im.BigEndian)
	require.Equal(t, []byte("abcd"), im.Bytes(0x100, 4))
}

func TestReadErrors(t *testing.T) {
	good := program(t, nil, segment(0x100, "abcd", 0))
	patch := func(off int, b ...byte) []byte {
		d := append([]byte(nil), good...)
		copy(d[off:], b)
		return d
	}
	rel := program(t, func(f *elfarc.File) { f.Type = elf.ET_REL; f.Segments = nil }, segment(0x100, "abcd", 0))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{name: "empty", data: nil, want: "x: the file is empty"},
		{name: "text", data: []byte("#!/bin/sh"), want: "x: offset 0x0: neither an ELF file nor Intel hex (a raw binary needs a load address)"},
		{name: "archive", data: []byte("!<arch>\n"), want: "x: an archive, not a program: link it first"},
		{name: "object", data: rel, want: "x: offset 0x10: a relocatable object, not a program: link it first"},
		{name: "shared", data: patch(16, 3), want: "x: offset 0x10: a shared object or position-independent program: link it with -no-pie -static"},
		{name: "class", data: patch(4, 2), want: "x: offset 0x4: ELFCLASS64: expected a 32-bit ELF file"},
		{name: "machine", data: patch(18, 243, 0), want: "x: offset 0x12: machine 243 (EM_RISCV): expected ARCv2 (195)"},
		{name: "truncated header", data: good[:40], want: "x: offset 0x28: truncated ELF header (40 bytes, expected 52)"},
		{name: "truncated segment", data: patch(52+16, 0xff, 0xff), want: fmt.Sprintf("x: offset 0x54: segment 0 of 0xffff bytes lies beyond the end of the file (%#x bytes)", len(good))},
		{name: "memory size", data: patch(52+20, 1), want: "x: offset 0x34: segment 0: file size 0x4 is larger than memory size 0x1"},
		{name: "address space", data: patch(52+20, 1, 0xff, 0xff, 0xff), want: "x: offset 0x34: segment 0: 0xffffff01 bytes at 0x100 reach beyond the address space"},
		{name: "no segments", data: patch(52, 4), want: "x: the program has no loadable segments"},
		{name: "interpreter", data: patch(52, 3), want: "x: offset 0x54: segment 0 asks for a dynamic linker: link the program with -static"},
		{
			name: "overlap", data: program(t, nil, segment(0x100, "abcd", 0), segment(0x102, "ef", 0)),
			want: "x: offset 0x7a: 0x102..0x104 overlaps 0x100..0x104 of the segment at offset 0x74",
		},
		{
			name: "overlapping zeros", data: program(t, nil, segment(0x100, "abcd", 0x100), segment(0x180, "ef", 0)),
			want: "x: offset 0x78: 0x180..0x182 overlaps 0x104..0x200 of the segment at offset 0x74",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("x", c.data)
			require.EqualError(t, err, c.want)
			var file *Error
			require.True(t, errors.As(err, &file))
		})
	}
	_, err := Open("testdata/nosuch.elf")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open("testdata")
	require.Error(t, err)
}

// full is a memory without room.
type full struct{}

func (full) Poke(addr uint32, data []byte) error { return errors.New("no memory") }

func TestLoadErrors(t *testing.T) {
	im, err := Read("x", program(t, nil, segment(0x100, "abcd", 0)))
	require.NoError(t, err)
	require.EqualError(t, im.Load(full{}), "x: cannot load 0x4 bytes at 0x100: no memory")
	im, err = Read("x", program(t, nil, segment(0x100, "", 16)))
	require.NoError(t, err)
	require.EqualError(t, im.Load(full{}), "x: cannot load 0x10 zero bytes at 0x100: no memory")
	im, err = Read("x", program(t, nil, segment(0x100, "a", 0xf0000000)))
	require.NoError(t, err)
	require.EqualError(t, im.Load(sparse{}), "x: offset 0x54: the segment of 0xf0000000 bytes at 0x100 makes the program larger than 1024 MiB")
}

func TestBinary(t *testing.T) {
	im, err := ReadBinary("b", []byte("abc"), 0x8000)
	require.NoError(t, err)
	require.False(t, im.HasEntry)
	mem := sparse{}
	require.NoError(t, im.Load(mem))
	require.Equal(t, sparse{0x8000: 'a', 0x8001: 'b', 0x8002: 'c'}, mem)
	_, err = ReadBinary("b", []byte("abc"), 0xfffffffd)
	require.NoError(t, err, "up to the last byte")
	_, err = ReadBinary("b", []byte("abc"), 0xffffffff)
	require.EqualError(t, err, "b: 0x3 bytes at 0xffffffff reach beyond the address space")
	_, err = ReadBinary("b", nil, 0)
	require.EqualError(t, err, "b: the file is empty")
	require.Nil(t, im.ELF, "a raw image has no debug information")
}

// TestLongFile: a long file of no format is refused without reading it.
func TestLongFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(900<<20))
	require.NoError(t, f.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Open(path)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, ErrNoFormat)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}
