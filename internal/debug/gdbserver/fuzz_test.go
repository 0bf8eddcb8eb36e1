package gdbserver

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
	_ "arcv2dsp/internal/dev/testkit/nofiles"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestWire: any bytes sent are read back.
func TestWire(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for _, run := range rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes") {
			for range rapid.IntRange(1, 300).Draw(t, "run") {
				data = append(data, run)
			}
		}
		payload := appendEscaped(nil, data)
		wire := appendPacket(nil, payload)
		require.LessOrEqual(t, len(wire), len(payload)+4)
		back := expand(t, wire)
		require.Equal(t, string(payload), back)
		raw, err := unescape([]byte(back))
		require.NoError(t, err)
		require.Equal(t, string(data), string(raw))
	})
}

// expand undoes the run-length encoding of a packet.
func expand(t require.TestingT, wire []byte) string {
	var out []byte
	body := wire[1 : len(wire)-3]
	for i := 0; i < len(body); i++ {
		if body[i] != '*' {
			require.NotContains(t, "$#", string(body[i:i+1]))
			out = append(out, body[i])
			continue
		}
		i++
		require.True(t, body[i] >= ' ' && body[i] <= '~', "count %q", body[i])
		require.NotContains(t, "$#+-", string(body[i:i+1]))
		for range body[i] - 29 {
			out = append(out, out[len(out)-1])
		}
	}
	return string(out)
}

// FuzzSession: nothing that a client sends ends the server.
func FuzzSession(f *testing.F) {
	for _, seed := range []string{
		"$qSupported#37", "+$g#67-", "$m0,40#fd", "$vCont;s:1;c#c1\x03", "$Z0,80,2#46$c#63", "$X0,4:}\x03}\x04ab#00", "$bs#d5$bc#c5", "$D#44", "$k#6b",
		"$G00#a7$P0=00000000#00", "$qXfer:features:read:target.xml:0,fff#7d", "$$$###", "$vCont;r0,ffffffff#00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		m, err := arcv2dsp.New(arcv2dsp.Config{Stdout: io.Discard, Stderr: io.Discard, Memory: 64 << 20})
		require.NoError(t, err)
		require.NoError(t, m.LoadFile(sortO2))
		d, err := debug.New(m, debug.Options{})
		require.NoError(t, err)
		tgt := newTarget(d)
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		ours, theirs := net.Pipe()
		go func() {
			_, _ = theirs.Write(sent)
			for _, part := range splitPackets(sent) { // again, with right checksums
				_, _ = io.WriteString(theirs, frame(part))
			}
			_ = theirs.Close()
		}()
		go func() { _, _ = io.Copy(io.Discard, theirs) }()
		tgt.serve(ctx, ours, false, Options{Notice: func(string) {}})
		require.Empty(t, tgt.points)
		_, err = tgt.readAll(nil)
		require.NoError(t, err)
		require.NoError(t, d.Close())
		require.NoError(t, m.Close())
	})
}

// splitPackets cuts bytes at the ends of packets.
func splitPackets(sent []byte) []string {
	var parts []string
	from := 0
	for i, c := range sent {
		if c == '#' || c == '$' {
			parts = append(parts, string(sent[from:i]))
			from = i + 1
		}
	}
	return append(parts, string(sent[from:]))
}
