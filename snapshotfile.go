package arcv2dsp

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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/internal/config"
	"arcv2dsp/loader"
	"arcv2dsp/memory"
)

// A snapshot file is, in this order: the magic line, the version in 32 bits, the compressed body,
// and the SHA-256 of all before it. The body is the length of a JSON header in 32 bits, the header,
// then for each page of memory its address in 32 bits and its contents. docs/formats.md describes
// the header.
const (
	snapshotMagic   = "arcv2dsp snapshot\n"
	snapshotVersion = 1

	maxSnapshotHeader = 16 << 20
)

type snapshotHeader struct {
	Core     string           `json:"core"`
	Settings []config.Setting `json:"settings"`
	Program  string           `json:"program"`
	Digest   []byte           `json:"digest"` // of the program's segments
	Insts    uint64           `json:"instructions"`
	Cycles   uint64           `json:"cycles"`
	Pages    uint32           `json:"pages"`
	State    savedState       `json:"state"`
}

// SaveFile writes a snapshot to a file. The file is there completely or not at all.
func (m *Machine) SaveFile(path string) error {
	if m.image == nil {
		return errNoProgram
	}
	s := m.Snapshot()
	addrs := s.mem.Addrs()
	slices.Sort(addrs)
	header, err := json.Marshal(snapshotHeader{
		Core: m.Core(), Settings: m.Effective(), Program: m.image.Name, Digest: m.digest(),
		Insts: m.cpu.Insts, Cycles: m.cpu.Cycles, Pages: uint32(len(addrs)), State: s.state,
	})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	file.WriteString(snapshotMagic)
	_ = binary.Write(&file, binary.LittleEndian, uint32(snapshotVersion)) // a buffer takes anything
	body, err := flate.NewWriter(&file, flate.BestSpeed)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(body)
	_ = binary.Write(out, binary.LittleEndian, uint32(len(header)))
	_, _ = out.Write(header)
	for _, addr := range addrs {
		_ = binary.Write(out, binary.LittleEndian, addr)
		_, _ = out.Write(s.mem.Page(addr)[:])
	}
	if err := errors.Join(out.Flush(), body.Close()); err != nil {
		return err
	}
	sum := sha256.Sum256(file.Bytes())
	file.Write(sum[:])
	return WriteFileAtomic(path, file.Bytes())
}

// RestoreFile restores a snapshot from a file. The program must be loaded, for its symbols and its
// conventions; core and program must be those of the snapshot.
func (m *Machine) RestoreFile(path string) error {
	s, err := m.readSnapshot(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return m.Restore(s)
}

func (m *Machine) readSnapshot(path string) (*Snapshot, error) {
	if m.image == nil {
		return nil, errNoProgram
	}
	room := min(m.mem.Limit(), 1<<40)
	data, err := readSnapshotFile(path, int64(room+room/256+maxSnapshotHeader)) // what cannot be compressed grows
	if err != nil {
		return nil, err
	}
	rest := data[len(snapshotMagic):]
	if len(rest) < 4+sha256.Size {
		return nil, errors.New("the snapshot is truncated")
	}
	if v := binary.LittleEndian.Uint32(rest); v != snapshotVersion {
		return nil, fmt.Errorf("a snapshot of version %d, this is for version %d", v, snapshotVersion)
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("the snapshot is damaged: its checksum is wrong")
	}
	body := bufio.NewReader(flate.NewReader(bytes.NewReader(rest[4 : len(rest)-sha256.Size])))
	var n uint32
	if err := binary.Read(body, binary.LittleEndian, &n); err != nil || n > maxSnapshotHeader {
		return nil, errors.New("the snapshot has no header")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(body, text); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	var h snapshotHeader
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if err := m.fits(&h); err != nil {
		return nil, err
	}
	s := &Snapshot{mem: memory.NewSnapshot(), state: h.State}
	for range h.Pages {
		var addr uint32
		page := new([memory.PageSize]byte)
		if err := binary.Read(body, binary.LittleEndian, &addr); err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
		if _, err := io.ReadFull(body, page[:]); err != nil {
			return nil, fmt.Errorf("memory at 0x%08x: %w", addr, err)
		}
		s.mem.Put(addr, page)
	}
	return s, nil
}

// readSnapshotFile reads a file that begins as a snapshot does, and no more of another one than that: it
// may be a device that never ends.
func readSnapshotFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	data := make([]byte, len(snapshotMagic))
	if _, err := io.ReadFull(f, data); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(data) != snapshotMagic {
		return nil, errors.New("this is no snapshot")
	}
	b := bytes.NewBuffer(data)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), limit) + bytes.MinRead))
	}
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, fmt.Errorf("the snapshot has more than %d bytes, which the memory limit allows", limit)
	}
	return b.Bytes(), nil
}

// fits compares core and program with those of a snapshot.
func (m *Machine) fits(h *snapshotHeader) error {
	if !bytes.Equal(h.Digest, m.digest()) {
		return fmt.Errorf("%w: it is one of %s, %s is loaded", ErrSnapshot, h.Program, m.image.Name)
	}
	mine := m.Effective()
	for i, theirs := range h.Settings {
		if i >= len(mine) || mine[i].Name != theirs.Name {
			return fmt.Errorf("%w: it knows other properties, such as %s", ErrSnapshot, theirs.Name)
		}
		if mine[i].Value != theirs.Value {
			return fmt.Errorf("%w: it has %s=%s, the core has %s", ErrSnapshot, theirs.Name, theirs.Value, mine[i].Value)
		}
	}
	if uint64(h.Pages)*memory.PageSize > m.mem.Limit() {
		return fmt.Errorf("%w: its %d MB are more than the memory limit", ErrSnapshot, h.Pages>>8)
	}
	return nil
}

// digest identifies the program by what it puts into memory.
func (m *Machine) digest() []byte {
	h := sha256.New()
	for _, s := range m.image.Segments {
		_ = binary.Write(h, binary.LittleEndian, []uint32{s.Addr, uint32(len(s.Data)), s.ZeroAddr, s.Zero})
		h.Write(s.Data)
	}
	return h.Sum(nil)
}

// ReadFile reads a file of no more than limit bytes, be it a device that never ends.
func ReadFile(path string, limit int64) ([]byte, error) { return loader.ReadFile(path, limit) }

// WriteFileAtomic writes a file that is there completely or, when the host fails, not at all. Devices
// and pipes are written to; the file that a symbolic link names is replaced, not the link.
func WriteFileAtomic(path string, data []byte) (err error) {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/") { // standard output may be a file
			return writeThrough(path, data)
		}
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return &fs.PathError{Op: "create", Path: path, Err: pe.Err} // nobody knows the other name
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error counts
		}
	}()
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Chmod(mode), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// writeThrough writes to what cannot be replaced.
func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
