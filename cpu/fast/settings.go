package fast

import (
	"slices"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// settings hold all that compiled code may rely on besides the instructions: the DSP mode, and the registers that the
// ports of the AGU follow from. Programs change them often, and come back to a few.
type settings struct {
	ctrl   uint32
	strict uint32 // of accesses that are not aligned
	mod    [24]uint32
	os     [8]uint32
}

// maxSettings bounds the settings that are remembered.
const maxSettings = 1 << 10

// adapter has blocks entered by units that are right for the settings of the processor.
type adapter struct {
	unsure bool     // the settings may not be those below any more
	now    settings // what the entries of blocks are right for
	units  []*nativeUnit
	known  map[settings][]bool // which of the units are right, as far as they were there
}

// add adds a unit that is right now.
func (a *adapter) add(u *nativeUnit) {
	if len(u.assumes) > 0 {
		a.units = append(a.units, u)
	}
	if len(a.units)%64 == 63 {
		a.prune()
	}
}

// prune forgets units that are dead.
func (a *adapter) prune() {
	dead := func(u *nativeUnit) bool { return u.Dead }
	if slices.ContainsFunc(a.units, dead) {
		a.units = slices.DeleteFunc(a.units, dead)
		clear(a.known)
	}
}

// adapt makes the entries of blocks right. It reports whether the settings are new.
func (a *adapter) adapt(c *cpu.CPU) bool {
	a.unsure = false
	ctrl := c.Mode.Ctrl()
	if a.now.ctrl == ctrl && a.now.strict == c.Strict && a.now.mod == c.AGU.MOD && a.now.os == c.AGU.OS {
		return false
	}
	a.now = settings{ctrl: ctrl, strict: c.Strict, mod: c.AGU.MOD, os: c.AGU.OS}
	if len(a.units) == 0 {
		return true
	}
	right := a.known[a.now]
	if n := len(right); n < len(a.units) {
		for _, u := range a.units[n:] {
			right = append(right, u.fits(c))
		}
		if a.known == nil || len(a.known) >= maxSettings {
			a.known = map[settings][]bool{}
		}
		a.known[a.now] = right
	}
	for i, u := range a.units {
		u.SetValid(right[i])
	}
	return true
}

// fits reports whether what a unit relies on is so.
func (u *nativeUnit) fits(c *cpu.CPU) bool {
	return !slices.ContainsFunc(u.assumes, func(a ssa.Assumption) bool {
		return number(unsafe.Add(unsafe.Pointer(c), a.Off), a.Size) != a.Value
	})
}
