package asm

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// sourceOptions reads the first line of a test source: "; options: cpu=em4 relax".
func sourceOptions(t *testing.T, text string) Options {
	t.Helper()
	opts := Options{CPU: "em4", FS: os.DirFS("testdata"), MaxErrors: 1000}
	line, _, _ := strings.Cut(text, "\n")
	list, ok := strings.CutPrefix(line, "; options:")
	if !ok {
		return opts
	}
	for _, o := range strings.Fields(list) {
		name, value, _ := strings.Cut(o, "=")
		switch name {
		case "cpu":
			opts.CPU = value
		case "relax":
			opts.Relax = true
		case "big":
			opts.BigEndian = true
		case "strict":
			opts.Strict = true
		case "gnu-bugs":
			opts.GNUBugs = true
		default:
			t.Fatalf("unknown option %s", o)
		}
	}
	return opts
}

var hexComment = regexp.MustCompile(`; ([0-9a-f ]+)$`)

// TestEncodings assembles testdata/*_enc.s. A comment at the end of a line holds the bytes that the line
// gives, as GNU as 2.40 gives them; those of a macro call are the bytes of its whole expansion.
func TestEncodings(t *testing.T) {
	files, err := filepath.Glob("testdata/*_enc.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			opts := sourceOptions(t, string(text))
			opts.Listing = &ListingOptions{}
			obj, err := AssembleString(opts, filepath.Base(file), string(text))
			require.NoError(t, err)
			checked := 0
			for _, p := range obj.listing.done {
				m := hexComment.FindStringSubmatch(p.text)
				if m == nil {
					continue
				}
				checked++
				want := strings.ReplaceAll(m[1], " ", "")
				if got := hex.EncodeToString(p.bytes); got != want {
					t.Errorf("%s:%d: %s\n\tgot %s", file, p.number, p.text, got)
				}
			}
			require.NotZero(t, checked)
		})
	}
}

var errorComment = regexp.MustCompile(`; ERROR ((?:"(?:[^"\\]|\\.)*" ?)+)`)
var quotedPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// TestErrors assembles testdata/*_error.s. A comment ERROR "regexp" stands on each line that is wrong,
// and every error must have one. Errors of the layout are in files of their own: those of the syntax
// keep it from happening.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/*_error.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			_, err = AssembleString(sourceOptions(t, string(text)), filepath.Base(file), string(text))
			var list ErrorList
			require.ErrorAs(t, err, &list)
			got := make(map[int][]string)
			for _, e := range list {
				line := e.Pos.Line
				if n := len(e.Notes); n > 0 {
					line = e.Notes[n-1].Pos.Line
				}
				got[line] = append(got[line], strconv.Itoa(e.Pos.Col)+": "+e.Msg)
				require.Positive(t, e.Pos.Col)
				require.LessOrEqual(t, e.Pos.Col, len(e.Line)+1)
			}
			for i, line := range strings.Split(string(text), "\n") {
				var patterns []string
				if m := errorComment.FindStringSubmatch(line); m != nil {
					patterns = quotedPattern.FindAllString(m[1], -1)
				}
				messages := got[i+1]
				if len(patterns) != len(messages) {
					t.Errorf("%s:%d: %s\n\tgot %q", file, i+1, line, messages)
					continue
				}
				for k, p := range patterns {
					re, err := strconv.Unquote(p)
					require.NoError(t, err, p)
					require.Regexp(t, re, messages[k], "%s:%d", file, i+1)
				}
			}
		})
	}
}

// TestErrorText checks the whole form of messages: position, source line, caret, notes, limit.
func TestErrorText(t *testing.T) {
	files, err := filepath.Glob("testdata/*_message.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		opts := sourceOptions(t, string(text))
		opts.MaxErrors = 0
		_, err = AssembleString(opts, filepath.Base(file), string(text))
		require.Error(t, err)
		goldenfile.File(t, strings.TrimSuffix(file, ".s")+".golden", err.Error()+"\n")
	}
}
