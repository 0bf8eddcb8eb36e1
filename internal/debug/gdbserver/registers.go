package gdbserver

import (
	"encoding/binary"
	"fmt"
	"strings"

	"arcv2dsp/internal/debug"
)

// register is a register that clients see. The numbers up to 68 are gdb's own for ARC; a gap is a
// register that must not be served.
type register struct {
	num     int
	name    string // the client's name
	ours    string // the debugger's name, "" for a core register and pc
	bits    int    // on the wire
	lane    bool   // 40 bits, sign-extended
	feature string
	group   string
	kind    string // type in the description
	fixed   bool   // cannot be written
}

// Features of the target description.
const (
	featureCore      = "org.gnu.gdb.arc.core"
	featureAux       = "org.gnu.gdb.arc.aux"
	featureDSP       = "org.arcv2dsp.dsp"
	featureException = "org.arcv2dsp.exception"
)

// Numbers of registers that stops report.
const (
	regFP       = 27
	regSP       = 28
	regBlink    = 31
	regR58      = 58
	regLPCount  = 60
	regPCL      = 63
	regPC       = 64
	regStatus32 = 65
)

// registers returns the registers of the debugger's core by number.
func registers(d *debug.Debugger) []register {
	var list []register
	add := func(r register) {
		if r.bits == 0 {
			r.bits = 32
		}
		list = append(list, r)
	}
	names := map[int]string{26: "gp", regFP: "fp", regSP: "sp", 29: "ilink", 30: "r30", regBlink: "blink"}
	kinds := map[int]string{26: "data_ptr", regFP: "data_ptr", regSP: "data_ptr", 29: "code_ptr", regBlink: "code_ptr"}
	for n := range 32 {
		name := names[n]
		if name == "" {
			name = fmt.Sprintf("r%d", n)
		}
		add(register{num: n, name: name, feature: featureCore, kind: kinds[n]})
	}
	lanes := false
	for _, r := range d.Registers() {
		lanes = lanes || r.Name == "acclo"
	}
	if lanes {
		add(register{num: regR58, name: "r58", feature: featureCore})
		add(register{num: regR58 + 1, name: "r59", feature: featureCore})
	}
	add(register{num: regLPCount, name: "lp_count", feature: featureCore, kind: "uint32"})
	add(register{num: regPCL, name: "pcl", feature: featureCore, kind: "code_ptr", fixed: true})
	add(register{num: regPC, name: "pc", feature: featureAux, kind: "code_ptr"})
	add(register{num: regStatus32, name: "status32", ours: "status32", feature: featureAux, kind: "status32_type"})
	add(register{num: 66, name: "lp_start", ours: "aux:0x2", feature: featureAux, kind: "code_ptr"})
	add(register{num: 67, name: "lp_end", ours: "aux:0x3", feature: featureAux, kind: "code_ptr"})
	add(register{num: 68, name: "bta", ours: "aux:0x412", feature: featureAux, kind: "code_ptr"})

	num := 69
	aux := func(name string, addr int, feature, group, kind string) {
		r := register{num: num, name: name, ours: fmt.Sprintf("aux:%#x", addr), feature: feature, group: group, kind: kind}
		num++ // numbers do not depend on the core
		if _, err := d.Register(r.ours); err == nil {
			add(r)
		}
	}
	aux("eret", 0x400, featureException, "system", "code_ptr")
	aux("erbta", 0x401, featureException, "system", "code_ptr")
	aux("erstatus", 0x402, featureException, "system", "")
	aux("ecr", 0x403, featureException, "system", "")
	aux("efa", 0x404, featureException, "system", "data_ptr")
	for i, name := range []string{"acclo", "acchi"} {
		if lanes {
			add(register{num: num + i, name: name, ours: name, bits: 64, lane: true, feature: featureDSP, group: "dsp", kind: "int64"})
		}
	}
	num += 2
	aux("dsp_ctrl", 0x59f, featureDSP, "dsp", "dsp_ctrl_type")
	aux("dsp_bfly0", 0x598, featureDSP, "dsp", "")
	aux("dsp_fft_ctrl", 0x59e, featureDSP, "dsp", "")
	for i := range 12 {
		aux(fmt.Sprintf("agu_ap%d", i), 0x5c0+i, featureDSP, "agu", "data_ptr")
	}
	for i := range 8 {
		aux(fmt.Sprintf("agu_os%d", i), 0x5d0+i, featureDSP, "agu", "")
	}
	for i := range 24 {
		aux(fmt.Sprintf("agu_mod%d", i), 0x5e0+i, featureDSP, "agu", "")
	}
	return list
}

// registerType is the type that a feature of the description defines.
func registerType(feature string) string {
	switch feature {
	case featureAux:
		return flags("status32_type",
			field{"H", 0, 0}, field{"E", 1, 4}, field{"AE", 5, 5}, field{"DE", 6, 6}, field{"U", 7, 7}, field{"V", 8, 8},
			field{"C", 9, 9}, field{"N", 10, 10}, field{"Z", 11, 11}, field{"L", 12, 12}, field{"DZ", 13, 13},
			field{"SC", 14, 14}, field{"ES", 15, 15}, field{"RB", 16, 18}, field{"AD", 19, 19}, field{"US", 20, 20},
			field{"IE", 31, 31})
	case featureDSP:
		return flags("dsp_ctrl_type",
			field{"RM", 0, 1}, field{"GE", 2, 2}, field{"PA", 3, 3}, field{"SAT", 16, 16})
	}
	return ""
}

