package timing

import "arcv2dsp/isa"

// loopRounds is how many rounds Loop lets pass: what the first ones leave in the pipe has settled by then.
const loopRounds = 8

// Loop estimates the cycles that each instruction of a loop loses in a round, when all of them execute in the order given,
// again and again. The last one leads back, or the one before it when the last is its delay slot; behind a body without
// such a branch the core goes on by itself, as in a zero-overhead loop. What depends on addresses is not in it: memories,
// ports and caches.
func (m *Model) Loop(body []isa.Inst) []Stalls {
	descs := make([]Desc, len(body))
	back := -1
	for i := range body {
		descs[i] = m.Describe(&body[i])
		if n := len(body) - 1; body[i].Control() && (i == n && !body[i].Delay || i == n-1 && body[i].Delay) {
			back = i
		}
	}
	lost := make([]Stalls, len(body))
	var p Pipe
	for round := range loopRounds {
		last := round == loopRounds-1
		for i := range descs {
			d := &descs[i]
			count := func(n uint8, why Reason) {
				if last && n > 0 {
					lost[i].Add(why, uint32(n))
				}
			}
			count(m.Issue(&p, d))
			count(m.Base(d))
			if i == back {
				count(m.Taken(&p, d))
			}
		}
	}
	return lost
}

// Penalty returns the cycles that are lost when the instruction changes the flow of control.
func (d *Desc) Penalty() uint64 { return uint64(d.taken) }
