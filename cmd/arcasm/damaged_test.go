package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/perturb"
	"arcv2dsp/internal/term/cli"
)

var damaged = flag.Int("damaged", 0, "damaged inputs of each kind, in place of those of the level")

const script = `ENTRY(start)
MEMORY { rom (rx) : ORIGIN = 0x100, LENGTH = 64K
  ram : ORIGIN = 0x80000000, LENGTH = 0x10000 }
SECTIONS {
  .text : ALIGN(8) { *(.text .text.*) KEEP(*(.init)) } > rom
  .data : { __data = .; *(.data) . = ALIGN(16); __end = . + 4; } > ram AT > rom
  /DISCARD/ : { *(.comment) }
}
PROVIDE(__stack = ORIGIN(ram) + LENGTH(ram));
ASSERT(__end < __stack, "no room")
`

// TestDamagedInputs: whatever is damaged in an object, an archive, a program, a linker script or a source, the command that reads it
// ends soon, does not panic, and refuses it in messages of which the first names a file.
func TestDamagedInputs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("main.s"), []byte(program), 0o600))
	require.NoError(t, os.WriteFile(at("f.s"), []byte(function), 0o600))
	require.NoError(t, os.WriteFile(at("script.ld"), []byte(script), 0o600))
	for _, line := range [][]string{{"-g", "-o", at("main.o"), at("main.s")}, {"-g", "-o", at("f.o"), at("f.s")}, {"link", "-e", "start", "-o", at("a.elf"), at("main.o"), at("f.o")}} {
		status, _, msg := run("", line...)
		require.Zero(t, status, msg)
	}
	object, err := os.ReadFile(at("f.o"))
	require.NoError(t, err)
	archive := fmt.Appendf([]byte("!<arch>\n"), "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", "f.o/", 0, 0, 0, 0o644, len(object), object)
	require.NoError(t, os.WriteFile(at("libf.a"), archive, 0o600))
	for k, in := range []struct {
		name string
		text bool
		args []string
	}{
		{name: "f.o", args: []string{"link", "-e", "start", "-o", at("out"), at("main.o"), "@"}},
		{name: "libf.a", args: []string{"link", "-e", "start", "-o", at("out"), at("main.o"), "@"}},
		{name: "script.ld", text: true, args: []string{"link", "-T", "@", "-o", at("out"), at("main.o"), at("f.o")}},
		{name: "a.elf", args: []string{"disasm", "-d", "-S", "@"}},
		{name: "main.s", text: true, args: []string{"-g", "-o", at("out"), "@"}},
	} {
		t.Run(in.name, func(t *testing.T) {
			good, err := os.ReadFile(at(in.name))
			require.NoError(t, err)
			n, refused := level.Count(300, 100, 25), 0
			if *damaged > 0 {
				n = *damaged
			}
			path := at("damaged-" + in.name)
			args := strings.Split(strings.ReplaceAll(strings.Join(in.args, "\x00"), "@", path), "\x00")
			require.NoError(t, os.WriteFile(path, good, 0o600))
			status, _, msg := run("", args...)
			require.Zero(t, status, msg)
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(k), uint64(i)))
				data := perturb.File(r, good)
				if in.text {
					data = perturb.Text(r, good)
				}
				require.NoError(t, os.WriteFile(path, data, 0o600))
				if refuses(t, fmt.Sprintf("input %d", i), args, path) {
					refused++
				}
			}
			t.Logf("%d of %d are refused", refused, n)
			require.NotZero(t, refused)
		})
	}
}

// refuses runs a command on a damaged file and reports whether it refused the file.
func refuses(t *testing.T, name string, args []string, path string) bool {
	t.Helper()
	done := make(chan int, 1)
	var out, msg bytes.Buffer
	go func() { done <- Main(args, strings.NewReader(""), &out, &msg) }()
	status := 0
	select {
	case status = <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s does not end", name)
	}
	require.NotContains(t, msg.String(), "internal error", name)
	if status == 0 {
		return false
	}
	require.Contains(t, []int{cli.Failed, cli.Usage, cli.Host}, status, name)
	require.NotEmpty(t, msg.String(), name)
	head, _, _ := strings.Cut(msg.String(), "\n")
	require.Contains(t, head, filepath.Dir(path), name) // a symbol or a value may be missed by another file
	return true
}
