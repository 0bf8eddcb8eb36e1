package link

import (
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// mergeRule says what becomes of an attribute that objects give different values.
type mergeRule uint8

const (
	ruleEqual  mergeRule = iota // unset gives way; two different values do not fit together
	ruleMax                     // the larger value
	ruleFirst                   // the first value
	ruleAll                     // when one object has it, all must
	ruleUnion                   // a list of instruction-set options, joined
	ruleNotice                  // the first value; a difference is worth a warning
)

// attrRules lists the attributes of .ARC.attributes.
var attrRules = map[elfarc.AttrTag]struct {
	rule mergeRule
	name string
}{
	elfarc.TagPCSConfig:     {rule: ruleNotice, name: "platform configuration"},
	elfarc.TagCPUBase:       {rule: ruleMax, name: "CPU"},
	elfarc.TagCPUVariation:  {rule: ruleMax, name: "CPU variation"},
	elfarc.TagCPUName:       {rule: ruleFirst, name: "CPU name"},
	elfarc.TagABIRF16:       {rule: ruleAll, name: "reduced register set"},
	elfarc.TagABIOSVer:      {rule: ruleMax, name: "ABI version"},
	elfarc.TagABISDA:        {rule: ruleEqual, name: "small data"},
	elfarc.TagABIPIC:        {rule: ruleEqual, name: "position-independent code"},
	elfarc.TagABITLS:        {rule: ruleEqual, name: "thread register"},
	elfarc.TagABIEnumSize:   {rule: ruleEqual, name: "enumeration size"},
	elfarc.TagABIExceptions: {rule: ruleEqual, name: "exceptions"},
	elfarc.TagABIDoubleSize: {rule: ruleEqual, name: "size of double"},
	elfarc.TagISAConfig:     {rule: ruleUnion, name: "instruction set"},
	elfarc.TagISAApex:       {rule: ruleFirst, name: "extensions"},
	elfarc.TagISAMpyOption:  {rule: ruleMax, name: "multiplier option"},
	elfarc.TagAtrVersion:    {rule: ruleFirst, name: "attribute version"},
}

// mergeAttributes joins the .ARC.attributes of the objects and reports those that do not fit together.
func (l *linker) mergeAttributes() {
	from := map[elfarc.AttrTag]string{} // the object that set a tag
	objects := 0
	for _, o := range l.objects {
		var attrs elfarc.Attrs
		found := false
		for _, s := range o.file.Sections {
			if s.Type != elfarc.SectionTypeAttributes || s.Name != elfarc.SectionAttributes {
				continue
			}
			found = true
			var err error
			if attrs, err = elfarc.DecodeAttrs(s.Data, l.big); err != nil {
				l.rep.input(o.name, "%v", err)
				return
			}
		}
		if !found {
			continue
		}
		if objects++; attrs.Get(elfarc.TagABIRF16).Num == 0 && l.attrs.Get(elfarc.TagABIRF16).Num != 0 {
			l.rep.input(o.name, "uses all registers, but %s is for the reduced register set", from[elfarc.TagABIRF16])
		}
		for _, a := range attrs {
			l.mergeAttribute(o, a, from)
		}
	}
}

func (l *linker) mergeAttribute(o *object, a elfarc.Attr, from map[elfarc.AttrTag]string) {
	old := l.attrs.Get(a.Tag)
	set := func() {
		l.attrs.Set(a)
		from[a.Tag] = o.name
	}
	r := attrRules[a.Tag]
	unset := old.Num == 0 && old.Str == ""
	switch r.rule {
	case ruleMax:
		if unset || a.Num > old.Num {
			set()
		}
	case ruleFirst, ruleAll:
		if unset {
			set()
		}
	case ruleUnion:
		if !unset {
			l.checkOptions(o, old.Str, a.Str)
			a.Str = joinOptions(old.Str, a.Str)
		}
		set()
	default:
		switch {
		case unset:
			set()
		case a.Num == 0 && a.Str == "" || a == old:
		case r.rule == ruleNotice || r.name == "":
			name := r.name
			if name == "" {
				name = fmt.Sprintf("attribute %d", a.Tag)
			}
			l.rep.warn("%s: %s %s differs from that of %s (%s)", o.name, name, attrValue(a), from[a.Tag], attrValue(old))
		default:
			l.rep.input(o.name, "%s %s does not fit that of %s (%s)", r.name, attrValue(a), from[a.Tag], attrValue(old))
		}
	}
}

// isaOptions are the options that Tag_ARC_ISA_config names, in the order in which they are listed.
var isaOptions = []string{
	"BITSCAN", "CD", "DIV_REM", "DPFP", "FPUDA", "FPUD", "LL64", "NPS400", "QUARKSE1", "QUARKSE2", "SA", "BS", "SWAP", "FPUS", "SPFP",
}

// isaConflicts are options whose instructions have the same encodings.
var isaConflicts = [][2]string{{"FPUS", "SPFP"}, {"FPUS", "DPFP"}, {"FPUS", "QUARKSE1"}, {"DPFP", "FPUDA"}}

// joinOptions joins two comma-separated lists in the order of isaOptions; unknown ones go to the end.
func joinOptions(list, more string) string {
	rank := func(option string) int {
		if i := slices.Index(isaOptions, option); i >= 0 {
			return i
		}
		return len(isaOptions)
	}
	all := strings.Split(list+","+more, ",")
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	var joined []string
	for _, option := range all {
		if option != "" && !slices.Contains(joined, option) {
			joined = append(joined, option)
		}
	}
	return strings.Join(joined, ",")
}

// checkOptions reports options that cannot be in one program.
func (l *linker) checkOptions(o *object, list, more string) {
	have, add := strings.Split(list, ","), strings.Split(more, ",")
	for _, c := range isaConflicts {
		for _, p := range [][2]string{c, {c[1], c[0]}} {
			if slices.Contains(have, p[0]) && slices.Contains(add, p[1]) {
				l.rep.input(o.name, "instruction-set option %s does not go with %s of other objects", p[1], p[0])
			}
		}
	}
}

func attrValue(a elfarc.Attr) string {
	if a.Tag == elfarc.TagCPUBase {
		switch a.Num {
		case elfarc.CPUBaseARCv2EM:
			return "ARC EM"
		case elfarc.CPUBaseARCv2HS:
			return "ARC HS"
		}
	}
	if a.Tag.HasStr() {
		return fmt.Sprintf("%q", a.Str)
	}
	return fmt.Sprint(a.Num)
}
