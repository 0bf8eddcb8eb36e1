package hostio

import (
	"errors"
	"io"
	"io/fs"
	"sync"
)

// Input is the standard input of a guest. Bytes read are kept as long as a guest may go back to them.
type Input struct {
	src  io.Reader
	live bool // reading may wait: a terminal or a pipe

	mu      sync.Mutex
	data    []byte // bytes [base, base+len(data)) of the input
	base    int64
	keep    int64 // first byte that must stay, -1 when none must
	err     error // why there is no more, io.EOF in the good case
	started bool
	arrived chan struct{} // closed and renewed when data or err change
}

// errInterrupted says that waiting for input was given up.
var errInterrupted = errors.New("interrupted")

// NewInput returns an input read from r. A terminal or pipe is read in the background, so that a
// guest that asks whether there is input does not wait; anything else at once when the guest asks,
// so that the same input always arrives at the same instruction.
func NewInput(r io.Reader) *Input {
	in := &Input{src: r, keep: -1, arrived: make(chan struct{})}
	if f, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		info, err := f.Stat()
		in.live = err != nil || info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0
	}
	return in
}

// Line is what the UARTs and consoles of a board are connected to.
type Line struct {
	in  *Input
	out io.Writer
}

// NewLine returns a line to what is read in the background, for it may have nothing for a long time.
func NewLine(other io.ReadWriter) *Line {
	return &Line{in: &Input{src: other, live: true, keep: -1, arrived: make(chan struct{})}, out: other}
}

// keepFrom says that input from pos on may be read again.
func (in *Input) keepFrom(pos int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.keep < 0 || pos < in.keep {
		in.keep = pos
	}
}

// await waits until there is a byte at pos. It reports false when there will be none or halt is
// closed.
func (in *Input) await(pos int64, halt <-chan struct{}) bool {
	for {
		in.mu.Lock()
		there, over := pos-in.base < int64(len(in.data)), in.err != nil
		if !there && !over && !in.live {
			in.fetch(4096)
			in.mu.Unlock()
			continue
		}
		if !there && !over {
			in.start()
		}
		arrived := in.arrived
		in.mu.Unlock()
		if there || over {
			return there
		}
		select {
		case <-arrived:
		case <-halt:
			return false
		}
	}
}

// readAt copies input from position pos on. It waits until there is some, the input ends (0, io.EOF)
// or halt is closed (errInterrupted).
func (in *Input) readAt(pos int64, p []byte, halt <-chan struct{}) (int, error) {
	for {
		in.mu.Lock()
		n, err := in.take(pos, p)
		if n > 0 || err != nil {
			in.mu.Unlock()
			return n, err
		}
		if !in.live {
			in.fetch(max(len(p), 4096))
			in.mu.Unlock()
			continue
		}
		in.start()
		arrived := in.arrived
		in.mu.Unlock()
		select {
		case <-arrived:
		case <-halt:
			return 0, errInterrupted
		}
	}
}

// ready returns the byte at pos if it is there, without waiting for a terminal or pipe.
func (in *Input) ready(pos int64) (b byte, ok bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for {
		var one [1]byte
		n, err := in.take(pos, one[:])
		switch {
		case n > 0:
			return one[0], true
		case err != nil:
			return 0, false
		case in.live:
			in.start()
			return 0, false
		}
		in.fetch(4096)
	}
}

// take copies what is there. Nothing and no error means that more may come.
func (in *Input) take(pos int64, p []byte) (int, error) {
	if pos < in.base {
		return 0, io.EOF
	}
	if off := pos - in.base; off < int64(len(in.data)) {
		n := copy(p, in.data[off:])
		in.drop(pos + int64(n))
		return n, nil
	}
	return 0, in.err
}

// drop forgets the bytes before pos that nobody asked to keep.
func (in *Input) drop(pos int64) {
	const slack = 64 << 10
	if in.keep >= 0 {
		pos = min(pos, in.keep)
	}
	if n := pos - in.base; n >= slack {
		in.data = append([]byte(nil), in.data[n:]...)
		in.base = pos
	}
}

// fetch reads some of the source. The lock is held.
func (in *Input) fetch(n int) {
	buf := make([]byte, n)
	for range 100 { // as bufio: a reader may return nothing a few times
		n, err := in.src.Read(buf)
		in.data = append(in.data, buf[:n]...)
		in.err = err
		if n > 0 || err != nil {
			return
		}
	}
	in.err = io.ErrNoProgress
}

// start begins reading in the background. The lock is held.
func (in *Input) start() {
	if in.started {
		return
	}
	in.started = true
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := in.src.Read(buf)
			in.mu.Lock()
			in.data = append(in.data, buf[:n]...)
			in.err = err
			close(in.arrived)
			in.arrived = make(chan struct{})
			in.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
}
