package arcv2dsp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestWildStores: a store to an address where a board has nothing faults on every preset, with the address, the
// instruction and what the board has; where all addresses are RAM it does not.
func TestWildStores(t *testing.T) {
	for _, b := range arcv2dsp.Boards() {
		wild := func(engine arcv2dsp.EngineKind, set ...arcv2dsp.Setting) (*arcv2dsp.Machine, arcv2dsp.Stop) {
			m := board(t, arcv2dsp.Config{Core: b.Name, Engine: engine, Settings: set})
			at := uint32(0)
			for _, r := range slices.Backward(m.Regions()) {
				if !r.Device {
					at = r.Base
				}
			}
			require.NoError(t, m.Load(linkedAt(t, "	.global __start\n__start: st r0,[r1]\n	flag 1\n	nop\n	nop\n", at+0x400)))
			m.SetReg(1, 0x48000010) // no board has anything there
			for _, v := range arcv2dsp.Vectors() {
				m.OnException(v, arcv2dsp.StopBefore)
			}
			stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 3})
			require.NoError(t, err)
			return m, stop
		}
		for _, engine := range engines {
			m, stop := wild(engine)
			require.Equal(t, arcv2dsp.StopFault, stop.Reason, "%s: %s", b.Name, stop)
			first := append(slices.Clone(stop.Handling), stop.Exception)[0]
			require.EqualValues(t, 0x48000010, first.Addr, b.Name)
			require.Contains(t, first.Why, "store of 4 bytes at 0x48000010: unmapped address", b.Name)
			text := m.Nowhere(stop)
			require.True(t, strings.HasPrefix(text, b.Name+" has "), text)
			for _, r := range m.Regions() {
				require.Contains(t, text, fmt.Sprintf("%s %#x to ", r.Name, r.Base))
			}
			_, stop = wild(engine, arcv2dsp.Setting{Property: "ram=all"})
			require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s with RAM everywhere: %s", b.Name, stop)
		}
	}
}

// kit is the board of the published measurements of copies, cache operations and DMA, with its data cache on.
const kit = "emsk22-em7d"

// cyclesOn is how many cycles a program takes on the kit from its label begin to its end, where it halts. It begins at 0, in
// instruction memory; data lies in the board's DDR.
func cyclesOn(t *testing.T, engine arcv2dsp.EngineKind, source string, set ...string) uint64 {
	t.Helper()
	return cyclesAt(t, 0, engine, source, set...)
}

// cyclesAt is the same for a program at another place.
func cyclesAt(t *testing.T, at uint32, engine arcv2dsp.EngineKind, source string, set ...string) uint64 {
	t.Helper()
	var cfg arcv2dsp.Config
	cfg.Core, cfg.Engine = kit, engine
	for _, s := range set {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: s})
	}
	m := board(t, cfg)
	require.NoError(t, m.Load(linkedAt(t, source, at)))
	begin, ok := m.Symbol("begin")
	require.True(t, ok)
	m.SetBreakpoint(begin)
	stop := run(t, m, arcv2dsp.Limits{Cycles: 1_000_000})
	require.Equal(t, arcv2dsp.StopBreakpoint, stop.Reason, stop.String())
	m.ClearBreakpoint(begin)
	before := m.Stats().Cycles
	stop = run(t, m, arcv2dsp.Limits{Cycles: 1_000_000})
	require.Equal(t, arcv2dsp.StopExited, stop.Reason, stop.String())
	return m.Stats().Cycles - before
}

// cacheLoop dirties the lines of 4 KB, then operates on each by a loop as drivers have it.
func cacheLoop(register int, wait string) string {
	return fmt.Sprintf(`
	.global __start, begin
__start:
	mov r0, 0x10000000
	mov r2, 0x10001000
	mov r4, r0
fill:	st.ab r4, [r4, 4]
	brlo r4, r2, fill
begin:
	sr r0, [%#x]
	nop_s
	nop_s
	nop_s
%s
	add r0, r0, 32
	brlo r0, r2, begin
	flag 1
	nop
	nop
`, register, wait)
}

// TestPublishedCacheCosts: flushing a dirty line of 32 bytes takes 32 cycles and invalidating one 21 on an EM7D, both with
// the loop (public measurements on the kit).
func TestPublishedCacheCosts(t *testing.T) {
	for _, engine := range engines {
		const lines = 4096 / 32
		require.InDelta(t, 21, float64(cyclesOn(t, engine, cacheLoop(0x4a, "")))/lines, 1, "invalidate")
		flush := cacheLoop(0x4c, "w:	lr r3, [0x48]\n	bbit1 r3, 8, w")
		require.InDelta(t, 32, float64(cyclesOn(t, engine, flush))/lines, 2, "flush")
		require.Less(t, cyclesOn(t, engine, strings.Replace(flush, "st.ab r4, [r4, 4]", "ld.ab r5, [r4, 4]", 1))/lines, uint64(26), "a clean line is not written")
	}
}

