package regress

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/term/hostfile"
)

// State remembers which cases failed last, for a run of only those.
type State struct {
	Schema  int      `json:"schema"`
	Seed    uint64   `json:"seed"`
	Failed  []string `json:"failed"`            // names of cases
	Vectors []string `json:"vectors,omitempty"` // files they are in, none for the grid
}

const stateSchema = 1

// StatePath is the file of the state in the user's cache directory.
func StatePath() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "arcsim", "regress.json"), nil
}

// maxInput bounds the files that a run reads at once.
const maxInput = 1 << 30

// ReadState reads a state. A state that was never written is empty.
func ReadState(path string) (State, error) {
	text, err := hostfile.Read(path, maxInput)
	if errors.Is(err, fs.ErrNotExist) {
		return State{Schema: stateSchema}, nil
	}
	if err != nil {
		return State{}, err
	}
	var st State
	if err := json.Unmarshal(text, &st); err != nil {
		return State{}, fmt.Errorf("%s: %w", path, err)
	}
	if st.Schema != stateSchema {
		return State{}, fmt.Errorf("%s: schema %d is not %d, delete the file", path, st.Schema, stateSchema)
	}
	return st, nil
}

// After is the state that the results leave: cases that failed now, and those that failed before and did not run again.
func (s *Suite) After(before State, results []Result) State {
	st := State{Schema: stateSchema, Seed: s.Seed, Failed: []string{}, Vectors: s.Vectors}
	ran := map[string]bool{}
	for i := range results {
		ran[results[i].Name] = !results[i].NotRun
		if results[i].Failure != nil {
			st.Failed = append(st.Failed, results[i].Name)
		}
	}
	if before.Seed == s.Seed && slices.Equal(before.Vectors, s.Vectors) {
		for _, name := range before.Failed {
			if !ran[name] {
				st.Failed = append(st.Failed, name)
			}
		}
	}
	return st
}

// Write writes the state.
func (st State) Write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	text, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return err
	}
	return hostfile.Write(path, append(text, '\n'))
}
