package model

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
	"arcv2dsp/nn/tflite"
)

// operatorsText has the rows of the list, as MeasureOperators finds them. A test compares.
//
//go:embed operators.tsv
var operatorsText string

// OperatorRow says where an operator of TensorFlow Lite is computed, and by how many cases that is known.
type OperatorRow struct {
	Operator string   `json:"operator"`
	Micro    bool     `json:"micro"`            // TensorFlow Lite Micro has it
	Golden   string   `json:"golden"`           // the combinations of types, or why there is none
	Kernel   []string `json:"kernel,omitempty"` // the combinations that kernels were seen to take
	Host     []string `json:"host,omitempty"`   // those that only the host computes
	Paper    int      `json:"paper"`            // cases computed on paper
	Grid     int      `json:"grid"`             // cases of kernels
}

// ListedOperators lists the operators of TensorFlow Lite.
func ListedOperators() ([]OperatorRow, error) {
	r := csv.NewReader(strings.NewReader(operatorsText))
	r.Comma = '\t'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("operators.tsv: %w", err)
	}
	var rows []OperatorRow
	for _, f := range records {
		row := OperatorRow{Operator: f[0], Micro: f[1] == "micro", Golden: f[2], Kernel: strings.Fields(f[3]), Host: strings.Fields(f[4])}
		if row.Paper, err = strconv.Atoi(f[5]); err == nil {
			row.Grid, err = strconv.Atoi(f[6])
		}
		if err != nil {
			return nil, fmt.Errorf("operators.tsv: %s: %w", row.Operator, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// MeasureOperators counts the cases and collects the types, by building every case of every kernel.
func MeasureOperators() ([]OperatorRow, error) {
	taken, grid, paper := map[string]map[string]bool{}, map[string]int{}, golden.TFLiteCases()
	for _, k := range mlikernels.Kernels() {
		if !slices.ContainsFunc(k.Computes, func(op *nn.Operator) bool { return op.Library == nn.TFLite }) {
			continue
		}
		for _, c := range k.Grid() {
			job, err := c.Job(nn.Double, mlikernels.Seed)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			if op := job.Call.Op; op.Library == nn.TFLite {
				grid[op.Name]++
				if taken[op.Name] == nil {
					taken[op.Name] = map[string]bool{}
				}
				taken[op.Name][typesOf(job.Call)] = true
			}
		}
	}
	var rows []OperatorRow
	for _, name := range tflite.ReadOnly {
		rows = append(rows, OperatorRow{Operator: name, Micro: true, Golden: "no operator is left when a network is read"})
	}
	for _, op := range golden.Operators().Library(nn.TFLite) {
		row := OperatorRow{Operator: op.Name, Micro: slices.Contains(tflite.Micro, op.Name), Paper: paper[op.Name], Grid: grid[op.Name]}
		for types := range taken[op.Name] {
			row.Kernel = append(row.Kernel, types)
		}
		slices.Sort(row.Kernel)
		row.Golden, row.Host = goldenTypes(op, taken[op.Name])
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b OperatorRow) int { return strings.Compare(a.Operator, b.Operator) })
	return rows, nil
}

// typesOf are the types of a call's tensors, each once in a row.
func typesOf(c *nn.Call) string {
	var s nn.Signature
	for _, t := range slices.Concat(c.In, c.Out) {
		if t != nil {
			s = append(s, t.Type)
		}
	}
	return shortTypes(s)
}

func shortTypes(s nn.Signature) string {
	var names []string
	for _, t := range slices.Compact(slices.Clone(s)) {
		names = append(names, t.String())
	}
	return strings.Join(names, ",")
}

// goldenTypes are the combinations of types of an operator, and those that no kernel was seen to take.
func goldenTypes(op *nn.Operator, taken map[string]bool) (all string, host []string) {
	if op.Control != nil {
		return "graphs inside, each operator where it is computed", nil
	}
	var list []string
	for _, s := range op.Types {
		if slices.Contains(s, nn.NoType) {
			return "any", nil
		}
		short := shortTypes(s)
		if slices.Contains(list, short) {
			continue
		}
		list = append(list, short)
		if !taken[short] && !seen(s, taken) {
			host = append(host, short)
		}
	}
	if list == nil {
		return "any", nil
	}
	return strings.Join(list, " "), host
}

// seen reports whether a call without some of its optional tensors had these types.
func seen(s nn.Signature, taken map[string]bool) bool {
	for types := range taken {
		rest := strings.Split(types, ",")
		for _, t := range slices.Compact(slices.Clone(s)) {
			if len(rest) > 0 && rest[0] == t.String() {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 && strings.HasPrefix(types, s[0].String()) && strings.HasSuffix(types, s[len(s)-1].String()) {
			return true
		}
	}
	return false
}

// shortened writes the first words of a list; JSON has all of them.
func shortened(list []string) string {
	const most = 9
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], " "), len(list)-most)
	}
	return strings.Join(list, " ")
}

// WriteOperators prints the rows as a table, and counts.
func WriteOperators(w io.Writer, rows []OperatorRow) error {
	t := &report.Table{Columns: []report.Column{{Name: "operator"}, {Name: "golden function"}, {Name: "kernels"}, {Name: "on the host"},
		{Name: "on paper", Align: report.Right}, {Name: "kernel cases", Align: report.Right}}}
	micro, paper, grid := 0, 0, 0
	for _, r := range rows {
		name := r.Operator
		if r.Micro {
			micro++
		} else {
			name += " *"
		}
		t.Add(name, shortened(strings.Fields(r.Golden)), shortened(r.Kernel), shortened(r.Host), r.Paper, r.Grid)
		paper, grid = paper+r.Paper, grid+r.Grid
	}
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d operators of TensorFlow Lite Micro, %d more (*); %d cases computed on paper, %d cases of kernels; floats are computed on the host\n",
		micro, len(tflite.Micro), len(rows)-micro, paper, grid)
	return err
}
