package hostio

import (
	"encoding/binary"
	"time"
)

// MetaWare hostlink (libgloss hl.specs, Zephyr's hostlink UART): the guest has a block of memory,
// found by a symbol, in which it leaves a packet; the answer overwrites the packet. Nothing stops:
// the guest spins until the answer is there.

// The symbols a hostlink program has.
const (
	HostlinkSymbol = "__HOSTLINK__"
	HostlinkWait   = "_hl_blockedPeek"
)

// HostlinkDoorbell is the offset in the block of two words by which packets are announced: the guest
// stores the address of its packet to the first, the host answers with the same in the second.
const HostlinkDoorbell = 4

const (
	hlPayloadSize  = 16 // offset of the word in the block
	hlPacketHeader = 20 // bytes before the payload of a packet

	maxPayload = 64 << 10
)

// Types of the items of a payload: a type and a size in 16 bits each, then the data up to a
// multiple of 4.
const (
	hlChar   = 1
	hlShort  = 2
	hlInt    = 3
	hlString = 4
	hlInt64  = 5
)

// hostlinkCall is one call: its arguments as items in, its results as items out.
type hostlinkCall struct {
	Number uint32
	Name   string
	Serve  func(h *Host, m Memory, in *items) (*answer, error)
}

func hostlinkCalls() []hostlinkCall {
	return []hostlinkCall{
		// open path, flags, mode -> fd, errno
		{Number: 0, Name: "open", Serve: hlOpen},
		// close fd -> 0, errno
		{Number: 1, Name: "close", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			return valueAndErrno(h.perform(request{Op: opClose, FD: int32(in.num())})), in.err
		}},
		// read fd, count -> count, data or errno
		{Number: 2, Name: "read", Serve: hlRead},
		// write fd, data, count -> count, errno
		{Number: 3, Name: "write", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			fd, data, n := int32(in.num()), in.bytes(), in.num()
			if in.err != nil {
				return nil, in.err
			}
			if int64(n) < int64(len(data)) {
				data = data[:n]
			}
			return valueAndErrno(h.perform(request{Op: opWrite, FD: fd, Data: data})), nil
		}},
		// lseek fd, offset, whence -> position, errno
		{Number: 4, Name: "lseek", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			r := request{Op: opSeek, FD: int32(in.num()), Offset: int32(in.num()), Whence: in.num()}
			if in.err != nil {
				return nil, in.err
			}
			return valueAndErrno(h.perform(r)), nil
		}},
		// unlink path -> 0, errno
		{Number: 5, Name: "unlink", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			r := request{Op: opUnlink, Path: in.text()}
			if in.err != nil {
				return nil, in.err
			}
			return valueAndErrno(h.perform(r)), nil
		}},
		// isatty fd -> 0 or 1, errno
		{Number: 6, Name: "isatty", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			res := h.perform(request{Op: opFstat, FD: int32(in.num())})
			switch {
			case res.Value < 0:
				return new(answer).num(0).num(uint32(-res.Value)), in.err
			case res.Stat.Mode&modeChar == 0:
				return new(answer).num(0).num(enotty), in.err
			}
			return new(answer).num(1).num(0), in.err
		}},
		// tmpnam length, number -> name: a name of no file yet
		{Number: 7, Name: "tmpnam", Serve: func(_ *Host, _ Memory, in *items) (*answer, error) {
			n := in.num()
			name := "tmp" + string([]byte{byte('a' + n/676%26), byte('a' + n/26%26), byte('a' + n%26)})
			return new(answer).text(name), nil
		}},
		// getenv name -> found, value: a guest has no environment
		{Number: 8, Name: "getenv", Serve: func(_ *Host, _ Memory, in *items) (*answer, error) {
			return new(answer).num(0).text(""), nil
		}},
		// clock -> milliseconds
		{Number: 9, Name: "clock", Serve: func(h *Host, _ Memory, _ *items) (*answer, error) {
			return new(answer).num(uint32(h.now() / time.Millisecond)), nil
		}},
		// time -> seconds since 1970
		{Number: 10, Name: "time", Serve: func(h *Host, _ Memory, _ *items) (*answer, error) {
			return new(answer).num(h.seconds()), nil
		}},
		// rename from, to -> 0, errno
		{Number: 11, Name: "rename", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			r := request{Op: opRename, Path: in.text(), To: in.text()}
			if in.err != nil {
				return nil, in.err
			}
			return valueAndErrno(h.perform(r)), nil
		}},
		// argc -> count
		{Number: 12, Name: "argc", Serve: func(h *Host, _ Memory, _ *items) (*answer, error) {
			return new(answer).num(uint32(len(h.cfg.Args))), nil
		}},
		// argv index -> string
		{Number: 13, Name: "argv", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			arg := ""
			if i := in.num(); int64(i) < int64(len(h.cfg.Args)) {
				arg = h.cfg.Args[i]
			}
			return new(answer).text(arg), nil
		}},
		// retcode status
		{Number: 14, Name: "retcode", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			h.state.Status, h.state.HasStatus = in.num(), true
			return new(answer).num(0), in.err
		}},
		// access path, mode -> 0, errno
		{Number: 15, Name: "access", Serve: func(h *Host, _ Memory, in *items) (*answer, error) {
			r := request{Op: opAccess, Path: in.text(), Mode: in.num()}
			if in.err != nil {
				return nil, in.err
			}
			return valueAndErrno(h.perform(r)), nil
		}},
		// getpid -> number
		{Number: 16, Name: "getpid", Serve: func(*Host, Memory, *items) (*answer, error) {
			return new(answer).num(1), nil
		}},
		// getcwd size -> path
		{Number: 17, Name: "getcwd", Serve: func(*Host, Memory, *items) (*answer, error) {
			return new(answer).text("/"), nil
		}},
		// user vendor, opcode, format, ... -> result
		{Number: 18, Name: "user", Serve: hlUser},
	}
}

