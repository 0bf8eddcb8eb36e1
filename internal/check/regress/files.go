package regress

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"arcv2dsp/internal/check/numbers"
	"arcv2dsp/internal/term/hostfile"
)

// vectorFile is a file of recorded cases, one JSON object per line.
type vectorFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// stem is the name of the file without folder and endings.
func (p place) stem() string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p.file), ".gz"), ".jsonl")
}

// format is a kind of recorded cases.
type format struct {
	name string
	keys []string // every line has them, and no line of another format has them all
	// function says that a call names the function to call, so that it may be one of a foreign library.
	function bool
	// records reads the calls of a line; nil where a line is a graph.
	records func(at place, text []byte) ([]*Record, error)
	plan    func(s *Suite, at place, text []byte) error
	refused string // why nothing here checks such records
}

// formats lists the kinds of lines. A line is of the first format whose keys it has. It is a function, as plans read lines.
func formats() []format {
	return []format{
		{name: "calls with more than one result", keys: []string{"lib", "kernel", "why"}, refused: "the results of builds that differ are recorded, not one that is right"},
		{name: "calls", keys: []string{"lib", "kernel"}, function: true, records: readCall, plan: planEach(readCall)},
		{name: "user tests of MLI 2.0", keys: []string{"group", "tensor_names"}, records: readUser, plan: planEach(readUser)},
		{name: "TOSA", keys: []string{"level", "expect"}, plan: (*Suite).planTOSA},
		{name: "gemmlowp", keys: []string{"lhs_stride"}, records: readProduct, plan: (*Suite).planGemm},
		{name: "gemmlowp's eight-bit entries", keys: []string{"transpose_c"}, records: readProduct, plan: (*Suite).planGemm},
		{name: "TensorFlow Lite for Microcontrollers", keys: []string{"op", "rounding"}, records: readTFLM, plan: (*Suite).planTFLM},
	}
}

// formatOf tells which format a line has.
func formatOf(text []byte) (*format, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, err
	}
	for _, f := range formats() {
		if !slices.ContainsFunc(f.keys, func(key string) bool { return keys[key] == nil }) {
			return &f, nil
		}
	}
	if f := numbers.FormatOf(keys); f != nil {
		return &format{name: f.Name, keys: f.Keys, plan: planNumbers}, nil
	}
	return nil, errNoFormat
}

// planNumbers plans a record of numbers: no kernel and no core has a part in it.
func planNumbers(s *Suite, at place, text []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	f := numbers.FormatOf(keys)
	if f == nil {
		return errNoFormat
	}
	record := slices.Clone(text)
	s.add(unit{cases: []Case{{Name: at.String(), Group: f.Name, Recorded: true}},
		run: func(_ *worker, _ *control, cases []Case) []Result {
			if err := f.Check(record); err != nil {
				return failAll(cases, Failure{Kind: KindGolden, Message: fmt.Sprintf("%s: %v", at, err)})
			}
			return []Result{{Case: cases[0]}}
		}})
	return nil
}

// errNoFormat says that a line is a record, but of something that nothing here checks.
var errNoFormat = errors.New("the line has the keys of no format of records")

// errNoCall says that a line of a file of calls is numbers, such as a table.
var errNoCall = errors.New("the line is no call of an operator")

// planPaths plans files, and folders with all that is in them.
func (s *Suite) planPaths(paths []string) error {
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			s.planFile(osFile(p), true)
			continue
		}
		// The slash at the end makes the walk follow a link to a folder.
		err = filepath.WalkDir(p+"/", func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				s.addBroken(name, name, err)
			case e.IsDir() && s.Library == nil && s.planManifest(name):
				return filepath.SkipDir
			case e.IsDir() && isTOSADirectory(name):
				s.refuse(name, "a test directory of TOSA: arcsim model check runs it")
				return filepath.SkipDir
			case e.Type().IsRegular():
				s.planFile(osFile(name), false)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(s.units) == 0 && s.Match == nil && s.Only == nil {
		return fmt.Errorf("there are no recorded calls in %s", strings.Join(paths, " "))
	}
	return nil
}

