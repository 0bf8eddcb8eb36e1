package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
)

// TestBadPrograms: a file that is no program for this simulator gives one clear message and status
// 3, never a panic and never a wait.
func TestBadPrograms(t *testing.T) {
	hello, err := os.ReadFile("../../testdata/guest/elf/hello.elf")
	require.NoError(t, err)
	le := binary.LittleEndian
	segment := le.Uint32(hello[28:]) // first program header
	last := segment + 32*uint32(le.Uint16(hello[44:])-1)
	patched := func(at uint32, v uint32) []byte {
		b := bytes.Clone(hello)
		le.PutUint32(b[at:], v)
		return b
	}
	machine := bytes.Clone(hello)
	le.PutUint16(machine[18:], 62)
	class := bytes.Clone(hello)
	class[4] = 2
	kind := bytes.Clone(hello)
	le.PutUint16(kind[16:], 1)
	overlap := bytes.Clone(hello)
	copy(overlap[segment+32:], hello[segment:segment+32])

	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{name: "empty", data: []byte{}, want: "the file is empty"},
		{name: "text", data: []byte("#!/bin/sh\necho no\n"), want: "neither an ELF file nor Intel hex"},
		{name: "other machine", data: machine, want: "machine"},
		{name: "64-bit", data: class, want: "expected a 32-bit ELF file"},
		{name: "object", data: kind, want: "link"},
		{name: "header only", data: hello[:52], want: "truncated|beyond the end|outside the file"},
		{name: "half a header", data: hello[:20], want: "truncated|too short|beyond the end|outside the file"},
		{name: "half a file", data: hello[:len(hello)/3], want: "truncated|beyond the end|outside the file"},
		{name: "huge segment", data: patched(last+20, 0xf0000000), want: "larger than|limit|beyond"},
		{name: "segment past the end of the address space", data: patched(segment+12, 0xfffffff0), want: "0x"},
		{name: "segment data past the end of the file", data: patched(segment+16, 0x7fffffff), want: "0x"},
		{name: "overlapping segments", data: overlap, want: "overlap"},
		{name: "hex with a wrong checksum", data: []byte(":0300300002337A1F\n:00000001FF\n"), want: "checksum"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "program")
			require.NoError(t, os.WriteFile(path, tt.data, 0o644))
			var out, msg bytes.Buffer
			start := time.Now()
			status := Main([]string{"run", "--max-inst", "1000", path}, nil, &out, &msg)
			require.Equal(t, cli.Host, status, msg.String())
			require.Regexp(t, `^arcsim: .*program: .*(`+tt.want+`)`, msg.String())
			require.Equal(t, 1, strings.Count(msg.String(), "\n"), "one message")
			require.Empty(t, out.String())
			require.Less(t, time.Since(start), 10*time.Second)
		})
	}
}

func TestMissingPrograms(t *testing.T) {
	for name, path := range map[string]string{
		"missing":   filepath.Join(t.TempDir(), "none.elf"),
		"directory": t.TempDir(),
	} {
		t.Run(name, func(t *testing.T) {
			var out, msg bytes.Buffer
			require.Equal(t, cli.Host, Main([]string{"run", path}, nil, &out, &msg))
			require.Contains(t, msg.String(), path)
			require.Equal(t, 1, strings.Count(msg.String(), "\n"))
		})
	}
}

// TestDamagedPrograms: whatever byte of a program is damaged, the run ends in good order.
func TestDamagedPrograms(t *testing.T) {
	hello, err := os.ReadFile("../../testdata/guest/elf/hello.elf")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "program")
	step := 7
	if testing.Short() {
		step = 61
	}
	for at := 0; at < len(hello); at += step {
		for _, v := range []byte{0, 0x7f, 0xff} {
			damaged := bytes.Clone(hello)
			damaged[at] = v
			require.NoError(t, os.WriteFile(path, damaged, 0o644))
			var out, msg bytes.Buffer
			args := []string{"run", "--memory", "16M", "--max-inst", "20000", "--timeout", "20s", path, "a"}
			status := Main(args, strings.NewReader(""), &out, &msg)
			require.NotContains(t, msg.String(), "internal error", "byte %#x = %#x", at, v)
			require.NotEqual(t, statusTimeLimit, status, "byte %#x = %#x", at, v)
		}
	}
}

// TestArgumentsOfLines: a message about an argument is one line, also where the argument has several or is long.
func TestArgumentsOfLines(t *testing.T) {
	for _, args := range [][]string{{"--set-reg", "r1=1\n2"}, {"--set-reg", "r1\n"}, {"--dprintf", "main\n"}, {"--dprintf", "main,\"%d\"\nv"},
		{"--set-reg", "r1=" + strings.Repeat("1", 1<<20)}, {"--until", "a(\nb"}, {"--props", "a\nb"}} {
		var out bytes.Buffer
		require.Contains(t, []int{2, 3}, Main(append(append([]string{"run"}, args...), guestELF), nil, &out, &out))
		require.Regexp(t, "^arcsim: [^\n]+\n$", out.String())
		require.Less(t, out.Len(), 5000)
	}
}
