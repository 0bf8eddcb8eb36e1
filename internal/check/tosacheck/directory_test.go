package tosacheck

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	files "arcv2dsp/nn/tosa"
	vectors "arcv2dsp/testdata/tosa"
)

// unpack puts an archive of test directories into a directory of its own.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	f, err := vectors.Files.Open("files/" + archive)
	require.NoError(t, err)
	return unpackFile(t, f)
}

func unpackFile(t *testing.T, f io.ReadCloser) string {
	t.Helper()
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
			k, err := FromTest(test, files.Target{Level: files.Level8K, Extensions: files.Extensions()}, true)
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
		g, err := nn.ParseNPY(got)
		require.NoError(t, err)
		w, err := nn.ParseNPY(want)
		require.NoError(t, err)
		require.NoError(t, nn.Difference(g, w), "%s: %s", test.Dir, file)
	}
}

// The directories that the public generator makes are not part of this repository; they lie beside it.
var generated = filepath.Join("..", "..", "..", "..", "shared", "vectors", "tosa", "arm")

// TestDirectoriesOfTheGenerator judges the golden functions by the public generator's tests: integers equal, floating
// point within the bounds, and every negative test an error.
func TestDirectoriesOfTheGenerator(t *testing.T) {
	level.NeedsPlain(t, "2,028 test directories")
	for archive, want := range map[string]Summary{
		"int_share.tar.gz": {Cases: 1246, Pass: 1246}, "fp_share.tar.gz": {Cases: 782, Pass: 782},
	} {
		f, err := os.Open(filepath.Join(generated, archive))
		if err != nil {
			t.Skipf("skipped: %s is absent", generated)
		}
		dirs, err := Directories([]string{unpackFile(t, f)})
		require.NoError(t, err)
		var records []Record
		for _, dir := range dirs {
			r := Check(context.Background(), dir, Options{Target: files.Target{Level: files.Level8K, Extensions: files.Extensions()}})
			if r.Verdict != Pass {
				t.Errorf("%s: %s: %s", r.Name, r.Verdict, r.Detail)
			}
			records = append(records, r)
		}
		require.Equal(t, want, Summarize(records))
	}
}

// The example packaged with the reference model is not part of this repository; it lies beside it.
var example = filepath.Join("..", "..", "..", "..", "shared", "vectors", "tosa", "files", "example_qi8")

func TestExampleOfTheReferenceModel(t *testing.T) {
	if _, err := os.Stat(example); err != nil {
		t.Skipf("skipped: %s is absent", example)
	}
	for _, revision := range []string{"rev_2024", "rev_2025"} {
		test, err := files.ReadTest(filepath.Join(example, revision, "flatbuffer-tflite"))
		require.NoError(t, err)
		c, err := FromTest(test, files.Target{Level: files.Level8K, Extensions: files.Extensions()}, true)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(example, revision, "tflite_result.npy"))
		require.NoError(t, err)
		want, err := nn.ParseNPY(text)
		require.NoError(t, err)
		c.Want = []*nn.Tensor{want}
		require.NoError(t, c.Judge(c.Run(context.Background(), nn.GoldenExecutor{})), revision)
	}
}

// TestOtherOperatorsAreNotApplicable: a graph of operators that nobody here computes neither passes nor fails,
// unless it must be an error.
func TestOtherOperatorsAreNotApplicable(t *testing.T) {
	for _, c := range []struct {
		operator, typ string
		failure       bool
		want          Verdict
		detail        string
	}{
		{operator: "CUSTOM", typ: "INT8", want: NotApplicable, detail: "CUSTOM is no operator here"},
		{operator: "CUSTOM", typ: "FP32", failure: true, want: Pass, detail: "CUSTOM is no operator here"},
		{operator: "TANH", typ: "INT8", want: Fail, detail: "no combination of types i8,i8"},
		{operator: "ABS", typ: "INT8", want: Fail, detail: "no combination of types i8,i8"},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "g.json"), fmt.Appendf(nil, `{"version": {"_major": 1, "_minor": 0, "_patch": 0, "_draft": false},
			"regions": [{"name": "main", "blocks": [{"name": "main", "operators": [{"op": %q, "inputs": ["a"], "outputs": ["b"]}],
			"tensors": [{"name": "a", "type": %[2]q, "shape": [1]}, {"name": "b", "type": %[2]q, "shape": [1]}], "inputs": ["a"], "outputs": ["b"]}]}]}`,
			c.operator, c.typ), 0o644))
		x, err := nn.FormatNPY(nn.FromInts(nn.I8, []int{1}, []int64{1}))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.npy"), x, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, files.DescriptionFile), fmt.Appendf(nil,
			`{"tosa_file": "g.json", "ifm_name": ["a"], "ifm_file": ["a.npy"], "ofm_name": ["b"], "ofm_file": ["b.npy"], "expected_failure": %v}`, c.failure), 0o644))
		r := Check(context.Background(), dir, Options{Target: files.Target{Level: files.Level8K, Extensions: files.Extensions()}})
		require.Equal(t, c.want, r.Verdict, "%s %s: %s", c.operator, c.typ, r.Detail)
		require.Contains(t, r.Detail, c.detail)
		require.Equal(t, c.want != Fail, Summarize([]Record{r}).Good())
	}
}
