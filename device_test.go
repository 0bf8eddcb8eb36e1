package arcv2dsp_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
)

// pulse is a timer as an embedder writes one: a period in register 0, an acknowledgement in register 4; it
// raises its interrupt every period.
type pulse struct {
	board  arcv2dsp.Board
	period uint32
	next   uint64
}

func (p *pulse) ReadPort(offset, size uint32) (uint32, bool) {
	return p.period, offset == 0 && size == 4
}

func (p *pulse) WritePort(offset, size, value uint32) bool {
	switch {
	case size != 4:
		return false
	case offset == 0:
		p.period, p.next = value, p.board.Now()+uint64(value)
		p.board.Changed()
	case offset == 4:
		p.board.Interrupt(false)
	}
	return offset <= 4
}

func (p *pulse) Next() uint64 {
	if p.period == 0 {
		return arcv2dsp.Never
	}
	return p.next
}

func (p *pulse) Expire() {
	p.next += uint64(p.period)
	p.board.Interrupt(true)
}

func (p *pulse) Reset() { p.period = 0 }

func (p *pulse) State() []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, p.period), p.next)
}

func (p *pulse) Adopt(state []byte) error {
	if len(state) != 12 {
		return errors.New("not the state of a pulse")
	}
	p.period, p.next = binary.LittleEndian.Uint32(state), binary.LittleEndian.Uint64(state[4:])
	return nil
}

// mailbox keeps the words that the program sends; reading gives their number.
type mailbox struct {
	arcv2dsp.Passive
	words []uint32
}

func (b *mailbox) ReadPort(_, _ uint32) (uint32, bool) { return uint32(len(b.words)), true }

func (b *mailbox) WritePort(_, _, value uint32) bool {
	b.words = append(b.words, value)
	return true
}

func (b *mailbox) Reset() { b.words = nil }

func (b *mailbox) State() []byte {
	var state []byte
	for _, w := range b.words {
		state = binary.LittleEndian.AppendUint32(state, w)
	}
	return state
}

func (b *mailbox) Adopt(state []byte) error {
	b.words = nil
	for ; len(state) >= 4; state = state[4:] {
		b.words = append(b.words, binary.LittleEndian.Uint32(state))
	}
	return nil
}

// ownProgram starts the pulse, sends a word to the mailbox from each of ten interrupts, and halts with what the
// mailbox says it has got.
const ownProgram = `
	.rep 16
	.word fail
	.endr
	.rep 4
	.word fail
	.endr
	.word pulse		; vector 20
fail:	flag 1
	nop
	nop
	.globl __start
__start:
	mov sp, 0x90010000	; memory of the embedder
	mov r1, 100
	st r1, [0xf0000000]	; a pulse every 100 cycles
	seti 0x3f
1:	ld r13, [0x90000000]	; the handler has registers of its own
	brlt r13, 10, 1b
	ld r0, [0xf0001000]
	flag 1
	nop
	nop
pulse:	st r1, [0xf0000004]	; acknowledge
	ld r13, [0x90000000]
	st r13, [0xf0001000]
	add r13, r13, 1
	st r13, [0x90000000]
	rtie
`

// linked assembles a program and links it at address 0.
func linked(t *testing.T, source string) *loader.Image { return linkedAt(t, source, 0) }

// linkedAt is linked for code at an address.
func linkedAt(t *testing.T, source string, code uint32) *loader.Image {
	t.Helper()
	object, err := asm.AssembleString(asm.Options{CPU: "em4"}, "own.s", source)
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	file, err := link.Link(link.Options{Entry: "__start", SectionStart: map[string]uint32{".text": code}, Defines: []link.Define{{Name: "__HEAP_SIZE", Expr: "0"}, {Name: "__STACK_SIZE", Expr: "0"}}},
		[]link.Input{{Name: "own.o", Data: data}})
	require.NoError(t, err)
	data, err = file.Bytes()
	require.NoError(t, err)
	image, err := loader.Read("own.elf", data)
	require.NoError(t, err)
	return image
}

