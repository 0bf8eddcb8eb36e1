package tosacheck

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// cycleCore is a core that operators are measured on.
type cycleCore struct {
	name       string
	template   string
	properties []string
}

// cycleCores are the columns of cycles. Most kernels with ports want the large AGU: a core with the small one,
// as the IoT Development Kit has it, runs those that load, but for convolutions of bytes and matrix products.
var cycleCores = []cycleCore{
	{name: "em9d", template: "em9d"},
	{name: "em7d", template: "em7d"},
	{name: "iotdk-like", template: "em9d", properties: []string{"agu_size=small", "xy_size=32K"}},
}

// cycles.tsv has a line for every operator that computes with each combination of types: the kernel that
// takes it, and cycles per element on each core. A test measures it.
//
//go:embed cycles.tsv
var cyclesText string

// measurement is the kernel and cycles of an operator with some types.
type measurement struct {
	kernel string
	cycles []string // by core
}

// neverValid stands for the kernel of types that are an error in every call.
const neverValid = "-"

// measurements reads the lines, by operator and types.
func measurements(text string) (map[[2]string]measurement, error) {
	all := map[[2]string]measurement{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3+len(cycleCores) {
			return nil, fmt.Errorf("cycles.tsv has the line %q with %d columns, not %d", line, len(f), 3+len(cycleCores))
		}
		all[[2]string{f[0], f[1]}] = measurement{kernel: f[2], cycles: f[3:]}
	}
	return all, nil
}

// KernelRow is an operator with a combination of types: its group, numbers of conditions, and where it
// computes the kernel and its cycles per element by core.
type KernelRow struct {
	Operator      string             `json:"operator"`
	Types         string             `json:"types"`
	Profile       string             `json:"profile"`
	Errors        int                `json:"error_conditions"`
	Unpredictable int                `json:"unpredictable_conditions"`
	Kernel        string             `json:"kernel,omitempty"`
	Cycles        map[string]float64 `json:"cycles,omitempty"`
	computes      bool
}

// KernelRows lists every operator with each combination of types.
func KernelRows() ([]KernelRow, error) {
	known, err := measurements(cyclesText)
	if err != nil {
		return nil, err
	}
	var rows []KernelRow
	for _, s := range integerSpecs() {
		row := KernelRow{Operator: s.Name, Types: "any", Profile: string(tosa.ControlFlow)}
		for _, k := range s.Conditions {
			if k.Outcome == nn.Error {
				row.Errors++
			} else {
				row.Unpredictable++
			}
		}
		if len(s.Sets) == 0 {
			rows = append(rows, row)
		}
		for _, set := range s.Sets {
			row.Types, row.Profile = set.Types.String(), part(set)
			m := known[[2]string{s.Name, row.Types}]
			row.Kernel, row.Cycles, row.computes = m.kernel, nil, s.Computes()
			if m.kernel == neverValid {
				row.Kernel, row.computes = "", false
			} else if m.kernel != "" {
				row.Cycles = map[string]float64{}
				for i, c := range cycleCores {
					if row.Cycles[c.name], err = strconv.ParseFloat(m.cycles[i], 64); err != nil {
						return nil, fmt.Errorf("cycles.tsv: %s %s: %w", s.Name, row.Types, err)
					}
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// WriteKernels prints the rows as a table and says how many combinations have a kernel.
func WriteKernels(w io.Writer, rows []KernelRow) error {
	t := &report.Table{Columns: []report.Column{
		{Name: "operator"}, {Name: "types"}, {Name: "profile"}, {Name: "[E]", Align: report.Right}, {Name: "[P]", Align: report.Right}, {Name: "kernel"},
	}}
	for _, c := range cycleCores {
		t.Columns = append(t.Columns, report.Column{Name: c.name, Align: report.Right})
	}
	computing, covered := 0, 0
	for _, r := range rows {
		cells := []any{r.Operator, r.Types, r.Profile, r.Errors, r.Unpredictable, r.Kernel}
		for _, c := range cycleCores {
			if v, ok := r.Cycles[c.name]; ok {
				cells = append(cells, v)
			}
		}
		t.Add(cells...)
		if r.computes {
			computing++
			if r.Kernel != "" {
				covered++
			}
		}
	}
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d of %d combinations of operator and types that compute have a kernel. Cycles are per element of the output,\n"+
		"of reductions per element of the input, without the call. em9d has AGU ports; em7d and iotdk-like, an EM9D with\n"+
		"the small AGU of the IoT Development Kit, load. Windows are 3x3 over 16 channels (CONV3D 3x3x3 over 8), of pools\n"+
		"and TRANSPOSE_CONV2D 2x2; FULLY_CONNECTED is of 256 inputs, MATMUL of 64, RESCALE has a factor for each channel,\n"+
		"rows of SLICE, TILE, GATHER and SCATTER are of 32.\n", covered, computing)
	return err
}
