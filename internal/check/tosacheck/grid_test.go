package tosacheck

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// TestGridOnTheGoldenFunctions runs the whole grid, each operator by itself: outcomes, the very condition that a broken call
// breaks, and every element. For every condition and limit a case breaks it.
func TestGridOnTheGoldenFunctions(t *testing.T) {
	count, valid := 0, 0
	for _, s := range integerSpecs() {
		cases, err := GridOf(s, Every)
		require.NoError(t, err)
		count += len(cases)
		for _, c := range cases {
			if c.Expect == nn.Valid {
				valid++
			}
		}
		t.Run(s.Name, func(t *testing.T) {
			broken := brokenOnGolden(t, cases)
			for _, k := range s.Conditions {
				require.True(t, broken[k.Name], "no case breaks %s", k.Name)
			}
			for _, l := range s.Limits {
				require.True(t, broken[l.Name], "no case goes beyond %s", l.Name)
			}
		})
	}
	t.Logf("%d cases, %d valid", count, valid)
	require.GreaterOrEqual(t, count, 12000)
}

// brokenOnGolden runs cases of an operator on the golden functions and returns the conditions and limits that calls broke.
func brokenOnGolden(t *testing.T, cases []*Case) map[string]bool {
	broken := map[string]bool{}
	for _, c := range cases {
		r := c.Run(context.Background(), nn.GoldenExecutor{})
		if err := c.Judge(r); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if c.Expect == nn.Valid {
			continue
		}
		if r.Outcome != c.Expect {
			t.Errorf("%s: %s (%v), want %s", c.Name, r.Outcome, r.Err, c.Expect)
			continue
		}
		var v *nn.Violation
		if !errors.As(r.Err, &v) {
			t.Errorf("%s: %v is no broken condition", c.Name, r.Err)
			continue
		}
		if c.Condition != "" && v.Condition != c.Condition {
			t.Errorf("%s: breaks %s (%s), it should break %s", c.Name, v.Condition, v.Detail, c.Condition)
		}
		broken[v.Condition] = true
	}
	return broken
}

// TestGridIsFresh makes the cases by rule and compares them with the files.
func TestGridIsFresh(t *testing.T) {
	level.NeedsPlain(t, "states every operator a second time")
	for _, s := range integerSpecs() {
		var b bytes.Buffer
		for c := range made(s, gridSeed) {
			v, err := vectorOf(c)
			require.NoError(t, err, c.Name)
			line, err := json.Marshal(v)
			require.NoError(t, err, c.Name)
			b.Write(append(line, '\n'))
		}
		path := gridFile(s.Name)
		if goldenfile.Update() {
			var packed bytes.Buffer
			z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			require.NoError(t, err)
			_, err = z.Write(b.Bytes())
			require.NoError(t, errors.Join(err, z.Close()))
			require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o644))
		}
		f, err := os.Open(path)
		require.NoError(t, err, freshen)
		z, err := gzip.NewReader(f)
		require.NoError(t, err, path)
		have, err := io.ReadAll(z)
		require.NoError(t, errors.Join(err, f.Close()), path)
		require.True(t, bytes.Equal(b.Bytes(), have), "%s: %s", path, freshen)
	}
}

const freshen = "run go test ./internal/check/tosacheck -update"

// vectorOf writes a case of one call as a line of a file of vectors.
func vectorOf(c *Case) (*vector, error) {
	n := &c.Graph.Nodes[0]
	v := &vector{ID: c.Name, Op: n.Op.Name, Level: c.Target.Level.Name, Expect: c.Expect.String(), Condition: c.Condition}
	for i, k := range n.In {
		t := *c.Graph.Values[k].Tensor
		if c.Inputs != nil {
			t.Ints = c.Inputs[i].Ints
		}
		v.Inputs = append(v.Inputs, vectorTensorOf("", &t))
	}
	for i, k := range n.Out {
		t := *c.Graph.Values[k].Tensor
		if c.Want != nil {
			t.Ints = c.Want[i].Ints
		}
		v.Outputs = append(v.Outputs, vectorTensorOf("", &t))
	}
	var err error
	v.Attrs, err = vectorAttrsOf(n.Attrs)
	return v, err
}

func vectorTensorOf(name string, t *nn.Tensor) vectorTensor {
	return vectorTensor{Name: name, Type: t.Type.String(), Shape: t.Shape, Data: t.Ints}
}

func vectorAttrsOf(attrs nn.Attrs) (vectorAttrs, error) {
	list := vectorAttrs{}
	for name, value := range attrs {
		var err error
		switch v := value.(type) {
		case nn.Type:
			if v == nn.NoType {
				continue // it stands for an absent one
			}
			value = v.String()
		case *nn.Graph:
			if value, err = vectorGraphOf(v); err != nil {
				return nil, err
			}
		}
		if list[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// vectorGraphOf names the values of a graph by their numbers.
func vectorGraphOf(g *nn.Graph) (*vectorGraph, error) {
	names := func(list []int) (names []string) {
		for _, k := range list {
			names = append(names, strconv.Itoa(k))
		}
		return names
	}
	v := &vectorGraph{Params: names(g.Inputs), Results: names(g.Outputs)}
	for k, value := range g.Values {
		v.Tensors = append(v.Tensors, vectorTensorOf(strconv.Itoa(k), value.Tensor))
	}
	for _, n := range g.Nodes {
		attrs, err := vectorAttrsOf(n.Attrs)
		if err != nil {
			return nil, err
		}
		v.Ops = append(v.Ops, vectorNode{Op: n.Op.Name, Attrs: attrs, In: names(n.In), Out: names(n.Out)})
	}
	return v, nil
}

func TestGridIsTheSameForASeed(t *testing.T) {
	all := integerSpecs()
	conv := all[slices.IndexFunc(all, func(s *tosa.Spec) bool { return s.Name == "CONV2D" })]
	names := func(seed uint64) (list []string) {
		for c := range made(conv, seed) {
			list = append(list, c.Name)
			if len(list) == 400 {
				break
			}
		}
		return list
	}
	require.Equal(t, names(7), names(7))
}
