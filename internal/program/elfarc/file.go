package elfarc

import (
	"debug/elf"
	"encoding/binary"
)

// File is a 32-bit ELF file for ARC in memory: a relocatable object or an executable. The section
// header, symbol, string and relocation tables are not among Sections; they are made by Write and
// resolved by Read.
type File struct {
	Type      elf.Type // elf.ET_REL or elf.ET_EXEC
	Machine   uint16   // MachineARCv2
	Flags     uint32   // e_flags
	BigEndian bool
	Entry     uint32

	Sections []*Section // without the null section
	Symbols  []*Symbol  // without the null symbol; Write puts local ones first
	Groups   []*Group   // section groups, relocatable objects only
	Segments []*Segment // program headers, executables only
}

// Section is one section of a File.
type Section struct {
	Name  string
	Type  elf.SectionType
	Flags elf.SectionFlag
	Addr  uint32
	Align uint32
	Data  []byte // contents; nil for SHT_NOBITS
	Size  uint32 // of SHT_NOBITS sections; else len(Data) counts
	Entry uint32 // sh_entsize

	Link   *Section // of SHF_LINK_ORDER sections: the section whose order they follow
	Info   uint32   // sh_info when it is a plain number
	Relocs []Rela
	Group  *Group // the group it is a member of

	Index  int    // number in the section header table, set by Read and Write
	Offset uint32 // of the contents in the file, set by Read and Write
}

// Len returns the size of the section in memory.
func (s *Section) Len() uint32 {
	if s.Type == elf.SHT_NOBITS {
		return s.Size
	}
	return uint32(len(s.Data))
}

// Symbol is one entry of the symbol table.
type Symbol struct {
	Name  string
	Value uint32 // offset in Section for objects, address for executables; alignment for commons
	Size  uint32
	Bind  elf.SymBind
	Type  elf.SymType
	Vis   elf.SymVis

	Section *Section         // where it is defined; nil for the reserved indices
	Index   elf.SectionIndex // SHN_UNDEF, SHN_ABS or SHN_COMMON when Section is nil

	number uint32 // in the symbol table, set by Write
}

// Undefined tells whether the symbol only refers to a definition elsewhere.
func (s *Symbol) Undefined() bool { return s.Section == nil && s.Index == elf.SHN_UNDEF }

// Common tells whether the symbol is a common block: allocated by the linker unless defined.
func (s *Symbol) Common() bool { return s.Section == nil && s.Index == elf.SHN_COMMON }

// Rela is one relocation of a section.
type Rela struct {
	Offset uint32
	Type   Reloc
	Sym    *Symbol // nil for symbol 0
	Addend int32
}

// Group is a section group; of several comdat groups with one signature only the first is linked.
type Group struct {
	Signature *Symbol
	Comdat    bool
	Members   []*Section
}

// Segment is one program header. The sections it holds must be consecutive in File.Sections, sorted by
// address; Write places their contents so that file offset and address agree modulo Align.
type Segment struct {
	Type  elf.ProgType
	Flags elf.ProgFlag
	VAddr uint32
	PAddr uint32
	MemSz uint32
	Align uint32

	Sections []*Section // contents, for Write

	Offset uint32 // set by Read and Write
	FileSz uint32 // set by Read and Write
	Data   []byte // contents, set by Read
}

// orderBoth has the methods of encoding/binary's byte orders.
type orderBoth interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func byteOrder(big bool) orderBoth {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Sizes of the tables' entries in 32-bit files.
const (
	ehdrSize = 52
	phdrSize = 32
	shdrSize = 40
	symSize  = 16
	relaSize = 12
	relSize  = 8
)