// osFile is a file of the host.
func osFile(name string) vectorFile {
	return vectorFile{name: name, open: func() (io.ReadCloser, error) { return hostfile.Open(name, maxVectors) }}
}

const (
	maxVectors = 1 << 40   // bytes of a file, of which a line at a time is kept
	maxLine    = 256 << 20 // bytes of a line, so that a file of another kind does not fill memory
	undecided  = 10        // lines without a format that end the reading of a file
)

// isTOSADirectory reports whether a folder has the description of a test of TOSA.
func isTOSADirectory(name string) bool {
	_, err := os.Stat(filepath.Join(name, "desc.json"))
	return err == nil
}

// withoutRecords are the endings of files that hold no expected results: documents, descriptions and networks.
var withoutRecords = []string{".md", ".txt", ".tflite", ".tosa", ".mlir", ".tcf", "LICENSE", "NOTICE"}

// refuse names a file, or a folder, whose records nothing here checks. The run is not complete then.
func (s *Suite) refuse(name, why string) {
	s.LeftOut = append(s.LeftOut, LeftOut{File: name, Why: why, Refused: true})
}

// planFile plans the lines of a file. A line that is unusable is a case that fails. A file without a line of
// any format fails when the user named it. In a folder it is left out, or refused where its ending may mean records.
func (s *Suite) planFile(f vectorFile, named bool) {
	file, err := f.open()
	if err != nil {
		s.addBroken(f.name, f.name, err)
		return
	}
	defer func() { _ = file.Close() }() // only read
	text, err := unpack(file)
	if err != nil {
		s.addBroken(f.name, f.name, err)
		return
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	var kind *format
	var strange []lineError // before the format was known
	at := place{file: f.name}
	broken := func(at place, err error) { s.addBroken(at.String(), at.file, err) }
	for lines.Scan() && len(strange) < undecided {
		at.line++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		if kind == nil {
			if kind, err = formatOf(line); err != nil {
				strange = append(strange, lineError{at, err})
				continue
			}
			if kind.refused != "" {
				s.refuse(f.name, kind.refused)
				return
			}
			if s.Library != nil && !kind.function {
				s.LeftOut = append(s.LeftOut, LeftOut{File: f.name, Why: "calls of " + kind.name + " name no function of a library"})
				return
			}
		}
		err := kind.plan(s, at, line)
		if errors.Is(err, errNoCall) {
			err = planNumbers(s, at, line)
		}
		if err != nil {
			broken(at, err)
		}
	}
	if kind == nil && len(strange) > 0 && !named {
		switch {
		case errors.Is(strange[0].err, errNoFormat):
			s.refuse(f.name, strange[0].err.Error())
		case slices.ContainsFunc(withoutRecords, func(end string) bool { return strings.HasSuffix(f.name, end) }):
			s.LeftOut = append(s.LeftOut, LeftOut{File: f.name, Why: "no records"})
		default:
			s.refuse(f.name, "neither calls nor numbers are in it")
		}
		return
	}
	for _, l := range strange {
		broken(l.at, l.err)
	}
	if err := lines.Err(); err != nil {
		broken(place{at.file, at.line + 1}, err)
	}
}

// lineError describes a mistake in a line.
type lineError struct {
	at  place
	err error
}

// unpack reads a file that may be compressed; its first bytes tell.
func unpack(file io.Reader) (io.Reader, error) {
	r := bufio.NewReader(file)
	if magic, err := r.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return r, nil // a file of one byte has no compressed contents either
	}
	return gzip.NewReader(r)
}

// addBroken plans a case that can only fail: a line or a file that is unusable.
func (s *Suite) addBroken(name, group string, err error) {
	s.add(unit{cases: []Case{{Name: name, Group: path.Base(group), Recorded: true}},
		run: func(_ *worker, _ *control, cases []Case) []Result {
			return failAll(cases, Failure{Kind: KindInput, Message: fmt.Sprintf("%s: %v", name, err)})
		}})
}
