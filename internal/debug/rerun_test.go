package debug

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// TestRerun: the program starts again where the debugger took over, wherever recording began, and reads
// the same input.
func TestRerun(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		name   string
		opt    Options
		change func(d *Debugger)
		output string
	}{
		{name: "recorded", change: func(*Debugger) {}, output: "text\n"},
		{name: "not recorded", opt: Options{NoHistory: true}, change: func(*Debugger) {}, output: "text\ntext\n"},
		{name: "recorded later", change: func(d *Debugger) { d.EndHistory(); d.StartHistory() }, output: "text\ntext\n"},
		{name: "given up", change: func(d *Debugger) { d.history.points = d.history.points[1:] }, output: "text\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var out bytes.Buffer
			m, err := arcv2dsp.New(arcv2dsp.Config{Stdin: strings.NewReader("text\n"), Stdout: &out})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, m.Close()) })
			require.NoError(t, m.LoadFile("../../testdata/guest/elf/cat.elf"))
			d, err := New(m, row.opt)
			require.NoError(t, err)
			d.history.interval = 3
			begin := d.state(t)
			require.Equal(t, arcv2dsp.StopInstLimit, d.Continue(ctx, Limits{Insts: 8}).Reason)
			row.change(d)
			require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
			end := d.state(t)
			require.Equal(t, "text\n", out.String())
			for range 2 {
				s, err := d.Rerun()
				require.NoError(t, err)
				require.Equal(t, Moved, s.Reason)
				require.Equal(t, begin, d.state(t))
				require.Equal(t, row.opt.NoHistory, !d.HistoryInfo().On)
				require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
				require.Equal(t, end, d.state(t))
				require.True(t, strings.HasPrefix(out.String(), row.output), out.String())
			}
			// From now on all is recorded, and no output is repeated.
			if !row.opt.NoHistory {
				require.Equal(t, row.output, out.String())
				_, err = d.ReverseContinue(ctx)
				require.NoError(t, err)
				require.Equal(t, begin, d.state(t))
			}
		})
	}
}
