package dspmodel_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
)

// opcode is where an instruction sits in the opcode space.
type opcode struct {
	major, sub uint32
	bit15      int // value of bit 15, or flagged when it is the F bit
	operands   operands
	hs         bool // HS only
	badGNU     bool // the GNU assembler encodes it wrongly or not at all
}

type operands int

const (
	threeOp operands = iota // a,b,c
	twoOp                   // b,c: sub is the value of the A field
	oneOp                   // c: sub is the value of the B field
	shortOp                 // 16 bits, b,b,c: sub is the low field
)

const flagged = -1

// opcodes lists every multiply, divide, DSP and AGU instruction.
var opcodes = map[string]opcode{}

// add fills opcodes from lines of "sub[.bit15] name, ...".
func add(major uint32, kind operands, hs bool, list string) bool {
	for item := range strings.SplitSeq(list, ",") {
		fields := strings.Fields(item)
		code, bit, fixed := strings.Cut(fields[0], ".")
		op := opcode{major: major, bit15: flagged, operands: kind, hs: hs}
		fmt.Sscanf(code, "%x", &op.sub)
		if fixed {
			fmt.Sscanf(bit, "%d", &op.bit15)
		}
		if strings.HasSuffix(fields[1], "!") {
			op.badGNU = true
		}
		opcodes[strings.TrimSuffix(fields[1], "!")] = op
	}
	return true
}

var (
	_ = add(4, threeOp, false, `1a mpy, 1b mpym, 1c mpymu, 1d mpyu, 1e mpyw, 1f mpyuw`)
	_ = add(5, threeOp, false, `04 div, 05 divu, 08 rem, 09 remu, 0c asrsr, 0d.0 valgn2h, 0d.1 setacc,
		0e mac, 0f macu, 10 dmpyh, 11 dmpyhu, 12 dmach, 13 dmachu,
		14.0 vadd2h, 14.1 vadds2h, 15.0 vsub2h, 15.1 vsubs2h, 16.0 vaddsub2h, 16.1 vaddsubs2h,
		17.0 vsubadd2h, 17.1 vsubadds2h, 18 mpyd, 19 mpydu, 1a macd, 1b macdu,
		1c.0 vmpy2h, 1c.1 vmpy2hf, 1d.0 vmpy2hu, 1d.1 vmpy2hfr, 1e.0 vmac2h, 1e.1 vmac2hf,
		1f.0 vmac2hu, 1f.1 vmac2hfr, 20.0 vmpy2hwf, 21.0 vasl2h, 21.1 vasls2h!, 22.0 vasr2h,
		22.1 vasrs2h, 23.0 vlsr2h, 23.1 vasrsr2h, 24.0 vadd4b, 24.1 vmax2h, 25.0 vsub4b, 25.1 vmin2h,
		28 dmpyhwf, 29.0 vpack2hl, 29.1 vpack2hm, 2a dmpyhf, 2b dmpyhfr, 2c dmachf, 2d dmachfr,
		2e.0 vperm`)
	_ = add(5, twoOp, false, `02 sath, 03 rndh, 04 abssh, 06 negsh, 18.0 getacc, 19.0 normacc, 1a satf,
		1c.0 vpack2hbl, 1d.0 vpack2hbm, 1e.0 vpack2hblf, 1f.0 vpack2hbmf, 20.0 vext2bhlf,
		21.0 vext2bhmf, 22.0 vrep2hl, 23.0 vrep2hm, 24.0 vext2bhl, 25.0 vext2bhm, 26.0 vsext2bhl,
		27.0 vsext2bhm, 28.0 vabs2h, 29.0 vabss2h, 2a.0 vneg2h, 2b.0 vnegs2h, 2c.0 vnorm2h, 30 sqrt,
		31 sqrtf, 3e.0 modapp`)
	_ = add(5, oneOp, false, `00 aslacc, 01 aslsacc, 02 sqrtacc, 03 divacc, 04.1 flagacc, 05 modif`)
	_ = add(6, threeOp, false, `00.1 cmpyhnfr!, 01.1 cmpyhfr, 02.1 cmpychnfr!, 03.0 vmsub2hfr,
		04.0 vmsub2hf, 05.1 cmpychfr, 06.1 cmachnfr, 07.1 cmachfr, 08.1 cmacchnfr, 09.1 cmacchfr,
		0a mpyf, 0b mpyfr, 0c macf, 0d macfr, 0e msubf, 0f msubfr, 10 divf, 11.0 vmac2hnfr,
		11.1 vmsub2hnfr, 12 mpydf, 13 macdf, 14 msubwhfl, 15 msubdf, 16 dmpyhbl, 17 dmpyhbm,
		18 dmachbl, 19 dmachbm, 1a msubwhflr, 1b.0 cmpyhfmr, 1b.1 cbflyhf0r, 1c mpywhl, 1d macwhl,
		1e mpywhul, 1f macwhul, 20 mpywhfm, 21 mpywhfmr, 22 macwhfm, 23 macwhfmr, 24 mpywhfl,
		25 mpywhflr, 26 macwhfl, 27 macwhflr, 28 macwhkl, 29 macwhkul, 2a mpywhkl, 2b mpywhkul,
		2c msubwhfm, 2d msubwhfmr`)
	_ = add(6, twoOp, false, `19.0 cbflyhf1r!`)
	_ = add(5, threeOp, true, `30 qmpyh, 31 qmpyhu, 32 dmpywh, 33 dmpywhu, 34 qmach, 35 qmachu,
		36 dmacwh, 37 dmacwhu, 38.0 vadd4h, 38.1 vadds4h!, 39.0 vsub4h, 39.1 vsubs4h!,
		3a.0 vaddsub4h, 3a.1 vaddsubs4h!, 3b.0 vsubadd4h, 3b.1 vsubadds4h!, 3c.0 vadd2, 3c.1 vadds2!,
		3d.0 vsub2, 3d.1 vsubs2!, 3e.0 vaddsub, 3e.1 vaddsubs!, 3f.0 vsubadd, 3f.1 vsubadds!`)
	_ = add(15, shortOp, false, `09 mpyw_s, 0a mpyuw_s, 0c mpy_s`)
	_ = add(6, threeOp, true, `31 qmpyhf, 33 dmpywhf, 35 qmachf, 37 dmacwhf`)
)

