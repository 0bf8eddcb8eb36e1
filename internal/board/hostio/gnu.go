package hostio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"
)

// The GNU convention (nSIM's GNU I/O, libgloss nsim.specs): swi with the call number in r8,
// arguments in r0 to r4, the result in r0. Results of -125 and up are negative error numbers.

// gnuCall is one call.
type gnuCall struct {
	Number uint32
	Name   string
	Serve  func(h *Host, g Guest, a gnuArgs) (int32, error)
	Exit   bool // the guest ends with r0 as its status
}

type gnuArgs [5]uint32 // r0 to r4

// gnuCalls lists the calls. The numbers are those of the old ARC Linux; from 1000 on come those the
// QEMU fork adds, with the meaning they have on the Xtensa simulator they were taken from.
func gnuCalls() []gnuCall {
	return []gnuCall{
		// exit status
		{Number: 1, Name: "exit", Exit: true},
		// read fd, buffer, count
		{Number: 3, Name: "read", Serve: gnuRead},
		// write fd, buffer, count
		{Number: 4, Name: "write", Serve: gnuWrite},
		// open path, flags, mode
		{Number: 5, Name: "open", Serve: gnuOpen},
		// close fd
		{Number: 6, Name: "close", Serve: func(h *Host, _ Guest, a gnuArgs) (int32, error) {
			return h.perform(request{Op: opClose, FD: int32(a[0])}).Value, nil
		}},
		// unlink path
		{Number: 10, Name: "unlink", Serve: pathCall(opUnlink)},
		// time pointer
		{Number: 13, Name: "time", Serve: gnuTime},
		// lseek fd, offset, whence
		{Number: 19, Name: "lseek", Serve: func(h *Host, _ Guest, a gnuArgs) (int32, error) {
			return h.perform(request{
				Op: opSeek, FD: int32(a[0]), Offset: int32(a[1]), Whence: a[2],
			}).Value, nil
		}},
		// getpid
		{Number: 20, Name: "getpid", Serve: func(*Host, Guest, gnuArgs) (int32, error) { return 1, nil }},
		// access path, mode
		{Number: 33, Name: "access", Serve: func(h *Host, g Guest, a gnuArgs) (int32, error) {
			path, err := readString(g, a[0])
			if err != nil {
				return 0, err
			}
			return h.perform(request{Op: opAccess, Path: path, Mode: a[1]}).Value, nil
		}},
		// rename from, to
		{Number: 38, Name: "rename", Serve: func(h *Host, g Guest, a gnuArgs) (int32, error) {
			from, err := readString(g, a[0])
			if err != nil {
				return 0, err
			}
			to, err := readString(g, a[1])
			if err != nil {
				return 0, err
			}
			return h.perform(request{Op: opRename, Path: from, To: to}).Value, nil
		}},
		// rmdir path
		{Number: 40, Name: "rmdir", Serve: pathCall(opRmdir)},
		// times buffer
		{Number: 43, Name: "times", Serve: gnuTimes},
		// brk address
		{Number: 45, Name: "brk", Serve: gnuBrk},
		// gettimeofday timeval, timezone
		{Number: 78, Name: "gettimeofday", Serve: gnuTimeOfDay},
		// stat path or descriptor, record
		{Number: 106, Name: "stat", Serve: gnuStat(opStat)},
		// lstat path or descriptor, record
		{Number: 107, Name: "lstat", Serve: gnuStat(opLstat)},
		// fstat fd, record
		{Number: 108, Name: "fstat", Serve: gnuStat(opFstat)},
		// getcwd buffer, size
		{Number: 183, Name: "getcwd", Serve: gnuGetcwd},

		// argc
		{Number: 1000, Name: "argc", Serve: func(h *Host, _ Guest, _ gnuArgs) (int32, error) {
			return int32(len(h.cfg.Args)), nil
		}},
		// argv_size: bytes that argv copies
		{Number: 1001, Name: "argv_size", Serve: func(h *Host, _ Guest, _ gnuArgs) (int32, error) {
			return int32(len(ArgBlock(0, h.cfg.Args))), nil
		}},
		// argv buffer
		{Number: 1002, Name: "argv", Serve: func(h *Host, g Guest, a gnuArgs) (int32, error) {
			return int32(a[0]), g.Poke(a[0], ArgBlock(a[0], h.cfg.Args))
		}},
		// memset address, byte, count
		{Number: 1004, Name: "memset", Serve: gnuMemset},
		// errno
		{Number: 2000, Name: "errno", Serve: func(h *Host, _ Guest, _ gnuArgs) (int32, error) {
			return h.state.Errno, nil
		}},
	}
}

