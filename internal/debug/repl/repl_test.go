package repl

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/dev/testkit/goldenfile"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

const (
	scripts = "../../../cmd/arcsim/testdata/debug"
	manual  = "../../../docs/debugger.md"
	walk    = "../../../docs/walkthrough.md"
	sources = "../../../cmd/arcsim/testdata/src"
	sortO0  = "../../../testdata/elf/small/sort-em4_dmips-O0.elf"
)

func session(t testing.TB, dirs ...string) (s *Session, out *bytes.Buffer) {
	t.Helper()
	return sessionOf(t, sortO0, dirs...)
}

func sessionOf(t testing.TB, program string, dirs ...string) (s *Session, out *bytes.Buffer) {
	t.Helper()
	m, err := arcv2dsp.New(arcv2dsp.Config{})
	require.NoError(t, err)
	require.NoError(t, m.LoadFile(program))
	d, err := debug.New(m, debug.Options{SourceDirs: dirs})
	require.NoError(t, err)
	out = &bytes.Buffer{}
	return New(d, Config{In: strings.NewReader(""), Out: out, Err: out}), out
}

// TestManualIsFresh: docs/debugger.md follows from the table of commands.
func TestManualIsFresh(t *testing.T) {
	goldenfile.File(t, manual, markdown())
}

// TestWalkthroughIsTrue: the session in docs/walkthrough.md, all its blocks one after another, prints
// what the page says.
func TestWalkthroughIsTrue(t *testing.T) {
	page, err := os.ReadFile(walk)
	require.NoError(t, err)
	s, out := session(t, sources)
	const prompt = "(arcsim) "
	var b strings.Builder
	inside, commands := false, 0
	for line := range strings.Lines(string(page)) {
		command, isCommand := strings.CutPrefix(line, prompt)
		switch {
		case line == "```console\n":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && isCommand:
			b.WriteString(line)
			s.line(strings.TrimSpace(command))
			require.NoError(t, s.out.Flush())
			b.Write(out.Bytes())
			out.Reset()
			commands++
			continue
		case inside && commands > 0:
			continue // the output, which is written anew
		}
		b.WriteString(line)
	}
	require.Greater(t, commands, 20)
	goldenfile.File(t, walk, b.String())
}

// TestEveryCommandIsInAScript: each command of the table is executed by a session of
// cmd/arcsim/testdata/debug.
func TestEveryCommandIsInAScript(t *testing.T) {
	files, err := filepath.Glob(scripts + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	commands := table()
	used := map[*command]bool{}
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) != ".gdb" {
				continue
			}
			for line := range strings.Lines(string(f.Data)) {
				if c, _, err := parse(commands, line); err == nil {
					used[c] = true
				}
			}
		}
	}
	each(commands, "", func(path string, c *command) {
		if c.run != nil && !used[c] {
			t.Errorf("no script of %s uses %q", scripts, path)
		}
	})
}

// TestTable: names are unique, groups exist, and what a command needs to be explained is there.
func TestTable(t *testing.T) {
	known := map[string]bool{}
	for _, g := range groups() {
		known[g.name] = true
	}
	var check func(list []*command)
	check = func(list []*command) {
		seen := map[string]bool{}
		for _, c := range list {
			for _, n := range append([]string{c.name}, c.aliases...) {
				require.False(t, seen[n], n)
				seen[n] = true
			}
			require.True(t, known[c.group], c.name)
			require.NotEmpty(t, c.short, c.name)
			require.True(t, c.run != nil || c.sub != nil, c.name)
			require.LessOrEqual(t, c.min, len(c.name), c.name)
			if c.min > 0 {
				found, err := lookup(list, c.name[:c.min], "command")
				require.NoError(t, err, c.name)
				require.Equal(t, c.name, found.name, "the shortest form of %s", c.name)
			}
			check(c.sub)
		}
	}
	check(table())
}

