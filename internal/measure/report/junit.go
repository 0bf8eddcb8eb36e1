package report

import (
	"fmt"
	"io"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"
)

// Test is one case of a JUnit file.
type Test struct {
	Suite   string
	Name    string
	Time    time.Duration
	Failure string // what is wrong, empty when nothing is
	Detail  string // more about it
	Skipped string // why it did not run
}

// JUnit writes tests as a JUnit file, a suite for every name in the order of first appearance.
func JUnit(w io.Writer, name string, properties [][2]string, tests []Test) error {
	var order []string
	suites := map[string]*junit.Testsuite{}
	times := map[string]time.Duration{}
	for _, t := range tests {
		s := suites[t.Suite]
		if s == nil {
			s = &junit.Testsuite{Name: t.Suite, ID: len(order)}
			for _, p := range properties {
				s.AddProperty(p[0], p[1])
			}
			suites[t.Suite] = s
			order = append(order, t.Suite)
		}
		times[t.Suite] += t.Time
		c := junit.Testcase{Name: t.Name, Classname: t.Suite, Time: seconds(t.Time)}
		switch {
		case t.Failure != "":
			c.Failure = &junit.Result{Message: t.Failure, Data: t.Detail}
		case t.Skipped != "":
			c.Skipped = &junit.Result{Message: t.Skipped}
		}
		s.AddTestcase(c)
	}
	all := junit.Testsuites{Name: name}
	var total time.Duration
	for _, n := range order {
		suites[n].Time = seconds(times[n])
		total += times[n]
		all.AddSuite(*suites[n])
	}
	all.Time = seconds(total)
	return all.WriteXML(w)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