// gnuByNumber indexes gnuCalls.
type gnuByNumber map[uint32]*gnuCall

func indexGNU() gnuByNumber {
	calls := gnuCalls()
	m := make(gnuByNumber, len(calls))
	for i := range calls {
		m[calls[i].Number] = &calls[i]
	}
	return m
}

// ServeGNU serves the call in the guest's registers. An unknown number leaves the guest alone.
func (h *Host) ServeGNU(g Guest) Outcome {
	if h.gnu == nil {
		h.gnu = indexGNU()
	}
	call := h.gnu[g.Reg(8)]
	if call == nil {
		return Outcome{}
	}
	var a gnuArgs
	for i := range a {
		a[i] = g.Reg(uint8(i))
	}
	if call.Exit {
		return Outcome{Known: true, Exit: true, Status: a[0]}
	}
	v, err := call.Serve(h, g, a)
	switch {
	case errors.Is(err, errInterrupted):
		return Outcome{Known: true, Again: true}
	case errors.Is(err, errTooLong):
		v = -enametoolong
	case err != nil: // a pointer of the guest leads nowhere
		v = -efault
	}
	if v < 0 && v >= -125 {
		h.state.Errno = -v
	}
	g.SetReg(0, uint32(v))
	return Outcome{Known: true}
}

// GNUCallName returns the name of a call, "" for an unknown number.
func (h *Host) GNUCallName(number uint32) string {
	if h.gnu == nil {
		h.gnu = indexGNU()
	}
	if call := h.gnu[number]; call != nil {
		return call.Name
	}
	return ""
}

func gnuRead(h *Host, g Guest, a gnuArgs) (int32, error) {
	res := h.perform(request{Op: opRead, FD: int32(a[0]), Count: a[2]})
	if res.Again {
		return 0, errInterrupted
	}
	return res.Value, g.Poke(a[1], res.Data)
}

func gnuWrite(h *Host, g Guest, a gnuArgs) (int32, error) {
	buf := make([]byte, min(a[2], maxTransfer))
	if err := g.Peek(a[1], buf); err != nil {
		return 0, err
	}
	return h.perform(request{Op: opWrite, FD: int32(a[0]), Data: buf}).Value, nil
}

func gnuOpen(h *Host, g Guest, a gnuArgs) (int32, error) {
	path, err := readString(g, a[0])
	if err != nil {
		return 0, err
	}
	const (
		accMode = 3
		create  = 0x40
		excl    = 0x80
		trunc   = 0x200
		app     = 0x400
	)
	f := a[1]
	flags := openFlags{
		Read: f&accMode != 1, Write: f&accMode != 0,
		Create: f&create != 0, Excl: f&excl != 0, Truncate: f&trunc != 0, Append: f&app != 0,
	}
	return h.perform(request{Op: opOpen, Path: path, Flags: flags, Mode: a[2] & 0o777}).Value, nil
}

func pathCall(o op) func(*Host, Guest, gnuArgs) (int32, error) {
	return func(h *Host, g Guest, a gnuArgs) (int32, error) {
		path, err := readString(g, a[0])
		if err != nil {
			return 0, err
		}
		return h.perform(request{Op: o, Path: path}).Value, nil
	}
}

// seconds is the guest's date.
func (h *Host) seconds() uint32 { return uint32(Epoch.Add(h.now()).Unix()) }

