package arcq

// axis fills an axis of a window over a map in.
func (p *params) axis(member string, s span) {
	full := 0
	if room := s.in + s.pad - s.kernel; room >= 0 {
		full = min(s.out, room/s.stride+1)
	}
	for name, v := range map[string]int{"in": s.in, "out": s.out, "kernel": s.kernel, "stride": s.stride, "pad": s.pad, "full": full} {
		p.set(member+"."+name, int64(v))
	}
}
