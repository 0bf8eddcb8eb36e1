package listing_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/hex"
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
	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/program/listing"
	"arcv2dsp/isa"
)

func list(t *testing.T, name string, f *elfarc.File, set func(*listing.Listing)) string {
	t.Helper()
	l := listing.Listing{}
	l.Features = listing.FileFeatures(f)
	set(&l)
	var out bytes.Buffer
	require.NoError(t, l.File(&out, name, f))
	return out.String()
}

func readELF(t *testing.T, path string) *elfarc.File {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	return f
}

// unknownCond matches code, as objdump prints it, that has no meaning without extension
// conditions: objdump leaves such a condition out, we print data.
var unknownCond = regexp.MustCompile(`^ *[0-9a-f]+:\t([0-9a-f]{4} [0-9a-f]{4}) `)

// TestListingOracle compares whole listings with objdump.
func TestListingOracle(t *testing.T) {
	gnu := gnutools.Path(t, "objdump")
	names, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "elf", "*", "*.elf"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		f := readELF(t, name)
		got := list(t, name, f, func(*listing.Listing) {})
		cpu := "cpu=em4,dsp"
		if f.Flags&elfarc.FlagCPUMask == elfarc.FlagCPUHS {
			cpu = "cpu=hs4xd,dsp"
		}
		want, err := exec.Command(gnu, "-d", "-M", cpu, name).Output()
		require.NoError(t, err)
		compareListing(t, name, got, string(want))
	}
}

func compareListing(t *testing.T, name, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	require.Equal(t, len(w), len(g), "%s: lines", name)
	for i := range g {
		if g[i] == w[i] {
			continue
		}
		code := unknownCond.FindStringSubmatch(w[i])
		require.NotNil(t, code, "%s: line %d: %q, want %q", name, i+1, g[i], w[i])
		word := "0x" + strings.ReplaceAll(code[1], " ", "")
		require.True(t, strings.HasSuffix(g[i], "\t.word\t"+word), "%s: line %d: %q, want %q", name, i+1, g[i], w[i])
		var v uint32
		_, err := fmt.Sscan(word, &v)
		require.NoError(t, err)
		require.False(t, isa.Cond(v&31).Known(), "%s: line %d: %q, want %q", name, i+1, g[i], w[i])
	}
}

// gnuFault matches the two mnemonics that the table of the GNU tools exchanges in some forms.
var gnuFault = regexp.MustCompile(`^cmpyc?hnfr\b`)

// TestCoresOracle lists a sample of the recorded instructions with each core and extension that objdump takes: where
// objdump prints an instruction, the listing has the same one.
func TestCoresOracle(t *testing.T) {
	gnu := gnutools.Path(t, "objdump")
	file, err := os.Open(filepath.Join("..", "..", "..", "testdata", "isa", "pairs.tsv.gz"))
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	code := map[string][]byte{}
	const slot = 16 // bytes for an instruction and the nop_s that part it from the next one
	for lines, n := bufio.NewScanner(z), 0; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(f[0], "#") || n%31 != 0 {
			continue
		}
		b, err := hex.DecodeString(f[3])
		require.NoError(t, err)
		for len(b) < slot {
			b = append(b, 0xe0, 0x78)
		}
		code[f[0]] = append(code[f[0]], b...)
	}
	for _, family := range []struct {
		name  string
		flags uint32
		cores []string
	}{
		{"em", elfarc.FlagCPUEM, []string{"", "cpu=em4", "cpu=em4,dsp", "cpu=em4,fpus", "cpu=em4,fpuda", "cpu=em4,spfp", "cpu=em4,dpfp", "cpu=quarkse_em"}},
		{"hs", elfarc.FlagCPUHS, []string{"", "cpu=archs", "cpu=hs38_linux", "cpu=hs4xd", "cpu=hs4xd,dsp", "cpu=hs4x,fpud"}},
	} {
		f := &elfarc.File{Type: elf.ET_REL, Machine: elfarc.MachineARCv2, Flags: family.flags, Sections: []*elfarc.Section{{
			Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 4, Data: code[family.name]}}}
		data, err := f.Bytes()
		require.NoError(t, err)
		name := filepath.Join(t.TempDir(), family.name+".o")
		require.NoError(t, os.WriteFile(name, data, 0o644))
		for _, core := range family.cores {
			args := []string{"-d", name}
			if core != "" {
				args = append(args, "-M", core)
			}
			want, err := exec.Command(gnu, args...).Output()
			require.NoError(t, err)
			got := list(t, name, f, func(l *listing.Listing) {
				if core != "" {
					require.NoError(t, l.ParseOption(core))
				}
			})
			ours, known := slots(got, slot), 0
			for addr, text := range slots(string(want), slot) {
				if text == "" || strings.HasPrefix(text, ".") || gnuFault.MatchString(text) {
					continue
				}
				known++
				require.Equal(t, text, ours[addr], "%s -M %s, address %s", family.name, core, addr)
			}
			require.Greater(t, known, len(code[family.name])/slot/2, "%s -M %s", family.name, core)
		}
	}
}

// slots returns the text of the instructions of a listing at multiples of size, by address.
func slots(listing string, size uint64) map[string]string {
	texts := map[string]string{}
	for line := range strings.Lines(listing) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		addr, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(f[0]), ":"), 16, 32)
		if err == nil && len(f) > 2 && addr%size == 0 {
			text, _, _ := strings.Cut(strings.Join(f[2:], " "), ";") // targets come as comments
			texts[f[0]] = strings.TrimSpace(text)
		}
	}
	return texts
}

