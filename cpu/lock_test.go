package cpu_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// TestLock: scond succeeds while llock watches: not after another store to the address, an exception
// or 4,096 cycles.
func TestLock(t *testing.T) {
	for _, row := range []struct {
		name    string
		between string
		held    bool
	}{
		{name: "at once", between: "nop", held: true},
		{name: "another address", between: "st 1,[r1,64]", held: true},
		{name: "the address", between: "st 1,[r1]"},
		{name: "exception", between: "trap_s 0"},
		{name: "a while", between: "mov lp_count,1360\n lp 1f\n nop\n nop\n nop\n1: nop", held: true}, // 4,082 cycles
		{name: "too long", between: "mov lp_count,1365\n lp 1f\n nop\n nop\n nop\n1: nop"},            // 4,097 cycles
	} {
		t.Run(row.name, func(t *testing.T) {
			onAll(t, func(t *testing.T, e cpu.Engine) {
				m := program(t, em(), e, fmt.Sprintf(`
					.space 1024
				handler: rtie
				start:	mov r1,0x4000
					llock r0,[r1]
					%s
					scond r2,[r1]
					mov.eq r3,1
					mov.ne r3,0
					flag 1
				`, row.between))
				m.vector(9, "handler")
				m.SetReg(2, 77)
				m.halts()
				require.Equal(t, row.held, m.R[3] == 1)
				require.Equal(t, row.held, m.word(0x4000) == 77)
			})
		})
	}
}
