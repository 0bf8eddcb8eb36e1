package dspmodel

// product describes a multiplication or multiply-accumulate.
type product struct {
	terms    func(r *run) (t0, t1 n) // exact sums of products; t1 for the high lane of twoLanes
	place    place
	op       byte // '=' set, '+' add, '-' subtract
	kind     kind
	result   result
	round    bool
	unsigned bool
	noFlags  bool // .f does not exist
}

type place int

const (
	wide     place = iota // the wide accumulator
	high                  // the high lane
	twoLanes              // both lanes
)

type kind int

const (
	integer  kind = iota // sums wrap
	fraction             // sums clamp; doubled before (PA = 1) or on the way out (PA = 0)
	undouble             // sums clamp, nothing is doubled
)

type result int

const (
	lowWord    result = iota // bits 31:0
	bits47to16               // bits 47:16; clamped and rounded for fractions
	bits63to32               // bits 63:32, clamped and rounded
	all64                    // a pair: bits 63:0; clamped for fractions
	lowWords                 // a pair: bits 31:0 of both lanes
	halves                   // bits 31:16 of both lanes, clamped and rounded
	wholeWords               // a pair: both lanes clamped to 32 bits
	oneHalf                  // bits 31:16 of the high lane, clamped, rounded, sign-extended
	oneWord                  // the high lane clamped to 32 bits
)

func (r *run) product(p product) {
	r.out.UsesAcc = true
	t0, t1 := p.terms(r)
	var a0, a1 n // the accumulators afterwards; a0 alone for wide and high
	width := r.lane()
	fits := true
	switch p.place {
	case wide:
		width = r.wide()
		a0, fits = r.accumulate(p, r.readWide(), t0, width, HiV)
		r.writeWide(a0)
		a0 = a0.signed(width)
	case high:
		a0, _ = r.accumulate(p, r.readHi(), t0, width, HiV)
		r.writeHi(a0)
	case twoLanes:
		a0, _ = r.accumulate(p, r.readLo(), t0, width, LoV)
		a1, _ = r.accumulate(p, r.readHi(), t1, width, HiV)
		r.writeLo(a0)
		r.writeHi(a1)
	}

	double := 0
	if p.kind == fraction && r.PA == 0 {
		double = 1
	}
	mode := Truncate
	if p.round {
		mode = r.RM
	}
	// field is the clamped result of width bits whose lowest one is at bit from
	field := func(a n, from, width int) n {
		return r.clamped(a.dividedBy2to(from-double, mode), width, SAT)
	}
	destWidth := 32
	switch p.result {
	case lowWord:
		r.dest(a0)
	case bits47to16:
		if p.kind == integer {
			r.dest(a0.floorBy2to(16))
		} else {
			r.dest(field(a0, 16, 32))
		}
	case bits63to32:
		r.dest(field(a0, 32, 32))
	case all64:
		destWidth = 64
		if p.kind == integer {
			r.destPair(a0)
		} else {
			r.destPair(field(a0, 0, 64))
		}
	case lowWords:
		r.destPair(words(a0, a1))
	case halves:
		r.dest(lanes(field(a0, 16, 16), field(a1, 16, 16)))
	case wholeWords:
		r.destPair(words(field(a0, 0, 32), field(a1, 0, 32)))
	case oneHalf:
		r.dest(field(a0, 16, 16))
	case oneWord:
		r.dest(field(a0, 0, 32))
	}

	switch {
	case p.noFlags:
	case p.kind != integer:
		r.flagsOfResult(destWidth)
	case p.op == '=': // V cleared, N the sign, unsigned forms leave N alone
		r.setFlag(flagV, false)
		if !p.unsigned {
			r.setFlag(flagN, t0.negative())
		}
	default: // V is sticky
		if !fits {
			r.setFlag(flagV, true)
		}
		if !p.unsigned {
			r.setFlag(flagN, a0.negative())
		}
		r.out.HasF = true
	}
}

