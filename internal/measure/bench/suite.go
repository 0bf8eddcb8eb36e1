package bench

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"arcv2dsp"
	"arcv2dsp/internal/term/spelling"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// Suite is a set of subjects that is measured together.
type Suite struct {
	Name     string
	About    string
	Subjects []string // as Select takes them
	Cores    []string
	Axes     []Axis // options that are varied, by name
	Shapes   []Shapes

	at place // of the subjects
}

// Shapes are the shapes of calls of a family instead of its kernels' own.
type Shapes struct {
	Family string
	Shapes []string

	at place
}

// place is where a key of a suite stands.
type place struct {
	file string
	line int
	key  string
}

func (p place) fail(err error) error {
	return &SuiteError{File: p.file, Line: p.line, Key: p.key, Msg: err.Error()}
}

// maxPoints bounds the combinations of one suite.
const maxPoints = 10_000

// maxValues bounds the values of one option, on each core.
const maxValues = 1000

// Axis is one option of a sweep with its values from cheap to dear in silicon.
type Axis struct {
	Name   string
	Values []string
}

// Axes that are no properties.
const (
	axisAGU  = "agu"
	axisWait = "wait"
)

// suiteFile is the layout of a file of suites.
type suiteFile struct {
	Suites map[string]struct {
		About    string              `toml:"about"`
		Subjects []string            `toml:"subjects"`
		Cores    []string            `toml:"cores"`
		Sweep    map[string][]any    `toml:"sweep"`
		Shapes   map[string][]string `toml:"shapes"`
	} `toml:"suites"`
}

// SuiteError is a mistake in a file of suites.
type SuiteError struct {
	File string
	Line int
	Key  string // "" for a mistake in the syntax
	Msg  string
}

func (e *SuiteError) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Key, e.Msg)
}

// ParseSuites reads suites. Every key must be known.
func ParseSuites(file, text string) ([]Suite, error) {
	var f suiteFile
	md, err := toml.Decode(text, &f)
	if err != nil {
		return nil, syntaxError(file, text, err)
	}
	fail := func(key toml.Key, format string, args ...any) error {
		return &SuiteError{File: file, Line: lineOf(text, key), Key: key.String(), Msg: fmt.Sprintf(format, args...)}
	}
	placeOf := func(key ...string) place {
		return place{file: file, line: lineOf(text, key), key: toml.Key(key).String()}
	}
	var errs []error
	for _, key := range md.Undecoded() {
		errs = append(errs, fail(key, "unknown key"))
	}
	if len(f.Suites) == 0 && len(errs) == 0 {
		errs = append(errs, &SuiteError{File: file, Line: 1, Msg: "no suites: tables [suites.NAME]"})
	}
	var all []Suite
	for _, name := range slices.Sorted(maps.Keys(f.Suites)) {
		in, at := f.Suites[name], toml.Key{"suites", name}
		s := Suite{Name: name, About: in.About, Subjects: in.Subjects, Cores: in.Cores,
			at: placeOf("suites", name, "subjects")}
		if len(s.Subjects) == 0 {
			errs = append(errs, fail(at, "no subjects"))
		}
		if len(s.Cores) == 0 {
			errs = append(errs, fail(at, "no cores"))
		}
		for _, c := range s.Cores {
			if !slices.Contains(coreNames(), c) {
				errs = append(errs, fail(append(at, "cores"), "unknown core %q, there is %s", c, strings.Join(coreNames(), ", ")))
			}
		}
		for _, axis := range slices.Sorted(maps.Keys(in.Sweep)) {
			a := Axis{Name: axis}
			for _, v := range in.Sweep[axis] {
				a.Values = append(a.Values, fmt.Sprint(v))
			}
			if err := a.check(s.Cores); err != nil {
				errs = append(errs, fail(append(at, "sweep", axis), "%v", err))
			}
			s.Axes = append(s.Axes, a)
		}
		for _, family := range slices.Sorted(maps.Keys(in.Shapes)) {
			shapes := Shapes{Family: family, Shapes: in.Shapes[family], at: placeOf("suites", name, "shapes", family)}
			if err := shapes.check(); err != nil {
				errs = append(errs, shapes.at.fail(err))
			}
			s.Shapes = append(s.Shapes, shapes)
		}
		if n := s.combinations(); n > maxPoints {
			errs = append(errs, fail(append(at, "sweep"), "more than %d combinations", maxPoints))
		}
		all = append(all, s)
	}
	return all, errors.Join(errs...)
}

// maxShapes bounds the shapes of one family.
const maxShapes = 1000

// check reports shapes that the family cannot have.
func (s Shapes) check() error {
	switch n := len(s.Shapes); {
	case n == 0:
		return errors.New("no shapes")
	case n > maxShapes:
		return fmt.Errorf("more than %d shapes", maxShapes)
	case !slices.Contains(mlikernels.ShapeOperators(), s.Family):
		return spelling.Unknown("family with shapes", s.Family, mlikernels.ShapeOperators())
	}
	for i, shape := range s.Shapes {
		if err := mlikernels.CheckShape(s.Family, shape); err != nil {
			return err
		}
		if slices.Contains(s.Shapes[:i], shape) {
			return fmt.Errorf("shape %q is there twice", shape)
		}
	}
	return nil
}

