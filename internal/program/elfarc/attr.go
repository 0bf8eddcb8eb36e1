package elfarc

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// AttrTag is a tag of the .ARC.attributes section.
type AttrTag uint32

// Tags of vendor "ARC". Tags 7, 16, 17 and odd tags above 32 hold a string, the others a number.
const (
	TagPCSConfig     AttrTag = 4
	TagCPUBase       AttrTag = 5 // 3 EM, 4 HS
	TagCPUVariation  AttrTag = 6
	TagCPUName       AttrTag = 7
	TagABIRF16       AttrTag = 8
	TagABIOSVer      AttrTag = 9
	TagABISDA        AttrTag = 10
	TagABIPIC        AttrTag = 11
	TagABITLS        AttrTag = 12
	TagABIEnumSize   AttrTag = 13
	TagABIExceptions AttrTag = 14
	TagABIDoubleSize AttrTag = 15
	TagISAConfig     AttrTag = 16
	TagISAApex       AttrTag = 17
	TagISAMpyOption  AttrTag = 18
	TagAtrVersion    AttrTag = 20
	TagCompatibility AttrTag = 32 // a number followed by a string
)

// Values of TagCPUBase.
const (
	CPUBaseNone    = 0
	CPUBaseARC6xx  = 1
	CPUBaseARC7xx  = 2
	CPUBaseARCv2EM = 3
	CPUBaseARCv2HS = 4
)

const attrVendor = "ARC"

// Attr is one attribute; which of the values counts follows from the tag.
type Attr struct {
	Tag AttrTag
	Num uint32
	Str string
}

// HasNum tells whether the tag's value has a number, HasStr whether it has a string.
func (t AttrTag) HasNum() bool { return t == TagCompatibility || !t.HasStr() }

// HasStr tells whether the tag's value has a string.
func (t AttrTag) HasStr() bool {
	switch t {
	case TagCPUName, TagISAConfig, TagISAApex, TagCompatibility:
		return true
	}
	return t > TagCompatibility && t&1 == 1
}

// Attrs is the content of an .ARC.attributes section, sorted by tag.
type Attrs []Attr

// Get returns the attribute of a tag, or a zero one.
func (as Attrs) Get(tag AttrTag) Attr {
	for _, a := range as {
		if a.Tag == tag {
			return a
		}
	}
	return Attr{Tag: tag}
}

// Set replaces or adds an attribute.
func (as *Attrs) Set(a Attr) {
	for i := range *as {
		if (*as)[i].Tag == a.Tag {
			(*as)[i] = a
			return
		}
	}
	*as = append(*as, a)
	sort.Slice(*as, func(i, j int) bool { return (*as)[i].Tag < (*as)[j].Tag })
}

// Encode returns the bytes of the section. Attributes that say nothing (zero, empty) are left out, as
// the GNU tools do; nil when nothing remains.
func (as Attrs) Encode(big bool) []byte {
	var body []byte
	for _, a := range as {
		if a.Num == 0 && a.Str == "" {
			continue
		}
		body = binary.AppendUvarint(body, uint64(a.Tag))
		if a.Tag.HasNum() {
			body = binary.AppendUvarint(body, uint64(a.Num))
		}
		if a.Tag.HasStr() {
			body = append(append(body, a.Str...), 0)
		}
	}
	if body == nil {
		return nil
	}
	order := byteOrder(big)
	fileLen := 1 + 4 + len(body) // Tag_File, its length, the attributes
	vendorLen := 4 + len(attrVendor) + 1 + fileLen
	out := []byte{'A'}
	out = order.AppendUint32(out, uint32(vendorLen))
	out = append(append(out, attrVendor...), 0)
	out = append(out, 1)
	out = order.AppendUint32(out, uint32(fileLen))
	return append(out, body...)
}

// DecodeAttrs reads an .ARC.attributes section. Subsections of other vendors and attributes of single
// sections or symbols are skipped.
func DecodeAttrs(data []byte, big bool) (Attrs, error) {
	fail := func(off int, what string) (Attrs, error) {
		return nil, fmt.Errorf("%s: offset %#x: %s", SectionAttributes, off, what)
	}
	if len(data) == 0 {
		return nil, nil
	}
	if data[0] != 'A' {
		return fail(0, fmt.Sprintf("unknown format %#x", data[0]))
	}
	order := byteOrder(big)
	var attrs Attrs
	for off := 1; off < len(data); {
		rest := data[off:]
		if len(rest) < 4 {
			return fail(off, "truncated vendor section")
		}
		n := order.Uint32(rest)
		if n < 5 || uint64(n) > uint64(len(rest)) {
			return fail(off, fmt.Sprintf("bad vendor section length %#x", n))
		}
		sect := rest[4:n]
		vendor, used := cString(sect)
		if used < 0 {
			return fail(off+4, "unterminated vendor name")
		}
		if vendor == attrVendor {
			if err := decodeVendor(sect[used:], off+4+used, big, &attrs); err != nil {
				return nil, err
			}
		}
		off += int(n)
	}
	return attrs, nil
}

func decodeVendor(data []byte, base int, big bool, attrs *Attrs) error {
	order := byteOrder(big)
	for off := 0; off < len(data); {
		scope, used := binary.Uvarint(data[off:])
		if used <= 0 || len(data)-off-used < 4 {
			return fmt.Errorf("%s: offset %#x: truncated attribute list", SectionAttributes, base+off)
		}
		n := order.Uint32(data[off+used:])
		if n < uint32(used)+4 || uint64(n) > uint64(len(data)-off) {
			return fmt.Errorf("%s: offset %#x: bad attribute list length %#x", SectionAttributes, base+off, n)
		}
		if scope == 1 { // Tag_File
			if err := decodeList(data[off+used+4:off+int(n)], base+off+used+4, attrs); err != nil {
				return err
			}
		}
		off += int(n)
	}
	return nil
}

// maxAttrs bounds the list; the ABI defines about twenty.
const maxAttrs = 256

func decodeList(data []byte, base int, attrs *Attrs) error {
	for off := 0; off < len(data); {
		at := base + off
		tag, used := binary.Uvarint(data[off:])
		if used <= 0 || tag > 1<<31 {
			return fmt.Errorf("%s: offset %#x: bad tag", SectionAttributes, at)
		}
		off += used
		a := Attr{Tag: AttrTag(tag)}
		if a.Tag.HasNum() {
			v, used := binary.Uvarint(data[off:])
			if used <= 0 || v > 1<<32-1 {
				return fmt.Errorf("%s: offset %#x: bad value of tag %d", SectionAttributes, at, tag)
			}
			a.Num, off = uint32(v), off+used
		}
		if a.Tag.HasStr() {
			s, used := cString(data[off:])
			if used < 0 {
				return fmt.Errorf("%s: offset %#x: unterminated value of tag %d", SectionAttributes, at, tag)
			}
			a.Str, off = s, off+used
		}
		if attrs.Set(a); len(*attrs) > maxAttrs {
			return fmt.Errorf("%s: offset %#x: more than %d attributes", SectionAttributes, at, maxAttrs)
		}
	}
	return nil
}

// cString reads a NUL-terminated string; used counts the NUL and is -1 when there is none.
func cString(b []byte) (s string, used int) {
	for i, c := range b {
		if c == 0 {
			return string(b[:i]), i + 1
		}
	}
	return "", -1
}
