package body

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/memory"
)

// A load or store consists of an address, a page, an access and, for some addresses, a base that is written back;
// where a data cache serves memory, the cache is asked before the access. The comments of
// addresses and accesses describe the micro-operations made of them.

// Offset: [b+imm]
func Offset(c *cpu.CPU, u *uop.Uop) (addr uint32) {
	addr = c.R[u.B] + u.Imm
	return
}

// Indexed: [b+c<<d+imm]
func Indexed(c *cpu.CPU, u *uop.Uop) (addr uint32) {
	addr = c.R[u.B] + c.R[u.C]<<(u.D&31) + u.Imm
	return
}

// Post: [b], b += c+imm
func Post(c *cpu.CPU, u *uop.Uop) (addr, back uint32) {
	addr = c.R[u.B]
	back = addr + c.R[u.C] + u.Imm
	return
}

// Pre: b += c+imm, [b]
func Pre(c *cpu.CPU, u *uop.Uop) (addr, back uint32) {
	addr = c.R[u.B] + c.R[u.C] + u.Imm
	back = addr
	return
}

// WriteBack changes the base.
func WriteBack(c *cpu.CPU, u *uop.Uop, back uint32) {
	c.R[u.B] = back
}

// The pages. An access that the page tables do not serve at once is left to the reference engine, and so is one that is not
// aligned where that faults, one in two pages and, where there is a cache, one in two of its lines. A page that is not served as a whole may have a part that is.

// Read finds the page of an address that is read.
func Read(c *cpu.CPU, addr uint32) (h unsafe.Pointer) {
	h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Read[addr>>12]))
	return
}

// Write finds the page of an address that is written.
func Write(c *cpu.CPU, addr uint32) (h unsafe.Pointer) {
	h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Write[addr>>12]))
	return
}

// ReadPart finds the page in the part that has been kept for the base, or for one with the same low bits, when an access of 1<<log
// bytes lies in that.
func ReadPart(c *cpu.CPU, u *uop.Uop, addr uint32, page unsafe.Pointer, log uint32) (h unsafe.Pointer) {
	h = page
	if addr-c.Mem.Parts.Read[u.B&(memory.MaxParts-1)].First < c.Mem.Parts.Read[u.B&(memory.MaxParts-1)].Within[log] {
		h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Parts.Read[u.B&(memory.MaxParts-1)].Host))
	}
	return
}

// WritePart is ReadPart for an address that is written.
func WritePart(c *cpu.CPU, u *uop.Uop, addr uint32, page unsafe.Pointer, log uint32) (h unsafe.Pointer) {
	h = page
	if addr-c.Mem.Parts.Write[u.B&(memory.MaxParts-1)].First < c.Mem.Parts.Write[u.B&(memory.MaxParts-1)].Within[log] {
		h = *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Parts.Write[u.B&(memory.MaxParts-1)].Host))
	}
	return
}

// FitsB leaves when a byte is not accessed in a page.
func FitsB(h unsafe.Pointer) {
	if h == nil {
		slow()
	}
}

// FitsH leaves when a half word is not accessed in a page.
func FitsH(c *cpu.CPU, addr uint32, h unsafe.Pointer) {
	if h == nil || addr&1 != 0 && (c.Strict != 0 || addr&0xfff > 0xffe) {
		slow()
	}
}

// FitsW leaves when a word is not accessed in a page.
func FitsW(c *cpu.CPU, addr uint32, h unsafe.Pointer) {
	if h == nil || addr&3 != 0 && (c.Strict != 0 || addr&0xfff > 0xffc) {
		slow()
	}
}

// FitsD leaves when a double word is not accessed in a page.
func FitsD(c *cpu.CPU, addr uint32, h unsafe.Pointer) {
	if h == nil || addr&3 != 0 && c.Strict != 0 || addr&0xfff > 0xff8 {
		slow()
	}
}

// OneLine leaves when a double word lies in two lines of the data cache.
func OneLine(e *uop.State, addr uint32) {
	if (addr+4)>>(e.DataShift&31) != addr>>(e.DataShift&31) {
		slow()
	}
}

// Front leaves for the driver unless the cache line is in front, which needs no attention, or the cache does not
// serve the address.
func Front(c *cpu.CPU, e *uop.State, addr uint32) {
	line := addr >> (e.DataShift & 31)
	if *(*uint32)(unsafe.Add(e.DataTags, uintptr(line&e.DataMask)*4)) != line+1 && c.Mem.Kinds[addr>>12] == memory.RAM {
		e.Touched = addr
		exit(uop.ExitData)
	}
}

// FrontStore leaves for the driver unless the cache line is in front and dirty, which needs no attention, or the cache does
// not serve the address.
func FrontStore(c *cpu.CPU, e *uop.State, addr uint32) {
	line := addr >> (e.DataShift & 31)
	if *(*uint32)(unsafe.Add(e.DataTags, uintptr(line&e.DataMask+e.DataDirty)*4)) != line+1 && c.Mem.Kinds[addr>>12] == memory.RAM {
		e.Touched = addr
		exit(uop.ExitStore)
	}
}

