package gdbserver

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestExit(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	require.Equal(t, "W34", c.ask("c"), "the low byte of the checksum")
	require.Equal(t, "W34", c.ask("?"))
	require.NoError(t, c.conn.Close())
	end := s.wait(t)
	require.Equal(t, Exited, end.Outcome)
	require.Equal(t, uint32(checksumOfSort), end.Stop.Status)
}

// TestExtended: a client that stays runs the program again.
func TestExtended(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	require.Equal(t, "OK", c.ask("!"))
	for range 2 {
		require.Equal(t, "W34", c.ask("c"))
		require.Equal(t, s.symbols["__start"], c.resume("vRun;;").pc(t))
	}
	require.Equal(t, s.symbols["__start"], c.resume("vAttach;1").pc(t))
	c.resume("s")
	c.send("R00")
	require.Equal(t, s.symbols["__start"], c.register(64))
	require.Equal(t, "W34", c.ask("c"))
	require.Equal(t, "OK", c.ask("vKill;1"))
	require.Equal(t, "W34", c.ask("?"), "it had ended")
	require.Equal(t, "l", c.ask("qfThreadInfo"))
	require.Equal(t, s.symbols["__start"], c.resume("vRun;78").pc(t), "as gdb does for run")
	require.Equal(t, "OK", c.ask("vKill;1"))
	require.Equal(t, "X09", c.ask("?"))
	require.Equal(t, "E16", c.ask("c"))
	c.resume("vRun;")
	require.Equal(t, "m1", c.ask("qfThreadInfo"))
	require.Equal(t, "W34", c.ask("c"))
	require.NoError(t, c.conn.Close())
	require.Equal(t, Exited, s.wait(t).Outcome)

	s = serve(t, Options{})
	c = s.connect(t)
	require.Equal(t, "OK", c.ask("!"))
	c.send("k")
	require.Equal(t, "X09", c.ask("?"))
	require.NoError(t, c.conn.Close())
	require.Equal(t, Killed, s.wait(t).Outcome)
}

func TestKill(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	require.Equal(t, "OK", c.ask("vKill;1"))
	require.Equal(t, Killed, s.wait(t).Outcome)

	s = serve(t, Options{})
	c = s.connect(t)
	c.send("k")
	require.Equal(t, Killed, s.wait(t).Outcome)
	_, err := c.in.ReadByte()
	require.Error(t, err, "the connection is closed")
	_, err = net.DialTimeout("tcp", s.addr, time.Second)
	require.Error(t, err)
}

// TestDetach: the program runs on, and can be attached to while it does.
func TestDetach(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", s.symbols["run"])))
	c.spin("D;1")
	require.Equal(t, "OK", c.reply())
	require.NoError(t, c.conn.Close())
	time.Sleep(20 * time.Millisecond)
	c = s.connect(t)
	require.Equal(t, "02", parseStop(t, c.ask("?")).signal)
	require.Equal(t, uint32(0x4000_0000), c.register(64))
	require.Equal(t, "1", c.ask("qAttached"))
	// The breakpoint went with the client: the program ends.
	require.Equal(t, "OK", c.ask("P40="+hex32(s.symbols["__start"])))
	require.Equal(t, "OK", c.ask("D"))
	end := s.wait(t)
	require.Equal(t, Exited, end.Outcome)
	require.Equal(t, uint32(checksumOfSort), end.Stop.Status)
}

// TestDetachStops: a program that stops for itself waits for the next client.
func TestDetachStops(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	run := s.symbols["run"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,2:ff7f", run)))
	require.Equal(t, "OK", c.ask("D"))
	require.Eventually(t, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.notices) == 1 && strings.Contains(s.notices[0], "<run>")
	}, 2*time.Minute, time.Millisecond)
	c = s.connect(t)
	require.Equal(t, run, parseStop(t, c.ask("?")).pc(t))
}

