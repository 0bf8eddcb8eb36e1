//go:build !programs

package main

import (
	"fmt"
	"strings"

	"arcv2dsp"
	"arcv2dsp/cmd/arcsim/internal/table"
	"arcv2dsp/internal/debug/lsp"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/internal/network/quantnet"
	"arcv2dsp/mlikernels"
)

// programsAlone reports whether the build has programs alone, as the tag programs asks.
const programsAlone = false

// others are the commands that are not for programs alone.
func others() []subcommand {
	return []subcommand{{"serve", "programs", newServeCmd},
		{"kernels", "networks", newKernelsCmd}, {"model", "networks", newModelCmd}, {"quant", "networks", newQuantCmd},
		{"regress", "measure", newRegressCmd}, {"bench", "measure", newBenchCmd}, {"farm", "measure", newFarmCmd}}
}

// library is what sources get that include those of a library of kernels.
func library(name string) (lsp.Library, error) {
	c, err := mlikernels.LookupCollection(name)
	if err != nil {
		return nil, err
	}
	return c.Complete, nil
}

// devices reads a file of devices.
func devices(name, text string) ([]arcv2dsp.Peripheral, error) { return table.Parse(name, text) }

// kernelWords are the parts of pages that tables of kernels and networks give.
func kernelWords() map[string]func() string {
	return map[string]func() string{
		"kernel-cores":    func() string { return strings.Join(mlikernels.Cores(), ", ") },
		"samples":         func() string { return strings.Join(quantnet.SampleNames(), ", ") },
		"observers":       func() string { return strings.Join(quantnet.Observers(), ", ") },
		"quantized-files": func() string { return strings.Join(quantnet.FileTypes(), ", ") },
		"ways": func() string {
			return strings.Join(textOf(quantnet.Ways(), func(w *quantnet.Way) string { return fmt.Sprintf("  %-7s %s", w.Name, w.Doc) }), "\n")
		},
		"passes": func() string {
			return strings.Join(textOf(mlir.Passes(), func(p mlir.Pass) string { return fmt.Sprintf("  %-31s %s", p.Name, p.Doc) }), "\n")
		},
	}
}
