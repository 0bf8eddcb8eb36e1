package dwarf

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"
	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// object makes an executable-like file with debug sections, each code section at its address.
func object(table *LineTable, code []*elfarc.Section, functions []Subprogram, big bool) *elfarc.File {
	f := &elfarc.File{Type: elf.ET_REL, Machine: elfarc.MachineARCv2, Flags: elfarc.FlagCPUEM | elfarc.FlagABIv4, BigEndian: big}
	add := func(s *elfarc.Section) *elfarc.Symbol {
		sym := &elfarc.Symbol{Section: s, Type: elf.STT_SECTION}
		f.Sections = append(f.Sections, s)
		f.Symbols = append(f.Symbols, sym)
		return sym
	}
	unit := Unit{Name: "main.s", CompDir: "/src", Producer: "test", Functions: functions}
	for i, s := range code {
		sym := add(s)
		table.Sequences[i].Section = sym
		unit.Code = append(unit.Code, Extent{Section: sym, Size: s.Len()})
		for j := range unit.Functions {
			if unit.Functions[j].Section == nil {
				unit.Functions[j].Section = sym
			}
		}
	}
	debug := func(name string) (*elfarc.Section, *elfarc.Symbol) {
		s := &elfarc.Section{Name: name, Type: elf.SHT_PROGBITS, Align: 1}
		return s, add(s)
	}
	info, infoSym := debug(".debug_info")
	abbrev, abbrevSym := debug(".debug_abbrev")
	line, lineSym := debug(".debug_line")
	aranges, _ := debug(".debug_aranges")
	ranges, rangesSym := debug(".debug_ranges")
	unit.Sections = UnitSections{Info: infoSym, Abbrev: abbrevSym, Line: lineSym, Ranges: rangesSym}
	c := unit.Encode(big)
	info.Data, info.Relocs = c.Info.Data, c.Info.Relocs
	abbrev.Data = c.Abbrev.Data
	aranges.Data, aranges.Relocs = c.Aranges.Data, c.Aranges.Relocs
	ranges.Data, ranges.Relocs = c.Ranges.Data, c.Ranges.Relocs
	line.Data, line.Relocs = table.Encode(big)
	return f
}

func text(name string, addr, size uint32) *elfarc.Section {
	return &elfarc.Section{
		Name: name, Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Addr: addr, Align: 4, Data: make([]byte, size),
	}
}

// TestLineTableRoundTrip writes random line tables and reads back the same rows.
func TestLineTableRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := &LineTable{
			Version: rapid.IntRange(2, 5).Draw(t, "version"), CompDir: "/src",
			Files: []SourceFile{{}, {Name: "main.s"}, {Name: "sub.inc", Dir: "/include"}, {Name: "other.s", Dir: "rel"}},
		}
		paths := []string{"/src/main.s", "/src/main.s", "/include/sub.inc", "/src/rel/other.s"}
		var code []*elfarc.Section
		var want []Row
		base := uint32(0x1000)
		for i := range rapid.IntRange(1, 3).Draw(t, "sections") {
			var seq Sequence
			off, shared := uint32(0), false
			for more := rapid.IntRange(1, 20).Draw(t, "rows"); more > 0; more-- {
				row := LineRow{
					Off: off, File: rapid.IntRange(1, 3).Draw(t, "file"), Line: rapid.IntRange(1, 1<<30).Draw(t, "line"),
					Column: rapid.IntRange(0, 1<<30).Draw(t, "column"), NotStmt: rapid.Bool().Draw(t, "notstmt"),
					PrologueEnd: rapid.Bool().Draw(t, "prologue"), Discriminator: rapid.Uint32().Draw(t, "discriminator"),
					NewView: rapid.Bool().Draw(t, "newview"),
				}
				seq.Rows = append(seq.Rows, row)
				// Of rows at one address the last owns the code; the last statement is where debuggers stop.
				r := Row{Position: Position{File: paths[row.File], Line: row.Line, Column: row.Column}, Addr: base + row.Off, Discriminator: row.Discriminator}
				if n := len(want); shared {
					r.Stop = want[n-1].Stop
					want = want[:n-1]
				}
				if !row.NotStmt {
					r.Stop = r.Position
				}
				if shared = more > 1 && rapid.Bool().Draw(t, "shared"); !shared {
					off += rapid.Uint32Range(1, 80_000).Draw(t, "advance")
				}
				r.End = base + off
				want = append(want, r)
			}
			seq.End = off
			table.Sequences = append(table.Sequences, seq)
			code = append(code, text(fmt.Sprintf(".text.%d", i), base, off))
			base += off + 0x100
		}
		big := rapid.Bool().Draw(t, "big")
		info, err := Read(object(table, code, nil, big))
		require.NoError(t, err)
		require.Equal(t, want, info.Rows())
	})
}

// TestWriteAgainstReadelf has the GNU tools decode what the writer wrote.
func TestWriteAgainstReadelf(t *testing.T) {
	objdump, readelf := gnutools.Path(t, "objdump"), gnutools.Path(t, "readelf")
	for version := 2; version <= 5; version++ {
		t.Run(strconv.Itoa(version), func(t *testing.T) {
			rows := []LineRow{
				{Off: 0, File: 1, Line: 3}, {Off: 4, File: 1, Line: 4}, {Off: 12, File: 2, Line: 900, Column: 7},
				{Off: 300, File: 1, Line: 2}, {Off: 302, File: 1, Line: 5}, {Off: 319, File: 1, Line: 5},
			}
			table := &LineTable{
				Version: version, CompDir: "/src",
				Files:     []SourceFile{{Name: "main.s"}, {Name: "main.s"}, {Name: "sub.inc", Dir: "/include"}},
				Sequences: []Sequence{{Rows: rows, End: 400}, {Rows: rows[:1], End: 8}},
			}
			f := object(table, []*elfarc.Section{text(".text", 0, 400), text(".text.b", 0, 8)},
				[]Subprogram{{Extent: Extent{Off: 4, Size: 100}, Name: "fn", File: 1, Line: 4, External: true}}, false)
			data, err := f.Bytes()
			require.NoError(t, err)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "w.o"), data, 0o644))
			dump := run(t, dir, readelf, "-wiarl", "w.o")
			decoded := run(t, dir, objdump, "--dwarf=decodedline", "w.o")
			require.NotRegexp(t, `(?i)warning|error|corrupt`, dump)
			require.NotRegexp(t, `(?i)warning|error|corrupt`, decoded)
			for _, r := range rows {
				name := []string{"", "main.s", "sub.inc"}[r.File]
				addr := strconv.FormatUint(uint64(r.Off), 16)
				if addr != "0" {
					addr = "0x" + addr
				}
				require.Regexp(t, fmt.Sprintf(`(?m)^%s +%d +%s\b`, regexp.QuoteMeta(name), r.Line, addr), decoded)
			}
			require.Contains(t, dump, "DW_TAG_subprogram")
			require.Contains(t, dump, "MIPS assembler")
		})
	}
}
