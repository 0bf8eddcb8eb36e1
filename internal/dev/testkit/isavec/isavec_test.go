package isavec

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	f, err := Parse("x.txt", `# vmac2h: from a model
# more
core em9d
case name=edge-1
  code  vmac2h r4,r0,r1 ; 1e280401
  code  add r0,r1,0x12345678 ; 00210000 34127856
  in    r0=0x80007fff r1=-5 acclo=0x0ffffffffff acchi=-1 f=Z-C- mem[0x1000]=01 02 0304 r2=7
  out   acc=0x8000000000000000ff trap=0x020000

core hs38
case name=b
  code nop_s ; e078
  out cycles=1
`)
	require.NoError(t, err)
	require.Equal(t, "vmac2h: from a model", f.About)
	require.Len(t, f.Cases, 2)
	c := f.Cases[0]
	require.Equal(t, "em9d", c.Core)
	require.Equal(t, []Code{
		{Text: "vmac2h r4,r0,r1", Bytes: []byte{0x1e, 0x28, 0x04, 0x01}, Line: 5},
		{Text: "add r0,r1,0x12345678", Bytes: []byte{0, 0x21, 0, 0, 0x34, 0x12, 0x78, 0x56}, Line: 6},
	}, c.Code)
	require.Equal(t, []Value{
		{Name: "r0", Num: 0x80007fff, Line: 7},
		{Name: "r1", Num: -5, High: -1, Line: 7},
		{Name: "acclo", Num: -1, High: -1, Line: 7},
		{Name: "acchi", Num: -1, High: -1, Line: 7},
		{Name: "f", Num: 10, Line: 7},
		{Name: "mem", Addr: 0x1000, Bytes: []byte{1, 2, 3, 4}, Line: 7},
		{Name: "r2", Num: 7, Line: 7},
	}, c.In)
	require.Equal(t, []Value{
		{Name: "acc", Num: 255, High: -128, Line: 8},
		{Name: "trap", Num: 0x020000, Line: 8},
	}, c.Out)
	require.Equal(t, "hs38", f.Cases[1].Core)
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"case name=a", "x.txt:1: case before a core line"},
		{"code nop ; 00", "x.txt:1: code before the first case"},
		{"core e\ncase a", "x.txt:2: want case name=NAME"},
		{"core e\ncase name=a\ncase name=b", "x.txt:2: case a has no code"},
		{"core e\ncase name=a", "x.txt:2: case a has no code"},
		{"core e\ncase name=a\ncode nop", "x.txt:3: code without its bytes after ;"},
		{"core e\ncase name=a\ncode nop ; 0", `x.txt:3: code bytes "0" are not 2, 4, 6 or 8 hexadecimal bytes`},
		{"core e\ncase name=a\nin r0", `x.txt:3: "r0" is not name=value`},
		{"core e\ncase name=a\nin r0=0x100000000", "x.txt:3: 0x100000000 does not fit 32 bits"},
		{"core e\ncase name=a\nin r0=-0x80000001", "x.txt:3: -0x80000001 does not fit 32 bits"},
		{"core e\ncase name=a\nin f=ZNC", `x.txt:3: flags "ZNC" are not four of ZNCV or -`},
		{"core e\ncase name=a\nin f=ZNVC", `x.txt:3: flags "ZNVC" are not four of ZNCV or -`},
		{"core e\ncase name=a\nin mem[1=00", `x.txt:3: "mem[1" is not mem[ADDRESS]`},
		{"core e\ncase name=a\nin mem[1]=0g", `x.txt:3: "0g" is not hexadecimal bytes`},
		{"core e\ncase name=a\nout cycles=-1", "x.txt:3: -1 does not fit 63 bits"},
		{"core e\nfoo", "x.txt:2: foo before the first case"},
		{"core", "x.txt:1: core without a name"},
	} {
		_, err := Parse("x.txt", test.text)
		require.EqualError(t, err, test.want, "%q", test.text)
	}
}

// TestVectors parses every vector file there is.
func TestVectors(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "testdata", "isa")
	names, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		f, err := ReadFile(os.DirFS(dir), filepath.Base(name))
		require.NoError(t, err)
		require.NotEmpty(t, f.About, name)
		require.NotEmpty(t, f.Cases, name)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# a\ncore em9d\ncase name=a\ncode nop_s ; e078\nin r0=1 mem[0]=00 11\nout f=ZNCV acc=-1\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse("x", text)
		require.Equal(t, err == nil, file != nil)
		if err == nil {
			for _, c := range file.Cases {
				require.NotEmpty(t, c.Code)
			}
		}
	})
}
