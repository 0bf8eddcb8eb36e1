package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/term/cli"
)

const sourceListed = `static int table[4];

int first(int x) {
	return table[x & 3];
}

/* Several lines before
   the next function
   are more
   than are shown
   as its
   context. */
int second(int x)
{
	x *= 3;
	if (x > 100)
		x -= x >> 2;
	return x * 2 + 1;
}
`

const sourceDiscriminated = `int g[4];
int h(int);
static int sq(int x) { return x * x; }
int f(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++) { if (i & 1 && h(i)) s += sq(i); else s -= g[i & 3]; }
	return s;
}
int k(int n) { return n ? h(n) || h(n + 1) : f(n); }
`

const labelsListed = `	.global alias, big
	.type	big, @function
alias:
big:	nop
inner:	nop
	.size	big, .-big
local:	nop_s
	.hidden	hide
hide:	nop_s
	.section .text.b, "ax"
	nop
later:	nop
	.type	later, @function
`

// TestLineNumbers compares -l with objdump: pieces of one line are told apart by discriminators, and
// without debug information the names of functions come from the symbols.
func TestLineNumbers(t *testing.T) {
	gcc, objdump := gnutools.Path(t, "gcc"), gnutools.Path(t, "objdump")
	dir := t.TempDir()
	object, program := filepath.Join(dir, "a.o"), filepath.Join(dir, "a.elf")
	c, s := writeSource(t, dir, "a.c", sourceDiscriminated), writeSource(t, dir, "l.s", labelsListed)
	lines := writeSource(t, dir, "d.s", "\t.file 1 \"d.c\"\nf:\t.loc 1 3 1\n\tnop\n\t.loc 1 3 2 discriminator 4\n\tnop\ng:\tnop\n")
	for _, args := range [][]string{{"-O0", "-g", c}, {"-O1", "-g", c}, {"-O2", "-g", c}, {"-O1", c}, {s}, {lines}} {
		out, err := exec.Command(gcc, append(args, "-mcpu=em4", "-fno-pic", "-c", "-o", object)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		status, _, stderr := run("", "link", "-e", "0x100", "--defsym", "h=0x8000", "--defsym", "__mulsi3=0x8100", "-o", program, object)
		require.Zero(t, status, stderr)
		for _, file := range []string{object, program} {
			for _, option := range []string{"-S", "-l", "-Sl"} {
				want, err := exec.Command(objdump, "-d", option, file).Output()
				require.NoError(t, err)
				status, got, stderr := run("", "disasm", option, file)
				require.Zero(t, status, stderr)
				require.Equal(t, string(want), got, "%v %s of %s", args, option, filepath.Base(file))
			}
		}
	}
}

// TestSourceListing compares listings with source lines of a compiled object, whose sections all begin
// at address 0, and of the linked program with those of objdump.
func TestSourceListing(t *testing.T) {
	gcc, objdump := gnutools.Path(t, "gcc"), gnutools.Path(t, "objdump")
	dir := t.TempDir()
	source := writeSource(t, dir, "a.c", sourceListed)
	object, program := filepath.Join(dir, "a.o"), filepath.Join(dir, "a.elf")
	for _, flags := range [][]string{{"-O0"}, {"-O1", "-ffunction-sections"}} {
		out, err := exec.Command(gcc, append(flags, "-g", "-mcpu=em4", "-fno-pic", "-fno-inline", "-c", "-o", object, source)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		status, _, stderr := run("", "link", "-e", "second", "-o", program, object)
		require.Zero(t, status, stderr)
		for _, file := range []string{object, program} {
			for _, option := range []string{"-S", "-l", "-Sl"} {
				want, err := exec.Command(objdump, "-d", option, file).Output()
				require.NoError(t, err)
				status, got, stderr := run("", "disasm", option, file)
				require.Zero(t, status, stderr)
				require.Equal(t, string(want), got, "%v %s of %s", flags, option, filepath.Base(file))
			}
		}
	}
}

const dataListed = `	.text
f:	b	f
	.word	0,0,0,f
	.data
words:	.word	1, f, words+4, 0
zeros:	.word	0, 0, other, 0, 0
	.byte	0, 0, 0, 5
	.section .odd, "a"
	.byte	1, 2, 3
	.section .described, "", @progbits
	.ascii	"text"
	.word	f
`

// TestDataListing compares listings of all sections with those of objdump: data is words, or bytes in a
// section of an odd size.
func TestDataListing(t *testing.T) {
	as, objdump := gnutools.Path(t, "as"), gnutools.Path(t, "objdump")
	dir := t.TempDir()
	source, object := writeSource(t, dir, "d.s", dataListed), filepath.Join(dir, "d.o")
	for _, order := range []string{"-EL", "-EB"} {
		out, err := exec.Command(as, "-mcpu=em4", order, "-o", object, source).CombinedOutput()
		require.NoError(t, err, "%s", out)
		for _, options := range [][]string{{"-D"}, {"-D", "-r"}, {"-D", "--no-show-raw-insn"}} {
			want, err := exec.Command(objdump, append(options, object)...).Output()
			require.NoError(t, err)
			status, got, stderr := run("", append(append([]string{"disasm"}, options...), object)...)
			require.Zero(t, status, stderr)
			require.Equal(t, string(want), got, "%s %v", order, options)
		}
	}
}

// TestDisasmCores: -M cpu= takes the core names of objdump. The words are those that GNU as makes of the
// instructions for quarkse_em and hs38.
func TestDisasmCores(t *testing.T) {
	dir := t.TempDir()
	source, object := filepath.Join(dir, "f.s"), filepath.Join(dir, "f.o")
	require.NoError(t, os.WriteFile(source, []byte("\t.short 0x3100,0x0080\n\t.short 0x392a,0x0080\n"), 0o644))
	var out, msg bytes.Buffer
	require.Zero(t, Main([]string{"-mcpu=em4", "-o", object, source}, nil, &out, &msg), msg.String())
	require.Zero(t, Main([]string{"disasm", "-M", "cpu=quarkse_em", object}, nil, &out, &msg), msg.String())
	require.Contains(t, out.String(), "fmul\tr0,r1,r2")
	require.Contains(t, out.String(), "dsp_fp_div\tr0,r1,r2")
	require.NoError(t, os.WriteFile(source, []byte("\t.short 0x3100,0x0080\n\t.short 0x3231,0x0100\n"), 0o644))
	for _, args := range [][]string{nil, {"-M", "cpu=hs38"}, {"-M", "cpu=hs4xd"}, {"-M", "cpu=archs"}} {
		out.Reset()
		require.Zero(t, Main([]string{"-mcpu=hs38", "-o", object, source}, nil, &out, &msg), msg.String())
		require.Zero(t, Main(append(append([]string{"disasm"}, args...), object), nil, &out, &msg), msg.String())
		require.Contains(t, out.String(), "fsmul\tr0,r1,r2")
		require.Contains(t, out.String(), "fdadd\tr0,r2,r4")
	}
}

// TestDisasmArchive: of an archive all members are listed, as objdump lists them, and a damaged one is named with its archive.
func TestDisasmArchive(t *testing.T) {
	dir := t.TempDir()
	source, object, archive := filepath.Join(dir, "f.s"), filepath.Join(dir, "f.o"), filepath.Join(dir, "lib.a")
	require.NoError(t, os.WriteFile(source, []byte("f:\tj [blink]\n"), 0o644))
	var out, msg bytes.Buffer
	require.Zero(t, Main([]string{"-o", object, source}, nil, &out, &msg), msg.String())
	code, err := os.ReadFile(object)
	require.NoError(t, err)
	text := "!<arch>\n"
	for _, name := range []string{"a.o/", "b.o/"} {
		text += fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, 0, 0, 0, 0o644, len(code), code)
	}
	require.NoError(t, os.WriteFile(archive, []byte(text), 0o644))
	require.Zero(t, Main([]string{"disasm", archive}, nil, &out, &msg), msg.String())
	const member = ":     file format elf32-littlearc\n\n\nDisassembly of section .text:\n\n00000000 <f>:\n   0:\t2020 07c0           \tj\t[blink]\n"
	require.Equal(t, "In archive "+archive+":\n\na.o"+member+"\nb.o"+member, out.String())
	at := strings.LastIndex(text, "\x7fELF")
	require.NoError(t, os.WriteFile(archive, []byte(text[:at+32]+"\xf0\xff\xff\x7f"+text[at+36:]), 0o644))
	require.Equal(t, cli.Failed, Main([]string{"disasm", archive}, nil, &out, &msg))
	require.Contains(t, msg.String(), archive+"(b.o): offset 0x7ffffff0: section header table")
}
