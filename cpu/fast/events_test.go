package fast_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
)

// eventLoop is a loop whose passes of some dozens of instructions end in something of the kernel. r27 counts passes, r26 ticks. A frame
// at 0x1d000 has rtie go back to the loop.
const eventLoop = `
start:	sr 0x260d,[0xe]
	mov sp,0x1e000
	add r2,pcl,again@pcl
	st r2,[0x1d084]		; PC and STATUS32 above the 33 other words of the frame
	sr 0x1d000,[0xd]
%[1]s	b 1f
	.align 4
again:	mov sp,0x1e000
1:	add r27,r27,1
	mov lp_count,20
	mov r3,r4
	lp 2f
	add r3,r3,r5
	xor r5,r5,r3
2:	sub r4,r4,r3
%[2]s	b 1b
skips:
traps:	rtie
	.align 4
ticks:	sr 3,[0x22]
	add r26,r26,1
	rtie
`

// events are what a pass ends in, and how often; ticks come anywhere in it.
var events = []struct {
	name, setup, body string
	times             float64
	tick              uint32
	less              string // an event that comes with each and does not count
}{
	{name: "nothing"},
	{name: "write of CONTROL0", body: strings.Repeat("\tsr 2,[0x22]\n", 4), times: 4},
	{name: "write of AUX_IRQ_ACT", body: strings.Repeat("\tsr 0,[0x43]\n", 4), times: 4},
	{name: "read of COUNT0", body: strings.Repeat("\tlr r6,[0x21]\n", 4), times: 4},
	{name: "write of a region", body: strings.Repeat("\tsr 0x14001,[0x424]\n", 4), times: 4},
	{name: "trap and rtie", body: "\ttrap_s 0\n", times: 1},
	{name: "rtie", body: "\tmov sp,0x1d000\n\tsr 2,[0x43]\n\trtie\n", times: 1, less: "write of AUX_IRQ_ACT"},
	{name: "sleep", setup: "\tsr 40,[0x23]\n", body: "\tsr 0,[0x21]\n\tsr 1,[0x22]\n\tsleep\n", times: 1, less: "write of CONTROL0"},
	{name: "tick: interrupt, write of CONTROL0, rtie", setup: "\tseti 0x1f\n", tick: 499},
}

// BenchmarkEvents measures what kernels do that is no plain instruction, compiled, in nanoseconds beyond a pass without.
func BenchmarkEvents(b *testing.B) {
	const cycles = 4_000_000
	each := map[string]float64{} // seconds
	for _, x := range events {
		b.Run(x.name, func(b *testing.B) {
			var r race
			passes, times := 0.0, 0.0
			r.run(b, func(e *fast.Engine) (func(), func() float64) {
				cfg := em9d()
				cfg.MPURegions, cfg.MPUVersion = 8, 2
				c := protectedCPU(b, cfg, fmt.Sprintf(eventLoop, x.setup, x.body), x.tick)
				c.SetEngine(e)
				c.Run(cycles / 4)
				passed, ticked := c.Reg(27), c.Reg(26)
				return func() { require.Equal(b, cpu.StopCycleLimit, c.Run(cycles).Reason) }, func() float64 {
					passes, times = float64(c.Reg(27)-passed), float64(c.Reg(26)-ticked)
					if x.tick == 0 {
						times = passes * x.times
					}
					return 1
				}
			})
			if x.times == 0 && x.tick == 0 {
				each[x.name] = r.best[1] / passes
			} else {
				each[x.name] = (r.best[1]-passes*each[events[0].name])/times - each[x.less]
			}
			b.ReportMetric(1e9*each[x.name], "ns/event")
		})
	}
}
