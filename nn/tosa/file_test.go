package tosa_test

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/nn/tosa"
	vectors "arcv2dsp/testdata/tosa"
)

// archived calls for every .tosa file of both archives.
func archived(t testing.TB, visit func(name string, data []byte)) {
	t.Helper()
	for _, archive := range []string{"files/cases_2024.tar.gz", "files/cases_1_0.tar.gz"} {
		f, err := vectors.Files.Open(archive)
		require.NoError(t, err)
		z, err := gzip.NewReader(f)
		require.NoError(t, err)
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			if strings.HasSuffix(h.Name, ".tosa") {
				data, err := io.ReadAll(r)
				require.NoError(t, err)
				visit(h.Name, data)
			}
		}
		require.NoError(t, f.Close())
	}
}

func TestFilesSurviveBothForms(t *testing.T) {
	n := 0
	archived(t, func(name string, data []byte) {
		f, err := tosa.Decode(data)
		require.NoError(t, err, name)
		b, err := f.Encode()
		require.NoError(t, err, name)
		again, err := tosa.Decode(b)
		require.NoError(t, err, name)
		text, err := f.EncodeJSON()
		require.NoError(t, err, name)
		fromText, err := tosa.Decode(text)
		require.NoError(t, err, name)
		// JSON has no order of fields: the canonical text of all three must be the same.
		for _, g := range []*tosa.File{again, fromText} {
			other, err := g.EncodeJSON()
			require.NoError(t, err, name)
			require.Equal(t, string(text), string(other), name)
		}
		n++
	})
	require.Equal(t, 216+56, n)
}

// flatc is the compiler of FlatBuffers by others: it reads what we write, and we read what it writes.
func TestFlatcAgrees(t *testing.T) {
	flatc := gnutools.Flatc(t)
	dir := t.TempDir()
	run := func(args ...string) {
		cmd := exec.Command(flatc, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v: %s", args, out)
	}
	schemas := map[*tosa.Revision]string{}
	for r, facts := range map[*tosa.Revision]string{tosa.Rev2024: "schema_2024.tsv", tosa.Rev10: "schema_1_0.tsv"} {
		schemas[r] = "tosa_" + r.Name + ".fbs"
		require.NoError(t, os.WriteFile(filepath.Join(dir, schemas[r]), []byte(fbs(t, facts)), 0o644))
	}
	step := 0
	archived(t, func(name string, data []byte) {
		if step++; testing.Short() && step%16 != 0 {
			return
		}
		f, err := tosa.Decode(data)
		require.NoError(t, err)
		ours, err := f.Encode()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "ours.tosa"), ours, 0o644))
		run("--json", "--strict-json", schemas[f.Revision], "--", "ours.tosa")
		theirs, err := os.ReadFile(filepath.Join(dir, "ours.json"))
		require.NoError(t, err)
		text, err := f.EncodeJSON()
		require.NoError(t, err)
		require.Equal(t, values(t, text), values(t, theirs), name)

		require.NoError(t, os.WriteFile(filepath.Join(dir, "text.json"), text, 0o644))
		run("-b", schemas[f.Revision], "text.json")
		compiled, err := os.ReadFile(filepath.Join(dir, "text.tosa"))
		if errors.Is(err, os.ErrNotExist) {
			compiled, err = os.ReadFile(filepath.Join(dir, "text.bin"))
		}
		require.NoError(t, err)
		back, err := tosa.Decode(compiled)
		require.NoError(t, err, name)
		again, err := back.EncodeJSON()
		require.NoError(t, err)
		require.Equal(t, string(text), string(again), name)
	})
}

// values is a JSON text without its layout; empty lists count as absent, as in the format.
func values(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

func TestDecodeNamesTheFault(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{name: "empty", data: "", want: `bytes 4 to 7 are not "TOSA"`},
		{name: "other", data: "\x10\x00\x00\x00TFL3", want: `bytes 4 to 7 are not "TOSA"`},
		{name: "offset", data: "\xff\x00\x00\x00TOSA", want: "offset 255: 4 bytes go beyond the 8 of the file"},
		{name: "JSON", data: `{"version": {"_major": 7}}`, want: "version 7.-1.-1 draft cannot be read"},
		{name: "JSON field", data: `{"version": {"_major": 1, "_minor": 0, "_patch": 0}, "blocks": []}`, want: "TosaGraph has no field blocks"},
		{name: "JSON enum", data: `{"version": {"_major": 1, "_minor": 0}, "regions": [{"blocks": [{"operators": [{"op": "ADDD"}]}]}]}`,
			want: `"ADDD" is not in Op`},
	} {
		_, err := tosa.Decode([]byte(c.data))
		require.ErrorIs(t, err, tosa.ErrUnreadable, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
}

func FuzzDecode(f *testing.F) {
	n := 0
	archived(f, func(_ string, data []byte) {
		if n++; n%9 != 0 {
			return
		}
		f.Add(data)
		file, err := tosa.Decode(data)
		require.NoError(f, err)
		text, err := file.EncodeJSON()
		require.NoError(f, err)
		f.Add(text)
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := tosa.Decode(data)
		if err != nil {
			return
		}
		b, err := file.Encode()
		require.NoError(t, err)
		again, err := tosa.Decode(b)
		require.NoError(t, err)
		require.Equal(t, len(file.Regions), len(again.Regions))
		if g, err := file.Graph(nil); err == nil {
			_ = g.Check() // any verdict will do, but there must be one
		}
	})
}

// TestShapeEndsWithItsRank: bytes behind the numbers of a shape are padding.
func TestShapeEndsWithItsRank(t *testing.T) {
	f, err := tosa.Decode([]byte(`{"version": {"_major": 1, "_minor": 0, "_patch": 0, "_draft": false}, "regions": [{"name": "main", "blocks": [
		{"name": "main", "shapes": [{"name": "s", "rank": 1, "data": [2, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9]}]}]}]}`))
	require.NoError(t, err)
	require.Equal(t, []byte{2, 0, 0, 0, 0, 0, 0, 0}, f.Regions[0].Blocks[0].Shapes[0].Data)
}
