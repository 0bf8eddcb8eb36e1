package regress

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

func TestLiteralStart(t *testing.T) {
	for pattern, want := range map[string]string{
		"^mli_krn_relu_fx8/1x7_.*/up/": "mli_krn_relu_fx8/1x7_",
		"^tosa.ADD/valid":              "tosa", // a dot is any character
		`^tosa\.ADD/valid`:             "tosa.ADD/valid",
		"^mli|^tosa":                   "",
		"(?i)^mli":                     "",
		"(?m)^mli":                     "",
		"(^mli)":                       "",
		"mli":                          "",
		"^":                            "",
		"^a?b":                         "",
		"^ab?c":                        "a",
		"^x$":                          "x",
	} {
		require.Equal(t, want, literalStart(regexp.MustCompile(pattern)), pattern)
	}
	require.Empty(t, literalStart(nil))
}

// TestSelectionsAreWhole: a plan of a pattern, or of names, has the cases of the whole plan that they name.
func TestSelectionsAreWhole(t *testing.T) {
	level.NeedsPlain(t, "plans the whole grid")
	all, err := Plan(Options{})
	require.NoError(t, err)
	names := map[string]bool{}
	for _, c := range all.Cases() {
		names[c.Name] = true
	}
	for _, pattern := range []string{"^mli_krn_relu_fx8/", `^tosa\.ADD/`, "^anomaly/", "^pictures_small_fx8/", "^mli_krn_avepool_chw_fx8/avepool#", "^arcq_clamp_s8", "/1x7_", "^nothing"} {
		re, want := regexp.MustCompile(pattern), map[string]bool{}
		for name := range names {
			if re.MatchString(name) {
				want[name] = true
			}
		}
		for _, o := range []Options{{Match: re}, {Only: want}} {
			s, err := Plan(o)
			require.NoError(t, err)
			got := map[string]bool{}
			for _, c := range s.Cases() {
				got[c.Name] = true
			}
			require.Equal(t, want, got, pattern)
		}
		require.Equal(t, strings.Contains(pattern, "nothing"), len(want) == 0, pattern)
	}
}
