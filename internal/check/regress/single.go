package regress

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
)

// Text prints a single call for people.
func (s *Single) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s on %s, rounding %v\n\n", s.Symbol, s.Core, s.Job.Rounding)
	if r := s.Report; r != nil {
		fmt.Fprintf(b, "%14s  cycles%s\n", report.Thousands(r.Cycles), s.perWork())
		fmt.Fprintf(b, "%14s  instructions\n", report.Thousands(r.Insts))
		reasons := slices.SortedFunc(maps.Keys(r.Stalls), func(a, b string) int {
			return cmp.Or(cmp.Compare(r.Stalls[b], r.Stalls[a]), cmp.Compare(a, b))
		})
		for _, name := range reasons {
			fmt.Fprintf(b, "%14s  lost: %s\n", report.Thousands(r.Stalls[name]), name)
		}
		fmt.Fprintf(b, "\nstatus %s\n", r.Status)
	}
	if s.Model != nil {
		fmt.Fprintf(b, "the golden model differs from the record: %s\n", s.Model.Message)
	}
	if s.Failure == nil {
		what := "outputs equal the expected ones"
		switch {
		case s.Status != 0:
			what = "refused as expected"
		case !s.Compared:
			what = "there is nothing to compare the outputs with: neither outputs in the case nor --like KERNEL"
		}
		fmt.Fprintf(b, "%s, %s\n", report.Paint(w, report.Green, "PASSED"), what)
		return b.Flush()
	}
	fmt.Fprintf(b, "%s, %s\n", report.Paint(w, report.Red, "FAILED"), s.Failure.Message)
	if m := s.Failure.Mismatch; m != nil {
		fmt.Fprint(b, m.Neighbourhood)
	}
	return b.Flush()
}

// perWork is the cost of one unit of work.
func (s *Single) perWork() string {
	if s.Work == 0 {
		return ""
	}
	return fmt.Sprintf(", %.3f per %s", float64(s.Report.Cycles)/float64(s.Work), s.Kernel.Unit)
}

// Listing prints all files that have costs, each line with its own. Files that a tree of sources lacks are those of the library; the
// tree may be nil.
func (s *Single) Listing(w io.Writer, tree fs.FS) error {
	ours := s.Kernel.Of.Files()
	if tree == nil {
		tree = ours
	}
	costs := map[string]map[int]Line{}
	for _, l := range s.Lines {
		file := path.Clean(l.File)
		if costs[file] == nil {
			costs[file] = map[int]Line{}
		}
		costs[file][l.Line] = l
	}
	b := bufio.NewWriter(w)
	for _, file := range slices.Sorted(maps.Keys(costs)) {
		text, err := fs.ReadFile(tree, file)
		if errors.Is(err, fs.ErrNotExist) {
			text, err = fs.ReadFile(ours, file)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s\n%12s %12s  %-13s line\n", file, "cycles", "instructions", "lost for")
		for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			cycles, insts := "", ""
			l, ran := costs[file][i+1]
			if ran {
				cycles, insts = report.Thousands(l.Cycles), report.Thousands(l.Insts)
			}
			fmt.Fprintf(b, "%12s %12s  %-13s %4d  %s\n", cycles, insts, l.Reason, i+1, line)
		}
	}
	return b.Flush()
}

// singleJSON is the layout of kernels run --json, described in docs/formats.md.
type singleJSON struct {
	Schema       int                   `json:"schema"`
	Kernel       string                `json:"kernel"`
	Symbol       string                `json:"symbol"`
	Core         string                `json:"core"`
	Round        string                `json:"round"`
	Passed       bool                  `json:"passed"`
	Compared     bool                  `json:"compared"`
	Failure      string                `json:"failure,omitempty"`
	ModelDiffers string                `json:"model_differs,omitempty"`
	Status       string                `json:"status,omitempty"`
	Cycles       uint64                `json:"cycles"`
	Instructions uint64                `json:"instructions"`
	Stalls       map[string]uint64     `json:"stalls"`
	Work         uint64                `json:"work"`
	Outputs      map[string]outputJSON `json:"outputs"`
	Lines        []lineJSON            `json:"lines,omitempty"`
}

// outputJSON is a result with the expected one beside it, which is left out where there is none.
type outputJSON struct {
	Shape    []int   `json:"shape"`
	Frac     int     `json:"frac"`
	Data     []int64 `json:"data"`
	Expected []int64 `json:"expected,omitempty"`
}

type lineJSON struct {
	File         string `json:"file"`
	Line         int    `json:"line"`
	Cycles       uint64 `json:"cycles"`
	Instructions uint64 `json:"instructions"`
	Lost         string `json:"lost,omitempty"` // what most of the lost cycles were lost for
}

// JSON writes a single call for other programs.
func (s *Single) JSON(w io.Writer) error {
	j := singleJSON{Schema: 1, Kernel: s.Kernel.Name(), Symbol: s.Symbol, Core: s.Core, Round: s.Job.Rounding.String(),
		Passed: s.Failure == nil, Compared: s.Compared, Work: s.Work, Stalls: map[string]uint64{}, Outputs: map[string]outputJSON{}}
	if s.Failure != nil {
		j.Failure = s.Failure.Message
	}
	if s.Model != nil {
		j.ModelDiffers = s.Model.Message
	}
	if r := s.Report; r != nil {
		j.Status, j.Cycles, j.Instructions, j.Stalls = r.Status, r.Cycles, r.Insts, r.Stalls
		for role, t := range r.Results {
			if t == nil { // the call left nothing that can be read
				continue
			}
			out := outputJSON{Shape: t.Shape, Frac: t.Format.Frac, Data: t.Ints}
			if want := s.Job.Want[role]; s.Compared && want != nil {
				out.Expected = want.Ints
			}
			j.Outputs[role] = out
		}
	}
	for _, l := range s.Lines {
		j.Lines = append(j.Lines, lineJSON{File: l.File, Line: l.Line, Cycles: l.Cycles, Instructions: l.Insts, Lost: l.Reason})
	}
	return report.JSON(w, j)
}
