package loader

import (
	"debug/elf"
	"fmt"
	"sort"

	"arcv2dsp/internal/program/elfarc"
)

func readELF(data []byte) (*Image, error) {
	f, err := elfarc.Read(data)
	if err != nil {
		return nil, err
	}
	switch f.Type {
	case elf.ET_REL:
		return nil, fmt.Errorf("offset 0x10: a relocatable object, not a program: link it first")
	case elf.ET_DYN:
		return nil, fmt.Errorf("offset 0x10: a shared object or position-independent program: link it with -no-pie -static")
	}
	im := &Image{Format: FormatELF, Entry: f.Entry, HasEntry: true, BigEndian: f.BigEndian, Flags: f.Flags, ELF: data}
	for i, seg := range f.Segments {
		switch seg.Type {
		case elf.PT_INTERP:
			return nil, fmt.Errorf("offset %#x: segment %d asks for a dynamic linker: link the program with -static", seg.Offset, i)
		case elf.PT_LOAD:
			if seg.MemSz == 0 {
				continue
			}
			im.Segments = append(im.Segments, Segment{
				Addr: seg.PAddr, Data: seg.Data, ZeroAddr: seg.VAddr + seg.FileSz, Zero: seg.MemSz - seg.FileSz,
				Flags: seg.Flags, off: uint64(seg.Offset),
			})
		}
	}
	if len(im.Segments) == 0 {
		return nil, fmt.Errorf("the program has no loadable segments")
	}
	if err := im.finish(); err != nil {
		return nil, err
	}
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 {
			im.Sections = append(im.Sections, Section{Name: s.Name, Addr: s.Addr, Size: s.Len(), Flags: s.Flags})
		}
	}
	sort.SliceStable(im.Sections, func(i, j int) bool { return im.Sections[i].Addr < im.Sections[j].Addr })
	im.Symbols = newSymbols(f)
	return im, nil
}
