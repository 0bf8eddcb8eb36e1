package profile

import (
	"fmt"

	"arcv2dsp"
	"arcv2dsp/isa"
)

func hex(addr uint32) string { return fmt.Sprintf("0x%08x", addr) }

// Join makes hooks that call all of those given, in this order. Members of Before are not joined: a
// profile stops nothing.
func Join(list ...arcv2dsp.Hooks) arcv2dsp.Hooks {
	var all arcv2dsp.Hooks
	for _, h := range list {
		all.After = joinAfter(all.After, h.After)
		all.Branch = joinBranch(all.Branch, h.Branch)
		all.Exception = joinException(all.Exception, h.Exception)
	}
	return all
}

func joinAfter(f, g func(uint32, *isa.Inst)) func(uint32, *isa.Inst) {
	if f == nil || g == nil {
		return either(f == nil, g, f)
	}
	return func(pc uint32, in *isa.Inst) { f(pc, in); g(pc, in) }
}

func joinBranch(f, g func(from, to uint32)) func(from, to uint32) {
	if f == nil || g == nil {
		return either(f == nil, g, f)
	}
	return func(from, to uint32) { f(from, to); g(from, to) }
}

func joinException(f, g func(arcv2dsp.Exception)) func(arcv2dsp.Exception) {
	if f == nil || g == nil {
		return either(f == nil, g, f)
	}
	return func(e arcv2dsp.Exception) { f(e); g(e) }
}

func either[F any](first bool, a, b F) F {
	if first {
		return a
	}
	return b
}
