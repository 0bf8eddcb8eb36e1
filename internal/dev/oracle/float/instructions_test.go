package float

import "fmt"

// words names a number in a register, or in a pair of registers.
func words(reg int, v uint64, double bool) []string {
	s := []string{fmt.Sprintf("r%d=0x%x", reg, uint32(v))}
	if double {
		s = append(s, fmt.Sprintf("r%d=0x%x", reg+1, v>>32))
	}
	return s
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// result is the result in r4, or in r4 and r5.
func result(double bool) func(uint64, int, int) []string {
	return func(z uint64, _, _ int) []string { return words(4, z, double) }
}

// nothing is changed by an instruction whose condition does not hold.
func nothing(uint64, int, int) []string { return nil }

// arithmetic makes the cases of an operation on x, y and, for the fused ones, the accumulator.
func arithmetic(name string, double, fused bool, seed uint64) (list []vector) {
	d := newDrawer(seed)
	draw := d.single
	if double {
		draw = d.double
	}
	root := name == "fssqrt" || name == "fdsqrt"
	for i := range perFile {
		v := vector{core: unit, op: name, round: uint64(i & 3), x: draw(), y: draw(), out: result(double)}
		v.code = name + " r4,r0,r2"
		v.in = join(words(0, v.x, double), words(2, v.y, double))
		if root {
			v.code, v.in = name+" r4,r2", words(2, v.y, double)
			if i%4 != 0 {
				v.y &^= 1<<63 | 1<<31
				v.in = words(2, v.y, double)
			}
		}
		if fused {
			if v.a = draw(); i%3 == 0 { // of the size of the product, so that it cancels
				v.x, v.a = v.x|1<<29, v.x|1<<29
			}
			v.in = join(words(0, v.x, double), words(2, v.y, double), words(58, v.a, double))
		}
		list = append(list, v)
	}
	return list
}

func singles(files map[string][]vector) {
	for i, name := range []string{"fsadd", "fssub", "fsmul", "fsdiv", "fsmadd", "fsmsub", "fssqrt"} {
		files[name] = arithmetic(name, false, i == 4 || i == 5, uint64(i))
	}
	d := newDrawer(100)
	for _, name := range []string{"fsadd", "fssub", "fsmul", "fsdiv"} {
		x := d.single()
		files[name] = append(files[name],
			vector{core: unit, op: name, round: nearest, x: x, y: 0x40490fdb, code: name + " r4,r0,0x40490fdb",
				in: words(0, x, false), out: result(false)},
			vector{core: unit, op: name, round: nearest, x: 0x3f800000, y: x, code: name + " r4,0x3f800000,r2",
				in: words(2, x, false), out: result(false)},
			vector{core: assist, op: name, round: nearest, x: x, y: 3, code: name + " r4,r0,3",
				in: words(0, x, false), out: result(false)},
			vector{core: unit, op: "fsadd", round: nearest, code: name + ".eq r4,r4,r2", in: []string{"f=----"}, out: nothing},
			vector{core: unit, op: name, round: nearest, x: x, y: x, code: name + ".ne r4,r4,r4",
				in: append(words(4, x, false), "f=----"), out: result(false)})
	}
}

func doubles(files map[string][]vector) {
	for i, name := range []string{"fdadd", "fdsub", "fdmul", "fddiv", "fdmadd", "fdmsub", "fdsqrt"} {
		files[name] = arithmetic(name, true, i == 4 || i == 5, 10+uint64(i))
	}
	d := newDrawer(101)
	for _, name := range []string{"fdadd", "fdsub", "fdmul", "fddiv"} {
		x := d.double()
		files[name] = append(files[name],
			vector{core: unit, op: name, round: nearest, x: x, y: 0x40490fdb_40490fdb, code: name + " r4,r0,0x40490fdb",
				in: words(0, x, true), out: result(true)},
			vector{core: unit, op: name, round: nearest, x: x, y: 3, code: name + " r4,r0,3",
				in: words(0, x, true), out: result(true)},
			vector{core: unit, op: "fdadd", round: nearest, code: name + ".eq r4,r4,r2", in: []string{"f=----"}, out: nothing})
	}
}

func flagText(flags int) []string {
	b := []byte("----")
	for i, c := range "ZNCV" {
		if flags&(8>>i) != 0 {
			b[i] = byte(c)
		}
	}
	return []string{"f=" + string(b)}
}

func compares(files map[string][]vector) {
	for i, name := range []string{"fscmp", "fscmpf", "fdcmp", "fdcmpf"} {
		double := i > 1
		d := newDrawer(20 + uint64(i))
		draw := d.single
		if double {
			draw = d.double
		}
		for k := range perFile {
			v := vector{core: unit, op: name, round: uint64(k & 3), x: draw(), y: draw(), code: name + " r0,r2"}
			if k%5 == 0 {
				v.y = v.x
			}
			v.in = append(join(words(0, v.x, double), words(2, v.y, double)), "f=Z-CV")
			v.out = func(_ uint64, _, flags int) []string { return flagText(flags) }
			files[name] = append(files[name], v)
		}
	}
}

// conversions of each instruction by its selector.
var selectors = map[string][]uint64{
	"fcvt32": {0, 2, 1, 3, 9, 11}, "fcvt64": {0, 2, 1, 3, 9, 11},
	"fcvt32_64": {0, 2, 4, 1, 3, 9, 11}, "fcvt64_32": {0, 2, 4, 1, 3, 9, 11},
}

func conversions(files map[string][]vector) {
	for i, name := range []string{"fcvt32", "fcvt64", "fcvt32_64", "fcvt64_32"} {
		from, to := name == "fcvt64" || name == "fcvt64_32", name == "fcvt64" || name == "fcvt32_64"
		d := newDrawer(30 + uint64(i))
		for _, selector := range selectors[name] {
			for k := range 40 {
				v := vector{core: unit, op: name, round: uint64(k & 3), y: selector, out: result(to)}
				switch {
				case selector&4 != 0 && from:
					v.x = d.double()
					if k%2 == 0 { // in the range of single precision, subnormals included
						v.x = v.x&^(0x7ff<<52) | (1023-153+d.Uint64N(280))<<52
					}
				case selector&4 != 0:
					v.x = d.single()
				case selector&1 == 0:
					v.x = d.whole()
				case from:
					v.x = d.nearInteger(11, 52)
				default:
					v.x = d.nearInteger(8, 23)
				}
				if !from {
					v.x &= 1<<32 - 1
				}
				v.code = fmt.Sprintf("%s r4,r0,%d", name, selector)
				v.in = words(0, v.x, from)
				files[name] = append(files[name], v)
			}
		}
	}
}

// newer is the instruction that computes what one of FPX computes.
var newer = map[string]string{"fadd": "fsadd", "fsub": "fssub", "fmul": "fsmul"}

func olderSingles(files map[string][]vector) {
	for i, name := range []string{"fadd", "fsub", "fmul"} {
		d := newDrawer(40 + uint64(i))
		for k := range perFile {
			v := vector{core: fpx, op: newer[name], round: nearest, x: d.single(), y: d.single(), code: name + " r4,r0,r2", out: result(false)}
			v.in = join(words(0, v.x, false), words(2, v.y, false))
			if k%4 == 0 {
				v.code = name + ".f r4,r0,r2"
				v.in = append(v.in, "f=--CV")
				v.out = func(z uint64, _, _ int) []string {
					return join(words(4, z, false), flagText(3|zeroNegative(z, 0x7f800000, 31)))
				}
			}
			files[name] = append(files[name], v)
		}
	}
}

// zeroNegative is Z and N of a number; infinite is its format's infinity without sign, sign the sign's place.
func zeroNegative(z, infinite uint64, sign int) int {
	magnitude := z &^ (1 << sign)
	switch {
	case magnitude == 0:
		return 8
	case z>>sign != 0 && magnitude <= infinite:
		return 4
	}
	return 0
}

// assists are the operations on D1 and D2, in the encodings of the assist and of FPX.
func assists(files map[string][]vector) {
	for i, kind := range []struct{ name, op string }{{"daddh", "fdadd"}, {"dsubh", "fdsub"}, {"dmulh", "fdmul"}, {"drsubh", "fdsub"}} {
		for _, digits := range []string{"11", "12", "21", "22"} {
			name := kind.name + digits
			d := newDrawer(50 + uint64(i)*8 + uint64(digits[0]-'0')*2 + uint64(digits[1]-'0'))
			to, from := digits[:1], digits[1:]
			for k := range perFile {
				v := vector{core: assist, op: kind.op, round: uint64(k & 3), code: name + " r4,r1,r0"}
				if k >= perFile/2 || kind.name == "drsubh" { // which the assist lacks
					v.core, v.round = fpx, nearest
				}
				register, operand := d.double(), d.double()
				v.x, v.y = register, operand
				if kind.name == "drsubh" {
					v.x, v.y = operand, register
				}
				v.in = append(words(0, operand, true), fmt.Sprintf("d%sl=0x%x d%sh=0x%x", from, uint32(register), from, register>>32))
				flagged := k%4 == 1
				if flagged {
					v.code = name + ".f r4,r1,r0"
					v.in = append(v.in, "f=--CV")
				}
				v.out = func(z uint64, _, _ int) []string {
					s := []string{fmt.Sprintf("r4=0x%x d%sl=0x%x d%sh=0x%x", z>>32, to, uint32(z), to, z>>32)}
					if flagged {
						s = append(s, flagText(3|zeroNegative(z, 0x7ff<<52, 63))...)
					}
					return s
				}
				files[name] = append(files[name], v)
			}
		}
	}
	for _, digit := range []string{"1", "2"} {
		name := "dexcl" + digit
		d := newDrawer(90)
		for k := range perFile {
			v := vector{core: assist, op: "fscmp", round: uint64(k & 3), code: name + " r4,r1,r0"}
			if k >= perFile/2 {
				v.core = fpx
			}
			register, operand := d.double(), d.double()
			v.in = append(words(0, operand, true), fmt.Sprintf("d%sl=0x%x d%sh=0x%x", digit, uint32(register), digit, register>>32))
			v.out = func(uint64, int, int) []string {
				return []string{fmt.Sprintf("r4=0x%x d%sl=0x%x d%sh=0x%x", uint32(register), digit, uint32(operand), digit, operand>>32)}
			}
			files[name] = append(files[name], v)
		}
	}
}
