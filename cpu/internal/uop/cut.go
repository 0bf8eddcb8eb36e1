package uop

import "arcv2dsp/cpu"

// Cut is a block of which a part is to be executed.
type Cut struct {
	at  *Uop
	was Uop
}

// Cut has an executor, but not machine code, leave a block that it enters at instruction k in front of the one before which a number
// of cycles are over, or of the branch at the end. It reports whether an instruction is left to execute. Mend must follow.
func (b *Block) Cut(k int, cycles uint64) (x Cut, ok bool) {
	if !b.fixed || b.Key.Mode&(cpu.ModeFetch|cpu.ModeData) != 0 || b.Key.Loop || b.Dead {
		return Cut{}, false
	}
	list := b.Src.Insts
	end := len(list) - 1
	if b.Src.End == cpu.EndBranch || b.Src.End == cpu.EndJump {
		if list[end].Slot {
			end--
		}
	}
	to := k
	for to < end && uint64(list[to].Before-list[k].Before) < cycles {
		to++
	}
	if to <= k {
		return Cut{}, false
	}
	u := &b.Uops[b.start[to]]
	x = Cut{at: u, was: *u}
	*u = Uop{Op: CUT, k: uint16(to)}
	return x, true
}

// Mend makes the block whole again.
func (x *Cut) Mend() { *x.at = x.was }
