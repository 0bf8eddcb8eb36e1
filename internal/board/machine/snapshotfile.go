package machine

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// State is a snapshot without memory, in the form in which it stands in a file.
type State struct {
	CPU    []byte       `json:"cpu"`
	ICache []uint32     `json:"icache,omitempty"`
	DCache []uint32     `json:"dcache,omitempty"`
	Host   hostio.State `json:"host"`
	BoardState
	NextTick uint64 `json:"next_tick"`
	Exited   bool   `json:"exited,omitempty"`
	ExitCode uint32 `json:"exit_code,omitempty"`
	Off      bool   `json:"off,omitempty"`
	Unserved bool   `json:"unserved,omitempty"`
	Pending  uint32 `json:"pending,omitempty"`
}

// A snapshot file is, in this order: the magic line, the version in 32 bits, the compressed body,
// and the SHA-256 of all before it. The body is the length of a JSON header in 32 bits, the header,
// then for each page of memory its address in 32 bits and its contents. docs/formats.md describes
// the header.
const (
	snapshotMagic   = "arcv2dsp snapshot\n"
	snapshotVersion = 1

	maxSnapshotHeader = 16 << 20
)

// Header is the header of a snapshot file.
type Header struct {
	Core     string           `json:"core"`
	Settings []config.Setting `json:"settings"`
	Program  string           `json:"program"`
	Digest   []byte           `json:"digest"` // of the program's segments
	Insts    uint64           `json:"instructions"`
	Cycles   uint64           `json:"cycles"`
	Pages    uint32           `json:"pages"`
	State    State            `json:"state"`
}

// EncodeSnapshot returns the contents of a snapshot file.
func EncodeSnapshot(h Header, mem *memory.Snapshot) ([]byte, error) {
	addrs := mem.Addrs()
	slices.Sort(addrs)
	h.Pages = uint32(len(addrs))
	header, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	file.WriteString(snapshotMagic)
	_ = binary.Write(&file, binary.LittleEndian, uint32(snapshotVersion)) // a buffer takes anything
	body, err := flate.NewWriter(&file, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriter(body)
	_ = binary.Write(out, binary.LittleEndian, uint32(len(header)))
	_, _ = out.Write(header)
	for _, addr := range addrs {
		_ = binary.Write(out, binary.LittleEndian, addr)
		_, _ = out.Write(mem.Page(addr)[:])
	}
	if err := errors.Join(out.Flush(), body.Close()); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(file.Bytes())
	file.Write(sum[:])
	return file.Bytes(), nil
}

// ReadSnapshot reads a snapshot file of a program that may write to limit bytes. fits judges the header
// before any memory is read.
func ReadSnapshot(path string, limit uint64, fits func(*Header) error) (*Header, *memory.Snapshot, error) {
	room := min(limit, 1<<40)
	data, err := readSnapshotFile(path, int64(room+room/256+maxSnapshotHeader)) // what cannot be compressed grows
	if err != nil {
		return nil, nil, err
	}
	rest := data[len(snapshotMagic):]
	if len(rest) < 4+sha256.Size {
		return nil, nil, errors.New("the snapshot is truncated")
	}
	if v := binary.LittleEndian.Uint32(rest); v != snapshotVersion {
		return nil, nil, fmt.Errorf("a snapshot of version %d, this is for version %d", v, snapshotVersion)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, nil, errors.New("the snapshot is damaged: its checksum is wrong")
	}
	body := bufio.NewReader(flate.NewReader(bytes.NewReader(rest[4 : len(rest)-sha256.Size])))
	var n uint32
	if err := binary.Read(body, binary.LittleEndian, &n); err != nil || n > maxSnapshotHeader {
		return nil, nil, errors.New("the snapshot has no header")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(body, text); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	h := &Header{}
	if err := json.Unmarshal(text, h); err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	if err := fits(h); err != nil {
		return nil, nil, err
	}
	mem := memory.NewSnapshot()
	for range h.Pages {
		var addr uint32
		page := new([memory.PageSize]byte)
		if err := binary.Read(body, binary.LittleEndian, &addr); err != nil {
			return nil, nil, fmt.Errorf("memory: %w", err)
		}
		if _, err := io.ReadFull(body, page[:]); err != nil {
			return nil, nil, fmt.Errorf("memory at 0x%08x: %w", addr, err)
		}
		mem.Put(addr, page)
	}
	return h, mem, nil
}

// readSnapshotFile reads a file that begins as a snapshot does, and no more of another one than that: it
// may be a device that never ends.
func readSnapshotFile(path string, limit int64) ([]byte, error) {
	data, err := hostfile.ReadKind(path, limit, func(head []byte) error {
		if !bytes.HasPrefix(head, []byte(snapshotMagic)) {
			return errors.New("this is no snapshot")
		}
		return nil
	})
	if errors.As(err, new(*hostfile.TooLongError)) {
		return nil, fmt.Errorf("the snapshot has more than %d bytes, which the memory limit allows", limit)
	}
	return data, err
}

// Fits compares core, program and memory limit of a machine with those of a snapshot.
func (h *Header) Fits(im *loader.Image, options []config.Setting, limit uint64) error {
	if !bytes.Equal(h.Digest, Digest(im)) {
		return fmt.Errorf("%w: it is one of %s, %s is loaded", ErrSnapshot, h.Program, im.Name)
	}
	for i, theirs := range h.Settings {
		if i >= len(options) || options[i].Name != theirs.Name {
			return fmt.Errorf("%w: it knows other properties, such as %s", ErrSnapshot, theirs.Name)
		}
		if options[i].Value != theirs.Value {
			return fmt.Errorf("%w: it has %s=%s, the core has %s", ErrSnapshot, theirs.Name, theirs.Value, options[i].Value)
		}
	}
	if uint64(h.Pages)*memory.PageSize > limit {
		return fmt.Errorf("%w: its %d MB are more than the memory limit", ErrSnapshot, h.Pages>>8)
	}
	return nil
}

// Digest identifies a program by what it puts into memory.
func Digest(im *loader.Image) []byte {
	h := sha256.New()
	for _, s := range im.Segments {
		_ = binary.Write(h, binary.LittleEndian, []uint32{s.Addr, uint32(len(s.Data)), s.ZeroAddr, s.Zero})
		h.Write(s.Data)
	}
	return h.Sum(nil)
}
