package hostio

// journal records what a guest asked of the outside and what it was told, so that a run that was
// taken back gets the same answers and has no second effect.
type journal struct {
	on      bool
	entries []entry
	at      int // the next entry to repeat; len(entries) when the run is live
	again   uint32
}

type entry struct {
	request request
	result  result
	after   State
	repeat  uint32 // how many more times the same was asked and answered, without an effect
}

// Mark is a moment in the recorded past of a Host.
type Mark struct {
	at    int
	again uint32
}

// Record starts a recording; one that there is begins anew.
func (h *Host) Record() {
	h.journal = journal{on: true}
	h.State() // from now on nothing that the recording refers to may be given up
}

// StopRecording ends the recording and forgets the recorded past.
func (h *Host) StopRecording() { h.journal = journal{} }

// Mark returns the present moment, for Rewind.
func (h *Host) Mark() Mark { return Mark{at: h.journal.at, again: h.journal.again} }

// Rewind goes back to a moment of the recording: the run that follows is told what it was told
// before, until it asks something else; from there on it is live again and the old future is
// forgotten. Writes to files stay.
func (h *Host) Rewind(m Mark) {
	if m.at <= len(h.journal.entries) {
		h.journal.at, h.journal.again = m.at, m.again
	}
}

// Replaying reports whether the next answers come from the recording.
func (h *Host) Replaying() bool { return h.journal.at < len(h.journal.entries) }

// replay answers from the recording.
func (j *journal) replay(r *request, s *State) (result, bool) {
	if j.at >= len(j.entries) {
		return result{}, false
	}
	e := &j.entries[j.at]
	if !e.request.equal(r) {
		j.forget()
		return result{}, false
	}
	if j.again < e.repeat {
		j.again++
	} else {
		j.at, j.again = j.at+1, 0
	}
	*s = e.after
	return e.result, true
}

// forget drops the recorded future: the guest went another way.
func (j *journal) forget() {
	if j.again > 0 {
		j.entries[j.at].repeat = j.again - 1
		j.at++
	}
	j.entries = j.entries[:j.at]
	j.again = 0
}

func (j *journal) record(r request, res result, after State) {
	if !j.on {
		return
	}
	if n := len(j.entries); n > 0 {
		last := &j.entries[n-1]
		if r.Op == opPoll && last.request.Op == opPoll && res.Value < 0 && last.result.Value < 0 &&
			last.repeat < 1<<32-1 {
			last.repeat++
			return
		}
	}
	r.Data = append([]byte(nil), r.Data...)
	j.entries = append(j.entries, entry{request: r, result: res, after: after})
	j.at = len(j.entries)
}
