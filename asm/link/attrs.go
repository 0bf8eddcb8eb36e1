package link

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/elfarc"
)

// mergeRule says what becomes of an attribute that objects give different values.
type mergeRule uint8

const (
	ruleEqual  mergeRule = iota // unset gives way; two different values do not fit together
	ruleMax                     // the larger value
	ruleFirst                   // the first value
	ruleAll                     // kept only when all objects agree
	ruleUnion                   // a list, joined
	ruleNotice                  // unset gives way; a difference is worth a warning
)

// attrRules lists the attributes of .ARC.attributes.
var attrRules = map[elfarc.AttrTag]struct {
	rule mergeRule
	name string
}{
	elfarc.TagPCSConfig:     {rule: ruleNotice, name: "platform configuration"},
	elfarc.TagCPUBase:       {rule: ruleEqual, name: "CPU"},
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
	elfarc.TagAtrVersion:    {rule: ruleMax, name: "attribute version"},
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
		objects++
		for _, a := range attrs {
			l.mergeAttribute(o, a, from, objects == 1)
		}
		// What all must agree on is lost when one object does not say it.
		for _, old := range l.attrs {
			if attrRules[old.Tag].rule == ruleAll && attrs.Get(old.Tag).Num == 0 {
				l.attrs.Set(elfarc.Attr{Tag: old.Tag})
			}
		}
	}
}

func (l *linker) mergeAttribute(o *object, a elfarc.Attr, from map[elfarc.AttrTag]string, first bool) {
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
	case ruleFirst:
		if unset {
			set()
		}
	case ruleAll:
		if first {
			set()
		}
	case ruleUnion:
		if joined := joinLists(old.Str, a.Str); joined != old.Str {
			a.Str = joined
			set()
		}
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

// joinLists adds the members of a comma-separated list that are not in the other one yet.
func joinLists(list, more string) string {
	if list == "" {
		return more
	}
	have := map[string]bool{}
	for _, f := range strings.Split(list, ",") {
		have[f] = true
	}
	for _, f := range strings.Split(more, ",") {
		if f != "" && !have[f] {
			have[f] = true
			list += "," + f
		}
	}
	return list
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
