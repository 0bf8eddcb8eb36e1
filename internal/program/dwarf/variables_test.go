package dwarf

import (
	"bufio"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

const programs = "../../../testdata/elf/small"

func program(t testing.TB, name string) *elfarc.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(programs, name))
	require.NoError(t, err)
	f, err := elfarc.Read(data)
	require.NoError(t, err)
	return f
}

// registers is a target with fixed contents.
type registers struct {
	regs [64]uint32
	cfa  uint32
	mem  map[uint32]byte
}

func (r *registers) Reg(n uint8) (uint32, bool) { return r.regs[n], true }
func (r *registers) CFA() (uint32, bool)        { return r.cfa, true }
func (r *registers) ReadMemory(addr uint32, buf []byte) error {
	for i := range buf {
		b, ok := r.mem[addr+uint32(i)]
		if !ok {
			return errors.New("nothing there")
		}
		buf[i] = b
	}
	return nil
}

func TestGlobals(t *testing.T) {
	v, err := ReadVariables(program(t, "sort-em4_dmips-O2.elf"))
	require.NoError(t, err)
	// From readelf -wi: arrays of 200 int32_t at fixed addresses.
	for name, addr := range map[string]uint32{"a": 0x80000648, "b": 0x80000328, "c": 0x80000008} {
		g, ok := v.Global(name, 0)
		require.True(t, ok, name)
		require.Equal(t, "int32_t [200]", g.Type().Name)
		require.Equal(t, KindArray, g.Type().Kind)
		require.EqualValues(t, 800, g.Type().Size)
		places, err := g.Where(0, nil, &registers{})
		require.NoError(t, err)
		require.Equal(t, []Place{{Kind: InMemory, Addr: addr}}, places)
	}
	require.Subset(t, v.Globals(), []string{"a", "b", "c"})
}

func TestScopes(t *testing.T) {
	v, err := ReadVariables(program(t, "sort-em4_dmips-O2.elf"))
	require.NoError(t, err)
	scopes := v.At(0x260) // the first instruction of run
	require.NotEmpty(t, scopes)
	fn := scopes[len(scopes)-1]
	require.Equal(t, "run", fn.Function)
	var names []string
	for _, x := range fn.Vars {
		names = append(names, x.Name)
	}
	require.Equal(t, []string{"s", "h"}, names[:2])
	require.Nil(t, v.At(0x10))
}

// TestFrameBase: at -O0 a parameter lives relative to the frame.
func TestFrameBase(t *testing.T) {
	v, err := ReadVariables(program(t, "sort-em4_dmips-O0.elf"))
	require.NoError(t, err)
	found := 0
	for _, s := range v.scopes {
		for _, x := range s.Vars {
			places, err := x.Where(s.ranges[0].First, []*Scope{s}, &registers{cfa: 0x1000})
			require.NoError(t, err, x.Name)
			require.Len(t, places, 1)
			require.Equal(t, InMemory, places[0].Kind)
			require.Less(t, 0x1000-places[0].Addr, uint32(256), "%s in %s", x.Name, s.Function)
			found++
		}
	}
	require.Greater(t, found, 5)
}

// TestFramesAgainstReadelf compares the CFA rule at every row that readelf prints.
func TestFramesAgainstReadelf(t *testing.T) {
	readelf := gnutools.Path(t, "readelf")
	for _, name := range []string{"sort-em4_dmips-O0.elf", "sort-em4_dmips-O2.elf", "crc32-em4_dmips-O0.elf", "fsm-em4_dmips-O2.elf"} {
		path := filepath.Join(programs, name)
		out := run(t, ".", readelf, "--debug-dump=frames-interp", "-W", path)
		fr, err := ReadFrames(program(t, name))
		require.NoError(t, err)
		row := regexp.MustCompile(`^([0-9a-f]{8}) (\S+)\+(\d+)`)
		rows, inFDE := 0, false
		for s := bufio.NewScanner(strings.NewReader(out)); s.Scan(); {
			line := s.Text()
			if strings.Contains(line, " CIE ") || strings.Contains(line, " FDE ") {
				inFDE = strings.Contains(line, " FDE ")
				continue
			}
			m := row.FindStringSubmatch(line)
			if m == nil || !inFDE {
				continue
			}
			pc, _ := strconv.ParseUint(m[1], 16, 32)
			off, _ := strconv.Atoi(m[3])
			rules, ok, err := fr.At(uint32(pc))
			require.NoError(t, err)
			require.True(t, ok, line)
			require.Equal(t, "r"+strconv.Itoa(int(rules.CFA.Reg)), m[2], line)
			require.EqualValues(t, off, rules.CFA.Off, line)
			require.EqualValues(t, 31, rules.Return)
			rows++
		}
		require.Greater(t, rows, 1, name)
	}
}

// variableSections are the sections a fuzz input of FuzzVariables holds, each behind a 16-bit length.
var variableSections = append(append([]string{}, fuzzSections...), ".debug_loc", ".debug_loclists", ".debug_frame", ".eh_frame")

// FuzzVariables: no debug sections make reading variables, types, locations and frames panic or hang.
func FuzzVariables(f *testing.F) {
	for _, name := range []string{"sort-em4_dmips-O2.elf", "crc32-em4_dmips-O0.elf"} {
		o := program(f, name)
		var seed []byte
		for _, want := range variableSections {
			var data []byte
			for _, s := range o.Sections {
				if s.Name == want {
					data = s.Data
				}
			}
			seed = binary.LittleEndian.AppendUint16(seed, uint16(len(data)))
			seed = append(seed, data...)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &elfarc.File{Sections: []*elfarc.Section{text(".text", 0x100, 0x1000)}}
		for _, name := range variableSections {
			if len(data) < 2 {
				break
			}
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			file.Sections = append(file.Sections, &elfarc.Section{Name: name, Type: elf.SHT_PROGBITS, Data: data[2 : 2+n]})
			data = data[2+n:]
		}
		target := &registers{cfa: 0x1000}
		if fr, err := ReadFrames(file); err == nil && fr != nil {
			for _, e := range fr.fdes {
				if rules, ok, err := fr.At(e.first); err == nil && ok && rules.CFA.Kind == IsExpr {
					_, _ = fr.Value(rules.CFA, 0, target)
				}
			}
		}
		v, err := ReadVariables(file)
		if err != nil || v == nil {
			return
		}
		for _, name := range v.Globals() {
			g, _ := v.Global(name, 0)
			_, _ = g.Where(0x100, nil, target)
			explore(g.Type(), 4)
		}
		for i, s := range v.scopes {
			if i > 100 {
				break
			}
			if f := v.Function(s.Function, s.ranges[0].First); f != nil {
				explore(f, 3)
			}
			chain := v.At(s.ranges[0].First)
			for _, x := range s.Vars {
				_, _ = x.Where(s.ranges[0].First, chain, target)
				explore(x.Type(), 3)
			}
		}
	})
}

// explore follows a type to a depth.
func explore(t *Type, depth int) {
	if depth == 0 {
		return
	}
	_ = t.Resolved().Declare("name")
	explore(t.Elem(), depth-1)
	for i := range t.Fields[:min(len(t.Fields), 8)] {
		explore(t.Fields[i].Type(), depth-1)
	}
}
