package dspmodel_test

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/dev/testkit/dspmodel"
)

// Cycle counts by hand, from the rules and numbers of docs/timing.md: an instruction issues in one
// cycle, and these are lost beyond.
const (
	lostBank      = 1  // a further read of the same bank by one instruction: bank_conflict
	lostUnaligned = 1  // an unaligned access to memory that is not interleaved: unaligned_port
	lostComplex   = 1  // a complex product without dsp_complex: complex_extra
	lostMACUse    = 1  // a product is used at once and MULTIPLY_BUILD has 2 in cycles: mac_use
	lostQuotient  = 32 // a quotient or root is used at once: divide_latency, sqrt_latency
	lostQuotient4 = 18 // the same with the radix-4 divider
	lostProductHS = 3  // a product is used at once on HS: mpy_latency of option 9
)

// cost states cycles and instructions of a case.
func cost(insts, lost int) string { return fmt.Sprintf(" cycles=%d insts=%d", insts+lost, insts) }

// isProduct finds the instructions that multiply, isQuotient those that the divider serves.
func isProduct(name string) bool {
	return name != "normacc" && (strings.Contains(name, "mpy") || strings.Contains(name, "mac") || strings.Contains(name, "msub"))
}

func isQuotient(name string) bool {
	return strings.HasPrefix(name, "div") || strings.HasPrefix(name, "rem") || strings.HasPrefix(name, "sqrt")
}

// latencies of the multipliers of mpy_option 2 to 6: mpyw_latency, mpy_latency, mpym_latency.
var latencies = map[string][5]int{
	"mpyw": {1, 2, 2, 4, 5}, "mpyuw": {1, 2, 2, 4, 5},
	"mpy": {1, 2, 3, 4, 9}, "mpyu": {1, 2, 3, 4, 9},
	"mpym": {1, 2, 3, 5, 9}, "mpymu": {1, 2, 3, 5, 9},
}

// oneAtATime are the multipliers that take no other operation until they have finished: mpy_blocks.
var oneAtATime = map[int]bool{4: true, 6: true}

// takes is sub r24,r<n>,1, which uses the result, as the GNU assembler encodes it.
var takes = map[int]string{0: "42205800", 4: "42245800", 5: "42255800"}

// useCases are an instruction and another behind it that uses its result or the same unit.
func useCases(name string) string {
	draw := dspmodel.NewOperands(uint64(len(name)) * 13)
	f := formsFor(name)[0]
	x64, _ := pairs(name)
	in := draw.In(name, x64)
	in.Mode = dspmodel.Mode{}
	v := newVector(f, in)
	if v.out.NoDest || opcodes[name].operands == oneOp || f.dst == limmReg {
		return ""
	}
	var b strings.Builder
	follow := func(core, title, code string, regs string, lost int) {
		var one strings.Builder
		v.write(&one, title)
		text := one.String()
		if !strings.HasPrefix(core, "em9d") && coreOf(name) == "em9d" { // a core without DSP_CTRL and guard bits
			text = v.plain(title)
		}
		text = strings.Replace(text, "\n  in ", "\n  code  "+code+"\n  in ", 1)
		text = strings.TrimSuffix(text, cost(1, 0)+"\n") + " " + regs + cost(2, lost) + "\n"
		fmt.Fprintf(&b, "core %s\n%s", core, text)
	}
	last, result := f.dst, uint32(v.out.Z)
	if v.out.Pair {
		last, result = f.dst+1, uint32(v.out.Z>>32)
	}
	user := fmt.Sprintf("sub r24,r%d,1 ; %s", last, takes[last])
	used := fmt.Sprintf("r24=%#x", result-1)
	core, lost := coreOf(name), 0
	switch {
	case isQuotient(name):
		lost = lostQuotient
	case isProduct(name) && core != "em9d":
		lost = lostProductHS
	}
	follow(core, "used-at-once", user, used, lost)
	if core != "em9d" {
		return b.String()
	}
	if isQuotient(name) {
		follow("em9d div_rem_option=2", "used-at-once-radix-4", user, used, lostQuotient4)
	}
	if isProduct(name) {
		lost = lostMACUse
	}
	follow("em9d mac_cycles=2", "used-at-once-late", user, used, lost)
	if strings.HasPrefix(name, "cm") {
		follow("em9d dsp_complex=0", "without-complex-unit", user, used, lostComplex)
	}
	options, ok := latencies[name]
	if !ok {
		return b.String()
	}
	again := f
	again.dst = 24
	both := fmt.Sprintf("%s ; %x", again.text(), again.encode())
	for i, latency := range options {
		option, busy := i+2, 0
		if oneAtATime[option] {
			busy = latency - 1
		}
		core := fmt.Sprintf("em4 mpy_option=%d", option)
		follow(core, fmt.Sprintf("used-at-once-%d", option), user, used, latency-1)
		follow(core, fmt.Sprintf("again-%d", option), both, fmt.Sprintf("r24=%#x", result), busy)
	}
	follow("hs38", "used-at-once-hs", user, used, lostProductHS)
	return b.String()
}

// plain is the case on a core without the DSP unit.
func (v vector) plain(title string) string {
	return fmt.Sprintf("case name=%s\n  code  %s ; %x\n  in    r0=%#x r2=%#x f=%s\n  out   r%d=%#x%s\n", title, v.form.text(),
		v.form.encode(), uint32(v.regs.X), uint32(v.regs.Y), flags(v.in.Flags), v.form.dst, uint32(v.out.Z), cost(1, 0))
}
