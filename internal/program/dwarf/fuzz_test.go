package dwarf

import (
	"debug/elf"
	"encoding/binary"
	"testing"

	"arcv2dsp/internal/program/elfarc"
)

// fuzzSections are the sections a fuzz input holds, each behind a 16-bit length.
var fuzzSections = []string{
	".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_ranges",
	".debug_addr", ".debug_line_str", ".debug_str_offsets", ".debug_rnglists",
}

// FuzzRead: no debug sections make the reader panic or hang, and what it answers is consistent.
func FuzzRead(f *testing.F) {
	for version := 2; version <= 5; version++ {
		table := &LineTable{
			Version: version, Files: []SourceFile{{Name: "a.s"}, {Name: "a.s"}, {Name: "b.s", Dir: "d"}},
			Sequences: []Sequence{{Rows: []LineRow{{Off: 0, File: 1, Line: 1}, {Off: 4, File: 2, Line: 9}}, End: 8}},
		}
		o := object(table, []*elfarc.Section{text(".text", 0x100, 8)}, []Subprogram{{Extent: Extent{Size: 8}, Name: "fn"}}, false)
		sections, err := debugSections(o, func(s *elfarc.Section) uint32 { return s.Addr })
		if err != nil {
			f.Fatal(err)
		}
		var seed []byte
		for _, name := range fuzzSections {
			seed = binary.LittleEndian.AppendUint16(seed, uint16(len(sections[name])))
			seed = append(seed, sections[name]...)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &elfarc.File{Sections: []*elfarc.Section{text(".text", 0x100, 0x1000)}}
		for _, name := range fuzzSections {
			if len(data) < 2 {
				break
			}
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			file.Sections = append(file.Sections, &elfarc.Section{Name: name, Type: elf.SHT_PROGBITS, Data: data[2 : 2+n]})
			data = data[2+n:]
		}
		info, err := Read(file)
		if err != nil || info == nil {
			return
		}
		for _, r := range info.Rows() {
			if _, ok := info.At(r.Addr); !ok {
				t.Fatalf("row %v covers nothing", r)
			}
			info.Frames(r.Addr)
			info.Addrs(r.File, r.Line)
		}
	})
}