// ServeHostlink serves a packet and overwrites it with the answer. It reports false when there is no
// memory where the packet should be, or when waiting for input was interrupted: the packet is still
// there then.
func (h *Host) ServeHostlink(m Memory, block, packet uint32) bool {
	size, err := peekWord(m, block+hlPayloadSize)
	if err != nil {
		return false
	}
	payload := packet + hlPacketHeader
	in := &items{left: make([]byte, min(size, maxPayload))}
	if err := m.Peek(payload, in.left); err != nil {
		return false
	}
	room := len(in.left)
	out := h.hostlinkAnswer(m, in, room)
	if out == nil {
		return false
	}
	if len(out.data) > room {
		out = new(answer).num(0xffffffff).num(einval)
		out.data = out.data[:min(len(out.data), room)]
	}
	return m.Poke(payload, out.data) == nil
}

// hostlinkAnswer serves one call; nil means that it is to be made again.
func (h *Host) hostlinkAnswer(m Memory, in *items, room int) *answer {
	in.room = room
	number := in.num()
	for _, call := range hostlinkCalls() {
		if call.Number != number || in.err != nil {
			continue
		}
		out, err := call.Serve(h, m, in)
		switch {
		case err == errInterrupted:
			return nil
		case err != nil:
			return new(answer).num(0xffffffff).num(efault)
		}
		return out
	}
	return new(answer).num(0xffffffff).num(enosys)
}

func valueAndErrno(res result) *answer {
	if res.Value < 0 {
		return new(answer).num(0xffffffff).num(uint32(-res.Value))
	}
	return new(answer).num(uint32(res.Value)).num(0)
}

func hlOpen(h *Host, _ Memory, in *items) (*answer, error) {
	path, f, mode := in.text(), in.num(), in.num()
	if in.err != nil {
		return nil, in.err
	}
	const (
		accMode = 3
		app     = 0x8
		create  = 0x100
		trunc   = 0x200
		excl    = 0x400
	)
	flags := openFlags{
		Read: f&accMode != 1, Write: f&accMode != 0,
		Create: f&create != 0, Excl: f&excl != 0, Truncate: f&trunc != 0, Append: f&app != 0,
	}
	return valueAndErrno(h.perform(request{Op: opOpen, Path: path, Flags: flags, Mode: mode & 0o777})), nil
}

func hlRead(h *Host, _ Memory, in *items) (*answer, error) {
	fd, n := int32(in.num()), in.num()
	if in.err != nil {
		return nil, in.err
	}
	const headers = 8 + 4 // the count and the header of the data
	n = min(n, uint32(max(in.room-headers, 0)), 0xffff)
	res := h.perform(request{Op: opRead, FD: fd, Count: n})
	switch {
	case res.Again:
		return nil, errInterrupted
	case res.Value < 0:
		return new(answer).num(0xffffffff).num(uint32(-res.Value)), nil
	}
	return new(answer).num(uint32(res.Value)).bytes(res.Data), nil
}

// hlUser serves the one call beyond the standard ones that simulators know: vendor 1025 (GNU),
// opcode 1 (fstat) with a descriptor, the address of the record and the address of the result.
func hlUser(h *Host, m Memory, in *items) (*answer, error) {
	vendor, opcode, _ := in.num(), in.num(), in.bytes()
	const gnu, fstat = 1025, 1
	if vendor != gnu || opcode != fstat || in.err != nil {
		return new(answer).num(enosys), nil
	}
	fd, record, value := int32(in.num()), in.num(), in.num()
	if in.err != nil {
		return nil, in.err
	}
	res := h.perform(request{Op: opFstat, FD: fd})
	if res.Value < 0 {
		if err := pokeWords(m, value, 0xffffffff); err != nil {
			return nil, err
		}
		return new(answer).num(uint32(-res.Value)), nil
	}
	if err := m.Poke(record, hlStatRecord(res.Stat)); err != nil {
		return nil, err
	}
	return new(answer).num(0), pokeWords(m, value, 0)
}

// hlStatRecord lays a record out: 32-bit dev, 16-bit ino, mode, nlink, uid, gid, pad, 32-bit rdev,
// size, atime, mtime, ctime.
func hlStatRecord(s fileStat) []byte {
	b := make([]byte, 36)
	le := binary.LittleEndian
	le.PutUint32(b[0:], 1)
	le.PutUint16(b[4:], uint16(s.Inode))
	le.PutUint16(b[6:], uint16(s.Mode))
	le.PutUint16(b[8:], 1)
	le.PutUint32(b[20:], s.Size)
	le.PutUint32(b[24:], s.MTime)
	le.PutUint32(b[28:], s.MTime)
	le.PutUint32(b[32:], s.MTime)
	return b
}
