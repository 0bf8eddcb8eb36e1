package elfarc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"arcv2dsp/internal/dev/testkit/gnutools"
	_ "arcv2dsp/internal/dev/testkit/nofiles"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func run(t *testing.T, dir, tool string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// relocCase is one relocation with one symbol value, in a slot of eight bytes.
type relocCase struct {
	row    Row
	value  uint32
	offset uint32
}

const (
	relocText = 0x40200000
	relocSDA  = 0x40200400
	relocFill = 0x5a
)

// TestApplyAgainstGNU patches slots with every relocation that a static link can satisfy, at values
// inside, at and beyond the ends of each field, and compares bytes and range errors with GNU ld.
func TestApplyAgainstGNU(t *testing.T) {
	as, ld, objcopy := gnutools.Path(t, "as"), gnutools.Path(t, "ld"), gnutools.Path(t, "objcopy")
	for _, big := range []bool{false, true} {
		t.Run(fmt.Sprintf("big=%v", big), func(t *testing.T) {
			endian, emulation := "-EL", "elf32-littlearc"
			if big {
				endian, emulation = "-EB", "elf32-bigarc"
			}
			dir := t.TempDir()
			link := func(cases []relocCase) (string, []byte) {
				var src, script strings.Builder
				src.WriteString("\t.section .probe,\"ax\",@progbits\n\t.global __start\n__start:\n")
				fmt.Fprint(&src, strings.Repeat("\t.4byte 0x5a5a5a5a\n", 2*len(cases)))
				fmt.Fprintf(&script, "OUTPUT_FORMAT(%s)\n__SDATA_BEGIN__ = %#x;\n__JLI_TABLE__ = %#x;\n", emulation, relocSDA, relocSDA)
				for i := range cases {
					cases[i].offset = uint32(8*i + 4)
					fmt.Fprintf(&src, "\t.reloc %d, %s, v%d+8\n", cases[i].offset, cases[i].row.Name, i)
					fmt.Fprintf(&script, "v%d = %#x;\n", i, cases[i].value-8)
				}
				fmt.Fprintf(&script, "SECTIONS { .probe %#x : { *(.probe) } /DISCARD/ : { *(.ARC.attributes) } }\n", relocText)
				require.NoError(t, os.WriteFile(filepath.Join(dir, "p.s"), []byte(src.String()), 0o644))
				require.NoError(t, os.WriteFile(filepath.Join(dir, "p.ld"), []byte(script.String()), 0o644))
				out, err := run(t, dir, as, "-mcpu=em4", endian, "p.s", "-o", "p.o")
				require.NoError(t, err, out)
				out, err = run(t, dir, ld, "--verbose", "-T", "p.ld", "p.o", "-o", "p.elf")
				if err != nil {
					_, messages, _ := strings.Cut(out, "attempt to open p.o") // after the script that --verbose prints
					return messages, nil
				}
				out, err = run(t, dir, objcopy, "-O", "binary", "-j", ".probe", "p.elf", "p.bin")
				require.NoError(t, err, out)
				data, err := os.ReadFile(filepath.Join(dir, "p.bin"))
				require.NoError(t, err)
				return "", data
			}

			var cases []relocCase
			for _, row := range Relocs() {
				switch row.Rule {
				case RuleAbs, RuleWordAbs, RuleNeg, RulePC, RulePlace, RuleSDA:
				default:
					continue
				}
				if row.Name == "R_ARC_32_ME_S" {
					continue // GNU ld 2.40 knows the name but not the field
				}
				lo, hi := row.Range()
				step := int32(1) << row.Shift
				base := uint32(0)
				for _, v := range []int32{0, step, -step, 5 * step, lo, hi, lo + step, hi - step, lo - step, hi + step, lo / 3 &^ (step - 1), hi / 3 &^ (step - 1)} {
					place := uint32(relocText + 8*len(cases) + 4)
					switch row.Rule {
					case RulePC:
						base = place
						if row.Field == FieldWord {
							base -= 4
						}
						base &^= 3
					case RulePlace:
						base = place
					case RuleSDA:
						base = relocSDA
					}
					value := base + uint32(v)
					if row.Rule == RuleNeg {
						value = 16 - uint32(v)
					}
					cases = append(cases, relocCase{row: row, value: value})
				}
			}

			// GNU ld stops at the first value it refuses: empty that slot and link again.
			refused := map[uint32]bool{}
			kept := append([]relocCase(nil), cases...)
			var data []byte
			for data == nil {
				var out string
				if out, data = link(kept); data == nil {
					m := regexp.MustCompile(`\(\.probe\+0x([0-9a-f]+)\): relocation truncated`).FindStringSubmatch(out)
					require.NotNil(t, m, out)
					off, err := strconv.ParseUint(m[1], 16, 32)
					require.NoError(t, err)
					require.False(t, refused[uint32(off)], out)
					refused[uint32(off)] = true
					kept[off/8].row = *R_ARC_NONE.Row()
				}
			}

			for i, c := range cases {
				c.offset = uint32(8*i + 4)
				slot := make([]byte, 8)
				for j := range slot {
					slot[j] = relocFill
				}
				v, err := c.row.Value(Terms{S: c.value - 8, A: 8, Place: relocText + c.offset, SDA: relocSDA, JLI: relocSDA})
				require.NoError(t, err)
				err = c.row.Apply(slot, 4, v, big)
				what := fmt.Sprintf("%s value %#x (%d)", c.row.Name, c.value, v)
				var outOfRange *RangeError
				if refused[c.offset] {
					require.True(t, errors.As(err, &outOfRange), what)
					continue
				}
				if !assertNoErr(t, err, what) {
					continue
				}
				if got, want := fmt.Sprintf("%x", slot), fmt.Sprintf("%x", data[8*i:8*i+8]); got != want {
					t.Errorf("%s: got %s want %s", what, got, want)
				}
			}
		})
	}
}

func assertNoErr(t *testing.T, err error, what string) bool {
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return false
	}
	return true
}

