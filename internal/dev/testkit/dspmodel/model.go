package dspmodel

import (
	"maps"
	"slices"
)

// Mode is DSP_CTRL as far as it has a meaning for arithmetic.
type Mode struct {
	RM int // rounding mode; 1 is reserved and truncates
	GE int // 1: accumulators have guard bits
	PA int // 1: fractional products are doubled before accumulation
}

// In is the state before an instruction.
type In struct {
	Mode
	X, Y   uint64 // sources; 32-bit ones are zero-extended
	Flags  uint32 // STATUS32 flags: Z = 8, N = 4, C = 2, V = 1
	Lo, Hi int64  // lanes as stored, 40 bits signed
	Sticky uint32 // events so far, as Out.Events
}

// Out is the state after it. Lanes that are not written are those of In.
type Out struct {
	Z       uint64 // destination; a pair when Pair
	Pair    bool
	NoDest  bool   // the instruction has no destination
	Flags   uint32 // the flags after the instruction with .f
	HasF    bool   // .f exists
	Always  bool   // flags are written without .f
	Events  uint32 // sticky: 1 SAT, 2 V of the low lane, 4 V of the high lane and wide
	Lo, Hi  int64
	UsesAcc bool // accumulators are read or written
}

// Sticky events.
const (
	SAT = 1
	LoV = 2
	HiV = 4
)

// run is one evaluation.
type run struct {
	In
	out Out
}

// Names returns every instruction the model knows, sorted.
func Names() []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(products)), maps.Keys(functions))
	slices.Sort(all)
	return all
}

// Eval returns the effect of an instruction; ok is false for a name it does not know.
func Eval(name string, in In) (out Out, ok bool) {
	r := &run{In: in}
	r.out = Out{Lo: in.Lo, Hi: in.Hi, Flags: in.Flags}
	if p, found := products[name]; found {
		r.product(p)
		return r.out, true
	}
	if f, found := functions[name]; found {
		f(r)
		return r.out, true
	}
	return Out{}, false
}

// Sources, as numbers. s are signed, u unsigned.

func s(v uint64, from, width int) n { return unum(v).floorBy2to(from).signed(width) }
func u(v uint64, from, width int) n { return unum(v).floorBy2to(from).unsigned(width) }

func (r *run) x() n { return s(r.X, 0, 32) }
func (r *run) y() n { return s(r.Y, 0, 32) }

// half lane i, byte i, word i, signed
func half(v uint64, i int) n { return s(v, 16*i, 16) }
func byt(v uint64, i int) n  { return s(v, 8*i, 8) }
func word(v uint64, i int) n { return s(v, 32*i, 32) }

// Accumulators. Width of a lane and of the wide accumulator in the present mode.

func (m Mode) lane() int { return 32 + 8*m.GE }
func (m Mode) wide() int { return 64 + 8*m.GE }

// readLo and readHi read the accumulators, sign-extended from the present width.
func (r *run) readLo() n { return num(r.Lo).signed(r.lane()) }
func (r *run) readHi() n { return num(r.Hi).signed(r.lane()) }

// wideBits is {GHI guard, r59, r58} as an unsigned number of 72 bits.
func wideBits(lo, hi int64) n {
	return num(hi).times2to(32).add(num(lo).unsigned(32)).unsigned(72)
}

func (r *run) readWide() n { return wideBits(r.Lo, r.Hi).signed(r.wide()) }

func (r *run) writeLo(v n) { r.out.Lo = v.signed(r.lane()).int() }
func (r *run) writeHi(v n) { r.out.Hi = v.signed(r.lane()).int() }

// writeWide stores into r58, r59 and GHI's guard; GLO's guard stays.
func (r *run) writeWide(v n) { r.storeWide(v.signed(r.wide())) }

func (r *run) storeWide(v n) {
	guard := num(r.out.Lo).floorBy2to(32)
	r.out.Lo = guard.times2to(32).add(v.unsigned(32)).int()
	r.out.Hi = v.floorBy2to(32).signed(40).int()
}

// clamped clamps to width and records the events when that changed the value.
func (r *run) clamped(v n, width int, events uint32) n {
	w := v.clamp(width)
	if !w.eq(v) {
		r.out.Events |= events
	}
	return w
}

// dest sets the destination to a 32-bit value.
func (r *run) dest(v n) { r.out.Z = v.unsigned(32).low() }

// destPair sets the destination pair to a 64-bit value.
func (r *run) destPair(v n) { r.out.Z, r.out.Pair = v.low(), true }

// lanes joins two 16-bit lanes, lane 0 first; words two 32-bit ones.
func lanes(l0, l1 n) n { return l1.unsigned(16).times2to(16).add(l0.unsigned(16)) }
func words(l0, l1 n) n { return l1.unsigned(32).times2to(32).add(l0.unsigned(32)) }

// Flags.

const (
	flagV = 1
	flagC = 2
	flagN = 4
	flagZ = 8
)

func (r *run) setFlag(bit uint32, on bool) {
	r.out.HasF = true
	r.out.Flags &^= bit
	if on {
		r.out.Flags |= bit
	}
}

// flagsOfResult: Z and N of the result of that width, V when this instruction clamped.
func (r *run) flagsOfResult(width int) {
	v := unum(r.out.Z).signed(width)
	r.setFlag(flagZ, v.zero())
	r.setFlag(flagN, v.negative())
	r.setFlag(flagV, r.out.Events != 0)
}