// field is a field of a register, both bits included.
type field struct {
	name        string
	first, last int
}

func flags(name string, fields ...field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "    <flags id=%q size=\"4\">\n", name)
	for _, f := range fields {
		fmt.Fprintf(&b, "      <field name=%q start=\"%d\" end=\"%d\"/>\n", f.name, f.first, f.last)
	}
	b.WriteString("    </flags>\n")
	return b.String()
}

// description is the target description.
func description(regs []register) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n" +
		"  <architecture>arc:ARCv2</architecture>\n")
	for _, feature := range []string{featureCore, featureAux, featureException, featureDSP} {
		open := false
		for _, r := range regs {
			if r.feature != feature {
				continue
			}
			if !open {
				fmt.Fprintf(&b, "  <feature name=%q>\n%s", feature, registerType(feature))
				open = true
			}
			fmt.Fprintf(&b, "    <reg name=%q bitsize=\"%d\" regnum=\"%d\"", r.name, r.bits, r.num)
			if r.kind != "" {
				fmt.Fprintf(&b, " type=%q", r.kind)
			}
			if r.group != "" {
				fmt.Fprintf(&b, " group=%q", r.group)
			}
			b.WriteString("/>\n")
		}
		if open {
			b.WriteString("  </feature>\n")
		}
	}
	b.WriteString("</target>\n")
	return b.String()
}

// value reads a register.
func (t *target) value(r *register) (uint64, error) {
	switch {
	case t.held != nil:
		return t.heldValue(r)
	case r.num == regPC:
		return uint64(t.d.PC()), nil
	case r.ours == "":
		return uint64(t.d.CoreReg(uint8(r.num))), nil
	}
	v, err := t.d.Register(r.ours)
	if err != nil {
		return 0, errInvalid
	}
	if r.lane {
		return uint64(int64(v.Value<<24) >> 24), nil
	}
	return v.Value, nil
}

// setValue writes a register unless it has the value already: each change is a moment at which the
// recorded past ends.
func (t *target) setValue(r *register, v uint64) error {
	if old, err := t.value(r); err != nil || old == v {
		return err
	}
	if r.fixed || t.held != nil {
		return errInvalid
	}
	name := r.ours
	if name == "" {
		name = r.name
	}
	if err := t.d.SetRegister(name, v); err != nil {
		return errInvalid
	}
	return nil
}

func (t *target) register(num uint32) *register {
	for i := range t.regs {
		if uint32(t.regs[i].num) == num {
			return &t.regs[i]
		}
	}
	return nil
}

// appendRegister appends the bytes of a register as the target has them in memory, in hexadecimal.
func (t *target) appendRegister(dst []byte, r *register) ([]byte, error) {
	v, err := t.value(r)
	if err != nil {
		return dst, err
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return appendHex(dst, b[:r.bits/8]), nil
}

// readAll is the packet g.
func (t *target) readAll(dst []byte) ([]byte, error) {
	for i := range t.regs {
		r := &t.regs[i]
		with, err := t.appendRegister(dst, r)
		if err != nil { // lost with a change of the machine; the others are still worth having
			for range r.bits / 4 {
				dst = append(dst, 'x')
			}
			continue
		}
		dst = with
	}
	return dst, nil
}

// writeAll is the packet G. It may end behind any register; registers that cannot be written are
// passed over.
func (t *target) writeAll(text string) error {
	data, err := parseHex([]byte(text))
	if err != nil {
		return err
	}
	values := make([]uint64, 0, len(t.regs))
	for i := 0; i < len(t.regs) && len(data) > 0; i++ {
		n := t.regs[i].bits / 8
		if len(data) < n {
			return errMalformed
		}
		values = append(values, littleEndian(data[:n]))
		data = data[n:]
	}
	if len(data) > 0 {
		return errMalformed
	}
	for i, v := range values {
		if r := &t.regs[i]; !r.fixed {
			if err := t.setValue(r, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// readOne is the packet p.
func (t *target) readOne(dst []byte, text string) ([]byte, error) {
	num, err := parseNumber(text)
	if err != nil {
		return dst, err
	}
	r := t.register(num)
	if r == nil {
		return dst, errInvalid
	}
	return t.appendRegister(dst, r)
}

// writeOne is the packet P.
func (t *target) writeOne(text string) error {
	name, value, ok := strings.Cut(text, "=")
	num, err := parseNumber(name)
	if err != nil || !ok {
		return errMalformed
	}
	data, err := parseHex([]byte(value))
	if err != nil {
		return err
	}
	r := t.register(num)
	if r == nil || len(data) != r.bits/8 {
		return errInvalid
	}
	return t.setValue(r, littleEndian(data))
}

func littleEndian(data []byte) uint64 {
	var b [8]byte
	copy(b[:], data)
	return binary.LittleEndian.Uint64(b[:])
}