// Select returns the subjects of the suite. Kernels for whose family it has shapes are measured with
// these and no others.
func (s Suite) Select(all []Subject) ([]Subject, error) {
	list, err := Select(all, s.Subjects)
	if err != nil {
		return nil, s.at.fail(err)
	}
	for _, family := range s.Shapes {
		symbols := family.kernels(list)
		if len(symbols) == 0 {
			return nil, family.at.fail(errors.New("no kernel of this family is among the subjects"))
		}
		list = slices.DeleteFunc(slices.Clone(list), func(sub Subject) bool {
			return slices.Contains(symbols, sub.Symbol())
		})
		for _, symbol := range symbols {
			for _, shape := range family.Shapes {
				c, err := mlikernels.Find(symbol + "/" + shape)
				if err != nil {
					return nil, family.at.fail(err)
				}
				list = append(list, caseSubject(c))
			}
		}
	}
	return list, nil
}

// kernels are the symbols of the family among subjects.
func (s Shapes) kernels(list []Subject) []string {
	var symbols []string
	for _, sub := range list {
		k, err := mlikernels.Lookup(sub.Symbol())
		if sub.Kind == Kernel && err == nil && k.Operator == s.Family && k.Notation != nil && !slices.Contains(symbols, k.Name()) {
			symbols = append(symbols, k.Name())
		}
	}
	return symbols
}

// combinations is how many points a suite has, at least: counting ends beyond maxPoints.
func (s Suite) combinations() int {
	n := len(s.Cores)
	for _, a := range s.Axes {
		if n *= len(a.Values); n > maxPoints {
			break
		}
	}
	return n
}

// syntaxError gives an error of the TOML reader its place.
func syntaxError(file, text string, err error) error {
	var p toml.ParseError
	if errors.As(err, &p) {
		line := p.Position.Line
		if line == 0 { // not UTF-8: the reader has no place
			valid := strings.ToValidUTF8(text, "\n\n")
			line = 1 + strings.Count(text[:commonPrefix(text, valid)], "\n")
		}
		return &SuiteError{File: file, Line: line, Msg: p.Message}
	}
	// a value of the wrong type: the reader names the key, last in its path
	for _, word := range strings.FieldsFunc(err.Error(), func(r rune) bool { return strings.ContainsRune(`"'() `, r) }) {
		if strings.HasPrefix(word, "suites.") {
			key := toml.Key(strings.Split(strings.TrimSuffix(word, ":"), "."))
			return &SuiteError{File: file, Line: lineOf(text, key), Key: key.String(), Msg: err.Error()}
		}
	}
	return &SuiteError{File: file, Line: 1, Msg: err.Error()}
}

// commonPrefix is how many bytes two texts begin with alike.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// lineOf finds the line of a key: its own in the table it belongs to, else that of the table.
func lineOf(text string, key toml.Key) int {
	table, found := "", 1
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
			table = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(name), "]"))
			if table == key.String() {
				found = i + 1
			}
			continue
		}
		name, _, ok := strings.Cut(line, "=")
		full := strings.TrimSpace(name)
		if table != "" {
			full = table + "." + full
		}
		if ok && full == key.String() {
			return i + 1
		}
	}
	return found
}

func coreNames() []string {
	var names []string
	for _, c := range arcv2dsp.Cores() {
		names = append(names, c.Name)
	}
	return names
}

// check reports values that no core of the suite can have.
func (a Axis) check(cores []string) (err error) {
	defer steps.Return(&err)
	switch n := len(a.Values); {
	case n == 0:
		return errors.New("no values")
	case n*len(cores) > maxValues:
		return fmt.Errorf("more than %d values on all cores", maxValues)
	}
	for _, v := range a.Values {
		for _, core := range cores {
			p := Point{Core: core}
			steps.Check(p.set(a.Name, v))
			if !slices.Contains(coreNames(), core) {
				continue // reported already
			}
			m := steps.Must(arcv2dsp.New(arcv2dsp.Config{Core: core, Settings: p.settings()}))
			steps.Check(m.Close())
		}
	}
	return nil
}

// set gives the point the value of an axis.
func (p *Point) set(axis, value string) error {
	switch axis {
	case axisAGU:
		switch value {
		case "true":
		case "false":
			p.NoAGU = true
		default:
			return fmt.Errorf("%q is neither true nor false", value)
		}
	case axisWait:
		n := uint8(0)
		if _, err := fmt.Sscanf(value, "%d", &n); err != nil || fmt.Sprint(n) != value {
			return fmt.Errorf("%q is not a number of cycles from 0 to 255", value)
		}
		p.Wait = n
	default:
		p.Settings = append(slices.Clone(p.Settings), axis+"="+value)
	}
	return nil
}

// Points are all combinations of the values of the axes on every core.
func (s Suite) Points() ([]Point, error) {
	points := Points(s.Cores, nil)
	for _, a := range s.Axes {
		var more []Point
		for _, p := range points {
			for _, v := range a.Values {
				q := p
				if err := q.set(a.Name, v); err != nil {
					return nil, err
				}
				q.Label = strings.TrimSpace(q.Label + " " + a.Name + "=" + v)
				more = append(more, q)
			}
		}
		points = more
	}
	return points, nil
}
