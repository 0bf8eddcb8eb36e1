package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/term/cli"
)

// run calls Main and returns its status and what it wrote.
func run(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Main(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// TestDocs compares docs/cli with what the commands say of themselves.
func TestDocs(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "cli")
	pages := docPages(newRoot(cli.Streams{}))
	for name, text := range pages {
		goldenfile.File(t, filepath.Join(dir, name), text)
	}
	files, err := filepath.Glob(filepath.Join(dir, "arcasm*.md"))
	require.NoError(t, err)
	require.Len(t, files, len(pages), "a page of a command that does not exist")
}

const program = ` .global start, f
start: mov r0,5
 bl f
 flag 1
1: b 1b
`

const function = ` .global f
f: .ifdef TWICE
 add r0,r0,r0
 .endif
 j_s [blink]
`

func writeSource(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

// TestAssembleLinkDisasm goes the whole way by separate steps and by build: the same program.
func TestAssembleLinkDisasm(t *testing.T) {
	dir := t.TempDir()
	main, f := writeSource(t, dir, "main.s", program), writeSource(t, dir, "f.s", function)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"-mcpu=em4", "-o", at("main.o"), main},
		{"-mcpu=em4", "--defsym", "TWICE=1", "-o" + at("f.o"), f},
		{"link", "-e", "start", "-Ttext=0x1000", "-Map", at("map"), "-o", at("a.elf"), at("main.o"), at("f.o")},
		{"build", "-mcpu=em4", "--defsym=TWICE=1", "-e", "start", "-Ttext", "0x1000", "-o", at("b.elf"), main, f},
	} {
		status, out, errs := run("", args...)
		require.Zero(t, status, "%v: %s", args, errs)
		require.Empty(t, out)
		require.Empty(t, errs)
	}
	want := []string{"00001000 <start>:", "204a 0140", "mov\tr0,0x5", "bl\t12", "<f>:", "2000 0000", "7ee0", "j_s\t[blink]"}
	for _, file := range []string{"a.elf", "b.elf"} {
		status, out, errs := run("", "disasm", at(file))
		require.Zero(t, status, errs)
		for _, text := range want {
			require.Contains(t, out, text)
		}
	}
	linkMap, err := os.ReadFile(at("map"))
	require.NoError(t, err)
	require.Contains(t, string(linkMap), "0x00001000")
}

func TestStreams(t *testing.T) {
	status, out, errs := run(" nop_s\n", "-mcpu=em4", "-o", "-", "-")
	require.Zero(t, status, errs)
	require.True(t, strings.HasPrefix(out, "\x7fELF"))
	file := filepath.Join(t.TempDir(), "x.o")
	status, out, errs = run("l: nop_s\n b l\n", "-mcpu=em4", "-als", "-o", file, "-")
	require.Zero(t, status, errs)
	require.Contains(t, out, "   1 0000 E078      \tl: nop_s")
	require.Contains(t, out, "DEFINED SYMBOLS")
	status, _, errs = run(" .warning \"careful\"\n", "-o", file, "-")
	require.Zero(t, status)
	require.Contains(t, errs, "standard input:1:2: warning: careful")
	status, _, errs = run(" .warning \"careful\"\n", "-W", "-o", file, "-")
	require.Zero(t, status)
	require.Empty(t, errs)
	status, _, _ = run(" .warning \"careful\"\n", "--fatal-warnings", "-o", file, "-")
	require.Equal(t, cli.Failed, status)
}

// TestStatus checks exit statuses and messages of what goes wrong.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	bad := writeSource(t, dir, "bad.s", " nopp\n")
	out := filepath.Join(dir, "out.o")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{args: []string{"-o", out, bad}, status: cli.Failed, want: "bad.s:1:2: unknown instruction \"nopp\", did you mean nop"},
		{args: []string{"-o", out, filepath.Join(dir, "missing.s")}, status: cli.Host, want: "missing.s"},
		{args: []string{"-o", filepath.Join(dir, "no", "out.o"), writeSource(t, dir, "ok.s", " nop\n")}, status: cli.Host, want: "out.o"},
		{args: nil, status: cli.Usage, want: "no source files"},
		{args: []string{"-mcpu=em9", "-o", out, bad}, status: cli.Usage, want: "did you mean em9d"},
		{args: []string{"--frobnicate", bad}, status: cli.Usage, want: "unknown option --frobnicate"},
		{args: []string{"--core", "em9d", bad}, status: cli.Usage, want: "unknown option --core; -mcpu=NAME names the core"},
		{args: []string{"--max-errors", "1", bad}, status: cli.Failed, want: "there may be more than these 1 errors; --max-errors N shows more"},
		{args: []string{"-o"}, status: cli.Usage, want: "option -o needs a value"},
		{args: []string{"--defsym", "x", bad}, status: cli.Usage, want: "expected SYM=VALUE"},
		{args: []string{"-aq", bad}, status: cli.Usage, want: "unknown letter"},
		{args: []string{"--max-errors", "0", bad}, status: cli.Usage, want: "expected a number above 0"},
		{args: []string{"disasm", bad}, status: cli.Failed, want: "bad.s"},
		{args: []string{"disasm", "-M", "nonsense", out}, status: cli.Host, want: "out.o"},
		{args: []string{"link"}, status: cli.Usage, want: "no files to link"},
		{args: []string{"link", "-lm"}, status: cli.Host, want: "library libm.a is in none of the -L directories"},
		{args: []string{"link", bad}, status: cli.Failed, want: "bad.s"},
		{args: []string{"completion", "csh"}, status: cli.Usage,
			want: `unknown shell "csh" for "arcasm completion", there is bash, fish, powershell, zsh`},
		{args: []string{"build"}, status: cli.Usage, want: "no source files"},
		{args: []string{"build", bad}, status: cli.Failed, want: "unknown instruction"},
	} {
		status, _, errs := run("", c.args...)
		require.Equal(t, c.status, status, "%v: %s", c.args, errs)
		require.Contains(t, errs, c.want, "%v", c.args)
	}
	_, err := os.Stat(out)
	require.ErrorIs(t, err, os.ErrNotExist, "no object after errors")
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"-h"}, {"help"}, {"link", "--help"}, {"build", "-h"}, {"disasm", "--help"}, {"--version"}, {"completion", "bash"}} {
		status, out, errs := run("", args...)
		require.Zero(t, status, errs)
		require.NotEmpty(t, out)
	}
	_, out, _ := run("", "__complete", "-mcpu=em1")
	require.Contains(t, out, "-mcpu=em11d")
}

