package arcv2dsp

// Unshared returns how many bytes of memory the snapshot keeps beside those that it shares with
// another one, which may be nil.
func (s *Snapshot) Unshared(other *Snapshot) uint64 {
	const page = 1 << 12
	n := uint64(len(s.state.CPU) + 4*(len(s.state.ICache)+len(s.state.DCache)))
	for _, addr := range s.mem.Addrs() {
		if other == nil || other.mem.Page(addr) != s.mem.Page(addr) {
			n += page
		}
	}
	return n
}
