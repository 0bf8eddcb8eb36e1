package asm

import (
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// arcDirectives are those of the processor.
func arcDirectives() map[string]func(*assembler) {
	return map[string]func(*assembler){
		".cpu":             (*assembler).cpuDirective,
		".arc_attribute":   (*assembler).attribute,
		".extinstruction":  (*assembler).extInstruction,
		".extcoreregister": (*assembler).extCoreRegister,
		".extauxregister":  (*assembler).extAuxRegister,
		".extcondcode":     (*assembler).extCondCode,
		".tls_gd_ld":       func(a *assembler) { a.tlsMark(elfarc.R_ARC_TLS_GD_LD) },
		".tls_gd_call":     func(a *assembler) { a.tlsMark(elfarc.R_ARC_TLS_GD_CALL) },
	}
}

// cpuDirective is .cpu name. A core given as an option stays.
func (a *assembler) cpuDirective() {
	a.skipBlanks()
	at := a.i
	name := need(a.name("the core name"))
	c := findCPU(name)
	switch {
	case c == nil:
		if a.cpu.given {
			a.warnAt(at, "%s", cpuError(name))
			return
		}
		a.errorAt(at, "%s", cpuError(name))
	case a.cpu.given:
		if c.hs != a.cpu.hs {
			a.warnAt(at, "the core given as an option, %s, stays", a.cpu.name)
		}
	case a.cpu.chosen:
		a.errorAt(at, "a second .cpu")
	default:
		a.cpu.chosen = true
		a.cpu.set(c, strings.ToLower(name))
		clear(a.opcodes)
	}
}

// attrSet is an attribute given by .arc_attribute.
type attrSet struct {
	elfarc.Attr
	place place
}

// attribute is .arc_attribute tag, value.
func (a *assembler) attribute() {
	a.skipBlanks()
	at := a.i
	var tag elfarc.AttrTag
	if isDigit(a.s[a.i]) {
		n := need(a.absolute("the tag"))
		tag = elfarc.AttrTag(n)
	} else {
		name := need(a.name("the tag"))
		var ok bool
		if tag, ok = attrTags[strings.ToLower(strings.TrimPrefix(name, "Tag_ARC_"))]; !ok {
			a.giveUp(at, "unknown attribute %s", name)
		}
	}
	needed(a.comma("a value"))
	set := attrSet{Attr: elfarc.Attr{Tag: tag}, place: a.here(at)}
	if tag.HasNum() {
		n := need(a.absolute("the value"))
		set.Num = uint32(n)
		if tag.HasStr() && !a.comma("a string") {
			a.skipStatement()
			return
		}
	}
	if tag.HasStr() {
		text := need(a.quoted())
		set.Str = text
	}
	a.attrs = append(a.attrs, set)
}

var attrTags = map[string]elfarc.AttrTag{
	"pcs_config": elfarc.TagPCSConfig, "cpu_base": elfarc.TagCPUBase, "cpu_variation": elfarc.TagCPUVariation,
	"cpu_name": elfarc.TagCPUName, "abi_rf16": elfarc.TagABIRF16, "abi_osver": elfarc.TagABIOSVer,
	"abi_sda": elfarc.TagABISDA, "abi_pic": elfarc.TagABIPIC, "abi_tls": elfarc.TagABITLS,
	"abi_enumsize": elfarc.TagABIEnumSize, "abi_exceptions": elfarc.TagABIExceptions,
	"abi_double_size": elfarc.TagABIDoubleSize, "isa_config": elfarc.TagISAConfig, "isa_apex": elfarc.TagISAApex,
	"isa_mpy_option": elfarc.TagISAMpyOption, "atr_version": elfarc.TagAtrVersion,
}

// Values of attributes that the assembler sets by what the program uses.
const (
	abiGNU = 2 // small data and position-independent code as the GNU tools have them
	tlsR25 = 1 // thread pointer in r25
)

// attributes returns the contents of .ARC.attributes: first those the core implies, then the given ones.
func (a *assembler) attributes() []byte {
	c := &a.cpu
	base := uint32(elfarc.CPUBaseARCv2EM)
	if c.hs {
		base = elfarc.CPUBaseARCv2HS
	}
	var attrs elfarc.Attrs
	attrs.Set(elfarc.Attr{Tag: elfarc.TagCPUBase, Num: base})
	attrs.Set(elfarc.Attr{Tag: elfarc.TagCPUName, Str: c.name})
	attrs.Set(elfarc.Attr{Tag: elfarc.TagABIOSVer, Num: 4})
	attrs.Set(elfarc.Attr{Tag: elfarc.TagAtrVersion, Num: 1})
	attrs.Set(elfarc.Attr{Tag: elfarc.TagISAConfig, Str: a.isaConfig()})
	attrs.Set(elfarc.Attr{Tag: elfarc.TagISAMpyOption, Num: a.mpyOption()})
	if a.usedABI.sda {
		attrs.Set(elfarc.Attr{Tag: elfarc.TagABISDA, Num: abiGNU})
	}
	if a.usedABI.pic {
		attrs.Set(elfarc.Attr{Tag: elfarc.TagABIPIC, Num: abiGNU})
	}
	if a.usedABI.tls {
		attrs.Set(elfarc.Attr{Tag: elfarc.TagABITLS, Num: tlsR25})
	}
	for _, s := range a.attrs {
		attrs.Set(s.Attr)
	}
	return attrs.Encode(a.big)
}

// isaConfig lists the options of the core and of the instructions used that the attribute of that
// name can tell, in the order of the GNU assembler.
func (a *assembler) isaConfig() string {
	var names []string
	has := a.cpu.gnu | a.cpu.extra | a.usedFeatures
	for _, o := range []struct {
		feature isa.Feature
		name    string
	}{
		{isa.BitScan, "BITSCAN"}, {isa.CodeDensity, "CD"}, {isa.DivRem, "DIV_REM"}, {isa.FPXDouble, "DPFP"},
		{isa.FPUDoubleAssist, "FPUDA"}, {isa.FPUDouble, "FPUD"}, {isa.LL64, "LL64"}, {isa.QuarkSE, "QUARKSE2"},
		{isa.ShiftAssist, "SA"}, {isa.FPXSingle, "SPFP"}, {isa.BarrelShift, "BS"}, {isa.Swap, "SWAP"}, {isa.FPUSingle, "FPUS"},
	} {
		if has&o.feature != 0 {
			names = append(names, o.name)
		}
	}
	return strings.Join(names, ",")
}

// mpyOption is the least multiplier option that has the instructions used; 0 without any.
//
// DEVIATION(158): GNU as records the option of the last such instruction.
func (a *assembler) mpyOption() uint32 {
	for _, o := range []struct {
		feature isa.Feature
		option  uint32
	}{{isa.MPY9, 9}, {isa.MPY8, 8}, {isa.MPY7, 7}, {isa.MPY6, 6}, {isa.MPY1, 1}} {
		if a.usedFeatures&o.feature != 0 {
			return o.option
		}
	}
	return 0
}

// noteOperator remembers what a relocation operator says about the program.
func (a *assembler) noteOperator(o operator) {
	switch o {
	case opSDA:
		a.usedABI.sda = true
	case opGotOff, opGotPC, opPLT:
		a.usedABI.pic, a.usedABI.got = true, true
	case opTLSGD, opTLSIE:
		a.usedABI.tls, a.usedABI.got = true, true
	case opTPOff, opDTPOff:
		a.usedABI.tls = true
	}
}

// tlsMark is .tls_gd_ld symbol: a relocation without a value at the next instruction.
func (a *assembler) tlsMark(reloc elfarc.Reloc) {
	a.skipBlanks()
	at := a.i
	e := a.expression()
	a.giveUpIf(e.kind != exprSym, at, "expected a symbol")
	a.explicit = append(a.explicit, explicitReloc{
		stream: a.cur, where: expr{kind: exprSym, sym: a.dot()}, reloc: reloc, value: e, place: a.here(at),
	})
}