func gnuTime(h *Host, g Guest, a gnuArgs) (int32, error) {
	s := h.seconds()
	if a[0] != 0 {
		if err := pokeWords(g, a[0], s); err != nil {
			return 0, err
		}
	}
	return int32(s), nil
}

// gnuTimes counts in newlib's CLOCKS_PER_SEC for ARC. All time is user time.
func gnuTimes(h *Host, g Guest, a gnuArgs) (int32, error) {
	ticks := uint32(h.now() / time.Millisecond)
	if a[0] != 0 {
		if err := pokeWords(g, a[0], ticks, 0, 0, 0); err != nil {
			return 0, err
		}
	}
	return int32(ticks & 0x7fffffff), nil
}

// gnuTimeOfDay leaves the second word 0. The simulators it comes from have 32-bit seconds followed
// by microseconds, newlib since 3.0 has 64-bit seconds there: whole seconds are right for both.
func gnuTimeOfDay(h *Host, g Guest, a gnuArgs) (int32, error) {
	if a[0] != 0 {
		if err := pokeWords(g, a[0], h.seconds(), 0); err != nil {
			return 0, err
		}
	}
	if a[1] != 0 {
		if err := pokeWords(g, a[1], 0, 0); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// gnuBrk answers as Linux does: the new break, or the old one when it cannot be moved.
func gnuBrk(h *Host, _ Guest, a gnuArgs) (int32, error) {
	if a[0] >= h.cfg.HeapStart && a[0] != 0 {
		h.state.Break = a[0]
	}
	return int32(h.state.Break), nil
}

// gnuStat serves the three calls. libgloss sends stat for all of them, with a descriptor where it
// means fstat: no path starts at so low an address.
func gnuStat(o op) func(*Host, Guest, gnuArgs) (int32, error) {
	return func(h *Host, g Guest, a gnuArgs) (int32, error) {
		r := request{Op: o, FD: int32(a[0])}
		if a[0] < maxDescriptors {
			r.Op = opFstat
		}
		if r.Op != opFstat {
			path, err := readString(g, a[0])
			if err != nil {
				return 0, err
			}
			r.Path, r.FD = path, 0
		}
		res := h.perform(r)
		if res.Value < 0 {
			return res.Value, nil
		}
		return 0, g.Poke(a[1], gnuStatRecord(res.Stat))
	}
}

// gnuStatRecord lays a record out: 16-bit dev, pad, 32-bit ino, 16-bit mode, nlink, uid, gid, rdev,
// pad, 32-bit size, blksize, blocks, atime, 0, mtime, 0, ctime, 0, 0, 0.
func gnuStatRecord(s fileStat) []byte {
	b := make([]byte, 64)
	le := binary.LittleEndian
	le.PutUint16(b[0:], 1)
	le.PutUint32(b[4:], s.Inode)
	le.PutUint16(b[8:], uint16(s.Mode))
	le.PutUint16(b[10:], 1)
	le.PutUint32(b[20:], s.Size)
	le.PutUint32(b[24:], s.Block)
	le.PutUint32(b[28:], (s.Size+511)/512)
	le.PutUint32(b[32:], s.MTime)
	le.PutUint32(b[40:], s.MTime)
	le.PutUint32(b[48:], s.MTime)
	return b
}

func gnuGetcwd(_ *Host, g Guest, a gnuArgs) (int32, error) {
	if a[1] < 2 {
		return -erange, nil
	}
	return int32(a[0]), g.Poke(a[0], []byte("/\x00"))
}

func gnuMemset(_ *Host, g Guest, a gnuArgs) (int32, error) {
	chunk := bytes.Repeat([]byte{byte(a[1])}, int(min(a[2], 64<<10)))
	for at, left := a[0], min(a[2], maxTransfer); left > 0; {
		n := min(left, uint32(len(chunk)))
		if err := g.Poke(at, chunk[:n]); err != nil {
			return 0, err
		}
		at, left = at+n, left-n
	}
	return int32(a[0]), nil
}