// source is the second source of an instruction.
type source struct {
	reg  int    // register; limm when it is 62
	imm  bool   // a u6 or s12 literal instead
	val  int32  // the literal
	limm uint32 // the long immediate
}

const limmReg = 62

// form is an instruction with its operands.
type form struct {
	name  string
	dst   int // destination of a,b,c and b,c forms; 62 drops the result
	b     source
	c     source
	flags bool   // .f
	cond  string // condition; then dst is b
	s12   bool   // the literal is s12; then dst is b
}

var conditions = map[string]uint32{"eq": 1, "ne": 2, "lt": 11, "vs": 7}

// encode returns the bytes of f in memory order: halfwords upper one first, each low byte first.
func (f form) encode() []byte {
	op := opcodes[f.name]
	if op.operands == shortOp {
		half := op.major<<11 | uint32(f.b.reg)<<8 | uint32(f.c.reg)<<5 | op.sub
		return []byte{byte(half), byte(half >> 8)}
	}
	var b, c, a uint32
	switch op.operands {
	case threeOp:
		b, a = uint32(f.b.reg), uint32(f.dst)
	case twoOp:
		b, a = uint32(f.dst), op.sub
	case oneOp:
		b, a = op.sub, 0x3f
	}
	sub := op.sub
	if op.operands != threeOp {
		sub = 0x2f
	}
	p := uint32(0)
	switch {
	case f.cond != "":
		p, a = 3, conditions[f.cond]
		c = uint32(f.c.reg)
		if f.c.imm {
			a |= 32
			c = uint32(f.c.val) & 63
		}
	case f.s12:
		p, c, a = 2, uint32(f.c.val)&63, uint32(f.c.val)>>6&63
	case f.c.imm:
		p, c = 1, uint32(f.c.val)&63
	default:
		c = uint32(f.c.reg)
	}
	bit15 := uint32(0)
	switch {
	case op.bit15 == 1, op.bit15 == flagged && f.flags:
		bit15 = 1
	}
	word := op.major<<27 | b&7<<24 | p<<22 | sub<<16 | bit15<<15 | b>>3<<12 | c<<6 | a
	out := []byte{byte(word >> 16), byte(word >> 24), byte(word), byte(word >> 8)}
	if op.operands == threeOp && f.b.reg == limmReg || !f.c.imm && f.c.reg == limmReg {
		l := f.limm()
		out = append(out, byte(l>>16), byte(l>>24), byte(l), byte(l>>8))
	}
	return out
}

