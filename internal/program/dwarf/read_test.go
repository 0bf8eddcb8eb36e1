package dwarf

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

func run(t testing.TB, dir, tool string, args ...string) string {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// build compiles testdata/calls.c and links it at 0x1000.
func build(t testing.TB, dir, output string, flags ...string) *elfarc.File {
	t.Helper()
	gcc := gnutools.Path(t, "gcc")
	src, err := os.ReadFile("testdata/calls.c")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "calls.c"), src, 0o644))
	args := append([]string{"-mcpu=em4_dmips", "-O2", "-ffreestanding", "-nostdlib", "-static", "-fno-pic", "-no-pie",
		"-ffunction-sections", "-Wl,--gc-sections,-Ttext=0x1000", "-w", "calls.c"}, flags...)
	args = append(args, "-o", output)
	run(t, dir, gcc, args...)
	data, err := os.ReadFile(filepath.Join(dir, output))
	require.NoError(t, err)
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	return f
}

// TestReadAgainstAddr2line compares the call stack at every address of a program, inlined calls
// included, with the GNU tool, for every DWARF version.
func TestReadAgainstAddr2line(t *testing.T) {
	addr2line := gnutools.Path(t, "addr2line")
	for version := 2; version <= 5; version++ {
		for _, order := range []string{"-mlittle-endian", "-mbig-endian"} {
			t.Run(fmt.Sprintf("dwarf%d%s", version, order), func(t *testing.T) {
				dir := t.TempDir()
				f := build(t, dir, "calls.elf", fmt.Sprintf("-gdwarf-%d", version), order)
				info, err := Read(f)
				require.NoError(t, err)
				require.NotNil(t, info)
				require.NotEmpty(t, info.Rows())
				checked := 0
				for _, s := range f.Sections {
					if s.Name != ".text" {
						continue
					}
					for addr := s.Addr; addr < s.Addr+s.Len(); addr += 2 {
						out := strings.Split(strings.TrimSpace(run(t, dir, addr2line, "-f", "-i", "-e", "calls.elf", fmt.Sprintf("%#x", addr))), "\n")
						frames := info.Frames(addr)
						require.Len(t, frames, len(out)/2, "%#x: %v", addr, out)
						for i, fr := range frames {
							where := strings.TrimSuffix(strings.Fields(out[2*i+1])[0], " (discriminator")
							require.Equal(t, out[2*i], fr.Function, "%#x", addr)
							require.Equal(t, where, fr.At.File+":"+strconv.Itoa(fr.At.Line), "%#x", addr)
							require.Equal(t, i+1 < len(frames), fr.Inlined)
						}
						checked++
					}
				}
				require.Greater(t, checked, 30)

				require.Nil(t, info.Function(0), "the dropped function has no code")
				for _, fn := range info.Functions() {
					require.NotEqual(t, "dropped", fn.Name())
				}
				addrs, line := info.Addrs("calls.c", 21)
				require.Equal(t, 21, line)
				require.Len(t, addrs, 1)
				fn := info.Function(addrs[0])
				require.Equal(t, "helper", fn.Name())
				require.Equal(t, 19, fn.Decl().Line)
				_, next := info.Addrs("calls.c", 1)
				require.Greater(t, next, 1)
				none, _ := info.Addrs("calls.c", 1000)
				require.Empty(t, none)
				require.Empty(t, info.FindFiles("alls.c"))
				require.Equal(t, info.Files(), info.FindFiles("calls.c"))
			})
		}
	}
}

// TestReadObject reads the information of a relocatable object, whose sections all start at 0, with
// bases that tell them apart.
func TestReadObject(t *testing.T) {
	dir := t.TempDir()
	f := build(t, dir, "calls.o", "-g", "-c")
	info, err := ReadAt(f, func(s *elfarc.Section) uint32 { return uint32(s.Index) << 16 })
	require.NoError(t, err)
	names := map[string]bool{}
	for _, fn := range info.Functions() {
		names[fn.Name()] = true
		row, ok := info.At(fn.Entry())
		require.True(t, ok)
		require.Equal(t, fn.Decl().File, row.File)
		require.Contains(t, f.Sections[0].Name+sectionAt(f, fn.Entry()>>16), fn.Name())
	}
	require.Equal(t, map[string]bool{"helper": true, "dropped": true, "__start": true}, names)
}

func sectionAt(f *elfarc.File, index uint32) string {
	for _, s := range f.Sections {
		if uint32(s.Index) == index {
			return s.Name
		}
	}
	return ""
}

func TestReadWithoutInformation(t *testing.T) {
	info, err := Read(&elfarc.File{})
	require.NoError(t, err)
	require.Nil(t, info)
}

// TestReadDroppedAtZero reads a program with code at address 0 whose linker dropped functions: their descriptions, which
// claim address 0 too, count for nothing. The lines are those of the sources.
func TestReadDroppedAtZero(t *testing.T) {
	gcc, ld := gnutools.Path(t, "gcc"), gnutools.Path(t, "ld")
	for _, version := range []string{"-gdwarf-2", "-gdwarf-4", "-gdwarf-5"} {
		t.Run(version, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), []byte(`int dropped1(int x) { for (int i = 0; i < x; i++) x ^= i * 3; return x + 1; }
int dropped2(int x) { return x * 5; }
int live(int x) {
	return x + 2; }
`), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "b.c"), []byte(`int live(int); int g;
int dropped3(int x) { int k = x;
	for (int i = 0; i < x; i++) k ^= i * 3; return k; }
static inline int twice(int x) {
	return x * 2; }
void start(void) {
	g = twice(live(g));
	for (;;) ; }
`), 0o644))
			run(t, dir, gcc, "-mcpu=em4_dmips", "-O1", "-fno-pic", "-ffunction-sections", version, "-c", "a.c", "b.c")
			run(t, dir, ld, "--gc-sections", "-e", "start", "-Ttext", "0", "-o", "gc.elf", "b.o", "a.o")
			data, err := os.ReadFile(filepath.Join(dir, "gc.elf"))
			require.NoError(t, err)
			f, err := elfarc.Read(data)
			require.NoError(t, err)
			info, err := Read(f)
			require.NoError(t, err)
			var names []string
			for _, fn := range info.Functions() {
				names = append(names, fn.Name())
			}
			require.Equal(t, []string{"start", "live"}, names)
			var lines []string
			for _, r := range info.Rows() {
				lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(r.File), r.Line))
			}
			require.NotEmpty(t, lines)
			for _, line := range lines {
				require.Contains(t, []string{"b.c:5", "b.c:6", "b.c:7", "b.c:8", "a.c:3", "a.c:4"}, line)
			}
			none, _ := info.Addrs("a.c", 1)
			require.Equal(t, info.Functions()[1].Entry(), none[0], "lines 1 and 2 have no code")

			v, err := ReadVariables(f)
			require.NoError(t, err)
			require.Equal(t, "start", v.At(2)[0].Function)
			own, _ := v.Entries("dropped3")
			require.Empty(t, own)
			frames, err := ReadFrames(f)
			require.NoError(t, err)
			require.Len(t, frames.fdes, 2)
		})
	}
}
