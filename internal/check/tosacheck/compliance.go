package tosacheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"arcv2dsp/nn"
	files "arcv2dsp/nn/tosa"
)

// Verdict is the judgement of an implementation by a case.
type Verdict string

// The verdicts.
const (
	Pass          Verdict = "pass"
	Fail          Verdict = "fail"
	Unpredictable Verdict = "unpredictable"  // the case allows anything, and the implementation came back
	Unreadable    Verdict = "unreadable"     // the directory is damaged
	NotApplicable Verdict = "not applicable" // the graph has an operator or a type that nobody here computes
)

// Record is one case of a compliance report.
type Record struct {
	Name     string        `json:"name"`
	Revision string        `json:"revision,omitempty"`
	Expect   string        `json:"expect"`
	Outcome  string        `json:"outcome"`
	Verdict  Verdict       `json:"verdict"`
	Detail   string        `json:"detail,omitempty"`
	Uses     []Use         `json:"uses,omitempty"`
	Time     time.Duration `json:"-"`
}

// Use is an operator with element types, and the part of TOSA they belong to.
type Use struct {
	Operator string `json:"operator"`
	Types    string `json:"types"`
	Profile  string `json:"profile"`

	combination string // of types, as the operator states it; empty for one that it does not have
}

// Options say how cases are run.
type Options struct {
	Target   files.Target
	Tags     bool        // levels in tags of directories count before the target's
	Executor nn.Executor // what computes; the golden functions when nil
	Timeout  time.Duration
}

// Check runs one test directory.
func Check(ctx context.Context, dir string, o Options) Record {
	start := time.Now()
	r := Record{Name: filepath.Base(dir)}
	test, err := files.ReadTest(dir)
	var c *Case
	if err == nil {
		c, err = FromTest(test, o.Target, o.Tags)
	}
	if err != nil {
		r.Verdict, r.Detail = Unreadable, err.Error()
		return r
	}
	r.Revision, r.Uses = test.File.Revision.Name, Uses(c)
	r.judge(ctx, c, o)
	r.Time = time.Since(start)
	return r
}

// CheckCase runs one case; it brings its target.
func CheckCase(ctx context.Context, c *Case, o Options) Record {
	start := time.Now()
	r := Record{Name: c.Name, Uses: Uses(c)}
	r.judge(ctx, c, o)
	r.Time = time.Since(start)
	return r
}

// judge runs a case and notes what came of it.
func (r *Record) judge(ctx context.Context, c *Case, o Options) {
	exec := cmp.Or[nn.Executor](o.Executor, nn.GoldenExecutor{})
	if o.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, o.Timeout)
		defer stop()
	}
	result := c.Run(ctx, exec)
	r.Expect, r.Outcome = c.Expect.String(), result.Outcome.String()
	if result.Err != nil {
		r.Detail = result.Err.Error()
	}
	err := c.Judge(result)
	switch {
	case c.InputFault != nil && errors.Is(result.Err, c.InputFault):
		r.Verdict, r.Detail = Unreadable, c.InputFault.Error()
	case errors.Is(result.Err, context.DeadlineExceeded) || errors.Is(result.Err, context.Canceled):
		r.Verdict = Fail
	case c.Expect != nn.Error && errors.As(result.Err, new(*files.OutsideProfile)):
		r.Verdict = NotApplicable
		var outside *files.OutsideProfile
		if errors.As(result.Err, &outside) {
			r.Uses = append(r.Uses, Use{Operator: outside.What, Profile: string(NotApplicable)})
		}
	case err != nil:
		r.Verdict, r.Detail = Fail, err.Error()
	case c.Expect == nn.Unpredictable:
		r.Verdict = Unpredictable
	default:
		r.Verdict = Pass
		if c.Expect == nn.Valid && c.Want == nil {
			r.Detail = "the directory has no expected results, only the outcome was judged"
		}
	}
}

// Uses lists the operators of a case with their types, each once.
func Uses(c *Case) []Use {
	set := map[Use]bool{}
	if c.Graph != nil {
		uses(c.Graph, set)
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Types, b.Types))
	})
}

