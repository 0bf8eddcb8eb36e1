package dwarf

import "arcv2dsp/internal/program/elfarc"

// Unit describes an assembler source for debuggers: the part that DWARF wants beside the line table. It is
// written as DWARF 4.
type Unit struct {
	Name      string // source file
	CompDir   string
	Producer  string
	Code      []Extent // the code of the source, one extent for each section
	Functions []Subprogram
	Sections  UnitSections
}

// Extent is a piece of a section.
type Extent struct {
	Section *elfarc.Symbol // section symbol
	Off     uint32
	Size    uint32
}

// Subprogram is a function of the source.
type Subprogram struct {
	Extent
	Name     string
	File     int
	Line     int
	External bool
}

// UnitSections are the section symbols of the debug sections, which refer to each other.
type UnitSections struct{ Info, Abbrev, Line, Ranges *elfarc.Symbol }

// Contents is the bytes of a section with their relocations.
type Contents struct {
	Data   []byte
	Relocs []elfarc.Rela
}

// UnitContents are the sections that describe a unit. Ranges is empty when one extent is enough.
type UnitContents struct{ Info, Abbrev, Aranges, Ranges Contents }

// DWARF constants of the entries written here.
const (
	tagCompileUnit = 0x11
	tagSubprogram  = 0x2e

	atName     = 0x03
	atStmtList = 0x10
	atLowpc    = 0x11
	atHighpc   = 0x12
	atLanguage = 0x13
	atCompDir  = 0x1b
	atProducer = 0x25
	atDeclFile = 0x3a
	atDeclLine = 0x3b
	atExternal = 0x3f
	atRanges   = 0x55

	formAddr      = 0x01
	formData2     = 0x05
	formData4     = 0x06
	formString    = 0x08
	formFlag      = 0x0c
	formUdata     = 0x0f
	formSecOffset = 0x17

	langMipsAssembler = 0x8001 // as assemblers of all processors say
)

// Numbers of the abbreviations.
const (
	abbrevUnit = iota + 1
	abbrevUnitRanges
	abbrevFunction
)

// abbrevs lists tag, children and attributes of each abbreviation.
var abbrevs = [...]struct {
	number, tag uint64
	children    byte
	attrs       [][2]uint64
}{
	{
		number: abbrevUnit, tag: tagCompileUnit, children: 1,
		attrs: [][2]uint64{{atStmtList, formSecOffset}, {atLowpc, formAddr}, {atHighpc, formData4},
			{atName, formString}, {atCompDir, formString}, {atProducer, formString}, {atLanguage, formData2}},
	},
	{
		number: abbrevUnitRanges, tag: tagCompileUnit, children: 1,
		attrs: [][2]uint64{{atStmtList, formSecOffset}, {atRanges, formSecOffset}, {atLowpc, formAddr},
			{atName, formString}, {atCompDir, formString}, {atProducer, formString}, {atLanguage, formData2}},
	},
	{
		number: abbrevFunction, tag: tagSubprogram, children: 0,
		attrs: [][2]uint64{{atName, formString}, {atExternal, formFlag}, {atDeclFile, formUdata},
			{atDeclLine, formUdata}, {atLowpc, formAddr}, {atHighpc, formData4}},
	},
}

// Encode returns the contents of the debug sections beside .debug_line.
func (u *Unit) Encode(big bool) UnitContents {
	info, abbrev, aranges, ranges := newEncoder(big), newEncoder(big), newEncoder(big), newEncoder(big)
	for _, a := range abbrevs {
		abbrev.uleb(a.number)
		abbrev.uleb(a.tag)
		abbrev.u8(a.children)
		for _, at := range a.attrs {
			abbrev.uleb(at[0])
			abbrev.uleb(at[1])
		}
		abbrev.uleb(0)
		abbrev.uleb(0)
	}
	abbrev.uleb(0)

	end := info.length()
	info.u16(4)
	info.addr(u.Sections.Abbrev, 0)
	info.u8(4)
	if len(u.Code) == 1 {
		info.uleb(abbrevUnit)
		info.addr(u.Sections.Line, 0)
		info.addr(u.Code[0].Section, int32(u.Code[0].Off))
		info.u32(u.Code[0].Size)
	} else {
		info.uleb(abbrevUnitRanges)
		info.addr(u.Sections.Line, 0)
		info.addr(u.Sections.Ranges, 0)
		info.u32(0) // base of the ranges
		for _, x := range u.Code {
			if x.Size > 0 {
				ranges.addr(x.Section, int32(x.Off))
				ranges.addr(x.Section, int32(x.Off+x.Size))
			}
		}
		ranges.u32(0)
		ranges.u32(0)
	}
	info.str(u.Name)
	info.str(u.CompDir)
	info.str(u.Producer)
	info.u16(langMipsAssembler)
	for _, f := range u.Functions {
		info.uleb(abbrevFunction)
		info.str(f.Name)
		external := byte(0)
		if f.External {
			external = 1
		}
		info.u8(external)
		info.uleb(uint64(f.File))
		info.uleb(uint64(f.Line))
		info.addr(f.Section, int32(f.Off))
		info.u32(f.Size)
	}
	info.u8(0) // end of the unit's children
	end()

	end = aranges.length()
	aranges.u16(2)
	aranges.addr(u.Sections.Info, 0)
	aranges.u8(4) // address size
	aranges.u8(0) // segment selector size
	for len(aranges.data)%8 != 0 {
		aranges.u8(0)
	}
	for _, x := range u.Code {
		if x.Size > 0 {
			aranges.addr(x.Section, int32(x.Off))
			aranges.u32(x.Size)
		}
	}
	aranges.u32(0)
	aranges.u32(0)
	end()

	return UnitContents{
		Info:    Contents{Data: info.data, Relocs: info.relocs},
		Abbrev:  Contents{Data: abbrev.data},
		Aranges: Contents{Data: aranges.data, Relocs: aranges.relocs},
		Ranges:  Contents{Data: ranges.data, Relocs: ranges.relocs},
	}
}
