package timeline

import "arcv2dsp"

// Letters of the drawing.
const (
	Fetch   = 'F'
	Decode  = 'D'
	Wait    = '=' // in decode, for an operand or a unit
	Execute = 'e'
	Bank    = 'b' // in execution, for a memory bank, a port or a slow memory
	Last    = 'E' // last cycle of execution: the result can be used after it
	Order   = '-' // done, but an older instruction is not
	Write   = 'W' // write-back
)

// Row is one instruction in the drawing: a letter per cycle, the first one in column Column.
type Row struct {
	Column  uint64
	Letters string
}

// Draw places the letters of each step. Column 0 is the fetch of the first; an instruction that could
// issue in a cycle is fetched in the column of that number, and begins to execute two columns later.
func Draw(t *Trace) []Row {
	rows := make([]Row, len(t.Steps))
	ordered := uint64(0) // column of the last write-back in order
	for i := range t.Steps {
		rows[i] = draw(&t.Steps[i], &ordered)
	}
	return rows
}

func draw(s *Step, ordered *uint64) Row {
	row := Row{Column: s.Start}
	b := []byte{Fetch}
	put := func(letter byte, n uint64) {
		for range n {
			b = append(b, letter)
		}
	}
	for _, l := range s.Before {
		if l.Reason == arcv2dsp.StallICache {
			put(Fetch, l.Cycles)
		}
	}
	put(Decode, 1)
	for _, l := range s.Before {
		if l.Reason != arcv2dsp.StallICache {
			put(Wait, l.Cycles)
		}
	}
	for _, l := range s.After {
		if letter, ok := occupies(l.Reason); ok {
			put(letter, l.Cycles)
		}
	}
	put(Execute, s.Late)
	put(Last, 1)
	done := s.Start + uint64(len(b))
	if !s.Beside {
		if done < *ordered {
			put(Order, *ordered-done)
			done = *ordered
		}
		*ordered = done
	}
	put(Write, 1)
	row.Letters = string(b)
	return row
}

// occupies tells how cycles after the issue are drawn: those that keep the instruction in execution
// are, those in which the pipeline is refilled show as the distance to the next one.
func occupies(reason arcv2dsp.StallReason) (letter byte, ok bool) {
	switch reason {
	case arcv2dsp.StallBankConflict, arcv2dsp.StallXYMiss, arcv2dsp.StallWriteBuffer, arcv2dsp.StallWaitState, arcv2dsp.StallDCache:
		return Bank, true
	case arcv2dsp.StallMultiplier, arcv2dsp.StallFetch:
		return Execute, true
	}
	return 0, false
}
