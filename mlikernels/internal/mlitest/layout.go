package mlitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/program/cstruct"
)

// Constant is a C expression and its value.
type Constant struct {
	C    string
	Want int
	Asm  string // its name in the assembly sources, empty when they do not use it
}

// Constants are the sizes of structures and the offsets of their members.
func Constants(all []*cstruct.Struct) []Constant {
	var list []Constant
	for _, s := range all {
		list = append(list, Constant{C: "sizeof(" + s.Name + ")", Want: s.Size()})
		list = append(list, members(s, s.Name, "", 0)...)
	}
	return list
}

// members lists the members of a structure within another.
func members(s *cstruct.Struct, of, prefix string, base int) []Constant {
	var list []Constant
	for _, f := range s.Fields {
		at := base + s.Offset(f.Name)
		if f.Of != nil {
			list = append(list, members(f.Of, of, prefix+f.Name+".", at)...)
			continue
		}
		list = append(list, Constant{C: fmt.Sprintf("offsetof(%s, %s%s)", of, prefix, f.Name), Want: at, Asm: f.Asm})
	}
	return list
}

// Compile wants the C compiler for the core to find the values of the constants with mli_api.h of a folder.
func Compile(t *testing.T, include string, constants []Constant) {
	t.Helper()
	gcc := gnutools.Path(t, "gcc")
	var src strings.Builder
	src.WriteString("#include <stddef.h>\n#include \"mli_api.h\"\nconst unsigned table[] = {\n")
	for _, c := range constants {
		fmt.Fprintf(&src, "\t%s,\n", c.C)
	}
	src.WriteString("};\n")
	file := filepath.Join(t.TempDir(), "layout.c")
	require.NoError(t, os.WriteFile(file, []byte(src.String()), 0o644))
	out, err := exec.Command(gcc, "-mcpu=em4", "-std=c99", "-ffreestanding", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"+include,
		"-S", "-o", "-", file).CombinedOutput()
	require.NoError(t, err, string(out))
	words := regexp.MustCompile(`(?m)^\s*\.word\s+(\d+)`).FindAllStringSubmatch(string(out), -1)
	require.Len(t, words, len(constants))
	for i, c := range constants {
		require.Equal(t, strconv.Itoa(c.Want), words[i][1], c.C)
	}
}
