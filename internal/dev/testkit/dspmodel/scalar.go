package dspmodel

// functions holds the instructions that are no member of the multiply family.
var functions = map[string]func(*run){}

// register adds functions; a name must be new.
func register(group map[string]func(*run)) bool {
	for name, f := range group {
		if functions[name] != nil || products[name].terms != nil {
			panic("dspmodel: two definitions of " + name)
		}
		functions[name] = f
	}
	return true
}

// saturating finishes a 32-bit result with Z, N and V = clamped.
func (r *run) saturating(v n, width int) {
	r.dest(r.clamped(v, width, SAT))
	r.flagsOfResult(32)
}

func magnitude(v n) n {
	if v.negative() {
		return v.neg()
	}
	return v
}

// scaled is v * 2^k for a k that is cut off where nothing changes any more, rounded by mode.
func scaled(v n, k int64, mode int) n {
	const far = 200 // beyond every width in use
	return v.dividedBy2to(int(-max(min(k, far), -far)), mode)
}

var _ = register(map[string]func(*run){
	"sath": func(r *run) { r.saturating(r.y(), 16) },
	"rndh": func(r *run) { r.saturating(r.y().dividedBy2to(16, r.RM), 16) },
	"satf": func(r *run) {
		v := r.y()
		if r.Flags&flagV != 0 {
			// the true sum lies beyond the limit on the side opposite to its wrapped sign
			v = minSigned(32)
			if r.Flags&flagN != 0 {
				v = maxSigned(32)
			}
			r.out.Events = SAT
		}
		r.dest(v)
		r.flagsOfResult(32)
	},
	"abssh": func(r *run) { r.saturating(magnitude(half(r.Y, 0)), 16) },
	"negsh": func(r *run) { r.saturating(half(r.Y, 0).neg(), 16) },
	"asrsr": func(r *run) { r.saturating(scaled(r.x(), -r.y().int(), r.RM), 32) },

	"divf": func(r *run) {
		q := quotient(r.x().times2to(31), r.y())
		r.saturating(q, 32)
	},
	"sqrt": func(r *run) {
		r.dest(root(u(r.Y, 0, 32)))
		r.flagsOfResult(32)
	},
	"sqrtf": func(r *run) {
		if r.y().negative() {
			r.out.Events = SAT
			r.dest(num(0))
		} else {
			r.dest(root(r.y().times2to(31)))
		}
		r.flagsOfResult(32)
	},

	"mpy":   func(r *run) { r.multiply(r.x(), r.y(), false) },
	"mpyu":  func(r *run) { r.multiply(u(r.X, 0, 32), u(r.Y, 0, 32), true) },
	"mpym":  func(r *run) { r.dest(r.x().mul(r.y()).floorBy2to(32)); r.zn() },
	"mpymu": func(r *run) { r.dest(u(r.X, 0, 32).mul(u(r.Y, 0, 32)).floorBy2to(32)); r.znUnsigned() },
	"mpyw":  func(r *run) { r.dest(half(r.X, 0).mul(half(r.Y, 0))); r.zn() },
	"mpyuw": func(r *run) { r.dest(u(r.X, 0, 16).mul(u(r.Y, 0, 16))); r.znUnsigned() },

	// quotients also go to ACCH on cores with the DSP option
	"div":  func(r *run) { r.divide(quotient(r.x(), r.y())); r.zn() },
	"divu": func(r *run) { r.divide(quotient(u(r.X, 0, 32), u(r.Y, 0, 32))); r.znUnsigned() },
	"rem":  func(r *run) { r.dest(remainder(r.x(), r.y())); r.zn() },
	"remu": func(r *run) { r.dest(remainder(u(r.X, 0, 32), u(r.Y, 0, 32))); r.znUnsigned() },
})

// quotient truncates towards zero; remainder has the sign of the dividend.
func quotient(a, b n) n  { return n{num(0).v.Quo(a.v, b.v)} }
func remainder(a, b n) n { return n{num(0).v.Rem(a.v, b.v)} }

// root is the greatest integer whose square is not above v.
func root(v n) n { return n{num(0).v.Sqrt(v.v)} }

func (r *run) zn() {
	v := unum(r.out.Z).signed(32)
	r.setFlag(flagZ, v.zero())
	r.setFlag(flagN, v.negative())
	r.setFlag(flagV, false)
}

func (r *run) znUnsigned() {
	r.zn()
	r.setFlag(flagN, false)
}

// multiply: N is the sign of the whole product, V that it does not fit.
func (r *run) multiply(x, y n, unsigned bool) {
	p := x.mul(y)
	r.dest(p)
	r.zn()
	if unsigned {
		r.setFlag(flagN, false)
		r.setFlag(flagV, p.cmp(pow2(32)) >= 0)
		return
	}
	r.setFlag(flagN, p.negative())
	r.setFlag(flagV, !p.eq(p.signed(32)))
}

func (r *run) divide(q n) {
	r.dest(q)
	r.out.UsesAcc = true
	r.out.Hi = num(r.Hi).floorBy2to(32).times2to(32).add(q.unsigned(32)).int()
}