// TestIgnoredOptions takes what makefiles for the GNU assembler may say.
func TestIgnoredOptions(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.o")
	args := append([]string{"-o", out, "-mEM", "-EL", "--gdwarf-4", "-I", ".", "-Iinclude", "-"}, ignoredOptions...)
	status, _, errs := run(" nop\n", args...)
	require.Zero(t, status, errs)
}

// TestDepends compares the rules of --MD with those of GNU as: included files, each once, file names
// with characters that make reads, long lists.
func TestDepends(t *testing.T) {
	gas := gnutools.Path(t, "as")
	dir := t.TempDir()
	t.Chdir(dir)
	for _, sub := range []string{"inc", "a very long name of a directory"} {
		require.NoError(t, os.MkdirAll(sub, 0o777))
	}
	lines := " .include \"inc/one.inc\"\n .incbin \"inc/bytes.bin\"\n"
	writeSource(t, dir, "inc/one.inc", " nop\n")
	writeSource(t, dir, "inc/bytes.bin", "data")
	for i := range 40 {
		name := "inc/" + strings.Repeat("n", i) + ".inc"
		writeSource(t, dir, name, " nop\n")
		lines += " .include \"" + name + "\"\n .include \"inc/one.inc\"\n"
	}
	long := "a very long name of a directory/b$c\\ #.s"
	writeSource(t, dir, long, lines)
	writeSource(t, dir, "two.s", " nop\n .incbin \"inc/bytes.bin\"\n")
	for _, args := range [][]string{
		{"-o", "x.o", "two.s"}, {"two.s", long, "-o", "out put.o"}, {long}, {"-o", "x.o", "-"},
	} {
		for _, option := range [][]string{{"--MD", "x.d"}, {"--MD=x.d"}} {
			args := append(slices.Concat([]string{"-mcpu", "em4"}, option), args...)
			cmd := exec.Command(gas, args...)
			cmd.Stdin = strings.NewReader(" .include \"inc/one.inc\"\n")
			if args[len(args)-1] == "-" {
				cmd.Args = cmd.Args[:len(cmd.Args)-1]
			}
			text, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", text)
			want, err := os.ReadFile("x.d")
			require.NoError(t, err)
			require.NoError(t, os.Remove("x.d"))
			status, _, errs := run(" .include \"inc/one.inc\"\n", args...)
			require.Zero(t, status, errs)
			got, err := os.ReadFile("x.d")
			require.NoError(t, err)
			require.Equal(t, string(want), string(got), "%v", args)
		}
	}
	status, _, _ := run(" unknown\n", "--MD", "none.d", "-")
	require.Equal(t, cli.Failed, status)
	require.NoFileExists(t, "none.d")
}

// TestSizeCheck: a .size that is no constant is an error, or with --size-check=warning a warning.
func TestSizeCheck(t *testing.T) {
	gas := gnutools.Path(t, "as")
	out := filepath.Join(t.TempDir(), "x.o")
	for _, c := range []struct {
		options []string
		status  int
		want    string
	}{
		{status: cli.Failed, want: "the size of \"f\" must be a constant"},
		{options: []string{"--size-check=error"}, status: cli.Failed, want: "the size of \"f\" must be a constant"},
		{options: []string{"--size-check=warning"}, want: "warning: the size of \"f\" must be a constant"},
		{options: []string{"--size-check", "warning"}, want: "warning: the size of \"f\" must be a constant"},
		{options: []string{"--size-check=none"}, status: cli.Usage, want: "--size-check none: expected error or warning"},
	} {
		const source = "f: nop\n .size f, other-f\n"
		cmd := exec.Command(gas, append(c.options, "-mcpu=em4", "-o", out)...)
		cmd.Stdin = strings.NewReader(source)
		require.Equal(t, c.status == 0, cmd.Run() == nil, "%v", c.options)
		status, _, errs := run(source, append(c.options, "-o", out, "-")...)
		require.Equal(t, c.status, status, errs)
		require.Contains(t, errs, c.want)
	}
}
