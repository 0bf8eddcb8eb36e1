package hostio

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Guest is host I/O's view of the simulated machine.
type Guest interface {
	Reg(n uint8) uint32
	SetReg(n uint8, v uint32)
	Memory
}

// Memory is the guest's memory as the host sees it.
type Memory interface {
	Peek(addr uint32, buf []byte) error
	Poke(addr uint32, data []byte) error
}

// Config says what a guest may see of its host.
type Config struct {
	Stdin  *Input    // nil: at its end from the start
	Stdout io.Writer // nil: discarded
	Stderr io.Writer
	Line   *Line    // what the devices print to and read from; nil: Stdin and Stdout
	Root   string   // directory that is the guest's "/"; empty: no file access
	Args   []string // argv, the program's name first
	Notice func(string)
	Watch  *Watch // nil: nobody waits for a text in the output

	// Now returns the guest's time since its start.
	Now func() time.Duration
	// HeapStart is where brk starts, 0 when unknown.
	HeapStart uint32
}

// Epoch is the date a guest starts at. A fixed one: the results of a program must not depend on the day of its run.
var Epoch = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Host serves the calls of one guest.
type Host struct {
	cfg     Config
	root    *os.Root
	handles handles
	state   State
	journal journal
	gnu     gnuByNumber
	told    bool // the notice about file access was given
	halt    <-chan struct{}
}

// State is the guest's view of the host's side: descriptors and positions. It is a value; the
// slices in it are never changed in place.
type State struct {
	Files []Descriptor `json:"files"`
	Stdin int64        `json:"stdin"` // bytes of standard input consumed
	Line  int64        `json:"line"`  // bytes of the line consumed
	Break uint32       `json:"break"`
	Errno int32        `json:"errno"`
	Last  [2]byte      `json:"last"` // the last two bytes put on the console

	// Exit status a hostlink program left before it halts.
	Status    uint32 `json:"status"`
	HasStatus bool   `json:"has_status"`
}

// Outcome is the consequence of a call.
type Outcome struct {
	Known  bool   // the call exists; false: the guest meant something else
	Exit   bool   // the guest ends
	Status uint32 // with Exit
	Again  bool   // waiting for input was interrupted: the call is to be made again
}

// New returns a host. It opens the root directory; Close releases it.
func New(cfg Config) (*Host, error) {
	h := &Host{cfg: cfg}
	if cfg.Root != "" {
		root, err := os.OpenRoot(cfg.Root)
		if err != nil {
			return nil, fmt.Errorf("file system root: %w", err)
		}
		h.root = root
	}
	h.state = initialState(cfg)
	return h, nil
}

func initialState(cfg Config) State {
	return State{
		Files: []Descriptor{{Kind: Stdin}, {Kind: Stdout}, {Kind: Stderr}},
		Break: cfg.HeapStart,
	}
}

// Close closes the guest's files.
func (h *Host) Close() error {
	h.handles.closeAll()
	if h.root == nil {
		return nil
	}
	return h.root.Close()
}

// SetInput replaces the guest's standard input.
func (h *Host) SetInput(in *Input) {
	h.cfg.Stdin = in
	h.state.Stdin = 0
}

// SetArgs replaces the guest's arguments.
func (h *Host) SetArgs(args []string) { h.cfg.Args = args }

// Args returns the guest's arguments.
func (h *Host) Args() []string { return h.cfg.Args }

// SetHeapStart says where brk starts, when a program has been loaded.
func (h *Host) SetHeapStart(addr uint32) {
	h.cfg.HeapStart = addr
	h.state.Break = addr
}

// Interrupt makes a call that waits for input give up when the channel is closed. Nil ends that.
func (h *Host) Interrupt(halt <-chan struct{}) { h.halt = halt }

// State returns what the guest can see of its host. Files it refers to are kept open from now on,
// even when the guest closes them, so that the state can be restored.
func (h *Host) State() State {
	h.handles.keep = true
	if h.cfg.Stdin != nil {
		h.cfg.Stdin.keepFrom(h.state.Stdin)
	}
	if h.cfg.Line != nil {
		h.cfg.Line.in.keepFrom(h.state.Line)
	}
	return h.state
}

// SetState goes back to a state of this host.
func (h *Host) SetState(s State) { h.state = s }

// Adopt takes over the state of another host, such as one read from a file: it opens the files the
// guest had open, which must still be there, and skips the input the guest had read.
func (h *Host) Adopt(s State) error {
	files := append([]Descriptor(nil), s.Files...)
	for i := range files {
		d := &files[i]
		if d.Kind != File {
			continue
		}
		f, err := h.reopen(d)
		if err != nil {
			return fmt.Errorf("descriptor %d of the guest: %w", i, err)
		}
		d.Handle = h.handles.add(f)
	}
	s.Files = files
	h.state = s
	return nil
}

// Reset forgets everything a guest did, for the next program. Input that was read is gone.
func (h *Host) Reset() {
	h.handles.closeAll()
	read, line := h.state.Stdin, h.state.Line
	h.state = initialState(h.cfg)
	h.state.Stdin, h.state.Line = read, line
	h.journal = journal{on: h.journal.on}
}

// ExitStatus returns the status a guest announced before halting, if it did.
func (h *Host) ExitStatus() (status uint32, ok bool) { return h.state.Status, h.state.HasStatus }

func (h *Host) now() time.Duration {
	if h.cfg.Now == nil {
		return 0
	}
	return h.cfg.Now()
}

// notice tells the user something once per host.
func (h *Host) notice(text string) {
	if !h.told && h.cfg.Notice != nil {
		h.cfg.Notice(text)
	}
	h.told = true
}
