package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/timing"
)

// TestLoops runs zero-overhead loops: r0 counts passes through the body, r1 something else.
func TestLoops(t *testing.T) {
	tests := []struct {
		name   string
		src    string
		r0, r1 uint32
		count  uint32 // LP_COUNT at the end
	}{
		{name: "five passes", r0: 5, src: `
start:	mov lp_count,5
	lp 1f
	add r0,r0,1
	nop
1:	flag 1`},
		{name: "one pass", r0: 1, src: `
start:	mov lp_count,1
	lp 1f
	add r0,r0,1
	nop
1:	flag 1`},
		{name: "count 0 is one pass", r0: 1, src: `
start:	mov lp_count,0
	lp 1f
	add r0,r0,1
	nop
1:	flag 1`},
		{name: "one instruction", r0: 1000, src: `
start:	mov lp_count,1000
	lp 1f
	add r0,r0,1
1:	flag 1`},
		{name: "one 16-bit instruction", r0: 1000, r1: 1, src: `
start:	mov lp_count,1000
	mov r1,1
	lp 1f
	add_s r0,r0,r1
1:	flag 1`},
		{name: "skipped by its condition", r0: 0, count: 7, src: `
start:	mov lp_count,7
	mov.f 0,0
	lpnz 1f
	add r0,r0,1
1:	flag 1`},
		{name: "entered by its condition", r0: 7, src: `
start:	mov.f lp_count,7
	lpnz 1f
	add r0,r0,1
1:	flag 1`},
		{name: "left early by a branch", r0: 3, count: 8, src: `
start:	mov lp_count,10
	lp 1f
	add r0,r0,1
	breq r0,3,2f
	nop
1:	nop
2:	flag 1`},
		{name: "entered in the middle", r0: 9, r1: 10, src: `
start:	sr 40,[2]
	sr 48,[3]
	mov lp_count,10
	b 2f
	nop
	nop
	nop
	nop
	add r0,r0,1
2:	add r1,r1,1
	flag 1`},
		{name: "count changed inside", r0: 4, src: `
start:	mov lp_count,100
	lp 1f
	add r0,r0,1
	brne r0,3,2f
	mov lp_count,2
	nop
	nop
2:	nop
1:	flag 1`},
		{name: "end moved inside", r0: 3, r1: 3, src: `
start:	mov lp_count,3
	lp 1f
	add r0,r0,1
	sr 32,[3]
	nop
1:	add r1,r1,1
	nop
	flag 1`},
		{name: "branch to the end falls out", r0: 1, r1: 1, count: 5, src: `
start:	mov lp_count,5
	lp 1f
	add r0,r0,1
	b 1f
	nop
1:	add r1,r1,1
	flag 1`},
		{name: "taken branch as the last instruction", r0: 2, r1: 1, count: 5, src: `
start:	mov lp_count,5
	lp 1f
0:	add r0,r0,1
	breq r0,2,2f
	nop
	b 3f
1:	nop
3:	add r1,r1,1
	b 0b
2:	flag 1`},
		{name: "untaken branch as the last instruction", r0: 5, src: `
start:	mov lp_count,5
	lp 1f
	add r0,r0,1
	brne r0,r0,2f
1:	flag 1
2:	mov r1,1
	flag 1`},
		{name: "delay slot as the last instruction", r0: 1, r1: 1, count: 5, src: `
start:	mov lp_count,5
	lp 1f
	b.d 2f
	add r0,r0,1
1:	mov r1,77
2:	add r1,r1,1
	flag 1`},
		{name: "call out of the body", r0: 4, r1: 4, src: `
start:	mov lp_count,4
	lp 1f
	bl 2f
	add r0,r0,1
1:	flag 1
2:	add r1,r1,1
	j [blink]`},
		{name: "nested by saving the registers", r0: 12, r1: 3, src: `
start:	mov r1,0
	mov r4,3
3:	mov lp_count,4
	lp 1f
	add r0,r0,1
1:	add r1,r1,1
	dbnz r4,3b
	flag 1`},
		{name: "disabled by STATUS32.L is not reachable by flag", r0: 2, src: `
start:	mov lp_count,2
	flag 0x1000
	lp 1f
	add r0,r0,1
1:	flag 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em9d(), e, tt.src)
				m.halts()
				require.Equal(t, tt.r0, m.Reg(0), "r0")
				require.Equal(t, tt.r1, m.Reg(1), "r1")
				require.Equal(t, tt.count, m.Reg(60), "lp_count")
			})
		})
	}
}

// TestLoopInstructionCount: a loop costs its instructions and nothing more.
func TestLoopInstructionCount(t *testing.T) {
	onAll(t, func(t *testing.T, e cpu.Engine) {
		m := program(t, em9d(), e, `
start:	mov lp_count,1000
	lp 1f
	add r0,r0,1
	add r2,r2,1
1:	flag 1`)
		m.halts()
		require.EqualValues(t, 2+2000+1, m.Insts)
	})
}

// TestDelaySlots: the slot executes whether it can be seen or not.
func TestDelaySlots(t *testing.T) {
	tests := []struct {
		name   string
		src    string
		r0, r1 uint32
		blink  uint32
	}{
		{name: "taken", r0: 1, src: `
start:	b.d 1f
	add r0,r0,1
	mov r1,9
1:	flag 1`},
		{name: "not taken", r0: 1, r1: 9, src: `
start:	mov.f 0,1
	beq.d 1f
	add r0,r0,1
	mov r1,9
1:	flag 1`},
		{name: "the slot changes the register compared", r0: 6, src: `
start:	mov r0,5
	breq.d r0,5,1f
	add r0,r0,1
	mov r1,9
1:	flag 1`},
		{name: "the slot changes the target register", r0: 0, r1: 1, src: `
start:	mov r2,36
	j.d [r2]
	mov r2,0
	mov r0,9
	flag 1
	.org 36
	add r1,r1,1
	flag 1`},
		{name: "a call returns behind a short slot", r0: 1, r1: 1, blink: 8, src: `
start:	mov_s r3,1
	bl.d 2f
	add_s r0,r0,r3
	flag 1
2:	add r1,r1,1
	j [blink]`},
		{name: "a return with a slot", r0: 1, r1: 1, blink: 4, src: `
start:	bl 2f
	flag 1
2:	add r1,r1,1
	j_s.d [blink]
	add r0,r0,1`},
		{name: "the slot reads blink", r0: 8, r1: 8, blink: 8, src: `
start:	bl.d 2f
	mov r0,blink
	flag 1
2:	mov r1,blink
	j [blink]`},
		{name: "a loop by dbnz", r0: 5, src: `
start:	mov r3,5
1:	dbnz.d r3,1b
	add r0,r0,1
	flag 1`},
		{name: "the slot is conditional", r0: 0, r1: 1, src: `
start:	mov.f 0,1
	b.d 1f
	mov.eq r0,1
	nop
1:	mov.ne r1,1
	flag 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em9d(), e, tt.src)
				m.halts()
				require.Equal(t, tt.r0, m.Reg(0), "r0")
				require.Equal(t, tt.r1, m.Reg(1), "r1")
				require.Equal(t, tt.blink, m.Reg(cpu.RegBLINK), "blink")
				require.Zero(t, m.Status&cpu.StatusDE)
			})
		})
	}
}

