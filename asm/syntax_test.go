package asm

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
)

// syntaxPasses are the cores that have all instructions between them, as passOptions names them.
var syntaxPasses = []struct {
	pass     string
	features isa.Feature
}{
	{"em", isa.GNUEM},
	{"hs", isa.GNUHS},
	{"em_fpus", isa.GNUEM | isa.AllFPUSingle},
	{"em_fpuda", isa.GNUEM | isa.AllFPUSingle | isa.FPUDoubleAssist},
	{"em_spfp", isa.GNUEM&^isa.DSP | isa.FPXSingle},
	{"em_dpfp", isa.GNUEM&^isa.DSP | isa.FPXDouble},
	{"em_quark", isa.GNUEM&^isa.FastMath | isa.QuarkSE},
	{"hs_plain", isa.GNUHS&^isa.DSP | isa.AllFPUSingle | isa.AllFPUDouble},
}

// syntaxSuffixes says how each suffix of a syntax is written, and what the decoded instruction then has.
var syntaxSuffixes = map[string]struct {
	texts []string
	holds func(*isa.Mods) bool
}{
	"<zz>":  {[]string{"b"}, func(m *isa.Mods) bool { return m.Size == isa.SizeByte }},
	"<.f>":  {[]string{".f"}, func(m *isa.Mods) bool { return m.SetFlags }},
	"<.x>":  {[]string{".x", "b.x"}, func(m *isa.Mods) bool { return m.SignExtend }},
	"<.aa>": {[]string{".ab", ".as"}, func(m *isa.Mods) bool { return m.Addr == isa.AddrPost || m.Addr == isa.AddrScaled }},
	"<.di>": {[]string{".di"}, func(m *isa.Mods) bool { return m.Uncached }},
	"<.cc>": {[]string{".eq"}, func(m *isa.Mods) bool { return m.Cond == isa.CondEQ }},
	"<.d>":  {[]string{".d"}, func(m *isa.Mods) bool { return m.Delay }},
	"<.t>":  {[]string{".t", ".nt"}, func(m *isa.Mods) bool { return m.Hint }},
}

// TestRowSyntax assembles the syntax of every row: the operands of each of its forms, and each suffix with some of
// them. The bytes must be that instruction with that suffix.
func TestRowSyntax(t *testing.T) {
	for _, row := range isa.Rows() {
		var pass string
		var decoder *isa.Decoder
		for _, p := range syntaxPasses {
			if slices.ContainsFunc(row.Forms(), func(f *isa.Form) bool { return p.features.Has(f.Needs) }) {
				pass, decoder = p.pass, isa.NewDecoder(p.features)
				break
			}
		}
		require.NotEmpty(t, pass, "%s: no core has it", row.Name)
		head, operands, _ := strings.Cut(row.Syntax, " ")
		try := func(suffix, operands string) *isa.Inst {
			if cond, rest, ok := strings.Cut(operands, " "); ok { // .ne b,h
				suffix, operands = cond+suffix, rest
			}
			line := row.Name + suffix + " " + instance(row, operands)
			object, err := AssembleString(passOptions(pass), "a.s", " "+line+"\n nop_s\n .align 4\nahead:\n nop_s\n")
			if err != nil {
				return nil
			}
			in, err := decoder.DecodeBytes(object.Section(".text"), false)
			require.NoError(t, err, line)
			require.Equal(t, row.Name, in.Row().Name, line)
			return &in
		}
		forms := strings.Split(operands, " | ")
		for _, form := range forms {
			require.NotNil(t, try("", form), "%s: the operands %q are not taken", row.Syntax, form)
		}
		for suffix := range strings.SplitAfterSeq(strings.TrimPrefix(head, row.Name), ">") {
			if suffix == "" {
				continue
			}
			how, known := syntaxSuffixes[suffix]
			require.True(t, known, "%s: suffix %s", row.Syntax, suffix)
			taken := false
			for _, text := range how.texts {
				for _, form := range forms {
					in := try(text, form)
					taken = taken || in != nil && how.holds(&in.Mods)
				}
			}
			require.True(t, taken, "%s: %s is not taken", row.Syntax, suffix)
		}
	}
}

// instance puts operands in the place of their names. Where a condition demands that a is b, both are r0.
func instance(row *isa.Row, form string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.NewReplacer(",", " , ", "[", " [ ", "]", " ] ").Replace(form), func(r rune) bool { return r == ' ' }) {
		switch {
		case word == "a" && row.Shape == isa.ShapeLoad:
			b.WriteString("r14")
		case word == "a", word == "b":
			b.WriteString("r0")
		case word == "c", word == "h", word == "g":
			b.WriteString("r2")
		case word == "limm":
			b.WriteString("0x12345678")
		case word == "list":
			b.WriteString("[r13]")
		case word[0] == '@':
			b.WriteString("ahead")
		case len(word) > 1 && strings.ContainsRune("usw", rune(word[0])) && word[1] >= '0' && word[1] <= '9':
			b.WriteString("4")
		default: // punctuation, 0, a fixed register
			b.WriteString(word)
		}
	}
	return b.String()
}