func TestLookup(t *testing.T) {
	list := table()
	for word, want := range map[string]string{
		"b": "break", "c": "continue", "cont": "continue", "n": "next", "ni": "nexti", "s": "step", "si": "stepi", "p": "print",
		"i": "info", "l": "list", "bt": "backtrace", "where": "backtrace", "r": "run", "q": "quit", "h": "help", "u": "until",
		"fin": "finish", "disas": "disassemble", "rc": "reverse-continue", "d": "delete", "tb": "tbreak", "dis": "",
		"j": "jump", "cond": "condition", "ena": "enable", "disa": "disable",
	} {
		c, err := lookup(list, word, "command")
		if want == "" {
			require.ErrorContains(t, err, "ambiguous", word)
			continue
		}
		require.NoError(t, err, word)
		require.Equal(t, want, c.name, word)
	}
}

func TestCompletion(t *testing.T) {
	s, _ := session(t)
	for line, want := range map[string]string{
		"reverse-c":       "reverse-continue ",
		"inf":             "info ",
		"info ds":         "dsp ",
		"info lo":         "loops ",
		"break ins":       "insertion",
		"break sor":       "sort.c:",
		"print chec":      "checksum",
		"print 1+chec":    "checksum",
		"print $acch":     "$acchi",
		"print/x $sp":     "$sp",
		"record o":        "off",
		"source repl_te":  "repl_test.go",
		"help tens":       "tensor",
		"print 1+$acc0.":  "hi",
		"print $acc0.w":   "wide",
		"break sort.c:in": "insertion",
	} {
		_, list := s.Complete(line)
		require.Contains(t, list, want, line)
	}
	word, list := s.Complete("info d")
	require.Equal(t, "d", word)
	require.Equal(t, []string{"display ", "dsp "}, list, "what info shows, no symbol")
	_, list = s.Complete("print $acc0.")
	require.Equal(t, []string{"hi", "lo", "wide"}, list, "members only")
	_, list = s.Complete("break sort.c:")
	require.Contains(t, list, "insertion")
	require.NotContains(t, list, "__start", "of another file")
	require.NoError(t, s.Execute("break quick"))
	require.NoError(t, s.Execute("continue"))
	_, list = s.Complete("print l")
	require.Contains(t, list, "lo", "a parameter")
}

func TestNotTerminalReportsFailure(t *testing.T) {
	s, out := session(t)
	s.cfg.In = strings.NewReader("print 1\nfrobnicate\nprint 2\n")
	status, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 1, status)
	require.Contains(t, out.String(), "$1 = 1")
	require.Contains(t, out.String(), "$2 = 2", "a bad command does not end the session")
}

// TestCommandsOfBreakpoints: commands that go on at each hit do not pile up, and silent is silent.
func TestCommandsOfBreakpoints(t *testing.T) {
	s, out := session(t)
	s.cfg.In = strings.NewReader("break mix\ncommands\nsilent\nset $hits = $hits + 1\ncontinue\nend\nset $hits = 0\ncontinue\nprint $hits\n")
	status, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 0, status)
	require.NotContains(t, out.String(), "Breakpoint 1, ")
	require.Contains(t, out.String(), "$1 = 200\n", "mix is called 200 times")
}

// TestContinuePassesBrk: continue goes on behind a brk of the program.
func TestContinuePassesBrk(t *testing.T) {
	s, out := sessionOf(t, "../testdata/brk.elf")
	s.cfg.In = strings.NewReader("continue\ncontinue\nprint $r0\ncontinue\n")
	status, err := s.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, 0, status)
	require.Equal(t, 2, strings.Count(out.String(), "stopped at a brk instruction"))
	require.Contains(t, out.String(), "$1 = 2\n")
	require.Contains(t, out.String(), "exited with code 3")
}

// FuzzExecute: no command line makes the debugger panic or hang.
func FuzzExecute(f *testing.F) {
	files, _ := filepath.Glob(scripts + "/*.txtar")
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if filepath.Ext(file.Name) == ".gdb" {
				for line := range strings.Lines(string(file.Data)) {
					f.Add(line)
				}
			}
		}
	}
	s, out := session(f)
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // nothing runs for long
	s.ctx = ctx
	f.Fuzz(func(t *testing.T, line string) {
		for _, word := range strings.Fields(line) { // inside monitor, alias and the like, too
			for _, begin := range []string{"du", "sa", "tr", "so", "lo", "rest"} {
				if strings.HasPrefix(word, begin) {
					t.Skip("touches files")
				}
			}
		}
		_ = s.Execute(line)
		s.quit, s.displays = false, nil
		s.d.DeleteAll()
		out.Reset()
	})
}
