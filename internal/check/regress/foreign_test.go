package regress

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/mlikernels"
)

// compiled builds the library of testdata/foreign with the GNU compiler and our assembler, as objects.
func compiled(t *testing.T) []mlikernels.ForeignFile {
	t.Helper()
	gcc, err := exec.LookPath("arc-linux-gnu-gcc")
	if err != nil {
		t.Skip("no arc-linux-gnu-gcc")
	}
	file := filepath.Join(t.TempDir(), "elements.o")
	out, err := exec.Command(gcc, "-mcpu=em4_dmips", "-O2", "-ffreestanding", "-fno-pic", "-fno-pie", "-munaligned-access", "-mno-sdata",
		"-Wall", "-Wextra", "-Werror", "-I../../../mlikernels/internal/mli11/include", "-c", "-o", file, "testdata/foreign/elements.c").CombinedOutput()
	require.NoError(t, err, string(out))
	elements, err := os.ReadFile(file)
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/foreign/product.s")
	require.NoError(t, err)
	return []mlikernels.ForeignFile{{Name: "elements.o", Data: elements}, assembled(t, "product.o", string(text))}
}

// assembled assembles a source.
func assembled(t *testing.T, name, text string) mlikernels.ForeignFile {
	t.Helper()
	o, err := asm.Assemble(asm.Options{CPU: "em9d"}, asm.Source{Name: name, Text: text})
	require.NoError(t, err)
	data, err := o.Bytes()
	require.NoError(t, err)
	return mlikernels.ForeignFile{Name: name, Data: data}
}

// archived puts objects into an archive.
func archived(t *testing.T, name string, objects ...mlikernels.ForeignFile) mlikernels.ForeignFile {
	t.Helper()
	var ar elfarc.Archive
	for _, o := range objects {
		ar.Members = append(ar.Members, &elfarc.Member{Name: o.Name, Data: o.Data})
	}
	data, err := ar.Bytes()
	require.NoError(t, err)
	return mlikernels.ForeignFile{Name: name, Data: data}
}

// runLibrary plans and runs a foreign library; conventions as --convention takes them.
func runLibrary(t *testing.T, o Options, conventions []string, files ...mlikernels.ForeignFile) (*Suite, *Summary) {
	t.Helper()
	o.Library, o.Seed = &mlikernels.Foreign{Files: files}, DefaultSeed
	for _, text := range conventions {
		require.NoError(t, o.Library.Conventions.Set(text))
	}
	s, err := Plan(o)
	require.NoError(t, err)
	results, err := s.Run(context.Background(), RunOptions{})
	require.NoError(t, err)
	return s, s.Summarize(results, 0, 1)
}

var productConventions = []string{"dsp_ctrl=0x17", "unaligned=yes"}

// TestCompiledLibrary: a library that a compiler made, with conventions of its own, passes the grid; each convention
// it wants shows when it is missing.
func TestCompiledLibrary(t *testing.T) {
	level.NeedsPlain(t, "runs a tenth of the grid")
	objects := compiled(t)
	library := archived(t, "library.a", objects...)
	s, sum := runLibrary(t, Options{Short: !level.Long()}, productConventions, library)
	require.True(t, sum.Good())
	require.Len(t, sum.Groups, 11)
	require.Greater(t, len(sum.Results), 100)
	require.Contains(t, s.repeat(sum.Results[0].Case), "--library library.a --convention dsp_ctrl=0x17 --convention unaligned=yes")

	short := Options{Short: true, Match: regexp.MustCompile("eltwise_mul_fx16/")}
	_, sum = runLibrary(t, short, append([]string{"strides=spelled"}, productConventions...), objects...)
	require.True(t, sum.Good())
	for missing, message := range map[string]string{"dsp_ctrl=0x17": ", expected ", "unaligned=yes": "isaligned"} {
		with := strings.Split(strings.ReplaceAll(strings.Join(productConventions, " "), missing, ""), " ")
		var conventions []string
		for _, c := range with {
			if c != "" {
				conventions = append(conventions, c)
			}
		}
		_, sum = runLibrary(t, short, conventions, library)
		require.False(t, sum.Good(), missing)
		require.Contains(t, failures(sum), message, missing)
	}
	_, sum = runLibrary(t, short, []string{"metaware"}, library)
	require.True(t, sum.Good())
	dense := Options{Short: true, Match: regexp.MustCompile("fully_connected_fx8/")}
	_, sum = runLibrary(t, dense, nil, library)
	require.True(t, sum.Good())
	_, sum = runLibrary(t, dense, []string{"outputs=bare"}, library)
	require.Contains(t, failures(sum), "TYPE_MISMATCH")
	var report strings.Builder
	require.NoError(t, sum.Text(&report))
	for _, r := range sum.Results {
		require.Contains(t, report.String(), "differs: "+r.Name+": ", "the report names every row")
	}
	_, sum = runLibrary(t, short, append([]string{"types=fx16:16"}, productConventions...), library)
	require.Contains(t, failures(sum), "element type is 1, not 16")

	// Without the object with the products their function is named, and everything else goes on.
	_, sum = runLibrary(t, Options{Short: true, Match: regexp.MustCompile("eltwise_(mul_fx16|add_fx8)/")}, productConventions, objects[0])
	require.Contains(t, failures(sum), "calls product, which no file of elements.o defines")
	for _, r := range sum.Results {
		require.False(t, r.NotRun)
		require.Equal(t, r.Group == "mli_krn_eltwise_mul_fx16", r.Failure != nil, r.Name)
	}
}

