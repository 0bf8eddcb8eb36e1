package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"arcv2dsp/internal/term/hostfile"
)

// shardResult is the file of a shard that is done, described in docs/formats.md.
type shardResult struct {
	Schema  int               `json:"schema"`
	Plan    string            `json:"plan"` // SHA-256 of the plan's file
	Shard   int               `json:"shard"`
	Build   Build             `json:"build"`
	Seconds float64           `json:"seconds"` // on the host
	Results []json.RawMessage `json:"results"` // of the pieces, in order
}

const resultSchema = 1

// file is where something about a shard lies.
func (p *Plan) file(shard int, ending string) string {
	return filepath.Join(p.Dir(), fmt.Sprintf("shard-%d.%s", shard, ending))
}

// Endings of the files of a shard: its results, why it failed, what it printed.
const (
	endResult = "json"
	endFailed = "failed"
	endLog    = "log"
)

// write writes the results of a shard, completely or not at all.
func (p *Plan) write(r *shardResult) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return hostfile.Write(p.file(r.Shard, endResult), append(text, '\n'))
}

// fail notes why a shard has no results.
func (p *Plan) fail(shard int, why error) error {
	return hostfile.Write(p.file(shard, endFailed), []byte(why.Error()+"\n"))
}

// read reads the results of a shard. The error is fs.ErrNotExist when there are none.
func (p *Plan) read(shard, pieces int) (*shardResult, error) {
	path := p.file(shard, endResult)
	data, err := hostfile.Read(path, maxFile)
	if err != nil {
		return nil, err
	}
	var r shardResult
	if err := strict(data, &r); err != nil {
		return nil, fmt.Errorf("%s is no result of a shard: %w", path, err)
	}
	switch {
	case r.Schema != resultSchema:
		err = fmt.Errorf("%s has schema %d, this version reads %d", path, r.Schema, resultSchema)
	case r.Plan != p.id:
		err = fmt.Errorf("%s is of another plan (%.12s, %s is %.12s)", path, r.Plan, p.path, p.id)
	case !r.Build.same(p.Build):
		err = fmt.Errorf("%s was computed by %v, %s is of %v", path, r.Build, p.path, p.Build)
	case r.Shard != shard:
		err = fmt.Errorf("%s has the results of shard %d", path, r.Shard)
	case len(r.Results) != pieces:
		err = fmt.Errorf("%s has %d results, the shard has %d pieces", path, len(r.Results), pieces)
	}
	return &r, err
}

// Missing is a shard without results.
type Missing struct {
	Shard int
	Why   string
}

func (m Missing) String() string { return fmt.Sprintf("shard %d %s", m.Shard, m.Why) }

// why is the reason, as far as it is known, that a shard has no results.
func (p *Plan) why(shard int) string {
	if text, err := hostfile.Read(p.file(shard, endFailed), maxFile); err == nil {
		return "failed: " + strings.TrimSpace(string(text))
	}
	if _, err := os.Stat(p.file(shard, endLog)); err == nil {
		return "has no results: it runs, or was killed; " + p.file(shard, endLog) + " is what it printed"
	}
	return "has no results: it has not run"
}

// Merged is the results of all shards.
type Merged struct {
	Pieces  []json.RawMessage // by piece of the work; nil for those of missing shards
	Missing []Missing
	Elapsed time.Duration // of all shards together
}

// Merge reads the results of all shards. Results that are not of this plan and program are an error.
func (p *Plan) Merge(w Work) (*Merged, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	pieces := w.Pieces(Recorded())
	shards, err := p.assign(pieces)
	if err != nil {
		return nil, err
	}
	m := &Merged{Pieces: make([]json.RawMessage, len(pieces))}
	var errs []error
	for s, part := range shards {
		r, err := p.read(s+1, len(part))
		if errors.Is(err, fs.ErrNotExist) {
			m.Missing = append(m.Missing, Missing{Shard: s + 1, Why: p.why(s + 1)})
			continue
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for k, i := range part {
			m.Pieces[i] = r.Results[k]
		}
		m.Elapsed += time.Duration(r.Seconds * float64(time.Second))
	}
	return m, errors.Join(errs...)
}

// Open lists the shards that have no results yet. Results that are not of this plan are an error: nothing
// replaces them.
func (p *Plan) Open(w Work) ([]Missing, error) {
	m, err := p.Merge(w)
	if err != nil {
		return nil, err
	}
	return m.Missing, nil
}
