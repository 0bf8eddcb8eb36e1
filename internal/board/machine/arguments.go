package machine

import (
	"fmt"

	"arcv2dsp/internal/board/hostio"
	"arcv2dsp/loader"
)

const (
	maxArgs = 128 << 10

	// stackRoom is kept free below the arguments for programs that do not set up a stack.
	stackRoom = 1 << 20
)

// PlaceArgs puts argv where the program has nothing and leaves argc in r0, argv in r1 and a stack
// below in sp, as start files of programs with GNU I/O expect them. everywhere says that all free addresses
// are memory. A single argument, the program's name, is left out when there is no room.
func (b *Board) PlaceArgs(im *loader.Image, args []string, everywhere bool) error {
	size := uint32(len(hostio.ArgBlock(0, args)))
	if size > maxArgs {
		return fmt.Errorf("the arguments take %d bytes, at most %d are possible", size, maxArgs)
	}
	addr, ok := b.argsRoom(im, size, everywhere)
	if !ok {
		if len(args) > 1 {
			return fmt.Errorf("%s leaves no memory for the %d bytes of arguments", im.Name, size)
		}
		return nil
	}
	if err := b.mem.Poke(addr, hostio.ArgBlock(addr, args)); err != nil {
		return err
	}
	b.cpu.SetReg(0, uint32(len(args)))
	b.cpu.SetReg(1, addr)
	b.cpu.SetReg(28, addr)
	return nil
}

// argsRoom finds memory for argv that neither the program's image nor the heap and stack its
// linker script sets aside lay claim to.
func (b *Board) argsRoom(im *loader.Image, size uint32, everywhere bool) (addr uint32, ok bool) {
	var top uint64
	for _, s := range im.Segments {
		top = max(top, uint64(s.Addr)+uint64(len(s.Data)), uint64(s.ZeroAddr)+uint64(s.Zero))
	}
	for _, name := range []string{"_end", "__stack_top", "__end_heap", "__bss_end"} {
		if s, ok := im.Symbols.Lookup(name); ok {
			top = max(top, uint64(s.Addr))
		}
	}
	if everywhere {
		at := (top+stackRoom+0xffff)&^0xffff - uint64(size+7)&^7
		if r := b.mem.At(uint32(at)); at+uint64(size) < 1<<32 && r == nil {
			return uint32(at), true
		}
	}
	// In a restricted memory: the end of the region that holds the most of the data.
	for _, name := range []string{"dccm", "iccm"} {
		r := b.mem.Region(name)
		if r == nil {
			continue
		}
		at := (r.End() - uint64(size)) &^ 7
		if top <= at || top > r.End() || top <= uint64(r.Base) {
			return uint32(at), true
		}
	}
	return 0, false
}
