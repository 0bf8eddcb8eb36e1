package main

import (
	"bufio"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"math/bits"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const sortProgram = "../../testdata/elf/small/sort-em4_dmips-O2.elf"

// remote is a connection to an arcsim that serves a debugger.
type remote struct {
	t      *testing.T
	conn   net.Conn
	in     *bufio.Reader
	status chan int
}

// startServer runs arcsim and connects to the address it tells.
func startServer(t *testing.T, args ...string) *remote {
	t.Helper()
	stderr, pipe := io.Pipe()
	r := &remote{t: t, status: make(chan int, 1)}
	go func() {
		r.status <- Main(args, strings.NewReader(""), io.Discard, pipe)
		_ = pipe.Close() // of no consequence: a pipe in memory
	}()
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadString('\n')
	require.NoError(t, err)
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	addr := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(first)
	require.NotEmpty(t, addr, "%s", first)
	r.conn, err = net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.conn.Close() })
	require.NoError(t, r.conn.SetDeadline(time.Now().Add(2*time.Minute)))
	r.in = bufio.NewReader(r.conn)
	require.Equal(t, "OK", r.ask("QStartNoAckMode"))
	return r
}

func (r *remote) reply() string {
	r.t.Helper()
	text, err := r.in.ReadString('#')
	require.NoError(r.t, err)
	_, err = r.in.Discard(2)
	require.NoError(r.t, err)
	return strings.TrimSuffix(strings.TrimLeft(text, "+$"), "#")
}

func (r *remote) ask(payload string) string {
	r.t.Helper()
	sum := byte(0)
	for i := range len(payload) {
		sum += payload[i]
	}
	_, err := fmt.Fprintf(r.conn, "$%s#%02x", payload, sum)
	require.NoError(r.t, err)
	return r.reply()
}

// monitor executes a command of the debugger and returns what it prints.
func (r *remote) monitor(line string) string {
	r.t.Helper()
	var text strings.Builder
	for reply := r.ask("qRcmd," + hex.EncodeToString([]byte(line))); reply != "OK"; reply = r.reply() {
		require.True(r.t, strings.HasPrefix(reply, "O"), "%s", reply)
		// Repetitions are sent as a count.
		plain := regexp.MustCompile(`.\*.`).ReplaceAllStringFunc(reply[1:], func(run string) string {
			return strings.Repeat(run[:1], int(run[2])-28)
		})
		b, err := hex.DecodeString(plain)
		require.NoError(r.t, err)
		text.Write(b)
	}
	return text.String()
}

func (r *remote) end() int {
	r.t.Helper()
	require.NoError(r.t, r.conn.Close())
	select {
	case status := <-r.status:
		return status
	case <-time.After(2 * time.Minute):
		r.t.Fatal("arcsim does not end")
		return 0
	}
}

// TestGDBServer: every way to start the server serves the program with the debugger's commands, and
// ends with the program's status.
func TestGDBServer(t *testing.T) {
	for name, args := range map[string][]string{
		"gdb":  {"debug", "--gdb=0"},
		"nsim": {"run", "--nsim", "-gdb", "-port=0"},
	} {
		t.Run(name, func(t *testing.T) {
			r := startServer(t, append(args, sortProgram)...)
			require.Contains(t, r.monitor("info registers pc"), "0x00000080 <__start>")
			require.Contains(t, r.monitor("print 1 +"), "1 +\n   ^\n", "where the error is")
			require.Contains(t, r.monitor("nonsense"), `undefined command: "nonsense"`)
			require.Contains(t, r.monitor("break run"), "Breakpoint 1 at 0x")
			require.Contains(t, r.monitor("continue"), "maintenance flush register-cache")
			require.Contains(t, r.monitor("info registers pc"), "<run+")
			require.Equal(t, "W34", r.ask("c"))
			require.Equal(t, 0x34, r.end())
		})
	}
}

// TestGDBLoads: a gdb loads its program into a machine that has none, as after gdb's load: memory by M and X packets, then pc.
func TestGDBLoads(t *testing.T) {
	f, err := elf.Open(sortProgram)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	for name, args := range map[string][]string{
		"gdb":  {"debug", "--gdb=0", "--core", "em9d"},
		"nsim": {"run", "--nsim", "-gdb", "-port=0", "-p", "nsim_isa_family=av2em", "-p", "nsim_isa_mpy_option=6", "-on", "nsim_isa_bitscan_option", "-p", "nsim_isa_code_density_option=2"},
	} {
		t.Run(name, func(t *testing.T) {
			r := startServer(t, args...)
			require.Contains(t, r.ask("?"), "T05")
			for _, p := range f.Progs {
				if p.Type != elf.PT_LOAD {
					continue
				}
				data := make([]byte, p.Memsz)
				_, err := io.ReadFull(p.Open(), data[:p.Filesz])
				require.NoError(t, err)
				for at := 0; at < len(data); at += 512 {
					part := data[at:min(at+512, len(data))]
					require.Equal(t, "OK", r.ask(fmt.Sprintf("M%x,%x:%x", int(p.Paddr)+at, len(part), part)))
				}
			}
			require.Equal(t, "OK", r.ask(fmt.Sprintf("P40=%08x", bits.ReverseBytes32(uint32(f.Entry)))))
			require.Equal(t, "OK", r.ask("P5=78563412"))
			require.Contains(t, r.monitor("info registers r5"), "0x12345678")
			require.Contains(t, r.monitor("stepi"), "maintenance flush register-cache")
			require.Equal(t, "W34", r.ask("c"))
			require.Equal(t, 0x34, r.end())
		})
	}
}
