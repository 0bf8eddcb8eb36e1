package bench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Baseline is recorded results. Its files are in any format that a bench is printed in; those that UpdateBaseline writes are
// in Go benchmark format, as WriteGo writes it, so that benchstat compares them too.
type Baseline struct {
	Path    string
	results map[string]Recorded // by key
}

// Recorded is one result of a baseline.
type Recorded struct {
	Core, Options, Name string
	Cycles              uint64
}

// key identifies a result among those of all cores.
func key(core, options, name string) string { return core + "\x00" + options + "\x00" + name }

// ReadBaseline reads a baseline: a file, or a folder with a file CORE.txt for each core.
func ReadBaseline(path string, cores []string) (*Baseline, error) {
	b := &Baseline{Path: path, results: map[string]Recorded{}}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return b, b.read(path, cores)
	}
	for _, core := range cores {
		if err := b.read(filepath.Join(path, core+".txt"), []string{core}); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// maxBaseline bounds a file of results.
const maxBaseline = 64 << 20

// read adds the results of one file, which must have some of one of the cores.
func (b *Baseline) read(path string, cores []string) error {
	data, err := hostfile.Read(path, maxBaseline)
	if err != nil {
		return err
	}
	records, err := readRecorded(path, data)
	if err != nil {
		return err
	}
	var other []string
	found := false
	for _, r := range records {
		b.results[key(r.Core, r.Options, r.Name)] = r
		if slices.Contains(cores, r.Core) {
			found = true
		} else if !slices.Contains(other, r.Core) {
			other = append(other, r.Core)
		}
	}
	switch {
	case len(records) == 0:
		return fmt.Errorf("%s: holds no results", path)
	case !found:
		return fmt.Errorf("%s: a baseline of core %s, measured was %s", path, strings.Join(other, ", "), strings.Join(cores, ", "))
	}
	return nil
}

// readGo reads results in Go benchmark format.
func readGo(path string, data []byte) ([]Recorded, error) {
	var all []Recorded
	reader := benchfmt.NewReader(bytes.NewReader(data), path)
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			_, line := rec.Pos()
			cycles, ok := rec.Value("cycles")
			if !ok || cycles < 0 || cycles != float64(uint64(cycles)) {
				return nil, fmt.Errorf("%s:%d: no cycles", path, line)
			}
			switch format := rec.GetConfig("format"); format {
			case goFormat:
			case "":
				return nil, fmt.Errorf("%s:%d: not written by arcsim bench: no line format: %s", path, line, goFormat)
			default:
				return nil, fmt.Errorf("%s:%d: format %s, this version reads %s", path, line, format, goFormat)
			}
			all = append(all, Recorded{Core: rec.GetConfig("core"), Options: rec.GetConfig("options"),
				Name: string(rec.Name), Cycles: uint64(cycles)})
		}
	}
	return all, reader.Err()
}

// Change is a result beside its baseline.
type Change struct {
	Result
	Before    uint64  `json:"before"` // 0 when the baseline does not have it
	Percent   float64 `json:"percent"`
	Regressed bool    `json:"regressed"`
}

// Compare puts the results beside the baseline. Those slower by more than the given percentage have
// regressed, and so have those that failed.
func (b *Baseline) Compare(results []Result, maxPercent float64) []Change {
	var all []Change
	for _, r := range results {
		if r.Skipped != "" {
			continue
		}
		c := Change{Result: r, Regressed: r.Failure != ""}
		if was, ok := b.results[key(r.Core, r.Options, goName(r))]; ok && r.Failure == "" && was.Cycles != 0 {
			c.Before = was.Cycles
			c.Percent = 100 * (float64(r.Cycles) - float64(was.Cycles)) / float64(was.Cycles)
			c.Regressed = c.Percent > maxPercent
		}
		all = append(all, c)
	}
	return all
}

// UpdateBaseline writes results into a baseline: those of the same core and name are replaced, others
// kept. With a path that is a folder each core has its file in it. A file is replaced as a whole or
// stays what it was.
func UpdateBaseline(path string, results []Result) error {
	for _, r := range Failed(results) {
		return fmt.Errorf("%s on %s failed, no baseline is written: %s", r.Name, r.Core, r.Failure)
	}
	results = Counted(results)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return updateFile(path, results)
	}
	byCore := map[string][]Result{}
	var cores []string
	for _, r := range results {
		if byCore[r.Core] == nil {
			cores = append(cores, r.Core)
		}
		byCore[r.Core] = append(byCore[r.Core], r)
	}
	for _, core := range cores {
		if err := updateFile(filepath.Join(path, core+".txt"), byCore[core]); err != nil {
			return err
		}
	}
	return nil
}

func updateFile(path string, results []Result) (err error) {
	defer steps.Return(&err)
	lines := steps.Must(goLines(results))
	old, err := hostfile.Read(path, maxBaseline)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	default:
		if in, err := readGo(path, old); err != nil || len(in) == 0 {
			return cmp.Or(err, fmt.Errorf("%s: not in Go benchmark format, which is all that can be updated", path))
		}
		kept := steps.Must(keptLines(path, old, results))
		lines = append(lines, kept...)
	}
	slices.SortStableFunc(lines, func(a, b *benchfmt.Result) int {
		return strings.Compare(key(a.GetConfig("core"), a.GetConfig("options"), string(a.Name)),
			key(b.GetConfig("core"), b.GetConfig("options"), string(b.Name)))
	})
	var text bytes.Buffer
	steps.Check(writeLines(&text, lines))
	return hostfile.Write(path, text.Bytes())
}

// keptLines are those of an old baseline that the results do not replace.
func keptLines(path string, old []byte, results []Result) ([]*benchfmt.Result, error) {
	replaced := map[string]bool{}
	for _, r := range results {
		replaced[key(r.Core, r.Options, goName(r))] = true
	}
	var kept []*benchfmt.Result
	reader := benchfmt.NewReader(bytes.NewReader(old), path)
	for reader.Scan() {
		if rec, ok := reader.Result().(*benchfmt.Result); ok &&
			!replaced[key(rec.GetConfig("core"), rec.GetConfig("options"), string(rec.Name))] {
			kept = append(kept, rec.Clone())
		}
	}
	return kept, reader.Err()
}
