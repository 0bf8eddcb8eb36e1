package tosacheck

import (
	"context"
	"fmt"
	"io"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// singleCores are the cores of the table of cycles in single precision.
var singleCores = []struct {
	name, core string
	properties []string
}{
	{name: "hs38", core: "hs38"}, {name: "em7d with the unit", core: "em7d", properties: []string{"fpus_div_option=1", "fpu_mac_option=1"}},
	{name: "wei-em9d", core: "wei-em9d"},
}

// singleCycles writes the table of the kernels in single precision, measured.
func singleCycles(w io.Writer) error {
	t := &report.Table{Columns: []report.Column{{Name: "operator"}, {Name: "kernel"}}}
	var machines []*mlikernels.Machine
	for _, on := range singleCores {
		t.Columns = append(t.Columns, report.Column{Name: on.name, Align: report.Right})
		lib, err := mlikernels.Floats()[0].Of.Build(mlikernels.Variant{})
		if err != nil {
			return err
		}
		o := mlikernels.MachineOptions{Core: on.core, Library: lib}
		for _, p := range on.properties {
			o.Settings = append(o.Settings, arcv2dsp.Setting{Property: p, Origin: "test"})
		}
		m, err := mlikernels.NewMachine(o)
		if err != nil {
			return err
		}
		defer m.Close()
		machines = append(machines, m)
	}
	for _, k := range mlikernels.Floats() {
		s, _ := tosa.Lookup(k.Computes[0].Name)
		cells := []any{s.Name, k.Symbol}
		for _, m := range machines {
			var cycles [2]uint64
			per := 0.0
			for i := range cycles {
				c := sample(s, singleTypes(s), i+1)
				if err := c.Prepare(); err != nil {
					return err
				}
				rep, err := m.Run(context.Background(), k, &mlikernels.Job{Call: c})
				if err != nil {
					return err
				}
				cycles[i] = rep.Cycles
				per = float64(cycleElements(c)) / float64(i+1)
				if c.Op.MACs != nil {
					per = float64(c.Op.MACs(c)) / float64(i+1)
				}
			}
			cells = append(cells, fmt.Sprintf("%.2f", float64(cycles[1]-cycles[0])/per))
		}
		t.Add(cells...)
	}
	return t.Markdown(w)
}

// singleTypes is the combination of an operator's types in single precision.
func singleTypes(s *tosa.Spec) nn.Signature {
	for _, set := range s.Sets {
		if set.Types[0] == nn.F32 && set.Types[len(set.Types)-1] == nn.F32 {
			return set.Types
		}
	}
	return nil
}
