package flatbuffer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// schema has a field of every kind.
const schema = "file\t-\t-\tfile_identifier\tTEST\t-\t\n" +
	"file\t-\t-\troot_table\tRoot\t-\t\n" +
	"enum\tColour\t0\tNONE\tuint32\t-\t\n" +
	"enum\tColour\t7\tRED\tuint32\t-\t\n" +
	"union\tShape\t0\tNONE\tubyte\t-\t\n" +
	"union\tShape\t1\tLeaf\tubyte\t-\t\n" +
	"table\tLeaf\t0\tflag\tbool\ttrue\t\n" +
	"table\tLeaf\t1\tbyte\tubyte\t3\t\n" +
	"table\tRoot\t0\tname\tstring\t-\trequired\n" +
	"table\tRoot\t1\tshape_type\tShape.type\t0\t\n" +
	"table\tRoot\t2\tshape\tShape\t-\t\n" +
	"table\tRoot\t3\tleaves\t[Leaf]\t-\t\n" +
	"table\tRoot\t4\tleaf\tLeaf\t-\t\n" +
	"table\tRoot\t5\tdata\t[ubyte]\t-\tforce_align: 8\n" +
	"table\tRoot\t6\tshorts\t[int16]\t-\t\n" +
	"table\tRoot\t7\tints\t[int32]\t-\t\n" +
	"table\tRoot\t8\tnames\t[string]\t-\t\n" +
	"table\tRoot\t9\tcolour\tColour\t0\t\n" +
	"table\tRoot\t10\tlong\tulong\t0\t\n" +
	"table\tRoot\t11\tword\tint32\t-1\t\n"

func sample(t testing.TB) (*Schema, *Object) {
	s, err := ParseSchema(schema)
	require.NoError(t, err)
	leaf := func(flag, b int64) *Object { return s.New("Leaf").Set("flag", flag).Set("byte", b) }
	return s, s.New("Root").Set("name", "é\"x").Set("shape", leaf(0, 3)).Set("leaves", []*Object{leaf(1, 3), leaf(0, 255)}).
		Set("leaf", leaf(1, 0)).Set("data", []byte{1, 2, 255}).Set("shorts", []int64{-32768, 32767}).Set("ints", []int64{-1 << 31, 5}).
		Set("names", []string{"", "b"}).Set("colour", int64(7)).Set("long", int64(1)<<40).Set("word", int64(-2))
}

func TestEveryKindSurvivesBothForms(t *testing.T) {
	s, o := sample(t)
	text, err := s.EncodeJSON(o)
	require.NoError(t, err)
	b, err := s.Encode(o)
	require.NoError(t, err)
	fromBinary, err := s.Decode(b)
	require.NoError(t, err)
	fromText, err := s.DecodeJSON(text)
	require.NoError(t, err)
	for _, back := range []*Object{fromBinary, fromText} {
		again, err := s.EncodeJSON(back)
		require.NoError(t, err)
		require.Equal(t, string(text), string(again))
	}
	require.Equal(t, int64(-2), fromBinary.Int("word"))
	require.Equal(t, int64(3), fromBinary.Object("shape").Int("byte"), "a default is left out of the file")
	require.Equal(t, []int64{-32768, 32767}, fromBinary.Ints("shorts"))
}

func TestCutFilesAreRefused(t *testing.T) {
	s, o := sample(t)
	b, err := s.Encode(o)
	require.NoError(t, err)
	for n := range b {
		if _, err := s.Decode(b[:n]); err == nil {
			// Only bytes that nothing refers to may be missing: the NUL and the padding at the end.
			require.Greater(t, n, len(b)-4, "%d of %d bytes were accepted", n, len(b))
		}
	}
}

func TestSharedContentsAreBounded(t *testing.T) {
	s, _ := sample(t)
	o := s.New("Root").Set("name", "x")
	var leaves []*Object
	for range 10000 {
		leaves = append(leaves, s.New("Leaf"))
	}
	b, err := s.Encode(o.Set("leaves", leaves))
	require.NoError(t, err)
	_, err = s.Decode(b)
	require.NoError(t, err, "an honest file of small tables is read")
}

func FuzzDecode(f *testing.F) {
	s, o := sample(f)
	b, err := s.Encode(o)
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := s.Decode(data)
		if err != nil {
			return
		}
		b, err := s.Encode(o)
		require.NoError(t, err)
		again, err := s.Decode(b)
		require.NoError(t, err)
		one, err := s.EncodeJSON(o)
		require.NoError(t, err)
		two, err := s.EncodeJSON(again)
		require.NoError(t, err)
		require.Equal(t, string(one), string(two))
	})
}

// TestFieldsEndWithTheirTable: a table of 8 bytes holds a field of 4 bytes at 4, not one at 5.
func TestFieldsEndWithTheirTable(t *testing.T) {
	file := func(off byte) []byte {
		return []byte{16, 0, 0, 0, 'T', 'E', 'S', 'T', 6, 0, 8, 0, off, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0, 0}
	}
	r, err := NewReader(file(4), "TEST")
	require.NoError(t, err)
	require.Equal(t, 9, r.Root().Int(0, 1))
	require.NoError(t, r.Err())
	r, err = NewReader(file(5), "TEST")
	require.NoError(t, err)
	require.Zero(t, r.Root().Int(0, 0))
	require.EqualError(t, r.Err(), "offset 16: slot 0 lies outside its table")
}
