package cstruct

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
)

// TestInitializer: numbers at the ends of their types, pointers, structures inside, arrays; zeros are left out.
func TestInitializer(t *testing.T) {
	s := &Struct{Name: "ends", Fields: []Field{
		{Name: "at", Type: Pointer}, {Name: "least", Type: I32}, {Name: "most", Type: U32}, {Name: "nothing", Type: I16},
		{Name: "word", Type: U32}, {Name: "in", Of: &Struct{Fields: []Field{{Name: "byte", Type: I8}}}, Count: 2},
		{Name: "list", Type: I16, Count: 2},
	}}
	b := make([]byte, s.Size())
	s.Put(b, "least", -1<<31)
	s.Put(b, "most", 1<<32-1)
	b[s.Offset("in")+1] = 0x80
	s.PutAt(b, "list", 1, -5)
	require.Equal(t, `{
    .at = (void *)x,
    .least = -2147483647 - 1,
    .most = 4294967295u,
    .word = (uint32_t)y,
    .in[0] = {
    },
    .in[1] = {
        .byte = -128,
    },
    .list[1] = -5,
}`, s.Initializer(b, map[int]string{0: "(void *)x", s.Offset("word"): "y"}))
	require.Panics(t, func() { sample.Initializer(make([]byte, sample.Size()), nil) })
}

// sample has every kind of member.
var sample = &Struct{
	Name: "sample", Doc: "One of each.",
	Fields: []Field{
		{Name: "flag", Type: U8, Asm: "S_FLAG", Doc: "on or off"},
		{Name: "data", Type: Pointer, C: "const int8_t *", Asm: "S_DATA"},
		{Name: "half", Type: I16},
		{Name: "byte", Type: I8},
		{Name: "shape", Type: U32, Count: 3},
		{Name: "format", Of: &Struct{Union: true, Fields: []Field{
			{Name: "fx", Of: &Struct{Fields: []Field{{Name: "frac", Type: U8, Asm: "S_FRAC"}}}},
			{Name: "affine", Of: &Struct{Fields: []Field{{Name: "zero", Type: I16}, {Name: "scale", Type: I32, Asm: "S_SCALE"}}}},
		}}},
		{Name: "last", Type: U16, Asm: "S_LAST"},
	},
}

var members = map[string]int{"flag": 0, "data": 4, "half": 8, "byte": 10, "shape": 12, "format.fx.frac": 24,
	"format.affine.zero": 24, "format.affine.scale": 28, "last": 32}

func TestOffsets(t *testing.T) {
	for path, want := range members {
		require.Equal(t, want, sample.Offset(path), path)
	}
	require.Equal(t, 36, sample.Size())
	require.Panics(t, func() { sample.Offset("nothing") })
}

func TestPutAndGet(t *testing.T) {
	b := make([]byte, sample.Size())
	for path := range members {
		lo, hi := sample.Range(path)
		for _, v := range []int64{lo, hi, 1} {
			sample.Put(b, path, v)
			require.Equal(t, v, sample.Get(b, path), path)
			require.True(t, sample.Holds(path, v))
		}
		require.False(t, sample.Holds(path, lo-1), path)
		require.False(t, sample.Holds(path, hi+1), path)
	}
	sample.PutAt(b, "shape", 2, 7)
	require.EqualValues(t, 7, sample.GetAt(b, "shape", 2))
	require.EqualValues(t, 7, b[20])
}

func TestTexts(t *testing.T) {
	require.Equal(t, "; sample\n\t.equ\tS_FLAG,0\n\t.equ\tS_DATA,4\n\t.equ\tS_FRAC,24\n\t.equ\tS_SCALE,28\n\t.equ\tS_LAST,32\n", sample.Asm())
	require.Equal(t, `/* One of each. */
struct sample {
    uint8_t flag; /* 0: on or off */
    const int8_t *data; /* 4 */
    int16_t half; /* 8 */
    int8_t byte; /* 10 */
    uint32_t shape[3]; /* 12 */
    union {
        struct {
            uint8_t frac; /* 24 */
        } fx;
        struct {
            int16_t zero; /* 24 */
            int32_t scale; /* 28 */
        } affine;
    } format;
    uint16_t last; /* 32 */
}; /* 36 bytes */
`, sample.C())
}

