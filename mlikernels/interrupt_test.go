package mlikernels

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/loader"
	"arcv2dsp/mlikernels/internal/kernel"
)

// handlerSource is the interrupt handler of TestInterrupted.
//
//go:embed testdata/interrupt/handler.s
var handlerSource string

// Where the handler is, above the library, and what it keeps, above the weights.
const (
	handlerAt   = kernel.SpareCode
	ticksAt     = kernel.SpareData
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
			ticks := uint32(0)
			for _, c := range Collections() {
				ticks += interrupt(t, core, c)
			}
			require.Greater(t, ticks, uint32(level.Count(5000, 300, 50)))
		})
	}
}

// interrupt runs cases of all kernels of a library and returns how many interrupts there were.
func interrupt(t *testing.T, core string, c *kernel.Collection) (ticks uint32) {
	t.Helper()
	lib, err := c.Build(c.Variant(kernel.AGUOf(core), c.Roundings[0]))
	require.NoError(t, err)
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: lib})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	m.Interrupts(kernel.SpareData, 8)
	require.NoError(t, m.Change(func(m *arcv2dsp.Machine) error { return loadHandler(m, core, lib) }))
	for n, k := range c.Kernels {
		if !level.Wants(n, 3, 11) {
			continue
		}
		for i, p := range k.Grid() {
			if i%16 != 0 || !level.Wants(i/16, 5, 101) {
				continue
			}
			job, err := p.Job(k.Roundings()[0], 5)
			require.NoError(t, err, p.Name)
			rep, err := m.Run(context.Background(), k, job)
			require.NoError(t, err, "%s %s", k.Symbol, p.Name)
			for role, want := range job.Want {
				require.NoError(t, kernel.Difference(rep.Results[role], want), "%s %s: %s", k.Symbol, p.Name, role)
			}
			n, err := m.Core().ReadWord(ticksAt)
			require.NoError(t, err)
			ticks += n
			fault, err := m.Core().ReadWord(faultAt)
			require.NoError(t, err)
			require.Zero(t, fault, "%s %s: gp is not the caller's at %s", k.Symbol, p.Name, m.Core().Locate(fault))
		}
	}
	return ticks
}

// loadHandler puts the handler beside the library and starts the timer.
func loadHandler(m *arcv2dsp.Machine, core string, lib *kernel.Library) error {
	const gp = 26
	agu := int64(0)
	if kernel.AGUOf(core) == kernel.LargeAGU {
		agu = 1
	}
	o, err := asm.Assemble(asm.Options{CPU: "em9d", Defsym: map[string]int64{"AGU": agu, "GP": int64(kernel.Saved(gp)), "TICKS": ticksAt}},
		asm.Source{Name: "handler.s", Text: handlerSource})
	if err != nil {
		return err
	}
	data, err := o.Bytes()
	if err != nil {
		return err
	}
	linked, err := link.Link(link.Options{Entry: "handler", SectionStart: map[string]uint32{".text": handlerAt}},
		[]link.Input{{Name: "handler.o", Data: data}})
	if err != nil {
		return err
	}
	if data, err = linked.Bytes(); err != nil {
		return err
	}
	im, err := loader.Read("handler", bytes.Clone(data))
	if err != nil {
		return err
	}
	if err := errors.Join(m.Load(im), m.Load(lib.Image)); err != nil { // the library last: messages name its symbols
		return err
	}
	err = errors.Join(m.WriteWord(timerVector, handlerAt), m.WriteWord(ticksAt, 0), m.WriteWord(faultAt, 0))
	m.SetAux(auxLimit0, 97)
	m.SetAux(auxCount0, 0)
	m.SetAux(auxControl0, 3)
	return errors.Join(err, m.SetRegister("status32", interruptsOn))
}
