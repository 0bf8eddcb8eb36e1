package benchmarks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/loader"
)

// dspLoops are the loops that DSP code spends its time in, each 256 times per turn of an outer loop.
// AGU ports 0 and 1 walk X and Y memory.
var dspLoops = []struct{ name, body string }{
	{"ld-ld-dmach", "\tld.ab r6,[r12,4]\n\tld.ab r7,[r13,4]\n\tdmach 0,r6,r7\n"},
	{"dmach-ports", "\tdmach 0,r32,r33\n"},
	{"dmachbl-byte-ports", "\tdmachbl 0,r32,r34\n"},
	{"dmachfr-ports", "\tdmachfr 0,r32,r33\n"},
	{"vmac2hf-ports", "\tvmac2hf 0,r32,r33\n"},
	{"mix18", `	dmach r0,r1,r2
	vmac2h r4,r1,r2
	dmachfr r6,r2,r3
	asrsr r7,r6,r20
	vadds2h r8,r1,r3
	getacc r9,r21
	dmachbl r10,r2,r3
	vmax2h r11,r8,r7
	setacc r14,r9,r22
	vmac2hf r15,r1,r8
	mac r16,r2,r3
	vasrs2h r17,r8,r23
	cmachfr r18,r1,r2
	dmpyhf r19,r3,r8
	vpack2hl r24,r7,r8
	vmac2hnfr r25,r2,r8
	sath r26,r7
	macf r27,r1,r9
`},
}

// BenchmarkDSPLoops reports the host time of one iteration of each loop on the fast engine.
func BenchmarkDSPLoops(b *testing.B) {
	const turns, trips = 2000, 256
	for _, loop := range dspLoops {
		b.Run(loop.name, func(b *testing.B) {
			text := fmt.Sprintf("\tmov r28,%d", turns) + `
1:	mov r12,0xc0000000
	mov r13,0xe0000000
	sr r12,[0x5c0]
	sr r13,[0x5c1]
	mov lp_count,256
	lp 2f
` + loop.body + `2:	sub.f r28,r28,1
	bne 1b
	flag 1
	nop
	nop
`
			object, err := asm.AssembleString(asm.Options{CPU: "em9d"}, loop.name, text)
			require.NoError(b, err)
			image, err := loader.ReadBinary(loop.name, object.Section(".text"), 0x1000)
			require.NoError(b, err)
			m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d"})
			require.NoError(b, err)
			defer m.Close()
			for b.Loop() {
				require.NoError(b, m.Load(image))
				m.SetPC(0x1000)
				for r := range uint8(32) {
					m.SetReg(r, 0x00030005*uint32(r))
				}
				m.SetReg(20, 3)
				m.SetReg(21, 0x9d00)
				m.SetReg(22, 0x301)
				m.SetReg(23, 0x00020003)
				m.SetAux(0x59f, 0x17)
				m.SetAux(0x5e0, 2<<4|11<<6|1<<29|4<<18)
				m.SetAux(0x5e1, 2<<4|11<<6|1<<29|4<<18|1)
				m.SetAux(0x5e2, 2<<4|9<<6|1<<29|2<<18|1)
				stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
				require.NoError(b, err)
				require.Equal(b, arcv2dsp.StopExited, stop.Reason)
			}
			iterations := float64(b.N) * turns * trips
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/iterations, "ns/iteration")
		})
	}
}
