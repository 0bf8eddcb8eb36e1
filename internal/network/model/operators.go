package model

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn/tflite"
)

// operatorsText has the rows of the list, as a test finds them by building every case of every kernel.
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
