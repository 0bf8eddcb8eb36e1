package dspmodel

// Accumulator control. Byte 1 of the control operand selects: 0 wide, 1 lo, 2 hi, 3 both lanes.

func (r *run) selector() int { return int(u(r.Y, 8, 2).int()) }

func (r *run) noDest() { r.out.NoDest, r.out.UsesAcc = true, true }

var _ = register(map[string]func(*run){
	"setacc":  setacc,
	"getacc":  getacc,
	"aslacc":  func(r *run) { r.shiftAccumulator(false) },
	"aslsacc": func(r *run) { r.shiftAccumulator(true) },
	"normacc": normacc,
	"flagacc": flagacc,
})

func setacc(r *run) {
	r.out.UsesAcc = true
	r.dest(r.x()) // the value passes through
	bit := func(i int) bool { return unum(r.Y).floorBy2to(i).odd() }
	lowWord := func(v int64, w n) int64 { return num(v).floorBy2to(32).times2to(32).add(w).int() }
	guard := func(v int64, g n) int64 { return g.times2to(32).add(num(v).unsigned(32)).int() }
	if !bit(0) { // a single register
		switch r.selector() {
		case 0:
			r.out.Lo = lowWord(r.Lo, u(r.X, 0, 32))
		case 1:
			r.out.Hi = lowWord(r.Hi, u(r.X, 0, 32))
		case 2:
			r.out.Lo = guard(r.Lo, byt(r.X, 0))
		case 3:
			r.out.Hi = guard(r.Hi, byt(r.X, 0))
		}
		return
	}
	lane, wide := r.x(), r.x()
	switch {
	case bit(10): // a fraction, held at product scale when PA = 0
		lane = r.x().floorBy2to(1 - r.PA)
		wide = r.x().times2to(32).floorBy2to(1 - r.PA)
	case bit(11):
		lane, wide = u(r.X, 0, 32), u(r.X, 0, 32)
	}
	switch r.selector() {
	case 0:
		r.storeWide(wide)
	case 1:
		r.out.Lo = lane.int()
	case 2:
		r.out.Hi = lane.int()
	case 3:
		r.out.Lo, r.out.Hi = lane.int(), lane.int()
	}
}

// getacc returns a field of the accumulator; see the field list of the control operand.
func getacc(r *run) {
	r.out.UsesAcc = true
	bit := func(i int) bool { return unum(r.Y).floorBy2to(i).odd() }
	amount := int(byt(r.Y, 0).int())
	if bit(16) && r.PA == 0 {
		amount++
	}
	size := 32
	switch u(r.Y, 14, 2).int() {
	case 2:
		size = 16
	case 3:
		size = 8
	}
	saturate, signed, round, right := bit(10), bit(11), bit(12), bit(13)

	// field is the upper size bits below point after the shift
	field := func(acc n, width, point int) n {
		if !signed {
			acc = acc.unsigned(width)
		}
		mode := Truncate
		if round {
			mode = r.RM
		}
		v := acc.dividedBy2to(point-size-amount, mode)
		w := v.unsigned(size)
		if signed {
			w = v.signed(size)
		}
		if saturate {
			if signed {
				w = v.clamp(size)
			} else {
				w = v.within(num(0), pow2(size).sub(num(1)))
			}
			if !w.eq(v) {
				r.out.Events |= SAT
			}
		}
		return w
	}
	// placed puts it to the top of a destination of that width, or extends it
	placed := func(v n, width int) n {
		if !right {
			v = v.times2to(width - size)
		}
		return v
	}
	switch r.selector() {
	case 0:
		r.dest(placed(field(r.readWide(), r.wide(), 64), 32))
	case 1:
		r.dest(placed(field(r.readLo(), r.lane(), 32), 32))
	case 2:
		r.dest(placed(field(r.readHi(), r.lane(), 32), 32))
	case 3:
		size = min(size, 16)
		r.dest(lanes(placed(field(r.readLo(), r.lane(), 32), 16), placed(field(r.readHi(), r.lane(), 32), 16)))
	}
}

func (r *run) shiftAccumulator(saturate bool) {
	r.noDest()
	shift := func(v n, amount n, width int, overflow uint32) n {
		v = scaled(v, amount.int(), Truncate)
		if saturate {
			return r.clamped(v, width, SAT|overflow)
		}
		return v
	}
	low, up := byt(r.Y, 0), byt(r.Y, 2)
	switch r.selector() {
	case 0:
		r.writeWide(shift(r.readWide(), low, r.wide(), HiV))
	case 1:
		r.writeLo(shift(r.readLo(), low, r.lane(), LoV))
	case 2:
		r.writeHi(shift(r.readHi(), low, r.lane(), HiV))
	case 3:
		r.writeLo(shift(r.readLo(), low, r.lane(), LoV))
		r.writeHi(shift(r.readHi(), up, r.lane(), HiV))
	}
}

func normacc(r *run) {
	r.out.UsesAcc = true
	// the headroom above the word that the accumulator is read out to; the guard makes it negative
	norm := func(v n, width, point int) n {
		headroom := redundant(v, width) - int64(width-point)
		if r.PA == 0 {
			headroom--
		}
		return num(headroom).unsigned(8)
	}
	lo, hi := norm(r.readLo(), r.lane(), 32), norm(r.readHi(), r.lane(), 32)
	switch r.selector() {
	case 0:
		r.dest(norm(r.readWide(), r.wide(), 64))
	case 1:
		r.dest(lo)
	case 2:
		r.dest(hi)
	case 3:
		r.dest(hi.times2to(16).add(lo))
	}
}

func flagacc(r *run) {
	r.noDest()
	v, over := r.readHi(), r.Sticky&HiV
	switch r.selector() {
	case 0:
		v = r.readWide()
	case 1:
		v, over = r.readLo(), r.Sticky&LoV
	}
	r.out.Always = true
	r.setFlag(flagZ, v.zero())
	r.setFlag(flagN, v.negative())
	r.setFlag(flagC, false)
	r.setFlag(flagV, over != 0)
}
