package tosacheck

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/tosa"
	"arcv2dsp/nn/npy"
	files "arcv2dsp/nn/tosa"
	vectors "arcv2dsp/testdata/tosa"
)

// unpack puts an archive of test directories into a directory of its own.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	f, err := vectors.Files.Open("files/" + archive)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	dir := t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		require.NoError(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
}

func TestDirectoriesOfBothRevisions(t *testing.T) {
	level.NeedsPlain(t, "272 test directories")
	for _, c := range []struct {
		archive string
		count   [3]int
	}{
		{archive: "cases_2024.tar.gz", count: [3]int{nn.Valid: 177, nn.Error: 32, nn.Unpredictable: 7}},
		{archive: "cases_1_0.tar.gz", count: [3]int{nn.Valid: 52, nn.Error: 3, nn.Unpredictable: 1}},
	} {
		dirs, err := Directories([]string{unpack(t, c.archive)})
		require.NoError(t, err)
		var count [3]int
		for _, dir := range dirs {
			test, err := files.ReadTest(dir)
			require.NoError(t, err, dir)
			k, err := FromTest(test, tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}, true)
			require.NoError(t, err)
			r := k.Run(context.Background(), nn.GoldenExecutor{})
			if err := k.Judge(r); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
			if k.Expect == nn.Unpredictable && r.Outcome != nn.Unpredictable {
				t.Errorf("%s: %s (%v), want unpredictable", k.Name, r.Outcome, r.Err)
			}
			count[k.Expect]++
			if r.Outcome == nn.Valid && k.Expect == nn.Valid {
				sameFiles(t, test, r.Outputs)
			}
		}
		require.Equal(t, c.count, count, c.archive)
	}
}

// sameFiles writes the outputs and compares them with the expected files byte by byte.
func sameFiles(t *testing.T, test *files.Test, outputs []*nn.Tensor) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, test.WriteOutputs(dir, outputs))
	for i, file := range test.Description.OutputFiles {
		got, err := os.ReadFile(filepath.Join(dir, file))
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(test.Dir, test.Description.Expected[i]))
		require.NoError(t, err)
		g, err := npy.Parse(got)
		require.NoError(t, err)
		w, err := npy.Parse(want)
		require.NoError(t, err)
		require.NoError(t, nn.Difference(g, w), "%s: %s", test.Dir, file)
	}
}

// The example packaged with the reference model is not part of this repository; it lies beside it.
var example = filepath.Join("..", "..", "..", "shared", "vectors", "tosa", "files", "example_qi8")

func TestExampleOfTheReferenceModel(t *testing.T) {
	if _, err := os.Stat(example); err != nil {
		t.Skipf("skipped: %s is absent", example)
	}
	for _, revision := range []string{"rev_2024", "rev_2025"} {
		test, err := files.ReadTest(filepath.Join(example, revision, "flatbuffer-tflite"))
		require.NoError(t, err)
		c, err := FromTest(test, tosa.Target{Level: tosa.Level8K, Extensions: tosa.Extensions()}, true)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(example, revision, "tflite_result.npy"))
		require.NoError(t, err)
		want, err := npy.Parse(text)
		require.NoError(t, err)
		c.Want = []*nn.Tensor{want}
		require.NoError(t, c.Judge(c.Run(context.Background(), nn.GoldenExecutor{})), revision)
	}
}
