//go:build !programs

package main

import (
	"slices"

	"arcv2dsp/benchmarks"
	"arcv2dsp/internal/measure/bench"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/mlikernels"
)

// kernelFlagValues says what flags about kernels, networks and measurements take.
func kernelFlagValues() map[string]cli.Values {
	return map[string]cli.Values{
		"format":      {What: "format", Closed: true, List: choice(bench.Formats...)},
		"kernel":      {List: anyOf(kernelValues)},
		"suite":       {List: anyOf(suiteValues)},
		"sweep":       {List: anyOf(suiteValues)},
		"round":       {What: "rounding", Closed: true, List: choice("convergent", "up")},
		"rounding":    {What: "rounding", Closed: true, List: choice("double\tTensorFlow Lite's usual build", "single\twith TFLITE_SINGLE_ROUNDING")},
		"diff from":   {What: "rounding", Closed: true, List: choice("double", "single")},
		"junit-times": {What: "kind of times", Closed: true, List: choice("host\tof the machine that runs the cases", "core\tcycles at 100 MHz, the same in every run")},
		"run":         {List: anyOf(kernelValues)},
	}
}

// kernelArgumentValues says what commands of kernels, networks and measurements take as arguments.
func kernelArgumentValues() map[string]func([]string) []string {
	return map[string]func([]string) []string{
		"kernels run":   anyOf(kernelValues),
		"kernels show":  anyOf(kernelValues),
		"bench":         anyOf(subjectValues),
		"report":        anyOf(subjectValues),
		"model show":    anyOf(networkValues),
		"model run":     anyOf(networkValues),
		"model check":   anyOf(networkValues),
		"model diff":    anyOf(networkValues),
		"model bench":   anyOf(networkValues),
		"model compile": anyOf(networkValues),
		"model export":  anyOf(networkValues),
	}
}

func kernelValues() []string {
	var list []string
	for _, k := range mlikernels.Kernels() {
		list = append(list, k.Short(), k.Symbol)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func subjectValues() []string {
	return textOf(bench.Subjects(), func(s bench.Subject) string { return s.Name + "\t" + s.About })
}

func suiteValues() []string {
	suites, err := bench.ParseSuites(benchmarks.SuitesFile, benchmarks.SuitesTOML)
	if err != nil {
		return nil // the command itself says what is wrong
	}
	return textOf(suites, func(s bench.Suite) string { return s.Name + "\t" + s.About })
}

func networkValues() []string {
	return textOf(benchmarks.Networks(), func(n *benchmarks.Network) string { return n.Name + "\t" + n.Doc })
}