func uses(g *nn.Graph, set map[Use]bool) {
	for i := range g.Values {
		if v := &g.Values[i]; v.Constant() {
			set[constantUse(v.Tensor.Type)] = true
		}
	}
	for i := range g.Nodes {
		c := g.Call(&g.Nodes[i])
		var types []string
		for _, list := range [][]*nn.Tensor{c.In, c.Out} {
			if len(list) > len(c.Op.Inputs)+1 { // of a list of tensors the first ones tell
				list = list[:len(c.Op.Inputs)+1]
			}
			for _, t := range list {
				if t != nil {
					types = append(types, t.Type.String())
				}
			}
		}
		profile := partsOf(c)
		combination := ""
		if s, ok := files.Lookup(c.Op.Name); ok {
			combination = combinationOf(s, func(set files.TypeSet) bool { return c.Has(set.Types) })
		}
		set[Use{Operator: c.Op.Name, Types: strings.Join(types, ","), Profile: strings.Join(profile, "+"), combination: combination}] = true
		for _, name := range slices.Sorted(maps.Keys(c.Attrs)) {
			if inner := c.Attrs.Graph(name); inner != nil {
				uses(inner, set)
			}
		}
	}
}

// constantUse is the use of a constant, which a graph has as a value.
func constantUse(t nn.Type) Use {
	s, _ := files.Lookup("CONST")
	x := []*nn.Tensor{{Type: t}}
	c := &nn.Call{Op: &s.Operator, In: x, Out: x}
	types := nn.Signature{t, t}.String()
	return Use{Operator: s.Name, Types: types, Profile: strings.Join(partsOf(c), "+"),
		combination: combinationOf(s, func(set files.TypeSet) bool { return c.Has(set.Types) })}
}

// partsOf are the profile and the extensions that a call needs.
func partsOf(c *nn.Call) []string {
	profile := files.Integer
	for _, t := range slices.Concat(c.In, c.Out) {
		if t != nil && t.Type.Float() {
			profile = files.Floating
		}
	}
	parts := []string{string(profile)}
	for _, e := range files.Needed(c) {
		parts = append(parts, string(e))
	}
	return parts
}

// Row is a line of the compliance table: an operator with types, and how its cases went.
type Row struct {
	Use
	Pass, Fail, Unpredictable int
}

// Table counts records by operator and types. Cases whose graph cannot be built count in no row.
func Table(records []Record) []Row {
	rows := map[Use]*Row{}
	for _, r := range records {
		for _, u := range r.Uses {
			if rows[u] == nil {
				rows[u] = &Row{Use: u}
			}
			switch r.Verdict {
			case Pass:
				rows[u].Pass++
			case Fail:
				rows[u].Fail++
			case Unpredictable:
				rows[u].Unpredictable++
			}
		}
	}
	var list []Row
	for _, u := range slices.SortedFunc(maps.Keys(rows), func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Types, b.Types))
	}) {
		list = append(list, *rows[u])
	}
	return list
}

// Summary counts verdicts.
type Summary struct {
	Cases         int `json:"cases"`
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Unpredictable int `json:"unpredictable"`
	Unreadable    int `json:"unreadable"`
	NotApplicable int `json:"not_applicable"`
}

// Summarize counts the verdicts of records.
func Summarize(records []Record) Summary {
	s := Summary{Cases: len(records)}
	for _, r := range records {
		*map[Verdict]*int{Pass: &s.Pass, Fail: &s.Fail, Unpredictable: &s.Unpredictable, Unreadable: &s.Unreadable, NotApplicable: &s.NotApplicable}[r.Verdict]++
	}
	return s
}

// Good reports whether nothing failed and everything could be read.
func (s Summary) Good() bool { return s.Fail == 0 && s.Unreadable == 0 }

func (s Summary) String() string {
	text := fmt.Sprintf("%d cases, %d pass, %d unpredictable, %d fail, %d unreadable", s.Cases, s.Pass, s.Unpredictable, s.Fail, s.Unreadable)
	if s.NotApplicable > 0 {
		text += fmt.Sprintf(", %d not applicable", s.NotApplicable)
	}
	return text
}