// TestPublishedDMACosts: the DMA controller takes 135 cycles to move a word that is read from DDR and written there.
func TestPublishedDMACosts(t *testing.T) {
	const words = 64
	for _, engine := range engines {
		cycles := cyclesOn(t, engine, fmt.Sprintf(`
	.global __start, begin
__start:
	sr 0x80000000, [0x689]	; descriptors in DCCM
	mov r1, 0x80000000
	mov r2, %#x		; single, words, a turn of 64, both addresses rise
	st r2, [r1]
	mov r2, 0x10000000+4*%d-4
	st r2, [r1, 4]
	mov r2, 0x10010000+4*%d-4
	st r2, [r1, 8]
	sr 1, [0x680]
	sr 1, [0x681]
begin:	sr 1, [0x685]
wait:	lr r3, [0x687]
	bbit0 r3, 0, wait
	flag 1
	nop
	nop
`, uint32(1|5<<5|(4*words-1)<<8|(words-1)<<21|3<<30), words, words))
		require.InDelta(t, 135, float64(cycles)/words, 2)
	}
}

// TestWaitStates: by hand. A load from a memory without a cache waits for its first word, a double word for both; a cache
// meets the wait states when it fills a line, of the first and of seven more words.
func TestWaitStates(t *testing.T) {
	source := func(loads string) string {
		return `
	.global __start, begin
__start:
	mov r0, 0x10000000
begin:	` + loads + `
	flag 1
	nop
	nop
`
	}
	for _, engine := range engines {
		cycles := func(loads string, set ...string) int { return int(cyclesOn(t, engine, source(loads), set...)) }
		memory := func(first, next int) string {
			return fmt.Sprintf("memory=ddr,base=0x10000000,size=1M,first=%d,next=%d", first, next)
		}
		four := "ld r1,[r0]\n	ld r2,[r0,64]\n	st r1,[r0,128]\n	ldb r3,[r0]"
		without := cycles(four, "dcache=0", memory(0, 0))
		require.Equal(t, without+4*7, cycles(four, "dcache=0", memory(7, 3)), "four accesses")
		cached := cycles(four, memory(0, 0))
		require.Equal(t, without+3*10, cached, "three fills of 2 + 8 cycles")
		require.Equal(t, cached+3*(7+7*3), cycles(four, memory(7, 3)), "three fills")
		require.Equal(t, without, cycles(four, memory(7, 3), "ram=all", "dcache=0"), "flat RAM has none")
	}
}

// TestFetchWaits: by hand. Without an instruction cache every word of code in a memory with wait states costs those of a word in
// order, whether its instruction is executed or not, and a taken branch begins a new burst; operands on their way arrive
// meanwhile. With a cache the line fills meet the wait states, as before.
func TestFetchWaits(t *testing.T) {
	const ddr = 0x10000000
	memory := []string{fmt.Sprintf("memory=ddr,base=%#x,size=1M,first=7,next=3", ddr), "dcache=0"}
	for name, c := range map[string]struct {
		source       string
		words, taken int
		hidden       int // cycles that operands take to come while the instruction is fetched
	}{
		"straight":    {source: "	add r1,r2,r3\n	add r4,r2,r3\n	nop_s\n	nop_s\n	add r1,0x12345678,r3\n", words: 5},
		"condition":   {source: "	cmp r2,r2\n	add.ne r1,r1,r3\n	add.eq r1,r1,r3\n", words: 3},
		"branches":    {source: "	b 1f\n	add r1,r2,r3\n1:	add r1,r2,r3\n	bne.d 1b\n	add r4,r2,r3\n", words: 4, taken: 1},
		"loop":        {source: "	mov r5,10\n1:	sub.f r5,r5,1\n	bne 1b\n", words: 1 + 20, taken: 9},
		"late result": {source: "	mpym r1,r2,r3\n	add r4,r1,r2\n", words: 2, hidden: 1},
	} {
		source := "	.global __start, begin\n__start:\n	cmp r2,r2\nbegin:\n" + c.source + "	flag 1\n	nop\n	nop\n"
		for _, engine := range engines {
			inside := int(cyclesAt(t, 0, engine, source, append(memory, "icache=0")...))
			out := int(cyclesAt(t, ddr, engine, source, append(memory, "icache=0")...))
			require.Equal(t, inside+3*(c.words+1)+4*c.taken-c.hidden, out, "%s: %v", name, engine)
			require.Less(t, cyclesAt(t, ddr, engine, source, memory...), uint64(out)+60, "%s with a cache", name)
		}
	}
}
