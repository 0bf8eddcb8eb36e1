package golden

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
)

// A vector file has one case per line, each a JSON object: id, lib, round, kernel, cfg, status,
// engine, and every other key is a tensor under its role. Lines are independent of each other.

// LineError says which line of a vector file is unusable, and why.
type LineError struct {
	File string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// maxLine bounds a line, so that a file that is no vector file fails instead of filling memory.
const maxLine = 256 << 20

// Cases reads a vector file line by line. A malformed line yields a *LineError and reading goes on;
// an error of the reader itself ends the sequence. Empty lines are skipped.
func Cases(name string, r io.Reader) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 0, 1<<16), maxLine)
		n := 0
		for lines.Scan() {
			n++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			c, err := ParseCase(lines.Bytes())
			if err != nil {
				err = &LineError{File: name, Line: n, Err: err}
			}
			if !yield(c, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(nil, &LineError{File: name, Line: n + 1, Err: err})
		}
	}
}

// CaseFile reads a vector file from disk, compressed when its name ends in .gz.
func CaseFile(path string) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				yield(nil, fmt.Errorf("%s: %w", path, err))
				return
			}
		}
		for c, err := range Cases(path, r) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// tensorJSON is a tensor as the format spells it.
type tensorJSON struct {
	Type  string  `json:"type"`
	Shape []int   `json:"shape"`
	Frac  *int    `json:"frac,omitempty"`
	Dim   *int    `json:"dim,omitempty"`
	Scale []int32 `json:"scale,omitempty"`
	Zero  []int32 `json:"zp,omitempty"`
	SFrac *int    `json:"sfrac,omitempty"`
	Data  []int32 `json:"data"`
}

// headerJSON is the part of a record that is not tensors.
type headerJSON struct {
	ID     int                        `json:"id"`
	Lib    string                     `json:"lib"`
	Round  string                     `json:"round"`
	Kernel string                     `json:"kernel"`
	Cfg    map[string]json.RawMessage `json:"cfg"`
	Status int                        `json:"status"`
	Engine string                     `json:"engine"`
}

var headerKeys = []string{"id", "lib", "round", "kernel", "cfg", "status", "engine"}

// ParseCase reads one record.
func ParseCase(line []byte) (*Case, error) {
	var head headerJSON
	var all map[string]json.RawMessage
	if err := json.Unmarshal(line, &all); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, err
	}
	if head.Kernel == "" {
		return nil, errors.New("no kernel name")
	}
	round, err := ParseRounding(head.Round)
	if err != nil {
		return nil, err
	}
	c := &Case{ID: head.ID, Lib: head.Lib, Kernel: head.Kernel, Round: round, Status: head.Status,
		Engine: head.Engine, Tensors: map[string]*Tensor{},
		Params: Params{Ints: map[string]int{}, Lists: map[string][]int{}}}
	for key, raw := range head.Cfg {
		if err := c.Params.parse(key, raw); err != nil {
			return nil, err
		}
	}
	for key, raw := range all {
		if slices.Contains(headerKeys, key) {
			continue
		}
		t, err := parseTensor(raw)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", key, err)
		}
		c.Tensors[key] = t
	}
	if len(c.Tensors) == 0 {
		return nil, errors.New("no tensors")
	}
	return c, nil
}

func (p Params) parse(key string, raw json.RawMessage) error {
	var v int
	if err := json.Unmarshal(raw, &v); err == nil {
		p.Ints[key] = v
		return nil
	}
	var list []int
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("cfg %q is neither a number nor a list of numbers", key)
	}
	p.Lists[key] = list
	return nil
}

func parseTensor(raw json.RawMessage) (*Tensor, error) {
	var j tensorJSON
	if err := json.Unmarshal(raw, &j); err != nil {
		return nil, err
	}
	typ, err := ParseType(j.Type)
	if err != nil {
		return nil, err
	}
	t := &Tensor{Type: typ, Shape: j.Shape, Data: j.Data, Dim: -1}
	if !typ.Affine() {
		if j.Frac == nil {
			return nil, errors.New("no frac")
		}
		t.Frac = *j.Frac
		return t, t.Check()
	}
	if j.SFrac == nil {
		return nil, errors.New("no sfrac")
	}
	t.Scale, t.Zero, t.ScaleFrac = j.Scale, j.Zero, *j.SFrac
	if j.Dim != nil {
		t.Dim = *j.Dim
	}
	return t, t.Check()
}

// WriteCase writes one record with its line end. Keys come in a fixed order.
func WriteCase(w io.Writer, c *Case) error {
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
	cfg := map[string]any{}
	for key, v := range c.Params.Ints {
		cfg[key] = v
	}
	for key, v := range c.Params.Lists {
		cfg[key] = v
	}
	type entry struct {
		key string
		v   any
	}
	entries := []entry{{"id", c.ID}, {"lib", c.Lib}, {"round", c.Round.String()},
		{"kernel", c.Kernel}, {"cfg", cfg}}
	for _, role := range c.roles() {
		entries = append(entries, entry{role, c.Tensors[role].json()})
	}
	entries = append(entries, entry{"status", c.Status}, entry{"engine", c.Engine})
	for _, e := range entries {
		if err := field(e.key, e.v); err != nil {
			return fmt.Errorf("case %d: %q: %w", c.ID, e.key, err)
		}
	}
	_, err := fmt.Fprintf(w, "{%s}\n", b.Bytes())
	return err
}

func (t *Tensor) json() tensorJSON {
	j := tensorJSON{Type: t.Type.String(), Shape: t.Shape, Data: t.Data}
	if t.Type.Affine() {
		j.Dim, j.SFrac, j.Scale, j.Zero = &t.Dim, &t.ScaleFrac, t.Scale, t.Zero
	} else {
		j.Frac = &t.Frac
	}
	return j
}

// roleOrder is the order of arguments in the library's interfaces.
var roleOrder = []string{"in", "in1", "in2", "slope", "prev_out", "w", "b", "cell_in", "out", "cell_out"}

// roles lists the tensors of the case in writing order: numbered inputs first.
func (c *Case) roles() []string {
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