// TestFieldRoundTrip checks that Extract finds the value that Insert put into a word, and that it
// touches no other bits.
func TestFieldRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Field(rapid.IntRange(int(FieldByte), int(FieldHighByte)).Draw(t, "field"))
		word, v := rapid.Uint32().Draw(t, "word"), rapid.Uint32().Draw(t, "v")
		got := f.Insert(word, v)
		require.Equal(t, f.Insert(0, v), f.Insert(0, f.Extract(got)))
		keep := ^f.Insert(0, ^uint32(0))
		require.Equal(t, word&keep, got&keep)
		require.Equal(t, word, f.Insert(word, f.Extract(word)))
	})
}

func TestRelocNames(t *testing.T) {
	seen := map[Reloc]bool{}
	for _, row := range Relocs() {
		require.False(t, seen[row.Reloc], row.Name)
		seen[row.Reloc] = true
		r, ok := RelocByName(row.Name)
		require.True(t, ok)
		require.Equal(t, row.Reloc, r)
		require.Equal(t, row.Name, r.String())
		require.Equal(t, row, *r.Row())
	}
	require.Nil(t, Reloc(200).Row())
	require.Equal(t, "R_ARC_(200)", Reloc(200).String())
}

func TestApplyErrors(t *testing.T) {
	row := R_ARC_S25W_PCREL.Row()
	require.EqualError(t, row.Apply(make([]byte, 6), 4, 0, false), "R_ARC_S25W_PCREL at offset 0x4 is outside the section of 0x6 bytes")
	require.EqualError(t, row.Apply(make([]byte, 8), 4, 2, false), "R_ARC_S25W_PCREL: value 0x2 is not a multiple of 4")
	require.EqualError(t, row.Apply(make([]byte, 8), 4, -0x1000004, false), "R_ARC_S25W_PCREL: value -0x1000004 is out of range -0x1000000 to 0xfffffc")
	require.EqualError(t, R_ARC_16.Row().Apply(make([]byte, 2), 0, 0x10000, false), "R_ARC_16: value 0x10000 is out of range -0x10000 to 0xffff")
	require.NoError(t, R_ARC_16.Row().Apply(make([]byte, 2), 0, 0xffff, false))
	_, err := R_ARC_TLS_LE_32.Row().Value(Terms{})
	require.EqualError(t, err, "R_ARC_TLS_LE_32: thread-local storage needs an operating system")
	_, err = R_ARC_COPY.Row().Value(Terms{})
	require.EqualError(t, err, "R_ARC_COPY is for a dynamic loader and cannot be linked")
}
