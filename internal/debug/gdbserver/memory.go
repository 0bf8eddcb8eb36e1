package gdbserver

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
)

// readMemory is the packet m. It answers with less than was asked for when the rest is more than a
// packet or is no memory.
func (t *target) readMemory(dst []byte, text string) ([]byte, error) {
	addr, n, err := parseRange(text)
	if err != nil {
		return dst, err
	}
	n = min(n, maxPacket/2)
	if n == 0 {
		return dst, nil
	}
	data := make([]byte, n)
	if err := t.d.ReadMemory(addr, data); err == nil {
		return appendHex(dst, data), nil
	}
	// Memories begin and end with a page, or not much smaller.
	const page = 256
	got := data[:0]
	for uint32(len(got)) < n {
		at := addr + uint32(len(got))
		part := data[len(got):min(n, uint32(len(got))+page-at%page)]
		if t.d.ReadMemory(at, part) != nil {
			break
		}
		got = data[:len(got)+len(part)]
	}
	if len(got) == 0 {
		return dst, errFault
	}
	return appendHex(dst, got), nil
}

// writeMemory is the packets M and X; decode reads the bytes.
func (t *target) writeMemory(text string, decode func([]byte) ([]byte, error)) error {
	place, body, ok := strings.Cut(text, ":")
	if !ok {
		return errMalformed
	}
	addr, n, err := parseRange(place)
	if err != nil {
		return err
	}
	data, err := decode([]byte(body))
	if err != nil {
		return err
	}
	if uint32(len(data)) != n {
		return errMalformed
	}
	if n == 0 {
		return nil
	}
	// A byte that is there already is no change, after which the past could not be repeated.
	have := make([]byte, n)
	if t.d.ReadMemory(addr, have) == nil && bytes.Equal(have, data) {
		return nil
	}
	if err := t.d.WriteMemory(addr, data); err != nil {
		return errFault
	}
	return nil
}

// memoryMap describes where memory is. Devices are left out unless they can be read without effect.
func (t *target) memoryMap() string {
	type span struct{ first, end uint64 }
	var list []span
	add := func(first, end uint64) {
		var b [1]byte
		if first >= end || t.d.ReadMemory(uint32(first), b[:]) != nil {
			return
		}
		if n := len(list); n > 0 && list[n-1].end == first {
			list[n-1].end = end
			return
		}
		list = append(list, span{first, end})
	}
	regions := t.d.Regions()
	sort.Slice(regions, func(i, j int) bool { return regions[i].Base < regions[j].Base })
	at := uint64(0)
	for _, r := range regions {
		first, end := max(at, uint64(r.Base)), uint64(r.Base)+r.Size
		add(at, first)
		add(first, end)
		at = max(at, end)
	}
	add(at, 1<<32)
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\"" +
		" \"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n")
	for _, s := range list {
		fmt.Fprintf(&b, "  <memory type=\"ram\" start=\"%#x\" length=\"%#x\"/>\n", s.first, s.end-s.first)
	}
	b.WriteString("</memory-map>\n")
	return b.String()
}
