package report

import (
	"fmt"
	"slices"
	"strings"
)

// PerCycle is what a cycle of a part takes: energy is cycles times a constant of the part. For six entries of four parts in a
// public benchmark, on four networks each, this holds within -7.1 to +9.4 %.
type PerCycle struct {
	Part  string  // empty where the number was given
	Title string  // the part, with what was measured
	PJ    float64 // picojoules
	// Low and High are the deviations of the measured networks from PJ in percent; both 0 where there were not several.
	Low, High float64
	Bound     bool // no run takes more; how much less is not known
}

// givenError is the error of a number that fits a part, in percent: that of the parts that were measured.
const givenError = 10

// parts are the parts of which measurements are published: four networks of MLPerf Tiny on the board's rail, and the peak power of
// the only chip with one of our cores.
var parts = []PerCycle{
	{Part: "wei-plus", Title: "WE-I Plus, EM9D at 400 MHz: its peak of 43.6 mW, camera included", PJ: 109, Bound: true},
	{Part: "stm32h7a3", Title: "STM32H7A3, Cortex-M7 at 280 MHz", PJ: 452, Low: -3.9, High: 6.9},
	{Part: "stm32l4r5", Title: "STM32L4R5, Cortex-M4 at 120 MHz and 1.8 V", PJ: 347, Low: -7.1, High: 5.2},
	{Part: "stm32l4r5-smps", Title: "STM32L4R5ZI-P, Cortex-M4 at 120 MHz with its converter", PJ: 278, Low: -1.2, High: 1.5},
	{Part: "stm32u575", Title: "STM32U575, Cortex-M33 at 160 MHz", PJ: 146, Low: -2.0, High: 2.9},
	{Part: "stm32u385", Title: "STM32U385, Cortex-M33 at 96 MHz", PJ: 56, Low: -5.6, High: 9.4},
}

// Parts names the parts with a published calibration.
func Parts() (names []string) {
	for _, p := range parts {
		names = append(names, p.Part)
	}
	return names
}

// PartNamed finds a part.
func PartNamed(name string) (*PerCycle, error) {
	i := slices.IndexFunc(parts, func(p PerCycle) bool { return p.Part == name })
	if i < 0 {
		return nil, fmt.Errorf("no energy of part %q is published, there are those of %s", name, strings.Join(Parts(), ", "))
	}
	return &parts[i], nil
}

// Energy is an estimate of the energy of some cycles.
type Energy struct {
	Part       string  `json:"part,omitempty"`
	PJPerCycle float64 `json:"pj_per_cycle"`
	Microjoule float64 `json:"uj"`
	// ErrorLow and ErrorHigh are percent; absent for an upper bound.
	ErrorLow   float64 `json:"error_low_percent,omitempty"`
	ErrorHigh  float64 `json:"error_high_percent,omitempty"`
	UpperBound bool    `json:"upper_bound,omitempty"`
	Source     string  `json:"source"`
}

// Of estimates the energy of cycles.
func (p *PerCycle) Of(cycles uint64) *Energy {
	e := &Energy{Part: p.Part, PJPerCycle: p.PJ, Microjoule: p.Microjoule(cycles), UpperBound: p.Bound, Source: p.Title}
	switch {
	case p.Part == "":
		e.ErrorLow, e.ErrorHigh, e.Source = -givenError, givenError, "given; the error holds where the number was measured on the part"
	case !p.Bound:
		e.ErrorLow, e.ErrorHigh = p.Low, p.High
	}
	return e
}

// Microjoule is the energy of cycles.
func (p *PerCycle) Microjoule(cycles uint64) float64 { return float64(cycles) * p.PJ / 1e6 }

// String is the estimate as a line.
func (e *Energy) String() string {
	if e.UpperBound {
		return fmt.Sprintf("energy: at most %.4g uJ (estimate, an upper bound of %g pJ a cycle: %s)", e.Microjoule, e.PJPerCycle, e.Source)
	}
	return fmt.Sprintf("energy: %.4g uJ (estimate, %g pJ a cycle, error %+.3g to %+.3g %%: %s)", e.Microjoule, e.PJPerCycle, e.ErrorLow, e.ErrorHigh, e.Source)
}
