package loader

import (
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/hostfile"
	"debug/elf"
	"errors"
	"fmt"
	"sort"
)

// Memory is the part of a memory that Load needs; *memory.Space is one.
type Memory interface {
	// Poke stores data at addr and the following addresses, or says why it cannot.
	Poke(addr uint32, data []byte) error
}

// Format is the kind of file an image came from.
type Format uint8

const (
	FormatELF Format = iota
	FormatHex
	FormatBinary
)

func (f Format) String() string {
	switch f {
	case FormatHex:
		return "Intel hex"
	case FormatBinary:
		return "binary"
	}
	return "ELF"
}

// maxProgram bounds the file of a program.
const maxProgram = 1 << 30

// Image is a program ready to be loaded.
type Image struct {
	Name      string // file name, for messages
	Format    Format
	Entry     uint32
	HasEntry  bool // raw binaries and some hex files name no entry
	BigEndian bool
	Flags     uint32    // e_flags, 0 when the file is not ELF
	Segments  []Segment // sorted by load address
	Sections  []Section // sorted by address, allocated ones only
	Symbols   *Symbols  // never nil

	ELF []byte // the whole file, for readers of debug information; nil when it is not ELF
}

// Segment is a piece of memory that the program defines. Data is stored at Addr; Zero bytes that read
// as zero follow it in memory as the program runs, at ZeroAddr. Both are adjacent unless the program is
// linked to be copied from its load address to its run address.
type Segment struct {
	Addr     uint32
	Data     []byte
	ZeroAddr uint32
	Zero     uint32
	Flags    elf.ProgFlag
	off      uint64 // in the file, for messages
}

// Section is an allocated section of an ELF file.
type Section struct {
	Name  string
	Addr  uint32
	Size  uint32
	Flags elf.SectionFlag
}

// Error is the reason why a file cannot be loaded.
type Error struct {
	Name string
	Err  error
}

func (e *Error) Error() string { return e.Name + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Open reads a program from a file and finds out its format. A file of no format is refused by its first bytes: it
// does not fill memory before.
func Open(path string) (*Image, error) {
	data, err := hostfile.ReadKind(path, maxProgram, func(head []byte) error {
		if len(head) > 0 && !elfarc.IsELF(head) && !isHex(head) && !elfarc.IsArchive(head) {
			return &Error{Name: path, Err: ErrNoFormat}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

// ErrNoFormat is the reason why Read refuses a file whose contents it does not know.
var ErrNoFormat = errors.New("offset 0x0: neither an ELF file nor Intel hex (a raw binary needs a load address)")

// Read reads a program whose format shows in its first bytes: ELF or Intel hex. The image shares data.
func Read(name string, data []byte) (*Image, error) {
	var im *Image
	var err error
	switch {
	case len(data) == 0:
		err = fmt.Errorf("the file is empty")
	case elfarc.IsELF(data):
		im, err = readELF(data)
	case isHex(data):
		im, err = readHex(data)
	case elfarc.IsArchive(data):
		err = fmt.Errorf("an archive, not a program: link it first")
	default:
		err = ErrNoFormat
	}
	if err != nil {
		return nil, &Error{Name: name, Err: err}
	}
	im.Name = name
	return im, nil
}

// ReadBinary makes an image of raw bytes that go to addr. It has no entry.
func ReadBinary(name string, data []byte, addr uint32) (*Image, error) {
	if len(data) == 0 {
		return nil, &Error{Name: name, Err: fmt.Errorf("the file is empty")}
	}
	if uint64(addr)+uint64(len(data)) > 1<<32 {
		return nil, &Error{Name: name, Err: fmt.Errorf("%#x bytes at %#x reach beyond the address space", len(data), addr)}
	}
	end := addr + uint32(len(data)) // wraps to 0 at the top, where no zeros follow
	return &Image{
		Name: name, Format: FormatBinary, Symbols: newSymbols(nil),
		Segments: []Segment{{Addr: addr, Data: data, ZeroAddr: end, Flags: elf.PF_R | elf.PF_W | elf.PF_X}},
	}, nil
}

// maxImage bounds what an image may occupy; the memory has its own limit.
const maxImage = 1 << 30

// Load puts the image into memory: the zeros first, then the data.
func (im *Image) Load(m Memory) error {
	total := uint64(0)
	for _, s := range im.Segments {
		if total += uint64(len(s.Data)) + uint64(s.Zero); total > maxImage {
			return &Error{Name: im.Name, Err: fmt.Errorf("offset %#x: the segment of %#x bytes at %#x makes the program larger than %d MiB",
				s.off, uint64(len(s.Data))+uint64(s.Zero), s.Addr, maxImage>>20)}
		}
	}
	var zeros [4096]byte
	for _, s := range im.Segments {
		for at, left := s.ZeroAddr, s.Zero; left > 0; {
			n := min(left, uint32(len(zeros)))
			if err := m.Poke(at, zeros[:n]); err != nil {
				return &Error{Name: im.Name, Err: fmt.Errorf("cannot load %#x zero bytes at %#x: %w", s.Zero, s.ZeroAddr, err)}
			}
			at, left = at+n, left-n
		}
	}
	for _, s := range im.Segments {
		if len(s.Data) == 0 {
			continue
		}
		if err := m.Poke(s.Addr, s.Data); err != nil {
			return &Error{Name: im.Name, Err: fmt.Errorf("cannot load %#x bytes at %#x: %w", len(s.Data), s.Addr, err)}
		}
	}
	return nil
}

// Section returns the section in which an address lies.
func (im *Image) Section(addr uint32) (Section, bool) {
	i := sort.Search(len(im.Sections), func(i int) bool { return im.Sections[i].Addr > addr })
	for i--; i >= 0; i-- {
		if s := im.Sections[i]; addr-s.Addr < s.Size {
			return s, true
		} else if s.Size > 0 {
			break
		}
	}
	return Section{}, false
}

// Bytes copies the contents that the image defines at addr, as far as they reach; for a disassembler
// or a debugger that has no memory yet.
func (im *Image) Bytes(addr uint32, n int) []byte {
	for _, s := range im.Segments {
		if off := addr - s.Addr; addr >= s.Addr && uint64(off) < uint64(len(s.Data)) {
			return s.Data[off:min(len(s.Data), int(off)+n)]
		}
	}
	return nil
}

// finish sorts the segments and refuses those that overlap.
func (im *Image) finish() error {
	type span struct {
		from, to uint64
		off      uint64
	}
	var spans []span
	for _, s := range im.Segments {
		if len(s.Data) > 0 {
			spans = append(spans, span{from: uint64(s.Addr), to: uint64(s.Addr) + uint64(len(s.Data)), off: s.off})
		}
		if s.Zero > 0 {
			spans = append(spans, span{from: uint64(s.ZeroAddr), to: uint64(s.ZeroAddr) + uint64(s.Zero), off: s.off})
		}
	}
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].from < spans[j].from })
	for i := 1; i < len(spans); i++ {
		if a, b := spans[i-1], spans[i]; b.from < a.to {
			return fmt.Errorf("offset %#x: %#x..%#x overlaps %#x..%#x of the segment at offset %#x", b.off, b.from, b.to, a.from, a.to, a.off)
		}
	}
	sort.SliceStable(im.Segments, func(i, j int) bool { return im.Segments[i].Addr < im.Segments[j].Addr })
	return nil
}
