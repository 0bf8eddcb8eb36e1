package basemodel_test

import (
	"bytes"
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/goldenfile"
)

const vectorDir = "../../../../testdata/isa"

// vector is one case of a file.
type vector struct {
	core    string
	code    []string // as the GNU assembler takes it
	in, out []string
	fault   int64 // address that an access fails at; 0: none
}

// file collects the cases of a mnemonic.
type file struct {
	name    string
	about   string
	vectors []vector
	rng     *rand.Rand
}

func newFile(name, about string) *file {
	seed := uint64(1)
	for _, c := range name {
		seed = seed*31 + uint64(c)
	}
	return &file{name: name, about: about, rng: rand.New(rand.NewPCG(seed, 0x5eed))}
}

func (f *file) add(v vector) {
	if v.core == "" {
		v.core = "em4"
	}
	if !slices.ContainsFunc(v.out, isCost) {
		v.out = append(v.out, f.costOf(v)...)
	}
	f.vectors = append(f.vectors, v)
	if e, ok := v.exception(); ok {
		f.vectors = append(f.vectors, v.entered(e))
	}
}

// edges are the values at which arithmetic goes wrong.
var edges = []int64{0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x55555555, 0xaaaaaaaa,
	0x3fffffff, 0x40000000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff}

// number draws a 32-bit number: an edge, a small one, or anything.
func (f *file) number() int64 {
	switch f.rng.IntN(4) {
	case 0, 1:
		return edges[f.rng.IntN(len(edges))]
	case 2:
		return int64(f.rng.IntN(64))
	}
	return int64(f.rng.Uint32())
}

// addr draws an address of data, a multiple of align.
func (f *file) addr(align int64) int64 {
	return 0x20000 + int64(f.rng.IntN(0x8000))/align*align
}

func (f *file) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f.rng.Uint32())
	}
	return b
}

func flagText(f int) string {
	b := []byte("----")
	for i, c := range "ZNCV" {
		if f&(8>>i) != 0 {
			b[i] = byte(c)
		}
	}
	return string(b)
}

func reg(name string, v int64) string { return fmt.Sprintf("%s=0x%x", name, uint32(v)) }
func flags(f int) string              { return "f=" + flagText(f) }
func mem(addr int64, b []byte) string { return fmt.Sprintf("mem[0x%x]=% x", uint32(addr), b) }

// files returns all vector files of the base instructions.
func files() []*file {
	var all []*file
	for _, generate := range []func() []*file{arithmeticFiles, shortFiles, memoryFiles, branchFiles,
		controlFiles, bitstreamFiles, unmodelledFiles} {
		all = append(all, generate()...)
	}
	slices.SortFunc(all, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	return all
}

// placed puts an instruction into memory.
func placed(addr int64, text string) string { return fmt.Sprintf("mem[0x%x]={%s}", addr, text) }

// placedText is the instruction that a value of memory stands for.
func placedText(value string) (before, text string, ok bool) {
	before, rest, ok := strings.Cut(value, "{")
	return before, strings.TrimSuffix(rest, "}"), ok
}

// text writes a file; encode gives the bytes of each line of code.
func (f *file) text(encode map[string][]byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n# Regenerate: go test ./internal/dev/testkit/basemodel -run Vectors -update\n",
		f.name, f.about)
	core := ""
	for i, v := range f.vectors {
		if v.core != core {
			core = v.core
			fmt.Fprintf(&b, "core %s\n", core)
		}
		fmt.Fprintf(&b, "case name=%d\n", i+1)
		for _, c := range v.code {
			fmt.Fprintf(&b, "  code  %s ; %x\n", c, encode[assembly(v.core, c)])
		}
		for j, value := range v.in {
			if before, text, ok := placedText(value); ok {
				v.in[j] = fmt.Sprintf("%s% x", before, encode[assembly(v.core, text)])
			}
		}
		if len(v.in) > 0 {
			fmt.Fprintf(&b, "  in    %s\n", strings.Join(v.in, " "))
		}
		fmt.Fprintf(&b, "  out   %s\n", strings.Join(v.out, " "))
	}
	return b.String()
}

// assembly is the key of an instruction: the assembler's core and the text.
func assembly(core, text string) string {
	cpu := "em4"
	switch {
	case strings.HasPrefix(core, "hs38"):
		cpu = "hs4xd"
	case strings.HasPrefix(text, "dsp_fp_"):
		cpu = "quarkse_em"
	}
	return cpu + "\t" + text
}

// assemble has the GNU assembler encode every instruction, each in a section of its own.
func assemble(t *testing.T, all []*file) map[string][]byte {
	sources := map[string][]string{}
	seen := map[string]bool{}
	for _, f := range all {
		for _, v := range f.vectors {
			code := v.code
			for _, value := range v.in {
				if _, text, ok := placedText(value); ok {
					code = append(code, text)
				}
			}
			for _, c := range code {
				key := assembly(v.core, c)
				cpu, text, _ := strings.Cut(key, "\t")
				if !seen[key] {
					seen[key] = true
					sources[cpu] = append(sources[cpu], text)
				}
			}
		}
	}
	as := gnutools.Path(t, "as")
	out := map[string][]byte{}
	for cpu, lines := range sources {
		var src bytes.Buffer
		for i, line := range lines {
			// the nop keeps the assembler from seeing the next line in a delay slot
			fmt.Fprintf(&src, "\t.section .t%d,\"ax\"\n\t%s\n\t.section .fill,\"ax\"\n\tnop\n", i, line)
		}
		dir := t.TempDir()
		object := filepath.Join(dir, "v.o")
		args := append(strings.Fields("-mcpu="+cpu), "-o", object, "-")
		cmd := exec.Command(as, args...)
		cmd.Stdin = &src
		msg, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", msg)
		e, err := elf.Open(object)
		require.NoError(t, err)
		for i, line := range lines {
			s := e.Section(fmt.Sprintf(".t%d", i))
			require.NotNil(t, s, line)
			data, err := s.Data()
			require.NoError(t, err)
			require.Contains(t, []int{2, 4, 6, 8}, len(data), line)
			out[cpu+"\t"+line] = data
		}
		require.NoError(t, e.Close())
	}
	return out
}

// TestVectors: the vector files follow from the definitions.
func TestVectors(t *testing.T) {
	all := files()
	bytesOf := assemble(t, all)
	for _, f := range all {
		goldenfile.File(t, filepath.Join(vectorDir, f.name+".txt"), f.text(bytesOf))
	}
}
