package mlikernels

import (
	"bytes"
	_ "embed"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
	"arcv2dsp/mlikernels/golden"
)

// handlerSource is the interrupt handler of TestInterrupted.
//
//go:embed testdata/interrupt/handler.s
var handlerSource string

// Where the handler is, above the library, and what it keeps, above the weights.
const (
	handlerAt   = codeSize / 2
	ticksAt     = dccmBase + dccmSize - 16
	faultAt     = ticksAt + 4
	timerVector = 16 * 4

	auxCount0, auxControl0, auxLimit0 = 0x21, 0x22, 0x23
	interruptsOn                      = 1<<31 | 15<<1 // STATUS32.IE, .E
)

// TestInterrupted: kernels bear interrupts at any instruction by handlers that save what they use.
// Nothing lies below the stack pointer, and the small-data pointer (gp), which the handlers a compiler
// writes rely on without loading it, is always the caller's.
func TestInterrupted(t *testing.T) {
	for _, core := range []string{"em9d", "em7d"} {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			m := newTestMachine(t, core, golden.Convergent)
			loadHandler(t, m)
			ticks := uint32(0)
			for _, k := range Kernels() {
				for i, p := range k.Grid() {
					if i%16 != 0 {
						continue
					}
					job, want, err := k.Job(p, golden.Convergent, 5)
					require.NoError(t, err, p.Name)
					require.NoError(t, check(m, k, job, want), "%s %s", k.Symbol, p.Name)
					n, err := m.m.ReadWord(ticksAt)
					require.NoError(t, err)
					ticks += n
					fault, err := m.m.ReadWord(faultAt)
					require.NoError(t, err)
					require.Zero(t, fault, "%s %s: gp is not the caller's at %s", k.Symbol, p.Name, m.m.Locate(fault))
				}
			}
			require.Greater(t, ticks, uint32(5000))
		})
	}
}

// loadHandler puts the handler beside the library and starts the timer, for all runs of the machine.
func loadHandler(t *testing.T, k *Machine) {
	t.Helper()
	agu := int64(0)
	if HasAGU(k.opts.Core) {
		agu = 1
	}
	o, err := asm.Assemble(asm.Options{CPU: assembleFor, Defsym: map[string]int64{"AGU": agu, "GP": int64(saved(regGP)), "TICKS": ticksAt}},
		asm.Source{Name: "handler.s", Text: handlerSource})
	require.NoError(t, err)
	data, err := o.Bytes()
	require.NoError(t, err)
	linked, err := link.Link(link.Options{Entry: "handler", SectionStart: map[string]uint32{".text": handlerAt}},
		[]link.Input{{Name: "handler.o", Data: data}})
	require.NoError(t, err)
	data, err = linked.Bytes()
	require.NoError(t, err)
	im, err := loader.Read("handler", bytes.Clone(data))
	require.NoError(t, err)
	require.NoError(t, k.m.Load(im))
	require.NoError(t, k.m.Load(k.opts.Library.Image)) // whose symbols the messages name
	require.NoError(t, k.m.WriteWord(timerVector, handlerAt))
	require.NoError(t, k.m.WriteWord(ticksAt, 0))
	require.NoError(t, k.m.WriteWord(faultAt, 0))
	k.m.SetAux(auxLimit0, 97)
	k.m.SetAux(auxCount0, 0)
	k.m.SetAux(auxControl0, 3)
	require.NoError(t, k.m.SetRegister("status32", interruptsOn))
	k.clean = k.m.Snapshot()
}