// accumulate returns the new accumulator value, and whether the exact one fitted. Integer sums are
// returned exact: writing wraps them.
func (r *run) accumulate(p product, acc, term n, width int, overflow uint32) (n, bool) {
	if p.kind == fraction {
		if r.PA == 1 {
			term = term.times2to(1)
		}
	}
	if p.kind != integer && (p.kind == fraction || p.op == '=') {
		term = r.clamped(term, width, SAT|overflow)
	}
	sum := term
	switch p.op {
	case '+':
		sum = acc.add(term)
	case '-':
		sum = acc.sub(term)
	}
	if p.kind != integer {
		return r.clamped(sum, width, SAT|overflow), true
	}
	if p.unsigned {
		// carry out of the accumulator taken as an unsigned number
		if p.op != '=' {
			return sum, acc.unsigned(width).add(term).cmp(pow2(width)) < 0
		}
		return sum, true
	}
	return sum, sum.eq(sum.signed(width))
}

// Terms.

func one(f func(x, y uint64) n) func(*run) (n, n) {
	return func(r *run) (n, n) { return f(r.X, r.Y), n{} }
}

func two(f, g func(x, y uint64) n) func(*run) (n, n) {
	return func(r *run) (n, n) { return f(r.X, r.Y), g(r.X, r.Y) }
}

// hh is x.h(i) * y.h(j); hb x.h(i) * y.b(j); wh x.w(i) * y.h(j); their unsigned twins.
func hh(i, j int) func(x, y uint64) n {
	return func(x, y uint64) n { return half(x, i).mul(half(y, j)) }
}
func hb(i, j int) func(x, y uint64) n {
	return func(x, y uint64) n { return half(x, i).mul(byt(y, j)) }
}
func wh(i, j int) func(x, y uint64) n {
	return func(x, y uint64) n { return word(x, i).mul(half(y, j)) }
}
func uhh(i, j int) func(x, y uint64) n {
	return func(x, y uint64) n { return u(x, 16*i, 16).mul(u(y, 16*j, 16)) }
}
func uwh(i, j int) func(x, y uint64) n {
	return func(x, y uint64) n { return u(x, 32*i, 32).mul(u(y, 16*j, 16)) }
}
func ww(x, y uint64) n  { return word(x, 0).mul(word(y, 0)) }
func uww(x, y uint64) n { return u(x, 0, 32).mul(u(y, 0, 32)) }

func sum(fs ...func(x, y uint64) n) func(x, y uint64) n {
	return func(x, y uint64) n {
		t := num(0)
		for _, f := range fs {
			t = t.add(f(x, y))
		}
		return t
	}
}

func diff(f, g func(x, y uint64) n) func(x, y uint64) n {
	return func(x, y uint64) n { return f(x, y).sub(g(x, y)) }
}

