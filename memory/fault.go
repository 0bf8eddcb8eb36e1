package memory

import "fmt"

// Access is what an access wants of a page.
type Access uint8

const (
	Read Access = 1 << iota
	Write
	Exec
)

func (a Access) String() string {
	switch a {
	case Read:
		return "load"
	case Write:
		return "store"
	case Exec:
		return "fetch"
	}
	return fmt.Sprintf("access(%d)", uint8(a))
}

// Cause is why an access failed.
type Cause uint8

const (
	CauseUnmapped   Cause = iota + 1 // nothing answers at the address
	CausePermission                  // the region does not allow the access
	CauseMisaligned                  // the core demands natural alignment
	CauseGuard                       // the guard (MPU) refused
	CauseDevice                      // the device refused the access
	CauseLimit                       // the memory limit of the run is reached
)

func (c Cause) String() string {
	switch c {
	case CauseUnmapped:
		return "unmapped address"
	case CausePermission:
		return "access not permitted"
	case CauseMisaligned:
		return "misaligned address"
	case CauseGuard:
		return "protection violation"
	case CauseDevice:
		return "refused by device"
	case CauseLimit:
		return "memory limit reached"
	}
	return fmt.Sprintf("cause(%d)", uint8(c))
}

// Fault is a failed access. The processor raises an exception for it; it is no error of the host, but Error lets callers
// on the host's side (loaders, debuggers) return it as one.
type Fault struct {
	Addr   uint32
	Size   uint32
	Access Access
	Cause  Cause
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%s of %d bytes at 0x%08x: %s", f.Access, f.Size, f.Addr, f.Cause)
}