func TestTwoClients(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	first := s.connect(t)
	require.Equal(t, "OK", first.ask("P1="+hex32(7)))
	second := s.dial(t)
	require.Equal(t, "E.another debugger is connected", second.ask("qSupported:swbreak+"))
	silent := s.dial(t) // says nothing and is not waited for
	garbage := s.dial(t)
	garbage.raw(strings.Repeat("x", 10000))
	require.Equal(t, uint32(7), first.register(1))
	require.NoError(t, second.conn.Close())
	require.NoError(t, first.conn.Close())
	require.NoError(t, garbage.conn.Close())
	require.NoError(t, silent.conn.Close())
	require.Equal(t, uint32(7), s.connect(t).register(1))
}

// TestDisconnect: whatever a client was doing when it went away, the next one finds the program.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	for i, leave := range []func(c *client){
		func(*client) {},
		func(c *client) { c.raw("$m0,4") },
		func(c *client) { c.raw("$m0,4#") },
		func(c *client) { c.raw(frame("g")) },
		func(c *client) { c.spin("c") },
		func(c *client) { c.raw(frame("vCont;r40000000,40000100")) },
		func(c *client) {
			for range 1000 {
				c.raw(frame("?"))
			}
		},
		func(c *client) { c.raw(frame("bc")) }, // may be done or not
	} {
		c := s.connect(t)
		if i > 0 {
			require.Equal(t, uint32(i), c.register(7), "%d", i)
		}
		require.Equal(t, "OK", c.ask("P7="+hex32(uint32(i+1))))
		leave(c)
		require.NoError(t, c.conn.Close())
	}
	require.Equal(t, "05", s.connect(t).resume("s").signal)
}

func TestCancel(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]func(t *testing.T, s *service){
		"nobody": func(*testing.T, *service) {},
		"idle":   func(t *testing.T, s *service) { s.connect(t) },
		"packet": func(t *testing.T, s *service) { s.connect(t).raw("$m0") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{})
			during(t, s)
			s.cancel()
			require.Equal(t, Cancelled, s.wait(t).Outcome)
		})
	}
	t.Run("running", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{})
		c := s.connect(t)
		c.spin("c")
		time.Sleep(10 * time.Millisecond)
		s.cancel()
		require.Equal(t, "X0f", c.reply())
		require.Equal(t, Cancelled, s.wait(t).Outcome)
	})
	t.Run("detached", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{})
		c := s.connect(t)
		c.spin("D")
		require.Equal(t, "OK", c.reply())
		s.cancel()
		require.Equal(t, Cancelled, s.wait(t).Outcome)
	})
	t.Run("deaf client", func(t *testing.T) {
		t.Parallel()
		s := serve(t, Options{})
		c := s.connect(t)
		for range 20 { // replies it does not read
			c.raw(frame("m0,2000"))
		}
		s.cancel()
		require.Equal(t, Cancelled, s.wait(t).Outcome)
	})
}

func TestListen(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{"0": "127.0.0.1:", ":0": "127.0.0.1:", "localhost:0": "127.0.0.1:"} {
		l, err := Listen(addr)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(l.Addr().String(), want), "%s: %v", addr, l.Addr())
		require.NoError(t, l.Close())
	}
	for _, addr := range []string{":nonsense", "a:b:c", ":99999"} {
		_, err := Listen(addr)
		require.Error(t, err, "%s", addr)
	}
}

// BenchmarkStep measures single steps as gdb makes them.
func BenchmarkStep(b *testing.B) {
	for name, packet := range map[string]string{"vCont": "vCont;s:1", "s": "s"} {
		b.Run(name, func(b *testing.B) {
			c := serve(b, Options{}).connect(b)
			start := frame(packet)
			buf := make([]byte, 512)
			n := 0
			for b.Loop() {
				if _, err := io.WriteString(c.conn, start); err != nil {
					b.Fatal(err)
				}
				for got := 0; got < 3 || buf[got-3] != '#'; {
					m, err := c.conn.Read(buf[got:])
					if err != nil {
						b.Fatal(err)
					}
					got += m
				}
				if buf[1] != 'T' { // the program has ended: again
					b.StopTimer()
					c.ask("vRun;;")
					b.StartTimer()
				}
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}
