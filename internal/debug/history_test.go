package debug

import (
	"bytes"
	"context"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// More changes by the user than snapshots are kept: each needs one of its own, and the distance
// between the others must not grow with every change.
func TestManyChanges(t *testing.T) {
	d, _ := start(t, sortO2, Options{})
	for i := range maxSnapshots + 200 {
		require.NoError(t, d.WriteMemory(0x1000_0000, []byte{byte(i)}))
		d.StepInst(context.Background(), 1, false)
	}
	require.LessOrEqual(t, len(d.history.points), maxSnapshots)
	require.LessOrEqual(t, d.history.interval, uint64(maxInterval))
	require.NotZero(t, d.history.interval)
	require.Equal(t, arcv2dsp.StopExited, d.Continue(context.Background(), Limits{}).Reason)
}

// TestReverseDevices: the effects of timers, pins and a real-time clock are taken back and come again.
func TestReverseDevices(t *testing.T) {
	ctx := context.Background()
	var out bytes.Buffer
	cfg := arcv2dsp.Config{Stdout: &out}
	for _, p := range []string{
		"uart0,kind=dwuart,base=0xf0000000,irq=24", "gpio0,kind=dwgpio,base=0xf0002000,irq=25,pins=0:0x20/7000:0x28/9000:0",
		"timer0,kind=dwtimer,base=0xf0004000,irq=26", "rtc0,kind=dwrtc,base=0xf0006000,irq=27,hz=5000",
	} {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: "nsim_mem-dev=" + p})
	}
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	require.NoError(t, m.LoadFile("../../testdata/guest/elf/board.elf"))
	d, err := New(m, Options{})
	require.NoError(t, err)
	for _, at := range []string{"*irq_gpio", "*irq_timers", "*irq_rtc"} {
		_, err := d.Break(at, "", false)
		require.NoError(t, err)
	}
	var forward []string
	for d.Continue(ctx, Limits{}).Reason == arcv2dsp.StopBreakpoint {
		forward = append(forward, d.state(t))
	}
	require.Len(t, forward, 2+5+1)
	log := out.String()
	for i := len(forward) - 1; i >= 0; i-- {
		s, err := d.ReverseContinue(ctx)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, s.Reason)
		require.Equal(t, forward[i], d.state(t), i)
	}
	d.DeleteAll()
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, log, out.String(), "nothing is written twice")
}
