package elfarc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Member is one file of an archive.
type Member struct {
	Name string
	Data []byte
	Off  uint64 // offset of the member's header in the archive, for messages
}

// Archive is a static library in the GNU ar format.
type Archive struct {
	Members []*Member
	// Index is the symbol index: which member defines what, in the order of the file; nil when the
	// archive has none.
	Index []IndexEntry
}

// IndexEntry is one definition of the symbol index.
type IndexEntry struct {
	Name   string
	Member *Member
}

const (
	archiveMagic     = "!<arch>\n"
	archiveThinMagic = "!<thin>\n"
	arHeaderSize     = 60
	arHeaderEnd      = "`\n"
)

// IsArchive tells whether data starts like an archive.
func IsArchive(data []byte) bool {
	return bytes.HasPrefix(data, []byte(archiveMagic)) || bytes.HasPrefix(data, []byte(archiveThinMagic))
}

// ReadArchive parses an archive: members, long names and symbol index. Errors are *FormatError.
func ReadArchive(data []byte) (*Archive, error) {
	if bytes.HasPrefix(data, []byte(archiveThinMagic)) {
		return nil, formatErr(0, "thin archives are not supported: make one without the T modifier")
	}
	if !bytes.HasPrefix(data, []byte(archiveMagic)) {
		return nil, formatErr(0, "not an archive")
	}
	a := &Archive{}
	var index, longNames []byte
	var indexOff uint64
	byOff := make(map[uint64]*Member)
	for off := uint64(len(archiveMagic)); off < uint64(len(data)); {
		if uint64(len(data))-off < arHeaderSize {
			if len(bytes.Trim(data[off:], "\n")) == 0 {
				break // padding after the last member
			}
			return nil, formatErr(off, "truncated member header")
		}
		h := data[off : off+arHeaderSize]
		if string(h[58:60]) != arHeaderEnd {
			return nil, formatErr(off+58, "bad member header")
		}
		size, err := strconv.ParseUint(strings.TrimRight(string(h[48:58]), " "), 10, 63)
		if err != nil {
			return nil, formatErr(off+48, "bad member size %q", h[48:58])
		}
		start := off + arHeaderSize
		if size > uint64(len(data))-start {
			return nil, formatErr(off+48, "member of %d bytes lies beyond the end of the archive (%d bytes)", size, len(data))
		}
		body := data[start : start+size : start+size]
		name := strings.TrimRight(string(h[:16]), " ")
		switch {
		case name == "/":
			index, indexOff = body, start
		case name == "//":
			longNames = body
		case name == "/SYM64/":
			return nil, formatErr(off, "64-bit symbol index is not supported")
		default:
			if name, body, err = memberName(name, body, longNames); err != nil {
				return nil, formatErr(off, "%v", err)
			}
			if name != "__.SYMDEF" && name != "__.SYMDEF SORTED" {
				m := &Member{Name: name, Data: body, Off: off}
				a.Members = append(a.Members, m)
				byOff[off] = m
			}
		}
		off = start + size + size&1
	}
	if index != nil {
		if err := a.readIndex(index, indexOff, byOff); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// memberName resolves the three spellings of a name: "name/", "/offset" into the long-name member, and
// the BSD "#1/length" in front of the contents.
func memberName(name string, body, longNames []byte) (string, []byte, error) {
	switch {
	case strings.HasPrefix(name, "#1/"):
		n, err := strconv.ParseUint(name[3:], 10, 31)
		if err != nil || n > uint64(len(body)) {
			return "", nil, fmt.Errorf("bad member name %q", name)
		}
		return strings.TrimRight(string(body[:n]), "\x00"), body[n:], nil
	case strings.HasPrefix(name, "/"):
		off, err := strconv.ParseUint(name[1:], 10, 31)
		if err != nil || off >= uint64(len(longNames)) {
			return "", nil, fmt.Errorf("bad member name %q", name)
		}
		end := bytes.IndexByte(longNames[off:], '\n')
		if end < 0 || end > maxMemberName {
			return "", nil, fmt.Errorf("unterminated long member name at %d", off)
		}
		return strings.TrimSuffix(string(longNames[off:off+uint64(end)]), "/"), body, nil
	}
	return strings.TrimSuffix(name, "/"), body, nil
}

// maxMemberName bounds a long member name: file names are shorter.
const maxMemberName = 4096

func (a *Archive) readIndex(data []byte, base uint64, byOff map[uint64]*Member) error {
	if len(data) < 4 {
		return formatErr(base, "truncated symbol index")
	}
	n := uint64(binary.BigEndian.Uint32(data))
	if n > uint64(len(data)-4)/4 {
		return formatErr(base, "symbol index of %d symbols in %d bytes", n, len(data))
	}
	names := data[4+4*n:]
	a.Index = make([]IndexEntry, 0, n)
	for i := range n {
		end := bytes.IndexByte(names, 0)
		if end < 0 {
			return formatErr(base, "symbol index: name %d of %d does not end", i, n)
		}
		off := uint64(binary.BigEndian.Uint32(data[4+4*i:]))
		m := byOff[off]
		if m == nil {
			return formatErr(base+4+4*i, "symbol index: %q is at %#x, which is no member", names[:end], off)
		}
		a.Index = append(a.Index, IndexEntry{Name: string(names[:end]), Member: m})
		names = names[end+1:]
	}
	return nil
}

// Bytes returns the archive as a file with the symbol index of the given members' global definitions.
// Times, owners and modes are zero, so that equal members give equal archives.
func (a *Archive) Bytes() ([]byte, error) {
	type entry struct {
		name   string
		member int
	}
	var entries []entry
	var longNames []byte
	names := make([]string, len(a.Members))
	indexSize := 4
	for i, m := range a.Members {
		f, err := Read(m.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		for _, s := range f.Symbols {
			if s.Bind != 0 && !s.Undefined() {
				entries = append(entries, entry{name: s.Name, member: i})
				indexSize += 4 + len(s.Name) + 1
			}
		}
		if strings.ContainsAny(m.Name, "/\n") || m.Name == "" {
			return nil, fmt.Errorf("%q cannot name an archive member", m.Name)
		}
		if names[i] = m.Name + "/"; len(names[i]) > 16 {
			names[i] = "/" + strconv.Itoa(len(longNames))
			longNames = append(longNames, m.Name+"/\n"...)
		}
	}
	out := []byte(archiveMagic)
	member := func(name string, body []byte) {
		out = fmt.Appendf(out, "%-16s%-12d%-6d%-6d%-8o%-10d%s", name, 0, 0, 0, 0o644, len(body), arHeaderEnd)
		if out = append(out, body...); len(body)&1 != 0 {
			out = append(out, '\n')
		}
	}
	// The offsets in the index depend on the sizes of the index and the long names only.
	off := len(archiveMagic) + arHeaderSize + indexSize + indexSize&1
	if longNames != nil {
		off += arHeaderSize + len(longNames) + len(longNames)&1
	}
	offsets := make([]uint32, len(a.Members))
	for i, m := range a.Members {
		offsets[i] = uint32(off)
		off += arHeaderSize + len(m.Data) + len(m.Data)&1
	}
	index := binary.BigEndian.AppendUint32(nil, uint32(len(entries)))
	for _, e := range entries {
		index = binary.BigEndian.AppendUint32(index, offsets[e.member])
	}
	for _, e := range entries {
		index = append(append(index, e.name...), 0)
	}
	member("/", index)
	if longNames != nil {
		member("//", longNames)
	}
	for i, m := range a.Members {
		member(names[i], m.Data)
	}
	return out, nil
}
