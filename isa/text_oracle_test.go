package isa_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/isagen"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// gnuCores are cores of the GNU assembler that together take every form.
var gnuCores = []struct {
	name     string
	features isa.Feature
}{
	{"em4", isa.GNUEM | isa.AllFPUSingle},
	{"em4_fpuda", isa.EM | isa.FPUDoubleAssist},
	{"quarkse_em", isa.EM | isa.FPXSingle | isa.FPXDouble | isa.QuarkSE},
	{"hs4xd", isa.GNUHS | isa.AllFPUSingle | isa.AllFPUDouble},
}

// refused are the forms that GNU as does not know though the architecture has them, and modifiers
// that it does not take with them.
var refused = map[isa.Op]map[string]string{
	isa.ST:  {"c,[limm,s9]": "only a literal can be stored there"},
	isa.STD: {"c,[limm,s9]": "only a literal can be stored there"},
	isa.LDD: {
		"a,[limm,c]": "no address mode", "0,[limm,c]": "no address mode",
		"a,[limm,s9]": "not in the table", "0,[limm,s9]": "not in the table",
		"a,[limm,limm]": "not in the table", "0,[limm,limm]": "not in the table",
	},
	isa.PREALLOC:  {"[limm,c]": "no address mode", "[limm]": "no address mode", "[limm,s9]": "no address mode"},
	isa.PREFETCH:  {"[b]": "no address mode", "[limm]": "no address mode"},
	isa.PREFETCHW: {"[limm,c]": "no address mode", "[limm]": "no address mode", "[limm,s9]": "no address mode"},
}

// sample is one instruction: its text, the bytes that we make of it, and those that GNU as makes.
type sample struct {
	form      *isa.Form
	text      string
	ours, gnu []byte
}

// TestFormsOracle assembles random instructions of every form with GNU as: from our text it makes
// the bytes that we encode, or the faulty ones that the form records.
func TestFormsOracle(t *testing.T) {
	as := gnutools.Path(t, "as")
	random := rand.New(rand.NewPCG(5, 6))
	done := map[*isa.Form]bool{}
	for _, core := range gnuCores {
		var samples []sample
		for _, r := range isa.Rows() {
			for _, f := range r.Forms() {
				if !core.features.Has(f.Needs) || done[f] || f.Alias || r.Own {
					continue
				}
				done[f] = true
				for range 3 {
					if s, ok := newSample(t, f, core.features, random); ok {
						samples = append(samples, s)
					}
				}
			}
		}
		compareSamples(t, as, core.name, samples)
	}
	for _, r := range isa.Rows() {
		for _, f := range r.Forms() {
			require.True(t, done[f] || f.Alias || r.Own, "no core has %s %s", r.Name, f.Text)
		}
	}
}

// newSample draws an instruction whose text means exactly it: not one that a preferred form spells
// the same way.
func newSample(t *testing.T, f *isa.Form, features isa.Feature, random *rand.Rand) (sample, bool) {
	for range 50 {
		ops, mods, w, err := isagen.Inst(f, random, true)
		require.NoError(t, err)
		code := w.Append(nil, false)
		in, err := isa.NewDecoder(features).DecodeBytes(code, false)
		require.NoError(t, err)
		// The meaning of .t depends on the direction, and the names of some pairs are no names to GNU as.
		if in.FormOf() != f || mods.Hint || oddNames(f, ops) || !preferred(f, ops, mods, features) {
			continue
		}
		text := isa.Text(&in, isa.TextOptions{})
		if f.Allow&isa.ModT != 0 {
			text = withoutHint(text)
		}
		return sample{f, text, code, f.GNUWord(w).Append(nil, false)}, true
	}
	return sample{}, false
}

// oddNames reports whether an operand is a pair of registers that have names instead of numbers.
func oddNames(f *isa.Form, ops []isa.Operand) bool {
	for i := range f.Args {
		if r := ops[i].Reg; f.Args[i].Pair && r >= 24 && r < 32 {
			return true
		}
	}
	return false
}

// preferred reports whether no earlier form of the mnemonic takes the operands.
func preferred(f *isa.Form, ops []isa.Operand, mods isa.Mods, features isa.Feature) bool {
	for _, g := range f.Row.Forms() {
		if g == f {
			return true
		}
		if len(g.Args) == len(f.Args) && g.Open == f.Open && features.Has(g.Needs) {
			if _, err := isa.Encode(g, ops, mods); err == nil {
				return false
			}
		}
	}
	return true
}

var asError = regexp.MustCompile(`:([0-9]+): Error: (.*)`)

// compareSamples assembles the samples, a nop after each, and compares the bytes.
func compareSamples(t *testing.T, as, core string, samples []sample) {
	t.Helper()
	kept := assemblable(t, as, core, samples)
	code := assemble(t, as, core, kept)
	faulty := 0
	nop := []byte{0x4a, 0x26, 0x00, 0x70}
	for _, s := range kept {
		n := len(s.ours)
		require.GreaterOrEqual(t, len(code), n+len(nop), "%s", s.text)
		if string(s.ours) != string(s.gnu) {
			faulty++
		}
		require.Equal(t, fmt.Sprintf("%x", s.gnu), fmt.Sprintf("%x", code[:n]), "%s: %s", core, s.text)
		require.Equal(t, nop, code[n:n+len(nop)], "%s: %s", core, s.text)
		code = code[n+len(nop):]
	}
	t.Logf("%s: %d instructions of %d, %d that GNU as encodes wrongly", core, len(kept), len(samples), faulty)
}

// assemblable leaves out the samples that GNU as refuses for a known reason.
func assemblable(t *testing.T, as, core string, samples []sample) []sample {
	t.Helper()
	out, _ := runAs(t, as, core, samples)
	bad := map[int]bool{}
	for _, m := range asError.FindAllStringSubmatch(out, -1) {
		line, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		s := samples[(line-1)/2]
		require.NotEmpty(t, refused[s.form.Row.Op][s.form.Text], "%s: %s: %s", core, s.text, m[2])
		bad[(line-1)/2] = true
	}
	var kept []sample
	for i, s := range samples {
		if !bad[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// assemble returns the code of the samples.
func assemble(t *testing.T, as, core string, samples []sample) []byte {
	t.Helper()
	out, object := runAs(t, as, core, samples)
	data, err := os.ReadFile(object)
	require.NoError(t, err, out)
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	for _, s := range f.Sections {
		if s.Name == ".text" {
			return s.Data
		}
	}
	require.Fail(t, "no .text")
	return nil
}

func runAs(t *testing.T, as, core string, samples []sample) (output, object string) {
	t.Helper()
	dir := t.TempDir()
	var src strings.Builder
	for _, s := range samples {
		fmt.Fprintf(&src, "\t%s\n\tnop\n", s.text)
	}
	path := filepath.Join(dir, "x.s")
	object = filepath.Join(dir, "x.o")
	require.NoError(t, os.WriteFile(path, []byte(src.String()), 0o644))
	out, _ := exec.Command(as, "-mcpu="+core, "-o", object, path).CombinedOutput()
	return string(out), object
}