// TestIllegalSequences: instructions that may not stand in a delay slot.
func TestIllegalSequences(t *testing.T) {
	for name, second := range map[string]uint32{
		"branch": 0x00010004 | 0<<16, "jump": 0x20200fc0, "loop": 0x20a80080, "long immediate": 0x20000f80,
		"trap": 0x7800781e, "return": 0x246f003f,
	} {
		t.Run(name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em9d(), e, "start:	b.d 1f\n	nop\n	nop\n1:	flag 1\n")
				b := []byte{byte(second >> 16), byte(second >> 24), byte(second), byte(second >> 8)}
				if name == "trap" {
					b = []byte{0x1e, 0x78, 0, 0}
				}
				require.NoError(t, m.Mem.Poke(4, b))
				m.StopOn = 1 << cpu.VecInstruction
				stop := m.Run(cpu.NoLimit)
				require.Equal(t, cpu.StopFault, stop.Reason)
				require.EqualValues(t, 0x020100, stop.Exception.ECR(), stop.Exception.String())
				require.EqualValues(t, 4, stop.PC)
				require.NotZero(t, m.Status&cpu.StatusDE, "the branch is still pending")
				require.EqualValues(t, m.at("start")+12, m.BTA)
			})
		})
	}
}

// TestInvalidateInLoop empties the instruction cache in the middle of a loop and in its last instruction, with lines longer
// than an instruction: the engines take the same cycles for bringing the lines again.
func TestInvalidateInLoop(t *testing.T) {
	for _, body := range []string{"add r0,r0,1\n sr 1,[0x10]\n add r0,r0,1\n add r0,r0,2", "add r0,r0,1\n add r0,r0,2\n sr 1,[0x10]"} {
		cfg := em9d()
		cfg.ICache = timing.CacheGeometry{Size: 1 << 10, Line: 32, Ways: 2}
		var cycles, lost []uint64
		onAll(t, func(t *testing.T, e cpu.Engine) {
			m := program(t, cfg, e, `
	.org 0x100
start:	mov r2,9
1:	mov lp_count,20
	lp 2f
	`+body+`
2:	dbnz r2,1b
	flag 1
	nop
`)
			m.halts()
			cycles, lost = append(cycles, m.Cycles), append(lost, m.Stalls[timing.ICache])
		})
		require.Greater(t, lost[0], uint64(9*20), "each iteration brings a line")
		for i := range cycles {
			require.Equal(t, cycles[0], cycles[i])
			require.Equal(t, lost[0], lost[i])
		}
	}
}