// TestLayoutGCC compares the layout with what the C compiler for the core makes of the declaration.
func TestLayoutGCC(t *testing.T) {
	gcc := gnutools.Path(t, "gcc")
	var src strings.Builder
	fmt.Fprintf(&src, "#include <stddef.h>\n#include <stdint.h>\n%sconst unsigned table[] = { sizeof(struct sample),\n", sample.C())
	var paths []string
	for path := range members {
		paths = append(paths, path)
		fmt.Fprintf(&src, "offsetof(struct sample, %s),\n", path)
	}
	src.WriteString("};\n")
	file := filepath.Join(t.TempDir(), "layout.c")
	require.NoError(t, os.WriteFile(file, []byte(src.String()), 0o644))
	out, err := exec.Command(gcc, "-mcpu=em4", "-ffreestanding", "-S", "-o", "-", file).CombinedOutput()
	require.NoError(t, err, string(out))
	words := regexp.MustCompile(`(?m)^\s*\.word\s+(\d+)`).FindAllStringSubmatch(string(out), -1)
	require.Len(t, words, len(paths)+1)
	require.Equal(t, fmt.Sprint(sample.Size()), words[0][1])
	for i, path := range paths {
		require.Equal(t, fmt.Sprint(members[path]), words[i+1][1], path)
	}
}

// TestParse: the declarations of every kind of line give the same texts as descriptions in Go.
func TestParse(t *testing.T) {
	all, err := Parse(`/* A comment
 * of two lines. */

struct part {
    uint16_t small;
    void *in[2]; // PART_IN
};

/* The whole. */
struct whole {
    struct part parts[3]; // W_PARTS: all of them
    const struct part *more; // behind: the end
    int8_t flags[5];
    enum kind of; // W_OF
    int n;
}; // W_SIZE

/* Of no structure. */

struct rest {
    int8_t a;
};
`)
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.Empty(t, all["rest"].Doc)
	part := &Struct{Name: "part", Fields: []Field{{Name: "small", Type: U16}, {Name: "in", Type: Pointer, Count: 2, Asm: "PART_IN"}}}
	whole := &Struct{Name: "whole", Doc: "The whole.", AsmSize: "W_SIZE", Fields: []Field{{Name: "parts", Of: part, Count: 3, Asm: "W_PARTS", Doc: "all of them"},
		{Name: "more", Type: Pointer, C: "const struct part *", Doc: "behind: the end"}, {Name: "flags", Type: I8, Count: 5}, {Name: "of", Type: U32, C: "kind", Asm: "W_OF"}, {Name: "n", Type: I32, C: "int"}}}
	require.Equal(t, part.C()+part.Asm(), all["part"].C()+all["part"].Asm())
	require.Equal(t, whole.C()+whole.Asm(), all["whole"].C()+all["whole"].Asm())
	for text, want := range map[string]string{
		"struct a {\n}; // A\nstruct a {\n};":     "line 3",
		"int a;":                                  "begins no new structure",
		"struct a {\nint32_t a\n};":               "declares no member",
		"struct a {\nint32_t a[0];\n};":           "declares no member",
		"struct a {\nfloat a;\n};":                `"float" is no type`,
		"struct a {\nstruct b b;\n};":             `"struct b" is no type`,
		"struct a {\nint32_t a; // A\nuint8_t b;": "struct a does not end",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestDeclared: structures by name; one that is not there stops the program.
func TestDeclared(t *testing.T) {
	declared := Declared("struct a {\nint32_t x;\n};")
	require.Equal(t, 4, declared("a").Size())
	require.PanicsWithValue(t, "cstruct: no declaration of struct b: <nil>", func() { declared("b") })
}
