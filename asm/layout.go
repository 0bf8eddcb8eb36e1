package asm

// maxPasses bounds the search for a layout. Instructions only grow, so it ends much earlier unless
// sizes contradict each other.
const maxPasses = 200

// layout finds the size of every variable place, then the address of everything.
func (a *assembler) layout() {
	for pass := 0; ; pass++ {
		moved := false
		total := uint64(0)
		for _, sec := range a.sections {
			addr := uint32(0)
			for _, st := range sec.subs {
				var ok bool
				if addr, ok = a.place(st, addr, &moved); !ok {
					a.tooLarge(sec)
					return
				}
			}
			sec.used = addr
			if !a.opts.NoPad {
				addr = (addr + sec.align - 1) &^ (sec.align - 1)
			}
			sec.size = addr
			if !sec.nobits() {
				total += uint64(addr)
			}
			if total > uint64(a.maxSize) || int64(addr) > a.maxSize {
				a.tooLarge(sec)
				return
			}
		}
		if a.debug.views && a.countViews() {
			moved = true
		}
		switch {
		case moved:
		case a.settled:
			return
		default:
			a.settled = true // once more, now looking at alignments too
		}
		if pass == maxPasses {
			a.errorAt(a.i, "sizes depend on each other: no layout after %d passes", maxPasses)
			return
		}
	}
}

func (a *assembler) tooLarge(sec *section) {
	a.errorAt(a.i, "with section %s the object is larger than %d MB", sec.name, maxSection>>20)
}

// place gives the frags of a stream their addresses, the first at addr; it returns the end address.
func (a *assembler) place(st *stream, addr uint32, moved *bool) (end uint32, ok bool) {
	shift := addr
	for i := range st.frags {
		f := &st.frags[i]
		if f.shift != shift {
			f.shift = shift
			*moved = true
		}
		if f.v == nil {
			continue
		}
		size := f.v.resize(a, st, f.end+shift, f.size)
		if size != f.size {
			f.size = size
			*moved = true
		}
		if int64(size) > a.maxSize || int64(f.end+shift) > a.maxSize {
			return 0, false
		}
		shift += size
	}
	return st.pos() + shift, true
}

// contents returns the final bytes of a section, fixups not yet applied.
func (a *assembler) contents(sec *section) []byte {
	if sec.nobits() {
		return nil
	}
	if len(sec.subs) == 1 && len(sec.subs[0].frags) == 1 && int(sec.size) == len(sec.subs[0].buf) {
		return sec.subs[0].buf
	}
	out := make([]byte, 0, sec.size)
	for _, st := range sec.subs {
		from := uint32(0)
		for i := range st.frags {
			f := &st.frags[i]
			if f.v == nil {
				out = append(out, st.buf[from:]...)
				break
			}
			out = append(out, st.buf[from:f.end]...)
			from = f.end
			at := len(out)
			out = f.v.emit(a, st, out, f.end+f.shift, f.size)
			if got := uint32(len(out) - at); got != f.size {
				panic("asm: a place was emitted with another size than laid out")
			}
		}
	}
	if pad := sec.size - uint32(len(out)); sec.code() {
		out = appendNops(out, pad, a.big)
	} else {
		out = append(out, make([]byte, pad)...)
	}
	return out
}
