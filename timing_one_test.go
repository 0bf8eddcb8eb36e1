package arcv2dsp_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
)

// portLoop reads and writes X memory through AGU ports in each of 1,000 cycles, branches and divides: whatever the cycle
// model makes wait.
const portLoop = `
	.equ	X, 0xc0000000
	.text
	.globl	_start
_start:
	sr	X, [0x5c0]
	sr	X + 0x2000, [0x5c1]
	sr	0x20100ae0, [0x5e0]
	sr	0x20100ae1, [0x5e1]
	mov	lp_count, 1000
	lp	1f
	add	r33, r32, 1
1:	mov	r0, 50
2:	ld	r1, [0x80000000]
	add	r1, r1, r0
	div	r2, r1, r0
	mpy	r2, r2, r2
	dbnz	r0, 2b
	flag	1
	nop
	nop
`

// TestTimingOne: with timing=one each instruction takes one cycle and nothing else takes any, on each engine: a program
// with compiled branches, loads and calls on a core with caches, and one whose ports and units the model makes wait.
func TestTimingOne(t *testing.T) {
	o, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "ports.s", portLoop)
	require.NoError(t, err)
	data, err := o.Bytes()
	require.NoError(t, err)
	im, err := link.Link(link.Options{Entry: "_start"}, []link.Input{{Name: "ports.o", Data: data}})
	require.NoError(t, err)
	data, err = im.Bytes()
	require.NoError(t, err)
	ports, err := loader.Read("ports", data)
	require.NoError(t, err)
	compiled, err := loader.Open("testdata/elf/small/fsm-em4-O2.elf")
	require.NoError(t, err)
	for _, program := range []struct {
		core  string
		image *loader.Image
	}{{core: "em9d", image: ports}, {core: "em11d", image: compiled}} {
		insts := uint64(0)
		for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT} {
			for _, one := range []bool{true, false} {
				cfg := arcv2dsp.Config{Core: program.core, Engine: engine, Stdout: io.Discard}
				if one {
					cfg.Settings = []arcv2dsp.Setting{{Property: "timing=one"}}
				}
				m, err := arcv2dsp.New(cfg)
				require.NoError(t, err)
				require.NoError(t, m.Load(program.image))
				stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: 10_000_000})
				require.NoError(t, err)
				require.Equal(t, arcv2dsp.StopExited, stop.Reason)
				s := m.Stats()
				require.NoError(t, m.Close())
				if insts == 0 {
					insts = s.Insts
				}
				require.Equal(t, insts, s.Insts)
				if one {
					require.Equal(t, s.Insts, s.Cycles, "%s on %v", program.core, engine)
				} else {
					require.Greater(t, s.Cycles, s.Insts+100)
				}
			}
		}
	}
}