// failures are the messages of all failures.
func failures(sum *Summary) string {
	var b strings.Builder
	for _, r := range sum.Results {
		if r.Failure != nil {
			b.WriteString(r.Failure.Message + "\n")
		}
	}
	return b.String()
}

// TestArchiveOfOurs: an archive as kernels export writes it is a library as any other.
func TestArchiveOfOurs(t *testing.T) {
	level.NeedsPlain(t, "runs a tenth of the grid")
	libs, err := mlikernels.MLI11().BuildArchives(mlikernels.NoAGU, mlikernels.Lines{})
	require.NoError(t, err)
	var objects []mlikernels.ForeignFile
	for _, o := range libs["libmli_arcv2_up.a"].Objects {
		objects = append(objects, mlikernels.ForeignFile{Name: o.Name, Data: o.Data})
	}
	_, sum := runLibrary(t, Options{Short: true, Cores: []string{"em7d"}}, []string{"round=up"}, archived(t, "libmli_arcv2_up.a", objects...))
	require.True(t, sum.Good(), failures(sum))
	require.Len(t, sum.Groups, len(mlikernels.MLI11().Kernels))
}

// TestLinkedLibrary: a linked program is a library where its contents lie in memory that is free for it.
func TestLinkedLibrary(t *testing.T) {
	lib, err := mlikernels.MLI11().BuildFiles(mlikernels.MLI11().Tree, []string{"relu/mli_krn_relu_fx8.s", "relu/mli_krn_relu_fx16.s"},
		mlikernels.Variant{}, mlikernels.Lines{})
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	program := mlikernels.ForeignFile{Name: "relu.elf", Data: lib.Image.ELF}
	_, sum := runLibrary(t, Options{Short: true, Cores: []string{"em7d"}}, nil, program)
	require.True(t, sum.Good(), failures(sum))
	require.Len(t, sum.Groups, 2)

	plan := func(files ...mlikernels.ForeignFile) error {
		_, err := Plan(Options{Short: true, Cores: []string{"em7d"}, Library: &mlikernels.Foreign{Files: files}})
		return err
	}
	require.EqualError(t, plan(program, assembled(t, "more.o", "\tnop\n")), "relu.elf is linked: it goes without other files")
	require.ErrorContains(t, plan(mlikernels.ForeignFile{Name: "cut.elf", Data: program.Data[:len(program.Data)/2]}), "cut.elf: ")

	object := assembled(t, "relu.o", "\t.text\n\t.global mli_krn_relu_fx8\nmli_krn_relu_fx8:\n\tj [blink]\n")
	im, err := link.Link(link.Options{Entry: "mli_krn_relu_fx8", SectionStart: map[string]uint32{".text": 0x20000000}},
		[]link.Input{{Name: object.Name, Data: object.Data}})
	require.NoError(t, err)
	far, err := im.Bytes()
	require.NoError(t, err)
	require.ErrorContains(t, plan(mlikernels.ForeignFile{Name: "far.elf", Data: far}), "far.elf has contents at 0x20000000 to ")
	require.ErrorContains(t, plan(mlikernels.ForeignFile{Name: "far.elf", Data: far}), "there is room at 0x400 to ")

	ar := archived(t, "library.a", object)
	ar.Data = ar.Data[:len(ar.Data)-8]
	require.ErrorContains(t, plan(ar), "library.a")
	other := assembled(t, "other.o", "\t.text\n\t.global other\nother:\n\tj [blink]\n")
	require.ErrorContains(t, plan(other), "other.o defines none of the functions")
}

// TestRunawayFunction: a function that does not return is named and not called for ever; the others go on.
func TestRunawayFunction(t *testing.T) {
	level.NeedsLong(t, "a function runs to its limit")
	library := assembled(t, "endless.o", `
	.text
	.global mli_krn_relu_fx8, mli_krn_relu_fx16
mli_krn_relu_fx8:
	add r0,r0,1
	b mli_krn_relu_fx8
mli_krn_relu_fx16:
	j.d [blink]
	mov r0,3
`)
	_, sum := runLibrary(t, Options{Short: true, Cores: []string{"em7d"}}, nil, library)
	text := failures(sum)
	require.Contains(t, text, "did not return within 100000000 cycles, at 0x0000040")
	require.Contains(t, text, "not called: the function did not return")
	require.Contains(t, text, "status is INCOMPATEBLE_TENSORS, expected OK")
	for _, r := range sum.Results {
		require.False(t, r.NotRun)
	}
}
