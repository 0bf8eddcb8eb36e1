package uop

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/memory"
)

// Prepare reads the costs of the processor's configuration.
func (code *Code) Prepare(c *cpu.CPU) {
	m := c.Timing
	code.ready = true
	code.split = m.PortUnaligned != [timing.NumBanks]uint8{}
	code.Buffers = c.WriteBuffers()
	code.Depth = uint64(m.WriteBuffer)
	code.openCaches(c)
	for k := range uint32(8) {
		code.MissCost[k], code.SplitMask[k] = 0, 0
		switch {
		case !banked(k):
			code.MissCost[k] = uint32(m.PortMiss)
		case m.PortUnaligned[BankOf(k)] != 0:
			code.SplitMask[k] = 3
		}
	}
	for k := range uint32(8) {
		for l := range uint32(8) {
			cost := code.MissCost[k] + code.MissCost[l]
			if k == l && banked(k) {
				cost = uint32(m.PortConflict)
			}
			code.PairCost[k<<3|l] = cost
		}
	}
}

// banked reports whether a kind of memory has a port of its own.
func banked(kind uint32) bool {
	switch memory.Kind(kind) {
	case memory.DCCM, memory.XCCM, memory.YCCM:
		return true
	}
	return false
}

// openCaches tells executors where the tags in front are.
func (code *Code) openCaches(c *cpu.CPU) {
	instructions, data := c.CacheModels()
	if instructions != nil {
		tags, _, _ := instructions.Front()
		code.FetchTags = unsafe.Pointer(&tags[0])
	}
	if data != nil {
		tags, shift, mask := data.Front()
		code.DataTags, code.DataShift, code.DataMask, code.DataDirty = unsafe.Pointer(&tags[0]), shift, mask, data.Dirty()
	}
}
