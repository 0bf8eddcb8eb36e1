package hostio

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
)

// Kind says what a descriptor stands for.
type Kind uint8

const (
	Closed Kind = iota
	Stdin
	Stdout
	Stderr
	File
)

// Descriptor is one entry of the guest's file table. The position is kept here and not in the
// host's file, so that going back to a former State needs no effect on the host.
type Descriptor struct {
	Kind   Kind   `json:"kind"`
	Path   string `json:"path,omitempty"` // inside the root
	Read   bool   `json:"read,omitempty"`
	Write  bool   `json:"write,omitempty"`
	Append bool   `json:"append,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	Handle uint64 `json:"-"` // the open file, in Host.handles
}

const (
	maxDescriptors = 64
	maxTransfer    = 16 << 20 // bytes moved by one call; longer ones return a short count
	maxPath        = 4096
	maxOffset      = 1<<31 - 1
)

// handles are the files of the host that are open for the guest.
type handles struct {
	open map[uint64]*os.File
	next uint64
	keep bool     // closed files stay open: a saved state may need them
	idle []uint64 // closed by the guest, kept open, oldest first
}

const maxIdle = 64

func (t *handles) add(f *os.File) uint64 {
	if t.open == nil {
		t.open = map[uint64]*os.File{}
	}
	t.next++
	t.open[t.next] = f
	return t.next
}

func (t *handles) release(id uint64) error {
	if !t.keep {
		f := t.open[id]
		delete(t.open, id)
		return f.Close()
	}
	t.idle = append(t.idle, id)
	if len(t.idle) > maxIdle {
		oldest := t.idle[0]
		t.idle = t.idle[1:]
		f := t.open[oldest]
		delete(t.open, oldest)
		return f.Close()
	}
	return nil
}

func (t *handles) closeAll() {
	for _, f := range t.open {
		_ = f.Close() // the guest is gone, nobody to tell
	}
	t.open, t.idle, t.keep = nil, nil, false
}

// inRoot is a guest's path as a path in the root: the root is "/" and the working directory.
func inRoot(p string) string {
	p = path.Clean("/" + p)[1:]
	if p == "" {
		return "."
	}
	return p
}

// noFiles reports and explains that there is no root.
func (h *Host) noFiles() bool {
	if h.root != nil {
		return false
	}
	h.notice("the program asked for a file, file access is off: --fs DIR gives it a directory")
	return true
}

// regular refuses what could make the host wait or is no file: fifos, sockets, devices.
func (h *Host) regular(name string) (fs.FileInfo, int32) {
	info, err := h.root.Stat(name)
	if err != nil {
		return nil, errno(err, eacces)
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, eacces
	}
	return info, 0
}

func (h *Host) open(r *request) result {
	if h.noFiles() {
		return result{Value: -eacces}
	}
	slot := -1
	for i, d := range h.state.Files {
		if d.Kind == Closed {
			slot = i
			break
		}
	}
	if slot < 0 && len(h.state.Files) >= maxDescriptors {
		return result{Value: -emfile}
	}
	name := inRoot(r.Path)
	info, bad := h.regular(name)
	switch {
	case bad != 0 && bad != enoent:
		return result{Value: -bad}
	case bad == 0 && r.Flags.Create && r.Flags.Excl:
		return result{Value: -eexist}
	case bad == 0 && info.IsDir():
		return result{Value: -eisdir}
	}
	flags := access(r.Flags.Read, r.Flags.Write)
	if r.Flags.Create {
		flags |= os.O_CREATE
	}
	if r.Flags.Excl {
		flags |= os.O_EXCL
	}
	if r.Flags.Truncate && r.Flags.Write {
		flags |= os.O_TRUNC
	}
	// The owner can always use the file: a restored run must be able to open it again.
	f, err := h.root.OpenFile(name, flags, fs.FileMode(r.Mode&0o777|0o600))
	if err != nil {
		return result{Value: -errno(err, eacces)}
	}
	d := Descriptor{
		Kind: File, Path: name, Read: r.Flags.Read, Write: r.Flags.Write, Append: r.Flags.Append,
		Handle: h.handles.add(f),
	}
	files := append([]Descriptor(nil), h.state.Files...)
	if slot < 0 {
		slot = len(files)
		files = append(files, d)
	} else {
		files[slot] = d
	}
	h.state.Files = files
	return result{Value: int32(slot)}
}

// reopen opens a file of a saved state.
func (h *Host) reopen(d *Descriptor) (*os.File, error) {
	if h.root == nil {
		return nil, errors.New("file access is off")
	}
	if _, bad := h.regular(d.Path); bad != 0 {
		return nil, &fs.PathError{Op: "open", Path: d.Path, Err: fs.ErrNotExist}
	}
	return h.root.OpenFile(d.Path, access(d.Read, d.Write), 0)
}

func access(read, write bool) int {
	switch {
	case read && write:
		return os.O_RDWR
	case write:
		return os.O_WRONLY
	}
	return os.O_RDONLY
}

// descriptor returns the open descriptor fd, or nil.
func (h *Host) descriptor(fd int32) *Descriptor {
	if fd < 0 || int(fd) >= len(h.state.Files) || h.state.Files[fd].Kind == Closed {
		return nil
	}
	return &h.state.Files[fd]
}

// change replaces descriptor fd, leaving saved states as they are.
func (h *Host) change(fd int32, d Descriptor) {
	files := append([]Descriptor(nil), h.state.Files...)
	files[fd] = d
	h.state.Files = files
}

func (h *Host) close(r *request) result {
	d := h.descriptor(r.FD)
	if d == nil {
		return result{Value: -ebadf}
	}
	var err error
	if d.Kind == File {
		err = h.handles.release(d.Handle)
	}
	h.change(r.FD, Descriptor{})
	if err != nil {
		return result{Value: -errno(err, eio)}
	}
	return result{}
}

func (h *Host) read(r *request) result {
	d := h.descriptor(r.FD)
	if d == nil {
		return result{Value: -ebadf}
	}
	buf := make([]byte, min(r.Count, maxTransfer))
	switch {
	case len(buf) == 0:
		return result{}
	case d.Kind == Stdin:
		return h.readStdin(buf)
	case d.Kind != File || !d.Read:
		return result{Value: -ebadf}
	}
	f := h.handles.open[d.Handle]
	n, err := f.ReadAt(buf, d.Offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return result{Value: -errno(err, eio)}
	}
	next := *d
	next.Offset += int64(n)
	h.change(r.FD, next)
	return result{Value: int32(n), Data: buf[:n]}
}

func (h *Host) readStdin(buf []byte) result {
	if h.cfg.Stdin == nil {
		return result{}
	}
	n, err := h.cfg.Stdin.readAt(h.state.Stdin, buf, h.halt)
	switch {
	case errors.Is(err, errInterrupted):
		return result{Value: -eintr, Again: true}
	case err != nil && !errors.Is(err, io.EOF):
		return result{Value: -eio}
	}
	h.state.Stdin += int64(n)
	return result{Value: int32(n), Data: buf[:n]}
}

func (h *Host) write(r *request) result {
	d := h.descriptor(r.FD)
	if d == nil {
		return result{Value: -ebadf}
	}
	switch {
	case d.Kind == Stdout:
		return h.emit(h.cfg.Stdout, r.Data)
	case d.Kind == Stderr:
		return h.emit(h.cfg.Stderr, r.Data)
	case d.Kind != File || !d.Write:
		return result{Value: -ebadf}
	}
	f := h.handles.open[d.Handle]
	at := d.Offset
	if d.Append {
		info, err := f.Stat()
		if err != nil {
			return result{Value: -errno(err, eio)}
		}
		at = info.Size()
	}
	if at+int64(len(r.Data)) > maxOffset {
		return result{Value: -efbig}
	}
	n, err := f.WriteAt(r.Data, at)
	if n == 0 && err != nil {
		return result{Value: -errno(err, eio)}
	}
	next := *d
	next.Offset = at + int64(n)
	h.change(r.FD, next)
	return result{Value: int32(n)}
}

// emit writes to the console of the user.
func (h *Host) emit(w io.Writer, data []byte) result {
	if h.cfg.Watch != nil {
		h.cfg.Watch.See(data)
	}
	if w != nil {
		if _, err := w.Write(data); err != nil {
			return result{Value: -errno(err, eio)}
		}
	}
	return result{Value: int32(len(data))}
}

func (h *Host) put(r *request) result {
	for _, c := range r.Data {
		h.state.Last = [2]byte{h.state.Last[1], c}
	}
	if h.cfg.Line != nil {
		return h.emit(h.cfg.Line.out, r.Data)
	}
	return h.emit(h.cfg.Stdout, r.Data)
}

// console is the input of devices, and how much of it they have read.
func (h *Host) console() (*Input, *int64) {
	if h.cfg.Line != nil {
		return h.cfg.Line.in, &h.state.Line
	}
	return h.cfg.Stdin, &h.state.Stdin
}

func (h *Host) poll() result {
	in, at := h.console()
	if in == nil {
		return result{Value: -1}
	}
	b, ok := in.ready(*at)
	if !ok {
		return result{Value: -1}
	}
	*at++
	return result{Value: int32(b)}
}

func (h *Host) seek(r *request) result {
	d := h.descriptor(r.FD)
	switch {
	case d == nil:
		return result{Value: -ebadf}
	case d.Kind != File:
		return result{Value: -espipe}
	}
	at := int64(r.Offset)
	switch r.Whence {
	case 0:
	case 1:
		at += d.Offset
	case 2:
		info, err := h.handles.open[d.Handle].Stat()
		if err != nil {
			return result{Value: -errno(err, eio)}
		}
		at += info.Size()
	default:
		return result{Value: -einval}
	}
	if at < 0 || at > maxOffset {
		return result{Value: -einval}
	}
	next := *d
	next.Offset = at
	h.change(r.FD, next)
	return result{Value: int32(at)}
}

// Bits of fileStat.Mode.
const (
	modeDir     = 0o040000
	modeChar    = 0o020000
	modeRegular = 0o100000
)

func describe(info fs.FileInfo) fileStat {
	s := fileStat{
		Mode:  uint32(info.Mode().Perm()),
		Size:  uint32(min(info.Size(), maxOffset)),
		MTime: uint32(info.ModTime().Unix()),
		Inode: 1,
		Block: 4096,
	}
	if info.IsDir() {
		s.Mode |= modeDir
	} else {
		s.Mode |= modeRegular
	}
	return s
}

func (h *Host) stat(r *request) result {
	if h.noFiles() {
		return result{Value: -eacces}
	}
	look := h.root.Stat
	if r.Op == opLstat {
		look = h.root.Lstat
	}
	info, err := look(inRoot(r.Path))
	if err != nil {
		return result{Value: -errno(err, eacces)}
	}
	return result{Stat: describe(info)}
}

func (h *Host) fstat(r *request) result {
	d := h.descriptor(r.FD)
	switch {
	case d == nil:
		return result{Value: -ebadf}
	case d.Kind != File:
		return result{Stat: fileStat{Mode: modeChar | 0o620, Block: 1024}}
	}
	info, err := h.handles.open[d.Handle].Stat()
	if err != nil {
		return result{Value: -errno(err, eio)}
	}
	return result{Stat: describe(info)}
}

func (h *Host) remove(r *request) result {
	if h.noFiles() {
		return result{Value: -eacces}
	}
	name := inRoot(r.Path)
	info, err := h.root.Lstat(name)
	switch {
	case err != nil:
		return result{Value: -errno(err, eacces)}
	case name == ".":
		return result{Value: -eacces}
	case info.IsDir() && r.Op == opUnlink:
		return result{Value: -eisdir}
	case !info.IsDir() && r.Op == opRmdir:
		return result{Value: -enotdir}
	}
	if err := h.root.Remove(name); err != nil {
		return result{Value: -errno(err, eacces)}
	}
	return result{}
}

func (h *Host) rename(r *request) result {
	if h.noFiles() {
		return result{Value: -eacces}
	}
	if err := h.root.Rename(inRoot(r.Path), inRoot(r.To)); err != nil {
		return result{Value: -errno(err, eacces)}
	}
	return result{}
}

// access answers whether a file exists and, for mode bit 1 (2), whether it can be written.
func (h *Host) access(r *request) result {
	if h.noFiles() {
		return result{Value: -eacces}
	}
	info, err := h.root.Stat(inRoot(r.Path))
	switch {
	case err != nil:
		return result{Value: -errno(err, eacces)}
	case r.Mode&2 != 0 && info.Mode().Perm()&0o200 == 0:
		return result{Value: -eacces}
	}
	return result{}
}