// LoadW: load uint32
func LoadW(addr uint32, h unsafe.Pointer) (v uint32) {
	v = *(*uint32)(unsafe.Add(h, addr&0xfff))
	return
}

// LoadH: load uint16
func LoadH(addr uint32, h unsafe.Pointer) (v uint32) {
	v = uint32(*(*uint16)(unsafe.Add(h, addr&0xfff)))
	return
}

// LoadHX: load int16
func LoadHX(addr uint32, h unsafe.Pointer) (v uint32) {
	v = uint32(int32(*(*int16)(unsafe.Add(h, addr&0xfff))))
	return
}

// LoadB: load uint8
func LoadB(addr uint32, h unsafe.Pointer) (v uint32) {
	v = uint32(*(*uint8)(unsafe.Add(h, addr&0xfff)))
	return
}

// LoadBX: load int8
func LoadBX(addr uint32, h unsafe.Pointer) (v uint32) {
	v = uint32(int32(*(*int8)(unsafe.Add(h, addr&0xfff))))
	return
}

// LoadD: load uint64
func LoadD(addr uint32, h unsafe.Pointer) (v uint64) {
	v = *(*uint64)(unsafe.Add(h, addr&0xfff))
	return
}

// Loaded puts what was loaded into the destination. It comes behind WriteBack: the destination may be the base.
func Loaded(c *cpu.CPU, u *uop.Uop, v uint32) {
	c.R[u.A] = v
}

// LoadedPair is Loaded of a double word.
func LoadedPair(c *cpu.CPU, u *uop.Uop, v uint64) {
	*(*uint64)(unsafe.Pointer(&c.R[u.A])) = v
}

// StoreW: store uint32
func StoreW(c *cpu.CPU, u *uop.Uop, addr uint32, h unsafe.Pointer) {
	*(*uint32)(unsafe.Add(h, addr&0xfff)) = uint32(c.R[u.A] + u.X)
}

// StoreH: store uint16
func StoreH(c *cpu.CPU, u *uop.Uop, addr uint32, h unsafe.Pointer) {
	*(*uint16)(unsafe.Add(h, addr&0xfff)) = uint16(c.R[u.A] + u.X)
}

// StoreB: store uint8
func StoreB(c *cpu.CPU, u *uop.Uop, addr uint32, h unsafe.Pointer) {
	*(*uint8)(unsafe.Add(h, addr&0xfff)) = uint8(c.R[u.A] + u.X)
}

// StoreD: store uint64
func StoreD(c *cpu.CPU, u *uop.Uop, addr uint32, h unsafe.Pointer) {
	*(*uint64)(unsafe.Add(h, addr&0xfff)) = *(*uint64)(unsafe.Pointer(&c.R[u.A]))
}

// The frames of ENTER_S and LEAVE_S: whether all of their words can be accessed is asked in front of the first.

// FRAMER: the frame is the x bytes from b+imm on, words in one page that can be read
func FRAMER(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	addr := c.R[u.B] + u.Imm
	h := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Read[addr>>12]))
	if h == nil || addr&3 != 0 || addr&0xfff > 0x1000-u.X {
		slow()
	}
	e.Frame = uint64(uintptr(h)) + uint64(addr&0xfff)
}

// FRAMEW: the same for one that can be written
func FRAMEW(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	addr := c.R[u.B] + u.Imm
	h := *(*unsafe.Pointer)(unsafe.Pointer(&c.Mem.Write[addr>>12]))
	if h == nil || addr&3 != 0 || addr&0xfff > 0x1000-u.X {
		slow()
	}
	e.Frame = uint64(uintptr(h)) + uint64(addr&0xfff)
}

// RESTORE: a = the word of the frame at imm
func RESTORE(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	h := *(*unsafe.Pointer)(unsafe.Pointer(&e.Frame))
	c.R[u.A] = *(*uint32)(unsafe.Add(h, u.Imm))
}

// SAVE: the word of the frame at imm = a
func SAVE(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	h := *(*unsafe.Pointer)(unsafe.Pointer(&e.Frame))
	*(*uint32)(unsafe.Add(h, u.Imm)) = c.R[u.A]
}

// STACK: leave the instruction unless [b+c<<d+imm] of x bytes lies in the stack
func STACK(c *cpu.CPU, e *uop.State, u *uop.Uop) {
	addr := c.R[u.B] + c.R[u.C]<<(u.D&31) + u.Imm
	if addr < e.StackTop || uint64(addr)+uint64(u.X) > e.StackBase {
		slow()
	}
}

// FETCH: the instruction is in the cache line with tag imm, x bytes into the tags in front
func FETCH(e *uop.State, u *uop.Uop) {
	if *(*uint32)(unsafe.Add(e.FetchTags, u.X)) != u.Imm {
		exit(uop.ExitFetch)
	}
}
