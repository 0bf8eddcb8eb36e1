package isa

// Two forms overlap when some word is an encoding of both: their opcode bits agree, and neither has a register
// where the other has 62, which stands for a long immediate or no destination there.

// excludes reports whether f has a register in a field where g has 62.
func excludes(f, g *Form) bool {
	c := f.candidate(0, f.Value)
	for _, group := range groups[2:] {
		if c.regs&group.mask() == group.mask() && uint16(g.Mask)&group.mask() == group.mask() &&
			uint16(g.Value)&group.mask()>>group.shift == group.null() {
			return true
		}
	}
	const bMask, b62 = 0x07007000, 0x06007000
	return c.regs&0x7000 == 0x7000 && g.Mask&bMask == bMask && g.Value&bMask == b62
}

func overlap(f, g *Form) bool {
	return f.Size == g.Size && (f.Value^g.Value)&f.Mask&g.Mask == 0 && !excludes(f, g) && !excludes(g, f)
}

// Family is an encoding family of one major opcode, with its members that are free: no form of any row, on
// whatever core, shares a word with them.
type Family struct {
	Name string // as it is written in a row, the member left out
	Free []Member
}

// Member is an instruction that a family has room for. Where Bit15 is FlagBit, both values of bit 15 are free.
type Member struct {
	Format Format
	Op     uint8 // Sub or Op of the format
	Bit15  Bit15
}

// FreeEncodings returns the free members of the families of general instructions.
func FreeEncodings() []Family {
	var list []Family
	for major := uint8(4); major <= 7; major++ {
		for _, kind := range []struct {
			name   string
			member func(op uint8, bit15 Bit15) Format
		}{
			{"Gen3{Major: %d}", func(op uint8, bit15 Bit15) Format { return Gen3{Major: major, Sub: op, Bit15: bit15} }},
			{"Single{Major: %d}", func(op uint8, bit15 Bit15) Format { return Single{Major: major, Op: op, Bit15: bit15} }},
			{"Zero{Major: %d}", func(op uint8, bit15 Bit15) Format { return Zero{Major: major, Op: op, Bit15: bit15, Limm: true} }},
		} {
			family := Family{Name: kind.name[:len(kind.name)-3] + string('0'+rune(major)) + "}"}
			for op := range uint8(64) {
				if opens(kind.member(op, Bit15Zero)) {
					continue
				}
				zero, one := kind.member(op, Bit15Zero), kind.member(op, Bit15One)
				switch z, o := isFree(zero), isFree(one); {
				case z && o:
					family.Free = append(family.Free, Member{Format: kind.member(op, FlagBit), Op: op})
				case z:
					family.Free = append(family.Free, Member{Format: zero, Op: op, Bit15: Bit15Zero})
				case o:
					family.Free = append(family.Free, Member{Format: one, Op: op, Bit15: Bit15One})
				}
			}
			list = append(list, family)
		}
	}
	return list
}

// opens reports whether the number of a member opens the space of another family: that of Single among Gen3,
// and of Zero among Single.
func opens(format Format) bool {
	switch g := format.(type) {
	case Gen3:
		return g.Sub == 0x2f
	case Single:
		return g.Op == 0x3f
	}
	return false
}

// isFree reports whether no form of a row overlaps one of a format.
func isFree(format Format) bool {
	row := &Row{Name: "a free encoding"}
	for _, s := range format.expand() {
		f := newForm(row, s)
		for _, g := range tables().forms() {
			if !g.Alias && overlap(f, g) {
				return false
			}
		}
	}
	return true
}
