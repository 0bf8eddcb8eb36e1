package loader

import (
	"debug/elf"
	"testing"

	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

func TestSymbolsAt(t *testing.T) {
	text := &elfarc.Section{Name: ".text", Flags: elf.SHF_ALLOC, Addr: 0x100, Data: make([]byte, 0x100)}
	top := &elfarc.Section{Name: ".top", Flags: elf.SHF_ALLOC, Addr: 0xfffffff0, Data: make([]byte, 16)}
	data := &elfarc.Section{Name: ".data", Flags: elf.SHF_ALLOC, Addr: 0x300, Data: make([]byte, 0x10)}
	f := &elfarc.File{Symbols: []*elfarc.Symbol{
		{Name: "outer", Section: text, Value: 0x100, Size: 0x40, Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL},
		{Name: "alias", Section: text, Value: 0x100, Size: 0x40, Type: elf.STT_FUNC, Bind: elf.STB_WEAK},
		{Name: "label", Section: text, Value: 0x110},
		{Name: "inner", Section: text, Value: 0x120, Size: 0x10, Type: elf.STT_FUNC},
		{Name: "tail", Section: text, Value: 0x160, Size: 0x10, Type: elf.STT_FUNC},
		{Name: "loop", Section: text, Value: 0x168}, // in tail
		{Name: "asm", Section: text, Value: 0x180},
		{Name: "asm_global", Section: text, Value: 0x180, Bind: elf.STB_GLOBAL},
		{Name: "last", Section: top, Value: 0xfffffff8, Size: 8, Type: elf.STT_OBJECT},
		{Name: "data", Section: data, Value: 0x300},
		{Name: "stack", Index: elf.SHN_ABS, Value: 0x180},
		{Name: "twice", Section: text, Value: 0x1f0},
		{Name: "twice", Section: text, Value: 0x1f4, Bind: elf.STB_GLOBAL},
		{Name: "undefined"},
		{Name: "file.c", Type: elf.STT_FILE, Index: elf.SHN_ABS},
		{Name: ".text", Type: elf.STT_SECTION, Section: text, Value: 0x100},
	}}
	syms := newSymbols(f)
	require.Equal(t, 13, syms.Len())
	for _, c := range []struct {
		addr uint32
		name string
		off  uint32
	}{
		{addr: 0x100, name: "outer", off: 0},
		{addr: 0x114, name: "outer", off: 0x14}, // not the label inside the function
		{addr: 0x120, name: "inner", off: 0},
		{addr: 0x12f, name: "inner", off: 15},
		{addr: 0x130, name: "outer", off: 0x30},
		{addr: 0x13f, name: "outer", off: 0x3f},
		{addr: 0x140}, // a gap
		{addr: 0x16a, name: "tail", off: 10},
		{addr: 0x170}, // behind tail, not in the label inside it
		{addr: 0x17f},
		{addr: 0x184, name: "asm_global", off: 4},
		{addr: 0x1ff, name: "twice", off: 11},
		{addr: 0x200}, // behind the section
		{addr: 0x304, name: "data", off: 4},
		{addr: 0x310},
		{addr: 0xffffffff, name: "last", off: 7},
		{addr: 0},
	} {
		s, off, ok := syms.At(c.addr)
		require.Equal(t, c.name != "", ok, "%#x: %v", c.addr, s)
		require.Equal(t, c.name, s.Name, "%#x", c.addr)
		require.Equal(t, c.off, off, "%#x", c.addr)
	}
	twice, ok := syms.Lookup("twice")
	require.True(t, ok)
	require.Equal(t, uint32(0x1f4), twice.Addr, "the global one")
	require.Equal(t, []string{"asm", "asm_global"}, syms.WithPrefix("asm", 5))
	require.Equal(t, []string{"asm"}, syms.WithPrefix("asm", 1))
	require.Len(t, syms.Functions(), 4)
	require.Len(t, syms.All(), 13)
}
