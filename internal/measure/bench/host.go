package bench

import (
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"

	"arcv2dsp"
)

// Host describes the machine that measures. Cycles do not depend on it, the time it takes does.
type Host struct {
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	CPU      string   `json:"cpu"`
	Cores    int      `json:"cores"`
	Features []string `json:"features"`
	Engine   string   `json:"engine"` // what executes: auto, fast where the host lets nobody write machine code
}

// notable are the processor features that a host line names.
var notable = [...]cpuid.FeatureID{cpuid.SSE42, cpuid.POPCNT, cpuid.BMI2, cpuid.AVX2, cpuid.FMA3, cpuid.AVX512F,
	cpuid.ASIMD, cpuid.SVE}

// ThisHost is the machine the program runs on.
func ThisHost() Host {
	h := Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: strings.TrimSpace(cpuid.CPU.BrandName),
		Cores: runtime.NumCPU(), Features: []string{}}
	if h.CPU == "" {
		h.CPU = cpuid.CPU.VendorString
	}
	for _, f := range notable {
		if cpuid.CPU.Has(f) {
			h.Features = append(h.Features, strings.ToLower(f.String()))
		}
	}
	h.Engine = engine()
	return h
}

// engine is the engine of measurements.
func engine() string {
	m, err := arcv2dsp.New(arcv2dsp.Config{Engine: arcv2dsp.EngineJIT})
	if err != nil || m.Engine() != arcv2dsp.EngineJIT || m.Close() != nil {
		return arcv2dsp.EngineFast.String()
	}
	return arcv2dsp.EngineAuto.String()
}
