package mlirecord_test

import (
	"bytes"
	"hash/crc32"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/internal/mlirecord"
)

// vectorFiles lists the recorded MLI 1.1 vectors.
func vectorFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../golden/mli11/recorded/calls", "*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// TestCallAndBack: a call of a record, run, is that record again.
func TestCallAndBack(t *testing.T) {
	for _, file := range vectorFiles(t) {
		for _, r := range records.Each(t, file, mlirecord.Parse) {
			op, ok := golden.Operators().Lookup(nn.MLI11, r.Kernel)
			require.True(t, ok)
			c := r.Case(op)
			ran, err := c.Expect()
			require.NoError(t, err)
			c.Want = ran.Results()
			back, err := mlirecord.Of(c)
			require.NoError(t, err)
			require.Len(t, back.Tensors, len(r.Tensors))
			for name, want := range r.Tensors {
				require.Equal(t, want.Ints, back.Tensors[name].Ints, "%s: %s %d: %s", file, r.Kernel, r.ID, name)
			}
			for name, want := range r.Attrs {
				require.Equal(t, want, back.Attrs[name], name)
			}
		}
	}
}

// TestRoundTrip: the reader reads back the writer's lines.
func TestRoundTrip(t *testing.T) {
	for _, file := range vectorFiles(t) {
		for _, c := range records.Each(t, file, mlirecord.Parse) {
			var b bytes.Buffer
			require.NoError(t, mlirecord.Write(&b, c))
			back, err := mlirecord.Parse(b.Bytes())
			require.NoError(t, err)
			require.Equal(t, c, back)
		}
	}
}

// TestMalformedLines: a bad line is an error with its reason.
func TestMalformedLines(t *testing.T) {
	good := `{"id":1,"lib":"1.1","round":"up","kernel":"mli_krn_relu_fx8","cfg":{"relu":0},` +
		`"in":{"type":"fx8","shape":[1],"frac":7,"data":[1]},"out":{"type":"fx8","shape":[1],"frac":7,"data":[1]}}`
	for _, row := range []struct{ line, want string }{
		{line: `{"id":1`, want: "unexpected end"},
		{line: `[]`, want: "cannot unmarshal array"},
		{line: `{"id":"x","kernel":"k"}`, want: "cannot unmarshal string"},
		{line: strings.Replace(good, `"mli_krn_relu_fx8"`, `""`, 1), want: "no kernel name"},
		{line: strings.Replace(good, `"up"`, `"down"`, 1), want: `unknown rounding "down"`},
		{line: strings.Replace(good, `"relu":0`, `"relu":{}`, 1), want: `cfg "relu"`},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[2]`, 1), want: "needs 2 elements, there are 1"},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[-1]`, 1), want: "dimension 0 is -1"},
		{line: strings.Replace(good, `"shape":[1]`, `"shape":[99999,99999]`, 1), want: "more than"},
		{line: strings.Replace(good, `"data":[1]`, `"data":[200]`, 1), want: "element 0 is 200, outside i8"},
		{line: strings.Replace(good, `"data":[1]`, `"data":[9999999999]`, 1), want: "9999999999"},
		{line: strings.Replace(good, `"frac":7,`, ``, 1), want: "no frac"},
		{line: strings.Replace(good, `"fx8"`, `"fx9"`, 1), want: `unknown element type "fx9"`},
		{line: strings.Replace(good, `"type":"fx8"`, `"type":"sa8"`, 1), want: "no sfrac"},
		{line: strings.Replace(good, `"type":"fx8","shape":[1],"frac":7`,
			`"type":"sa8","shape":[1],"sfrac":7,"dim":3,"scale":[1],"zp":[0]`, 1), want: "scale axis 3"},
		{line: strings.Replace(good, `"type":"fx8","shape":[1],"frac":7`,
			`"type":"sa8","shape":[1],"sfrac":7,"scale":[0],"zp":[0]`, 1), want: "scale 0 is 0, it must be positive"},
	} {
		_, err := mlirecord.Parse([]byte(row.line))
		require.ErrorContains(t, err, row.want)
	}
	_, err := mlirecord.Parse([]byte(good))
	require.NoError(t, err)
}

// FuzzCase: no record makes the reader or the model panic.
func FuzzCase(f *testing.F) {
	for _, file := range vectorFiles(f) {
		n := 0
		for _, c := range records.Each(f, file, mlirecord.Parse) {
			var b bytes.Buffer
			require.NoError(f, mlirecord.Write(&b, c))
			f.Add(b.Bytes())
			if n++; n == 3 {
				break
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := mlirecord.Parse(line)
		if err != nil {
			return
		}
		size := 1
		for _, x := range r.Tensors {
			size *= min(x.Len(), 1<<12)
			if size > 1<<24 || x.Len() > 1<<12 {
				return
			}
		}
		op, err := r.Operator(golden.Operators())
		if err != nil {
			return
		}
		c := r.Case(op)
		if ran, _ := c.Expect(); ran == nil {
			return
		}
		back, err := mlirecord.Of(c)
		require.NoError(t, err)
		require.NoError(t, back.Case(op).Prepare())
	})
}

// TestMalformedUserLines: a bad line of the user tests is an error with its reason.
func TestMalformedUserLines(t *testing.T) {
	good := `{"group":"mli_krn_relu","descr":"d","cfg":{"relu":0},"tensor_names":["in","out"],"tensors":[` +
		`{"type":"fx8","shape":[2],"mem_stride":[1],"frac":3,"raw":"0102"},{"type":"fx8","shape":[2],"mem_stride":[1],"frac":3,"raw":"0102"}]}`
	c, err := mlirecord.ParseUser([]byte(good))
	require.NoError(t, err)
	require.Equal(t, "mli_krn_relu_fx8", c.Kernel)
	sum, err := c.Checksum(map[string]*nn.Tensor{"out": c.Tensors["out"]})
	require.NoError(t, err)
	require.Equal(t, crc32.ChecksumIEEE([]byte{1, 2, 1, 2}), sum)
	move, err := mlirecord.ParseUser([]byte(strings.ReplaceAll(good, `"mli_krn_relu"`, `"mli_krn_data_movement"`)))
	require.NoError(t, err)
	require.Equal(t, mlirecord.Move, move.Kernel)
	require.Equal(t, []byte{1, 2}, move.Memory("out"))
	for _, row := range []struct{ old, new, want string }{
		{`["in","out"]`, `["in"]`, "not as many names"},
		{`"shape":[2]`, `"shape":[99999]`, "99999 elements in 2 bytes"},
		{`"shape":[2]`, `"shape":[-2]`, "dimension 0 is -2"},
		{`"mem_stride":[1]`, `"mem_stride":[-1]`, "beyond the 2 bytes"},
		{`"mem_stride":[1]`, `"mem_stride":[]`, "0 strides for 1 dimensions"},
		{`"0102"`, `"01zz"`, "invalid byte"},
		{`"frac":3,`, ``, "no frac"},
		{`"fx8"`, `"fx9"`, "unknown element type"},
	} {
		_, err := mlirecord.ParseUser([]byte(strings.ReplaceAll(good, row.old, row.new)))
		require.ErrorContains(t, err, row.want)
	}
}