// object is a small object file: code with symbols, relocations, zeros and an odd end.
func object(big bool) *elfarc.File {
	words := []uint16{
		0x264a, 0x7000, // nop
		0x0802, 0x0000, // bl, relocated
		0x2700, 0x7f82, 0x0000, 0x0000, // add r2,pcl,limm, relocated
		0x08f1, 0x8040, // breq r0,r1,-16
		0x206a, 0x0280, // lr r0,[status32]
		0x3f3f, 0xffff, // nothing
		0, 0, 0, 0, 0, 0,
		0x78e0, // nop_s
		0x2000, // half an instruction
	}
	var code []byte
	for _, w := range words {
		if big {
			code = append(code, byte(w>>8), byte(w))
		} else {
			code = append(code, byte(w), byte(w>>8))
		}
	}
	text := &elfarc.Section{Name: ".text", Type: elf.SHT_PROGBITS,
		Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Data: append(code, 0x12), Align: 4}
	data := &elfarc.Section{Name: ".data", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_WRITE,
		Data: code[:4]}
	abort := &elfarc.Symbol{Name: "abort", Bind: elf.STB_GLOBAL}
	start := &elfarc.Symbol{Name: "start", Section: text, Type: elf.STT_FUNC, Bind: elf.STB_GLOBAL, Size: 8}
	text.Relocs = []elfarc.Rela{
		{Offset: 4, Type: elfarc.R_ARC_S25W_PCREL, Sym: abort},
		{Offset: 12, Type: elfarc.R_ARC_PC32, Sym: start, Addend: 8},
	}
	return &elfarc.File{Type: elf.ET_REL, Machine: elfarc.MachineARCv2, Flags: elfarc.FlagCPUEM,
		BigEndian: big, Sections: []*elfarc.Section{text, data}, Symbols: []*elfarc.Symbol{
			{Name: "x.c", Type: elf.STT_FILE, Index: elf.SHN_ABS},
			start,
			{Name: "alias", Section: text, Bind: elf.STB_LOCAL},
			{Name: ".local", Section: text, Value: 20, Bind: elf.STB_LOCAL},
			abort,
		}}
}

type fakeLines struct{}

func (fakeLines) Place(_ *elfarc.Section, addr uint32) listing.Place {
	if addr >= 16 {
		return listing.Place{}
	}
	return listing.Place{Function: "start", File: "x.c", Line: 10 + int(addr/8)}
}

func (fakeLines) Text(file string, line int) (string, bool) {
	return fmt.Sprintf("  line %d of %s", line, file), line == 10
}

func TestListing(t *testing.T) {
	var out strings.Builder
	for _, test := range []struct {
		name string
		big  bool
		set  func(*listing.Listing)
	}{
		{"plain", false, func(*listing.Listing) {}},
		{"relocations", false, func(l *listing.Listing) { l.Relocs = true }},
		{"big-endian without bytes, hexadecimal", true, func(l *listing.Listing) { l.NoBytes, l.Hex = true, true }},
		{"lines", false, func(l *listing.Listing) { l.Numbers, l.Source, l.Lines = true, true, fakeLines{} }},
		{"range in all sections", false, func(l *listing.Listing) { l.All, l.Start, l.Stop = true, 16, 24 }},
	} {
		fmt.Fprintf(&out, "## %s\n%s", test.name, list(t, "x.o", object(test.big), test.set))
	}
	goldenfile.File(t, "testdata/listing.golden", out.String())
}

func TestParseOption(t *testing.T) {
	l := listing.Listing{}
	require.NoError(t, l.ParseOption("cpu=hs38,fpud,hex"))
	require.True(t, l.Hex)
	require.Equal(t, isa.GNUHS&^isa.DSP|isa.AllFPUSingle|isa.AllFPUDouble, l.Features)
	l.Features = isa.GNUEM
	require.NoError(t, l.ParseOption("spfp"))
	require.Equal(t, isa.GNUEM&^isa.DSP|isa.FPXSingle, l.Features)
	require.ErrorContains(t, l.ParseOption("cpu=z80"), `unknown core "z80"`)
	require.ErrorContains(t, l.ParseOption("dps"), `unknown disassembler option "dps" (known: cpu=NAME, dpfp,`)
}

func TestFileFeatures(t *testing.T) {
	f := object(false)
	require.Equal(t, isa.GNUEM, listing.FileFeatures(f))
	f.Flags = elfarc.FlagCPUHS
	attrs := elfarc.Attrs{}
	attrs.Set(elfarc.Attr{Tag: elfarc.TagISAConfig, Str: "CD,FPUD,FPUS"})
	f.Sections = append(f.Sections, &elfarc.Section{Name: elfarc.SectionAttributes,
		Type: elfarc.SectionTypeAttributes, Data: attrs.Encode(false)})
	require.Equal(t, isa.GNUHS|isa.AllFPUSingle|isa.AllFPUDouble, listing.FileFeatures(f))
}

// FuzzListing lists arbitrary bytes.
func FuzzListing(f *testing.F) {
	f.Add([]byte{0x4a, 0x26, 0x00, 0x70, 0xe0, 0x78}, false)
	f.Add([]byte{0x08, 0xf1, 0x80, 0x40, 0, 0}, true)
	f.Fuzz(func(t *testing.T, code []byte, big bool) {
		file := object(big)
		file.Sections[0].Data = code
		file.Sections[0].Relocs = nil
		l := listing.Listing{Relocs: true}
		l.Features = isa.GNUEM
		var out bytes.Buffer
		require.NoError(t, l.File(&out, "x.o", file))
	})
}
