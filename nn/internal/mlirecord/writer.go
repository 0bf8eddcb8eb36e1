package mlirecord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// Write writes one record with its line end. Keys come in a fixed order.
func Write(w io.Writer, c *Record) error {
	var b bytes.Buffer
	field := func(key string, v any) error {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", key, text)
		return nil
	}
	type entry struct {
		key string
		v   any
	}
	entries := []entry{{"id", c.ID}, {"lib", c.Lib}, {"round", c.Round.String()},
		{"kernel", c.Kernel}}
	if c.Function != "" {
		entries = append(entries, entry{"function", c.Function})
	}
	entries = append(entries, entry{"cfg", c.Attrs})
	for _, role := range c.roles() {
		t, err := c.newTensorJSON(role)
		if err != nil {
			return fmt.Errorf("record %d: tensor %q: %w", c.ID, role, err)
		}
		entries = append(entries, entry{role, t})
	}
	entries = append(entries, entry{"status", c.Status}, entry{"engine", c.Engine})
	for _, e := range entries {
		if err := field(e.key, e.v); err != nil {
			return fmt.Errorf("record %d: %q: %w", c.ID, e.key, err)
		}
	}
	_, err := fmt.Fprintf(w, "{%s}\n", b.Bytes())
	return err
}

func (c *Record) newTensorJSON(role string) (tensorJSON, error) {
	t := c.Tensors[role]
	f := &t.Format
	j := tensorJSON{Type: t.Type.String(), Shape: t.Shape, Strides: c.Strides[role]}
	var err error
	switch {
	case t.Type.Float() && t.Filled():
		j.Data, err = json.Marshal(t.Floats)
	case t.Filled():
		j.Data, err = json.Marshal(t.Ints)
	}
	if err != nil {
		return j, err
	}
	switch f.Kind {
	case nn.Scaled:
		j.Zero, j.Scale = f.Zeros, f.Fine
		for i := 0; f.Fine == nil && i < len(f.Scales); i++ {
			j.Scale = append(j.Scale, float64(f.Scales[i]))
		}
		if len(f.Scales) > 1 {
			j.Dim = &f.Axis
		}
		return j, nil
	case nn.Plain:
		if c.Lib != "1.1" && c.Lib != "2.0" {
			return j, nil
		}
	}
	typ, err := mli.TypeOf(t)
	j.Type = typ.String()
	switch {
	case typ.Affine():
		j.Dim, j.SFrac, j.Zero = &f.Axis, &sfrac{all: f.ScaleFrac, each: f.ScaleFracs}, f.Zeros
		for _, m := range f.Mantissas {
			j.Scale = append(j.Scale, float64(m))
		}
	case f.Kind == nn.Fixed:
		j.Frac = &f.Frac
	}
	return j, err
}

// roleOrder is the order of arguments in the library's interfaces.
var roleOrder = []string{"in", "in1", "in2", "slope", "prev_out", "w", "b", "cell_in", "out", "cell_out"}

// roles lists the tensors of the record in writing order: numbered inputs first.
func (c *Record) roles() []string {
	var roles []string
	for role := range c.Tensors {
		roles = append(roles, role)
	}
	rank := func(role string) int { return slices.Index(roleOrder, role) }
	slices.SortFunc(roles, func(a, b string) int {
		if ra, rb := rank(a), rank(b); ra != rb {
			return ra - rb
		}
		return strings.Compare(a, b)
	})
	return roles
}
