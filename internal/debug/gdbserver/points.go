package gdbserver

import (
	"strings"

	"arcv2dsp/internal/debug"
)

// pointKey is a client's name for a breakpoint or watchpoint.
type pointKey struct {
	kind byte // '0' to '4'
	addr uint32
	size uint32 // watched bytes; 0 for breakpoints, whose instruction does not matter
}

// Kinds of points in packets.
const (
	softwareBreak = '0'
	hardwareBreak = '1'
	writeWatch    = '2'
	readWatch     = '3'
	accessWatch   = '4'
)

// maxPoints bounds what a client can ask for.
const maxPoints = 4096

// parsePoint reads KIND,ADDR,SIZE of the packets Z and z. ok is false for a kind that there is not.
func parsePoint(text string) (key pointKey, ok bool, err error) {
	kind, place, found := strings.Cut(text, ",")
	place, conditions, _ := strings.Cut(place, ";")
	if !found || len(kind) != 1 {
		return key, false, errMalformed
	}
	if kind[0] < softwareBreak || kind[0] > accessWatch || conditions != "" {
		return key, false, nil
	}
	addr, size, err := parseRange(place)
	if err != nil {
		return key, false, err
	}
	key = pointKey{kind: kind[0], addr: addr}
	switch {
	case key.kind >= writeWatch:
		key.size = size
		if size == 0 {
			err = errInvalid
		}
	case size != 2 && size != 4 || addr&1 != 0: // brk_s, brk
		err = errInvalid
	}
	return key, true, err
}

func (t *target) insert(key pointKey) error {
	if t.points[key] != nil {
		return nil
	}
	if len(t.points) == maxPoints {
		return errNoMemory
	}
	switch key.kind {
	case writeWatch:
		t.points[key] = t.d.WatchRange(debug.WriteWatch, key.addr, key.size)
	case readWatch:
		t.points[key] = t.d.WatchRange(debug.ReadWatch, key.addr, key.size)
	case accessWatch:
		t.points[key] = t.d.WatchRange(debug.AccessWatch, key.addr, key.size)
	default:
		t.points[key] = t.d.BreakAt(key.addr)
	}
	return nil
}

func (t *target) remove(key pointKey) {
	if p := t.points[key]; p != nil {
		t.d.Delete(p)
		delete(t.points, key)
	}
}

// removeAll forgets the points of a client that has gone.
func (t *target) removeAll() {
	for key := range t.points {
		t.remove(key)
	}
}

// keyOf finds the client's point among those that stopped the program.
func (t *target) keyOf(hits []*debug.Point) (pointKey, bool) {
	for _, p := range hits {
		for key, q := range t.points {
			if p == q {
				return key, true
			}
		}
	}
	return pointKey{}, false
}

// breaksAt reports whether the client has a breakpoint at an address.
func (t *target) breaksAt(addr uint32) bool {
	return t.points[pointKey{kind: softwareBreak, addr: addr}] != nil || t.points[pointKey{kind: hardwareBreak, addr: addr}] != nil
}
