package regress

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
)

// wants reports whether a case whose name begins like this may have been asked for. Plans leave out what no case can come
// of before they make it.
func (s *Suite) wants(prefix string) bool {
	if s.Only != nil {
		for name := range s.Only {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return false
	}
	start := literalStart(s.Match)
	return strings.HasPrefix(start, prefix) || strings.HasPrefix(prefix, start)
}

// asked reports whether a case was asked for.
func (s *Suite) asked(name string) bool {
	return (s.Match == nil || s.Match.MatchString(name)) && (s.Only == nil || s.Only[name])
}

// wantsFile reports whether a recorded call of a file of ours may have been asked for.
func (s *Suite) wantsFile(f vectorFile) bool {
	return slices.ContainsFunc(mlikernels.Kernels(), func(k *mlikernels.Kernel) bool {
		return s.wants(k.Name() + "/" + place{file: f.name}.stem() + "#")
	})
}

// literalStart is the text that everything that a pattern matches begins with, as far as that is easy to tell.
func literalStart(re *regexp.Regexp) string {
	if re == nil {
		return ""
	}
	x, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil || x.Op != syntax.OpConcat || len(x.Sub) < 2 || x.Sub[0].Op != syntax.OpBeginText {
		return ""
	}
	if text := x.Sub[1]; text.Op == syntax.OpLiteral && text.Flags&syntax.FoldCase == 0 {
		return string(text.Rune)
	}
	return ""
}