// products holds the whole multiply family.
var products = map[string]product{
	"mpyd":  {terms: one(ww), op: '=', result: all64},
	"mpydu": {terms: one(uww), op: '=', result: all64, unsigned: true},
	"mac":   {terms: one(ww), op: '+', result: lowWord},
	"macu":  {terms: one(uww), op: '+', result: lowWord, unsigned: true},
	"macd":  {terms: one(ww), op: '+', result: all64},
	"macdu": {terms: one(uww), op: '+', result: all64, unsigned: true},

	"dmpyh":   {terms: one(sum(hh(0, 0), hh(1, 1))), op: '=', result: lowWord},
	"dmpyhu":  {terms: one(sum(uhh(0, 0), uhh(1, 1))), op: '=', result: lowWord, unsigned: true},
	"dmach":   {terms: one(sum(hh(0, 0), hh(1, 1))), op: '+', result: lowWord},
	"dmachu":  {terms: one(sum(uhh(0, 0), uhh(1, 1))), op: '+', result: lowWord, unsigned: true},
	"dmpyhbl": {terms: one(sum(hb(0, 0), hb(1, 1))), op: '=', result: lowWord},
	"dmpyhbm": {terms: one(sum(hb(0, 2), hb(1, 3))), op: '=', result: lowWord},
	"dmachbl": {terms: one(sum(hb(0, 0), hb(1, 1))), op: '+', result: lowWord},
	"dmachbm": {terms: one(sum(hb(0, 2), hb(1, 3))), op: '+', result: lowWord},

	"vmpy2h":  {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '=', result: lowWords, noFlags: true},
	"vmpy2hu": {terms: two(uhh(0, 0), uhh(1, 1)), place: twoLanes, op: '=', result: lowWords, unsigned: true, noFlags: true},
	"vmac2h":  {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '+', result: lowWords, noFlags: true},
	"vmac2hu": {terms: two(uhh(0, 0), uhh(1, 1)), place: twoLanes, op: '+', result: lowWords, unsigned: true, noFlags: true},

	"mpywhl":   {terms: one(wh(0, 0)), op: '=', result: lowWord},
	"mpywhul":  {terms: one(uwh(0, 0)), op: '=', result: lowWord, unsigned: true},
	"mpywhkl":  {terms: one(wh(0, 0)), op: '=', result: bits47to16},
	"mpywhkul": {terms: one(uwh(0, 0)), op: '=', result: bits47to16, unsigned: true},
	"macwhl":   {terms: one(wh(0, 0)), op: '+', result: lowWord},
	"macwhul":  {terms: one(uwh(0, 0)), op: '+', result: lowWord, unsigned: true},
	"macwhkl":  {terms: one(wh(0, 0)), op: '+', result: bits47to16},
	"macwhkul": {terms: one(uwh(0, 0)), op: '+', result: bits47to16, unsigned: true},

	"vmpy2hf":    {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '=', kind: fraction, result: halves, noFlags: true},
	"vmpy2hfr":   {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '=', kind: fraction, result: halves, round: true, noFlags: true},
	"vmpy2hwf":   {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '=', kind: fraction, result: wholeWords, noFlags: true},
	"vmac2hf":    {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '+', kind: fraction, result: halves, noFlags: true},
	"vmac2hfr":   {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '+', kind: fraction, result: halves, round: true, noFlags: true},
	"vmac2hnfr":  {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '+', kind: undouble, result: halves, round: true, noFlags: true},
	"vmsub2hf":   {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '-', kind: fraction, result: halves, noFlags: true},
	"vmsub2hfr":  {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '-', kind: fraction, result: halves, round: true, noFlags: true},
	"vmsub2hnfr": {terms: two(hh(0, 0), hh(1, 1)), place: twoLanes, op: '-', kind: undouble, result: halves, round: true, noFlags: true},

	"dmpyhf":  {terms: one(sum(hh(0, 0), hh(1, 1))), place: high, op: '=', kind: fraction, result: oneHalf},
	"dmpyhfr": {terms: one(sum(hh(0, 0), hh(1, 1))), place: high, op: '=', kind: fraction, result: oneHalf, round: true},
	"dmpyhwf": {terms: one(sum(hh(0, 0), hh(1, 1))), place: high, op: '=', kind: fraction, result: oneWord},
	"dmachf":  {terms: one(sum(hh(0, 0), hh(1, 1))), place: high, op: '+', kind: fraction, result: oneHalf},
	"dmachfr": {terms: one(sum(hh(0, 0), hh(1, 1))), place: high, op: '+', kind: fraction, result: oneHalf, round: true},

	"mpyf":   {terms: one(ww), op: '=', kind: fraction, result: bits63to32},
	"mpyfr":  {terms: one(ww), op: '=', kind: fraction, result: bits63to32, round: true},
	"macf":   {terms: one(ww), op: '+', kind: fraction, result: bits63to32},
	"macfr":  {terms: one(ww), op: '+', kind: fraction, result: bits63to32, round: true},
	"msubf":  {terms: one(ww), op: '-', kind: fraction, result: bits63to32},
	"msubfr": {terms: one(ww), op: '-', kind: fraction, result: bits63to32, round: true},
	"mpydf":  {terms: one(ww), op: '=', kind: fraction, result: all64},
	"macdf":  {terms: one(ww), op: '+', kind: fraction, result: all64},
	"msubdf": {terms: one(ww), op: '-', kind: fraction, result: all64},

	"mpywhfl":   {terms: one(wh(0, 0)), op: '=', kind: fraction, result: bits47to16},
	"mpywhflr":  {terms: one(wh(0, 0)), op: '=', kind: fraction, result: bits47to16, round: true},
	"mpywhfm":   {terms: one(wh(0, 1)), op: '=', kind: fraction, result: bits47to16},
	"mpywhfmr":  {terms: one(wh(0, 1)), op: '=', kind: fraction, result: bits47to16, round: true},
	"macwhfl":   {terms: one(wh(0, 0)), op: '+', kind: fraction, result: bits47to16},
	"macwhflr":  {terms: one(wh(0, 0)), op: '+', kind: fraction, result: bits47to16, round: true},
	"macwhfm":   {terms: one(wh(0, 1)), op: '+', kind: fraction, result: bits47to16},
	"macwhfmr":  {terms: one(wh(0, 1)), op: '+', kind: fraction, result: bits47to16, round: true},
	"msubwhfl":  {terms: one(wh(0, 0)), op: '-', kind: fraction, result: bits47to16},
	"msubwhflr": {terms: one(wh(0, 0)), op: '-', kind: fraction, result: bits47to16, round: true},
	"msubwhfm":  {terms: one(wh(0, 1)), op: '-', kind: fraction, result: bits47to16},
	"msubwhfmr": {terms: one(wh(0, 1)), op: '-', kind: fraction, result: bits47to16, round: true},

	"cmpyhfr":   {terms: two(diff(hh(0, 0), hh(1, 1)), sum(hh(0, 1), hh(1, 0))), place: twoLanes, op: '=', kind: fraction, result: halves, round: true, noFlags: true},
	"cmpyhnfr":  {terms: two(diff(hh(0, 0), hh(1, 1)), sum(hh(0, 1), hh(1, 0))), place: twoLanes, op: '=', kind: undouble, result: halves, round: true, noFlags: true},
	"cmpychfr":  {terms: two(sum(hh(0, 0), hh(1, 1)), diff(hh(1, 0), hh(0, 1))), place: twoLanes, op: '=', kind: fraction, result: halves, round: true, noFlags: true},
	"cmpychnfr": {terms: two(sum(hh(0, 0), hh(1, 1)), diff(hh(1, 0), hh(0, 1))), place: twoLanes, op: '=', kind: undouble, result: halves, round: true, noFlags: true},
	"cmpyhfmr":  {terms: two(hh(0, 1), hh(1, 1)), place: twoLanes, op: '=', kind: fraction, result: halves, round: true, noFlags: true},
	"cmachfr":   {terms: two(diff(hh(0, 0), hh(1, 1)), sum(hh(0, 1), hh(1, 0))), place: twoLanes, op: '+', kind: fraction, result: halves, round: true, noFlags: true},
	"cmachnfr":  {terms: two(diff(hh(0, 0), hh(1, 1)), sum(hh(0, 1), hh(1, 0))), place: twoLanes, op: '+', kind: undouble, result: halves, round: true, noFlags: true},
	"cmacchfr":  {terms: two(sum(hh(0, 0), hh(1, 1)), diff(hh(1, 0), hh(0, 1))), place: twoLanes, op: '+', kind: fraction, result: halves, round: true, noFlags: true},
	"cmacchnfr": {terms: two(sum(hh(0, 0), hh(1, 1)), diff(hh(1, 0), hh(0, 1))), place: twoLanes, op: '+', kind: undouble, result: halves, round: true, noFlags: true},

	"dmpywh":  {terms: one(sum(wh(0, 0), wh(1, 1))), op: '=', result: all64},
	"dmpywhu": {terms: one(sum(uwh(0, 0), uwh(1, 1))), op: '=', result: all64, unsigned: true},
	"dmacwh":  {terms: one(sum(wh(0, 0), wh(1, 1))), op: '+', result: all64},
	"dmacwhu": {terms: one(sum(uwh(0, 0), uwh(1, 1))), op: '+', result: all64, unsigned: true},
	"dmpywhf": {terms: one(sum(wh(0, 0), wh(1, 1))), op: '=', kind: fraction, result: bits47to16},
	"dmacwhf": {terms: one(sum(wh(0, 0), wh(1, 1))), op: '+', kind: fraction, result: bits47to16},
	"qmpyh":   {terms: one(sum(hh(0, 0), hh(1, 1), hh(2, 2), hh(3, 3))), op: '=', result: all64},
	"qmpyhu":  {terms: one(sum(uhh(0, 0), uhh(1, 1), uhh(2, 2), uhh(3, 3))), op: '=', result: all64, unsigned: true},
	"qmach":   {terms: one(sum(hh(0, 0), hh(1, 1), hh(2, 2), hh(3, 3))), op: '+', result: all64},
	"qmachu":  {terms: one(sum(uhh(0, 0), uhh(1, 1), uhh(2, 2), uhh(3, 3))), op: '+', result: all64, unsigned: true},
	"qmpyhf":  {terms: one(sum(hh(0, 0), hh(1, 1), hh(2, 2), hh(3, 3))), place: high, op: '=', kind: fraction, result: oneWord},
	"qmachf":  {terms: one(sum(hh(0, 0), hh(1, 1), hh(2, 2), hh(3, 3))), place: high, op: '+', kind: fraction, result: oneWord},
}
