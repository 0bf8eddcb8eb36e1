package nn

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written is the file that numpy.save writes for numpy.array([[1, -2], [3, -4]], "<i2").
const written = "\x93NUMPY\x01\x00v\x00{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }" +
	"                                                          \n" + "\x01\x00\xfe\xff\x03\x00\xfc\xff"

func TestNPYReadsWhatNumPyWrites(t *testing.T) {
	x, err := ParseNPY([]byte(written))
	require.NoError(t, err)
	require.Equal(t, FromInts(I16, []int{2, 2}, []int64{1, -2, 3, -4}), x)
}

func TestNPYFormatAndParseAreInverse(t *testing.T) {
	for _, d := range npyDescriptions {
		for _, shape := range [][]int{{}, {3}, {2, 1, 3}} {
			x := New(d.typ, shape...)
			x.Shape = shape
			lo, hi := d.typ.Range()
			for i := range x.Ints {
				x.Ints[i] = []int64{lo, hi, hi / 3}[i%3]
			}
			for i := range x.Floats {
				x.Floats[i] = float32(d.typ.Round(float64(i) / 3))
			}
			b, err := FormatNPY(x)
			require.NoError(t, err)
			require.Zero(t, (len(b)-x.Bytes())%npyAlign)
			back, err := ParseNPY(b)
			require.NoError(t, err)
			require.NoError(t, Difference(back, x))
		}
	}
}

func TestNPYSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{name: "empty", data: "", want: "no NumPy file"},
		{name: "short header", data: written[:40], want: "longer than the file"},
		{name: "short", data: written[:len(written)-1], want: "7 bytes of elements, i16[2 2] has 8"},
		{name: "version", data: "\x93NUMPY\x09\x00" + written[8:], want: "version 9"},
		{name: "order", data: written[:24] + "'descr': '<i2', 'fortran_order': True , " + written[64:], want: "lacks"},
	} {
		_, err := ParseNPY([]byte(c.data))
		require.ErrorContains(t, err, c.want, c.name)
	}
	for _, c := range []struct{ header, want string }{
		{header: "{'descr': '<i4', 'fortran_order': True, 'shape': (1,), }", want: "Fortran"},
		{header: "{'descr': '<i4', 'fortran_order': False, 'shape': (0,), }", want: "dimension 0 is 0"},
	} {
		_, err := parseHeader(c.header)
		require.ErrorContains(t, err, c.want)
	}
}

// doubles is the file that numpy.save writes for numpy.array([0.1, -numpy.inf]).
const doubles = "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }" +
	"                                                            \n" +
	"\x9a\x99\x99\x99\x99\x99\xb9\x3f\x00\x00\x00\x00\x00\x00\xf0\xff"

func TestNPYRealsReadDoublePrecision(t *testing.T) {
	shape, values, err := ParseNPYReals([]byte(doubles))
	require.NoError(t, err)
	require.Equal(t, []int{2}, shape)
	require.Equal(t, []float64{0.1, math.Inf(-1)}, values)
	_, values, err = ParseNPYReals([]byte(written))
	require.NoError(t, err)
	require.Equal(t, []float64{1, -2, 3, -4}, values)
	_, _, err = ParseNPYReals([]byte(doubles[:len(doubles)-3]))
	require.ErrorContains(t, err, "13 bytes of elements, f64[2] has 16")
	_, err = ParseNPY([]byte(doubles))
	require.ErrorContains(t, err, `elements of type "<f8" cannot be read`)
}

func TestNPZFindsTensorsByName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npz")
	f, err := os.Create(path)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	w, err := z.Create("a/b.npy")
	require.NoError(t, err)
	_, err = w.Write([]byte(written))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())

	a, err := OpenNPZ(path)
	require.NoError(t, err)
	defer a.Close()
	require.Equal(t, []string{"a/b"}, a.Names())
	x, err := a.Tensor("a/b")
	require.NoError(t, err)
	require.Equal(t, []int64{1, -2, 3, -4}, x.Ints)
	_, err = a.Tensor("c")
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestBrokenNPZsNameFileAndMember breaks the packed bytes of a member, and its header.
func TestBrokenNPZsNameFileAndMember(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("input0.npy")
	require.NoError(t, err)
	_, err = w.Write([]byte(written))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	const header = 30 + len("input0.npy")
	for name, c := range map[string]struct {
		at   int
		want string
	}{
		"packed bytes": {at: header, want: "member input0: flate: corrupt input"},
		"local header": {at: 0, want: "member input0: zip: not a valid zip file"},
	} {
		data := slices.Clone(b.Bytes())
		data[c.at] ^= 0xff
		path := filepath.Join(t.TempDir(), "x.npz")
		require.NoError(t, os.WriteFile(path, data, 0o644))
		a, err := OpenNPZ(path)
		require.NoError(t, err, name)
		_, err = a.Tensor("input0")
		require.ErrorContains(t, err, "read "+path+": "+c.want, name)
		require.ErrorAs(t, err, new(*fs.PathError), name)
		require.NoError(t, a.Close())
	}
}

func FuzzNPY(f *testing.F) {
	f.Add([]byte(written))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ParseNPY(data)
		if err != nil {
			return
		}
		require.NoError(t, x.Check())
		again, err := FormatNPY(x)
		require.NoError(t, err)
		back, err := ParseNPY(again)
		require.NoError(t, err)
		require.NoError(t, Difference(back, x))
	})
}

// TestNPZThatUnpacksToMuch: a member that is larger than its header says, or larger than a network's tensor may be, is refused before
// it is unpacked.
func TestNPZThatUnpacksToMuch(t *testing.T) {
	header := func(shape string) string {
		text := "{'descr': '|i1', 'fortran_order': False, 'shape': (" + shape + "), }"
		return "\x93NUMPY\x01\x00\x76\x00" + text + strings.Repeat(" ", 117-len(text)) + "\n"
	}
	for shape, want := range map[string]string{
		"10,":         "member x: 64000128 bytes, with a header of 128 and the elements of i8[10] there are 138",
		"8192, 8193,": "member x: shape [8192 8193] has more than 67108864 elements",
	} {
		path := filepath.Join(t.TempDir(), "a.npz")
		file, err := os.Create(path)
		require.NoError(t, err)
		z := zip.NewWriter(file)
		w, err := z.Create("x.npy")
		require.NoError(t, err)
		_, err = io.WriteString(w, header(shape))
		require.NoError(t, err)
		for range 64 {
			_, err = w.Write(make([]byte, 1e6))
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		require.NoError(t, file.Close())
		a, err := OpenNPZ(path)
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = a.Tensor("x")
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, want)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		require.NoError(t, a.Close())
	}
}
