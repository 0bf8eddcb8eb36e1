package model

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"arcv2dsp/internal/term/hostfile"
)

// Manifest lists networks with recorded cases: a manifest.json beside .tflite files and archives.
type Manifest struct {
	dir    string
	Models []Recorded `json:"models"`
}

// Recorded is a network of a manifest. Paths are relative to the manifest.
type Recorded struct {
	Name    string         `json:"model"`
	File    string         `json:"file"`
	Archive string         `json:"npz"`
	Prefix  string         `json:"prefix"`
	MACs    int64          `json:"macs"`
	Weights int            `json:"weight_bytes"`
	Peak    int            `json:"peak_activation_bytes"`
	State   int            `json:"variable_bytes"`
	Cases   []RecordedCase `json:"cases"`
	Hidden  []Undefined    `json:"undefined"`
}

// RecordedCase is one case of a network.
type RecordedCase struct {
	Index int    `json:"case"`
	Label string `json:"label"`
	Steps int    `json:"steps"`
}

// maxManifest bounds a manifest.
const maxManifest = 16 << 20

// ManifestFile is the name of a manifest in its folder.
const ManifestFile = "manifest.json"

// ReadManifest reads DIR/manifest.json.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, ManifestFile)
	data, err := hostfile.Read(path, maxManifest)
	if err != nil {
		return nil, err
	}
	m := &Manifest{dir: dir}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Path is a file of the manifest.
func (m *Manifest) Path(file string) string { return filepath.Join(m.dir, file) }

// Open opens a case of a network.
func (m *Manifest) Open(r Recorded, c RecordedCase) (*Case, func() error, error) {
	opened, done, err := OpenCase(fmt.Sprintf("%s/%scase_%d", m.Path(r.Archive), r.Prefix, c.Index), c.Steps)
	if err != nil {
		return nil, nil, err
	}
	opened.Name, opened.Undefined = r.Name+" "+c.Label, r.Hidden
	return opened, done, nil
}