func (f form) limm() uint32 {
	if f.b.reg == limmReg {
		return f.b.limm
	}
	return f.c.limm
}

func (s source) text() string {
	switch {
	case s.imm:
		return fmt.Sprint(s.val)
	case s.reg == limmReg:
		return fmt.Sprintf("%#x", s.limm)
	}
	return fmt.Sprintf("r%d", s.reg)
}

// text returns the assembler text.
func (f form) text() string {
	var b strings.Builder
	b.WriteString(f.name)
	if f.cond != "" {
		b.WriteString("." + f.cond)
	}
	if f.flags && opcodes[f.name].bit15 == flagged {
		b.WriteString(".f")
	}
	dst := fmt.Sprintf("r%d", f.dst)
	if f.dst == limmReg {
		dst = "0"
	}
	switch opcodes[f.name].operands {
	case threeOp, shortOp:
		fmt.Fprintf(&b, " %s,%s,%s", dst, f.b.text(), f.c.text())
	case twoOp:
		fmt.Fprintf(&b, " %s,%s", dst, f.c.text())
	case oneOp:
		fmt.Fprintf(&b, " %s", f.c.text())
	}
	return b.String()
}

// The bytes in the vectors are those of the GNU assembler wherever it has the instruction right.
func TestEncodingAgainstGNU(t *testing.T) {
	as, objcopy := gnutools.Path(t, "as"), gnutools.Path(t, "objcopy")
	for _, cpu := range []string{"em4", "hs38"} {
		var text strings.Builder
		var want []byte
		var lines []string
		for _, name := range names() {
			op := opcodes[name]
			if op.hs != (cpu == "hs38") || op.badGNU {
				continue
			}
			for _, f := range formsFor(name) {
				if gnuLiteralFault[name] && f.dst == limmReg && f.b.reg == limmReg {
					continue
				}
				fmt.Fprintln(&text, f.text())
				lines = append(lines, f.text())
				want = append(want, f.encode()...)
			}
		}
		dir := t.TempDir()
		src, obj, bin := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.bin")
		require.NoError(t, os.WriteFile(src, []byte(text.String()), 0o644))
		out, err := exec.Command(as, "-mcpu="+cpu, "-o", obj, src).CombinedOutput()
		require.NoError(t, err, "%s", out)
		out, err = exec.Command(objcopy, "-O", "binary", "-j", ".text", obj, bin).CombinedOutput()
		require.NoError(t, err, "%s", out)
		got, err := os.ReadFile(bin)
		require.NoError(t, err)
		for i, f := 0, 0; i < len(want); f++ {
			k := 4
			switch {
			case strings.Contains(lines[f], "0x"):
				k = 8
			case strings.Contains(lines[f], "_s "):
				k = 2
			}
			require.Equal(t, want[i:i+k], got[i:min(i+k, len(got))], lines[f])
			i += k
		}
	}
}

// gnuLiteralFault: the form "0,limm,c" of these has a register number encoded as a literal.
var gnuLiteralFault = set(`dmachf dmachfr dmpyhf dmpyhfr dmpyhwf macwhfl macwhflr macwhfm macwhfmr
	macwhkl macwhkul mpywhfl mpywhflr mpywhfm mpywhfmr mpywhkl mpywhkul msubwhfm msubwhfmr vadd4b
	vasl2h vasls2h vasr2h vasrs2h vasrsr2h vlsr2h vmax2h vmin2h vmpy2hwf vpack2hl vpack2hm vperm
	vsub4b`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(list) {
		m[name] = true
	}
	return m
}
