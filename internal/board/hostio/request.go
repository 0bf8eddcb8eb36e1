package hostio

import "bytes"

// op is a request of a guest to the world outside. Calls that only look at the guest or its time
// are no requests.
type op uint8

const (
	opOpen   op = iota // Path, Flags, Mode
	opClose            // FD
	opRead             // FD, Count
	opWrite            // FD, Data
	opSeek             // FD, Offset, Whence
	opStat             // Path
	opLstat            // Path
	opFstat            // FD
	opUnlink           // Path
	opRmdir            // Path
	opRename           // Path, To
	opAccess           // Path, Mode
	opPut              // Data: to the console, whatever descriptors are open
	opPoll             // one byte of input, if there is one
)

// request is one thing asked of the outside, in no particular convention.
type request struct {
	Op       op
	FD       int32
	Path, To string
	Data     []byte
	Count    uint32
	Offset   int32
	Whence   uint32
	Flags    openFlags
	Mode     uint32
}

func (r *request) equal(o *request) bool {
	return r.Op == o.Op && r.FD == o.FD && r.Path == o.Path && r.To == o.To &&
		r.Count == o.Count && r.Offset == o.Offset && r.Whence == o.Whence &&
		r.Flags == o.Flags && r.Mode == o.Mode && bytes.Equal(r.Data, o.Data)
}

// result is the answer: a value or, negative, an error number.
type result struct {
	Value int32
	Data  []byte   // what was read
	Stat  fileStat // of opStat, opLstat and opFstat
	Again bool     // interrupted while waiting, nothing happened
}

// openFlags say how a file is opened.
type openFlags struct {
	Read, Write                    bool
	Create, Excl, Truncate, Append bool
}

// fileStat is the part of a file's status that a guest sees.
type fileStat struct {
	Mode  uint32 // type and permission bits as Unix has them
	Size  uint32
	MTime uint32 // seconds since 1970
	Inode uint32
	Block uint32 // preferred size of a transfer
}

// perform does what is asked, or repeats the recorded answer.
func (h *Host) perform(r request) result {
	if res, ok := h.journal.replay(&r, &h.state); ok {
		return res
	}
	res := h.live(&r)
	if !res.Again {
		h.journal.record(r, res, h.state)
	}
	return res
}

func (h *Host) live(r *request) result {
	switch r.Op {
	case opOpen:
		return h.open(r)
	case opClose:
		return h.close(r)
	case opRead:
		return h.read(r)
	case opWrite:
		return h.write(r)
	case opSeek:
		return h.seek(r)
	case opStat, opLstat:
		return h.stat(r)
	case opFstat:
		return h.fstat(r)
	case opUnlink, opRmdir:
		return h.remove(r)
	case opRename:
		return h.rename(r)
	case opAccess:
		return h.access(r)
	case opPut:
		return h.put(r)
	case opPoll:
		return h.poll()
	}
	return result{Value: -enosys}
}
