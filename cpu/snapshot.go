package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"sync"
	"unsafe"

	"arcv2dsp/dspunit"
)

// A saved state is the State as it lies in memory, behind a mark of its layout: a state saved by a
// version with another layout is refused, not misread.

// SaveState returns the state of the core, without what engines leave in slots of their own.
// Memory, caches and devices are saved by their owners.
func (c *CPU) SaveState() []byte {
	s := c.State
	clear(s.R[SlotZero:])
	s.Pipe = s.Pipe.Settled() // between two instructions nothing reads the rest, and only the reference engine has it
	b := binary.LittleEndian.AppendUint64(nil, stateLayout())
	return append(b, stateBytes(&s)...)
}

// ErrState reports a saved state that this version cannot restore.
var ErrState = errors.New("saved core state of another version")

// RestoreState makes the core what SaveState saw. Closely coupled memories that the program has moved since move
// back, with the contents they have now. Decoded code stays unless they move: it follows from memory, and memory
// tells of changes.
func (c *CPU) RestoreState(b []byte) error {
	want := 8 + int(unsafe.Sizeof(State{}))
	if len(b) < 8 || binary.LittleEndian.Uint64(b) != stateLayout() || len(b) != want {
		return fmt.Errorf("%w: %d bytes, want %d", ErrState, len(b), want)
	}
	s := new(State)
	copy(stateBytes(s), b[8:])
	if int64(s.irq.sel) >= int64(c.lastIRQ()) {
		return fmt.Errorf("%w: interrupt %d is selected, which the core does not have", ErrState, s.irq.sel)
	}
	moved := c.aux.iccmBase != s.aux.iccmBase || c.aux.iccm1Base != s.aux.iccm1Base || c.aux.dccmBase != s.aux.dccmBase ||
		c.aux.xccmBase != s.aux.xccmBase || c.aux.yccmBase != s.aux.yccmBase
	if moved {
		if err := c.placeMemories(&s.aux); err != nil {
			return fmt.Errorf("%w: %w", ErrState, err)
		}
	}
	c.State = *s
	c.derive()
	c.guardMemory()
	c.setAlignment()
	c.switchCache()
	c.exc, c.port, c.last = Exception{}, portPlan{}, Exception{}
	c.handling = c.handling[:0]
	c.updateChecks()
	if moved {
		c.FlushCode()
	}
	c.engine.Restored(c)
	return nil
}

// derive works out again what follows from other fields of the state: engines index tables with it,
// whatever a damaged file says.
func (c *CPU) derive() {
	c.F &= FlagV | FlagC | FlagN | FlagZ
	c.AGU.Size = c.Config.AGU
	c.AGU.Derive()
	c.Mode = dspunit.DecodeMode(c.Mode.Ctrl())
	c.smart.on = hasSmaRT(&c.Config) && c.smart.control&smartEnable != 0
	c.deriveDMA()
	c.smart.next %= max(uint32(c.Config.SmaRT), 1)
	c.updateIRQ()
}

// stateBytes is the memory of s. State holds no pointers, which a test makes sure of.
func stateBytes(s *State) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
}

// stateLayout identifies the fields of State, their types and places.
var stateLayout = sync.OnceValue(func() uint64 {
	h := fnv.New64a()
	describe(h.Write, reflect.TypeFor[State](), 0)
	return h.Sum64()
})

func describe(write func([]byte) (int, error), t reflect.Type, at uintptr) {
	_, _ = write(fmt.Appendf(nil, "%d %s %d;", at, t.Kind(), t.Size()))
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			_, _ = write([]byte(f.Name))
			describe(write, f.Type, at+f.Offset)
		}
	case reflect.Array:
		describe(write, t.Elem(), at)
	}
}
