package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// TestReadme runs the commands that README.md shows and wants the output it shows; "..." stands for any
// number of lines, times of the host are not compared.
func TestReadme(t *testing.T) {
	level.NeedsPlain(t, "builds a command")
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, demo, _ := strings.Cut(string(text), "## 60 seconds\n")
	demo, _, _ = strings.Cut(demo, "\n## ")

	dir := t.TempDir()
	commandIn(t, dir)
	buildInto(t, dir, "../arcasm")
	source, err := os.ReadFile("../../docs/demo/dot.s")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs/demo"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docs/demo/dot.s"), source, 0o644))

	var command, shown []string
	flush := func() {
		if len(command) == 0 {
			return
		}
		got := shell(t, dir, command)
		require.Regexp(t, transcript(shown), got, "README.md: %v", command)
	}
	ran := 0
	for line := range strings.Lines(demo) {
		line, code := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		switch {
		case strings.HasPrefix(line, "$ "):
			flush()
			command, shown = strings.Fields(line[2:]), nil
			if command[0] == "go" {
				command = nil
			}
			ran++
		case code || line == "":
			shown = append(shown, line)
		default:
			flush()
			command, shown = nil, nil
		}
	}
	flush()
	require.Greater(t, ran, 5)
}

// shell runs a command of the two programs in dir; "; echo $?" appends its status to what it prints.
func shell(t *testing.T, dir string, command []string) string {
	t.Helper()
	program, args, status := command[0], command[1:], false
	for i, a := range args {
		if name, last := strings.CutSuffix(a, ";"); last {
			args, status = append(args[:i:i], name), true
			break
		}
	}
	c := exec.Command(filepath.Join(dir, program), args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err, string(out))
	}
	if status {
		return string(out) + fmt.Sprintln(c.ProcessState.ExitCode())
	}
	return string(out)
}

// transcript is the pattern of the lines of an output as they are shown, blank ones left out.
func transcript(shown []string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	seconds := regexp.MustCompile(`, N s$`)
	for _, line := range shown {
		switch {
		case line == "...":
			b.WriteString(`.*`)
		case line != "":
			b.WriteString(`\s*` + seconds.ReplaceAllString(regexp.QuoteMeta(strings.TrimSpace(line)), `, [0-9.]+ s`) + `[ \t]*\n`)
		}
	}
	b.WriteString(`\s*$`)
	return regexp.MustCompile(b.String())
}
