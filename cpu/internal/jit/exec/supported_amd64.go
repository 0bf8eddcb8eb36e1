package exec

import "github.com/klauspost/cpuid/v2"

// Supported reports whether the processor has what compiled code needs.
func Supported() bool {
	return cpuid.CPU.Supports(cpuid.BMI1, cpuid.BMI2, cpuid.LZCNT, cpuid.CMOV)
}
