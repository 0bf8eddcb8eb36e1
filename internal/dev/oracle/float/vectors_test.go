package float

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/goldenfile"
)

const vectorDir = "../../../../testdata/isa"

// Cores of the vectors, by the names that the runner knows.
const (
	unit   = "hs38 fpud_all"
	assist = "em4 fpuda_all"
	fpx    = "em4 fpx"
	none   = "em4"
)

// perFile is the number of random cases of an instruction, a quarter in each rounding mode.
const perFile = 160

// nearest is FPU_CTRL.RM of cores that know no other.
const nearest = 1

// vector is one case. The host computes op from x, y and a and tells the result.
type vector struct {
	core    string
	code    string
	op      string
	round   uint64
	x, y, a uint64
	in      []string // state before, FPU_CTRL and FPU_STATUS apart
	out     func(z uint64, e, flags int) []string
}

// outcome is the host's result.
type outcome struct {
	z        uint64
	e, flags int
}

func TestVectors(t *testing.T) {
	files := map[string][]vector{}
	for _, generate := range []func(map[string][]vector){singles, doubles, compares, conversions, olderSingles, assists} {
		generate(files)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var all []vector
	for _, name := range names {
		require.GreaterOrEqual(t, len(files[name]), 100, name)
		all = append(all, files[name]...)
	}
	results := compute(t, all)
	code := encode(t, all)
	for _, name := range names {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s: computed by the host's hardware.\n# Regenerate: go test ./internal/dev/oracle/float -update\n", name)
		core := ""
		for i, v := range files[name] {
			if v.core != core {
				core = v.core
				fmt.Fprintf(&b, "core %s\n", core)
			}
			fmt.Fprintf(&b, "case name=%d\n  code  %s ; %x\n", i+1, v.code, code[assembler(v.core)+v.code])
			o := results[0]
			results = results[1:]
			v.write(&b, o)
		}
		goldenfile.File(t, filepath.Join(vectorDir, name+".txt"), b.String())
	}
}

// before is the value of FPU_STATUS before every case: flags are added to it.
const before = 2

// cycles are those of the operation alone: those of the double-precision assist block.
func (v *vector) cycles() int {
	switch {
	case strings.HasPrefix(v.code, "dmulh"):
		return 7
	case strings.HasPrefix(v.code, "daddh"), strings.HasPrefix(v.code, "dsubh"), strings.HasPrefix(v.code, "drsubh"):
		return 5
	}
	return 1
}

// write writes the state before and after.
func (v *vector) write(b *strings.Builder, o outcome) {
	in := slices.Clone(v.in)
	status := "fpu_status"
	switch v.core {
	case none:
	case fpx:
		status = "fp_status"
	default:
		in = append(in, fmt.Sprintf("fpu_ctrl=0x%x", v.round<<8))
	}
	if v.core != none {
		in = append(in, fmt.Sprintf("%s=0x%x", status, uint32(1<<31|before)))
	}
	out := v.out(o.z, o.e, o.flags)
	if v.core != none && o.e != 0 {
		out = append(out, fmt.Sprintf("%s=0x%x", status, before|o.e))
		if v.core == fpx {
			out = append(out, fmt.Sprintf("dpfp_status=0x%x", before|o.e))
		}
	}
	fmt.Fprintf(b, "  in    %s\n  out   %s\n", strings.Join(in, " "), strings.Join(append(out, fmt.Sprintf("cycles=%d", v.cycles()), "insts=1"), " "))
}

// compute asks the host.
func compute(t *testing.T, all []vector) []outcome {
	if runtime.GOARCH != "amd64" {
		t.Skip("needs an x86-64 host")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil && os.Getenv("ARCV2DSP_REQUIRE_TOOLS") == "" {
		t.Skip("needs gcc")
	}
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "host")
	msg, err := exec.Command(gcc, "-O1", "-mfma", "-msse4.1", "-frounding-math", "-ftrapping-math", "-fsignaling-nans", "-ffp-contract=off",
		"-o", program, "testdata/host.c", "-lm").CombinedOutput()
	require.NoError(t, err, "%s", msg)
	var in bytes.Buffer
	for _, v := range all {
		fmt.Fprintf(&in, "%s %x %x %x %x\n", v.op, v.round, v.x, v.y, v.a)
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	text, err := cmd.Output()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 3 {
		t.Skip("needs a processor with fused multiply-add")
	}
	require.NoError(t, err)
	var list []outcome
	for line := range strings.Lines(string(text)) {
		var o outcome
		_, err := fmt.Sscanf(line, "%x %x %x", &o.z, &o.e, &o.flags)
		require.NoError(t, err, line)
		list = append(list, o)
	}
	require.Len(t, list, len(all))
	return list
}

// assembler is how the GNU assembler is called for a core.
func assembler(core string) string {
	switch core {
	case unit:
		return "-mcpu=hs38 "
	case assist:
		return "-mcpu=em4_fpuda "
	case fpx:
		return "-mcpu=em4 -mspfp -mdpfp "
	}
	return "-mcpu=em4_fpus "
}

// encode has the GNU assembler encode every instruction.
func encode(t *testing.T, all []vector) map[string][]byte {
	as := gnutools.Path(t, "as")
	lines := map[string][]string{}
	for _, v := range all {
		if flags := assembler(v.core); !slices.Contains(lines[flags], v.code) {
			lines[flags] = append(lines[flags], v.code)
		}
	}
	out := map[string][]byte{}
	for flags, list := range lines {
		var src bytes.Buffer
		for i, line := range list {
			fmt.Fprintf(&src, "\t.section .t%d,\"ax\"\n\t%s\n", i, line)
		}
		object := filepath.Join(t.TempDir(), "v.o")
		cmd := exec.Command(as, append(strings.Fields(flags), "-o", object, "-")...)
		cmd.Stdin = &src
		msg, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", msg)
		e, err := elf.Open(object)
		require.NoError(t, err)
		for i, line := range list {
			data, err := e.Section(fmt.Sprintf(".t%d", i)).Data()
			require.NoError(t, err)
			out[flags+line] = data
		}
		require.NoError(t, e.Close())
	}
	return out
}