func ownMachine(t *testing.T, engine arcv2dsp.EngineKind) (*arcv2dsp.Machine, *mailbox) {
	t.Helper()
	box := &mailbox{}
	m, err := arcv2dsp.New(arcv2dsp.Config{
		Engine: engine,
		Devices: []arcv2dsp.Peripheral{
			{Name: "pulse", Base: 0xf0000000, Size: 8, IRQ: 20, New: func(b arcv2dsp.Board) arcv2dsp.Device { return &pulse{board: b} }},
			{Name: "mailbox", Base: 0xf0001000, Size: 4, New: func(arcv2dsp.Board) arcv2dsp.Device { return box }},
		},
		Regions: []arcv2dsp.Region{{Name: "board memory", Base: 0x90000000, Size: 0x10000}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.Load(linked(t, ownProgram)))
	return m, box
}

// TestOwnDevices: a timer and a mailbox of an embedder work on both engines, however the run is cut, and the
// run walks backwards through them.
func TestOwnDevices(t *testing.T) {
	want := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	var cycles uint64
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference, arcv2dsp.EngineJIT} {
		m, box := ownMachine(t, engine)
		m.Record(true)
		var moments []*arcv2dsp.Snapshot
		var sent []int
		for {
			require.Less(t, len(moments), 100, "the program does not end")
			moments, sent = append(moments, m.Snapshot()), append(sent, len(box.words))
			stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: 77})
			require.NoError(t, err)
			if stop.Reason == arcv2dsp.StopExited {
				require.EqualValues(t, len(want), stop.Status)
				break
			}
			require.Equal(t, arcv2dsp.StopCycleLimit, stop.Reason)
		}
		require.Equal(t, want, box.words)
		end := m.Stats()
		require.InDelta(t, 1000, end.Cycles, 100, "ten pulses of 100 cycles")
		if cycles == 0 {
			cycles = end.Cycles
		}
		require.Equal(t, cycles, end.Cycles, "both engines")
		for i := len(moments) - 1; i >= 0; i-- {
			require.NoError(t, m.Restore(moments[i]))
			require.Equal(t, want[:sent[i]], append([]uint32{}, box.words...))
		}
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopExited, stop.Reason)
		require.Equal(t, want, box.words)
		require.Equal(t, end, m.Stats(), "forwards again")
	}
}

// TestOwnDevicesThatDoNotFit: a device that cannot be placed is named when the machine is made.
func TestOwnDevicesThatDoNotFit(t *testing.T) {
	made := func(arcv2dsp.Board) arcv2dsp.Device { return &mailbox{} }
	for _, c := range []struct {
		config arcv2dsp.Config
		want   string
	}{
		{config: arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{Name: "a", Base: 16, Size: 4}}}, want: "device a: New is nil"},
		{config: arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{Name: "a", Base: 16, New: made}}},
			want: "device a: region a: 0x0 bytes at 0x00000010 do not fit the address space"},
		{config: arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{Name: "a", Base: 16, Size: 4, IRQ: 9, New: made}}},
			want: "device a: the core has no interrupt 9, its interrupts are 16 to 35"},
		{config: arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{Name: "a", Base: 16, Size: 4, New: made}, {Name: "b", Base: 18, Size: 4, New: made}}},
			want: "device b: region b at 0x00000012 overlaps a at 0x00000010"},
		{config: arcv2dsp.Config{Devices: []arcv2dsp.Peripheral{{Name: "a", Base: 16, Size: 4, New: func(arcv2dsp.Board) arcv2dsp.Device { return nil }}}},
			want: "device a: New made none"},
		{config: arcv2dsp.Config{Regions: []arcv2dsp.Region{{Name: "r", Base: 0x90000010, Size: 4096}}},
			want: "region r: base 0x90000010 and size 0x1000 must be multiples of 4096"},
	} {
		_, err := arcv2dsp.New(c.config)
		require.EqualError(t, err, c.want)
	}
}
