package farm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Plan says what each shard does. docs/formats.md describes its file.
type Plan struct {
	Schema  int      `json:"schema"`
	Command []string `json:"command"`  // the words after arcsim
	Build   Build    `json:"build"`    // that planned, and must run
	Inputs  []Input  `json:"inputs"`   // files the command reads
	Balance string   `json:"balanced"` // where the costs are from
	Shards  []Shard  `json:"shards"`

	path string
	id   string // digest of the file
}

const planSchema = 1

// Input is a file that shards must find unchanged.
type Input struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// Shard is the part of one machine.
type Shard struct {
	Cost  uint64   `json:"cost"`  // in cycles
	Cases []string `json:"cases"` // in the order of the whole
}

// maxFile bounds the files of plans and results.
const maxFile = 1 << 30

// NewPlan divides work into shards. Inputs are files and folders that the command reads.
func NewPlan(command []string, w Work, shards int, c *Costs, inputs []string) (_ *Plan, err error) {
	defer steps.Return(&err)
	b := steps.Must(ThisBuild())
	pieces := w.Pieces(c)
	steps.Must(index(pieces))
	parts := steps.Must(Divide(pieces, shards))
	p := &Plan{Schema: planSchema, Command: command, Build: b, Balance: c.From}
	p.Inputs = steps.Must(digests(inputs))
	for _, part := range parts {
		var s Shard
		for _, i := range part {
			s.Cost += pieces[i].Cost
			s.Cases = append(s.Cases, pieces[i].Names...)
		}
		p.Shards = append(p.Shards, s)
	}
	return p, nil
}

// index finds the piece of each name.
func index(pieces []Piece) (map[string]int, error) {
	of := map[string]int{}
	for i, p := range pieces {
		for _, name := range p.Names {
			if _, twice := of[name]; twice {
				return nil, fmt.Errorf("two cases have the name %s, so results cannot be told apart", name)
			}
			of[name] = i
		}
	}
	return of, nil
}

// digests lists files, and those in folders.
func digests(paths []string) (_ []Input, err error) {
	defer steps.Return(&err)
	list := []Input{}
	add := func(path string) error {
		sum, err := digest(path)
		list = append(list, Input{Path: filepath.ToSlash(path), SHA256: sum})
		return err
	}
	for _, path := range paths {
		info := steps.Must(os.Stat(path))
		if !info.IsDir() {
			steps.Check(add(path))
			continue
		}
		err = filepath.WalkDir(path+"/", func(name string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				err = add(name)
			}
			return err
		})
		steps.Check(err)
	}
	return list, nil
}

// Write writes the plan. A file that has results already is not replaced: they would have no plan.
func (p *Plan) Write(path string) error {
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	p.path, p.id = path, sum(append(text, '\n'))
	if found, err := filepath.Glob(filepath.Join(escapeGlob(p.Dir()), "shard-*.json")); err != nil || len(found) > 0 {
		return errors.Join(err, fmt.Errorf("%s has results in %s; remove them, or give the plan another name", path, p.Dir()))
	}
	return hostfile.Write(path, append(text, '\n'))
}

// escapeGlob makes a pattern of a path that matches nothing else.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// ReadPlan reads a plan.
func ReadPlan(path string) (*Plan, error) {
	data, err := hostfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	p, err := parsePlan(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.path = path
	return p, nil
}

func parsePlan(data []byte) (*Plan, error) {
	var p Plan
	if err := strict(data, &p); err != nil {
		return nil, fmt.Errorf("is no plan: %w", err)
	}
	if p.Schema != planSchema {
		return nil, fmt.Errorf("a plan of schema %d, this version reads %d", p.Schema, planSchema)
	}
	if len(p.Command) == 0 || len(p.Shards) == 0 || len(p.Shards) > maxShards {
		return nil, fmt.Errorf("is no plan: it has %d words of a command and %d shards", len(p.Command), len(p.Shards))
	}
	p.id = sum(data)
	return &p, nil
}

// strict reads one JSON value, all of whose keys must be known.
func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more follows the value")
	}
	return nil
}

// Dir is the folder of the results.
func (p *Plan) Dir() string { return strings.TrimSuffix(p.path, ".json") + ".results" }

// Check reports why this program cannot carry the plan out, or merge it: it is another program, or inputs are not
// what they were.
func (p *Plan) Check() error {
	b, err := ThisBuild()
	if err != nil {
		return err
	}
	if !b.same(p.Build) {
		return fmt.Errorf("%s was planned by %v, this is %v; plan anew, or use that program", p.path, p.Build, b)
	}
	for _, in := range p.Inputs {
		sum, err := digest(filepath.FromSlash(in.Path))
		if err != nil {
			return fmt.Errorf("%s needs %w", p.path, err)
		}
		if sum != in.SHA256 {
			return fmt.Errorf("%s has changed since %s was made; plan anew", in.Path, p.path)
		}
	}
	return nil
}

// assign finds the pieces of the work that each shard has. Every piece must be in exactly one.
func (p *Plan) assign(pieces []Piece) ([][]int, error) {
	of, err := index(pieces)
	if err != nil {
		return nil, err
	}
	left := len(of)
	shards := make([][]int, len(p.Shards))
	owner := map[int]int{}
	for s, shard := range p.Shards {
		for _, name := range shard.Cases {
			i, ok := of[name]
			if !ok {
				return nil, fmt.Errorf("%s is a foreign plan: shard %d has %s, which arcsim %s does not", p.path, s+1, name, strings.Join(p.Command, " "))
			}
			if was, ok := owner[i]; ok && was != s {
				return nil, fmt.Errorf("%s: shards %d and %d both have a part of %s", p.path, was+1, s+1, name)
			}
			if _, ok := owner[i]; !ok {
				owner[i] = s
				shards[s] = append(shards[s], i)
			}
			left--
		}
		slices.Sort(shards[s])
	}
	if left != 0 {
		return nil, fmt.Errorf("%s is a foreign plan: it has %d cases of %d", p.path, len(of)-left, len(of))
	}
	return shards, nil
}

// Shard returns one shard by its number, which counts from 1.
func (p *Plan) Shard(n int) (*Shard, error) {
	if n < 1 || n > len(p.Shards) {
		return nil, fmt.Errorf("there is no shard %d, %s has 1 to %d", n, p.path, len(p.Shards))
	}
	return &p.Shards[n-1], nil
}
