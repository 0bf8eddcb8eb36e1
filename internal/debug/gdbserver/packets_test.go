package gdbserver

import (
	"context"
	"debug/elf"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checksumOfSort is the program's result in testdata/elf/small/expected.tsv.
const checksumOfSort = 0x46968734

// document reads an object in parts of n bytes.
func (c *client) document(object string, n int) string {
	c.t.Helper()
	var doc strings.Builder
	for {
		part := c.ask(fmt.Sprintf("qXfer:%s:%x,%x", object, doc.Len(), n))
		require.NotEmpty(c.t, part)
		require.LessOrEqual(c.t, len(part), n+1)
		doc.WriteString(part[1:])
		if part[0] == 'l' {
			return doc.String()
		}
		require.Equal(c.t, byte('m'), part[0])
	}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.dial(t)
	c.raw("+") // as gdb begins
	features := strings.Split(c.ask("qSupported:multiprocess+;swbreak+;hwbreak+;xmlRegisters=i386"), ";")
	for _, f := range []string{
		"PacketSize=4000", "QStartNoAckMode+", "qXfer:features:read+", "qXfer:memory-map:read+", "swbreak+", "hwbreak+",
		"vContSupported+", "ReverseStep+", "ReverseContinue+",
	} {
		require.Contains(t, features, f)
	}
	require.Equal(t, "OK", c.ask("QStartNoAckMode"))
	c.raw("+")
	c.noAck = true
	for ask, want := range map[string]string{
		"vMustReplyEmpty": "", "!": "OK", "Hg0": "OK", "Hc-1": "OK", "Hgp1.1": "OK", "Hg2": "E01", "H": "E01", "T1": "OK", "T2": "E16",
		"qC": "QC1", "qfThreadInfo": "m1", "qsThreadInfo": "l", "qAttached": "0", "qAttached:1": "0", "qSymbol::": "OK",
		"qThreadExtraInfo,1": hex.EncodeToString([]byte("em9d")), "vCont?": "vCont;c;C;s;S;r",
		"qXfer:features:read:other.xml:0,100": "E00", "qXfer:auxv:read::0,100": "", "qXfer:features:write:target.xml:0,1": "",
		"qXfer:features:read:target.xml:ffffff,10": "E16", "qXfer:features:read:target.xml:zz,10": "E01",
		"qTStatus": "", "QNonStop:1": "", "vFile:open:00,0,0": "", "A": "", "": "",
	} {
		require.Equal(t, want, c.ask(ask), "%s", ask)
	}
	require.Equal(t, "05", parseStop(t, c.ask("?")).signal)
}

// TestDescription: the documents hold all that gdb's ARC port asks for, in whatever parts they are read.
func TestDescription(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	text := c.document("features:read:target.xml", 0x1000)
	require.Equal(t, text, c.document("features:read:target.xml", 61))
	var target struct {
		Architecture string `xml:"architecture"`
		Features     []struct {
			Name string `xml:"name,attr"`
			Regs []struct {
				Name string `xml:"name,attr"`
				Bits int    `xml:"bitsize,attr"`
				Num  int    `xml:"regnum,attr"`
			} `xml:"reg"`
		} `xml:"feature"`
	}
	require.NoError(t, xml.Unmarshal([]byte(text), &target))
	require.Equal(t, "arc:ARCv2", target.Architecture)
	number := map[string]int{}
	bits, last := 0, -1
	for _, f := range target.Features {
		for _, r := range f.Regs {
			require.Greater(t, r.Num, last, "g sends registers by number")
			last = r.Num
			bits += r.Bits
			number[f.Name+"/"+r.Name] = r.Num
		}
	}
	require.Len(t, c.ask("g"), bits/4)
	for name, n := range map[string]int{
		"core/r0": 0, "core/r1": 1, "core/r2": 2, "core/r3": 3, "core/r10": 10, "core/r15": 15, "core/gp": 26, "core/fp": 27,
		"core/sp": 28, "core/ilink": 29, "core/r30": 30, "core/blink": 31, "core/r58": 58, "core/r59": 59, "core/lp_count": 60,
		"core/pcl": 63, "aux/pc": 64, "aux/status32": 65, "aux/lp_start": 66, "aux/lp_end": 67, "aux/bta": 68,
	} {
		require.Equal(t, n, number["org.gnu.gdb.arc."+name], "%s", name)
	}
	for _, name := range []string{"acclo", "acchi", "dsp_ctrl", "agu_ap0", "agu_ap11", "agu_os7", "agu_mod23"} {
		require.Contains(t, number, "org.arcv2dsp.dsp/"+name)
	}

	var memory struct {
		Areas []struct {
			Type   string `xml:"type,attr"`
			Start  string `xml:"start,attr"`
			Length string `xml:"length,attr"`
		} `xml:"memory"`
	}
	require.NoError(t, xml.Unmarshal([]byte(c.document("memory-map:read:", 0x1000)), &memory))
	require.NotEmpty(t, memory.Areas)
	require.Equal(t, "0x0", memory.Areas[0].Start)
	for _, a := range memory.Areas {
		require.Equal(t, "ram", a.Type)
		require.Len(t, c.ask("m"+a.Start[2:]+",1"), 2)
	}
}

func TestRegisters(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	require.Equal(t, s.symbols["__start"], c.register(64))
	require.Equal(t, "OK", c.ask("P5="+hex32(0x12345678)))
	require.Equal(t, "78563412", c.ask("p5"))
	require.Equal(t, "78563412", c.ask("g")[5*8:6*8])
	all := c.ask("g")
	changed := hex32(0xcafe) + all[8:]
	require.Equal(t, "OK", c.ask("G"+changed))
	require.Equal(t, changed, c.ask("g"))
	require.Equal(t, uint32(0xcafe), c.register(0))
	require.Equal(t, "OK", c.ask("G"+hex32(1)), "a short G writes the first registers")
	require.Equal(t, uint32(1), c.register(0))

	// Lanes have 40 bits; r58 is the low word of one.
	lane := 0
	for n := 69; ; n++ {
		if len(c.ask(fmt.Sprintf("p%x", n))) == 16 {
			lane = n
			break
		}
	}
	require.Equal(t, "OK", c.ask(fmt.Sprintf("P%x=%s", lane, "feffffff80000000")))
	require.Equal(t, "feffffff80ffffff", c.ask(fmt.Sprintf("p%x", lane)), "sign-extended from bit 39")
	require.Equal(t, uint32(0xfffffffe), c.register(58))

	for ask, want := range map[string]string{
		"p3d": "E16", "p3e": "E16", "p1000": "E16", "p": "E01", "pzz": "E01", "p123456789": "E01",
		"P3f=00000000": "E16", "P0=00": "E16", "P0=0000000000": "E16", "P0": "E01", "P0=0": "E01", "P0=xxxxxxxx": "E01", "P=00000000": "E01",
		"P1000=00000000": "E16", "Gzz": "E01", "G000": "E01", "G0000": "E01", "G" + all + "00": "E01",
	} {
		require.Equal(t, want, c.ask(ask), "%s", ask)
	}
	require.Equal(t, uint32(1), c.register(0))
	// PC moves; STATUS32 can be written with it, as gdb does for delay slots.
	require.Equal(t, "OK", c.ask("P40="+hex32(s.symbols["run"])))
	require.Equal(t, "OK", c.ask("P41="+hex32(0x800)))
	require.Equal(t, s.symbols["run"], c.register(64))
	require.Equal(t, uint32(0x800), c.register(65)&0xf00)
}

func TestMemory(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	f, err := elf.Open(sortO2)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	text := f.Section(".text")
	want, err := text.Data()
	require.NoError(t, err)
	require.Equal(t, hex.EncodeToString(want[:64]), c.ask(fmt.Sprintf("m%x,40", text.Addr)))

	const addr = 0x5000_0ffd
	every := make([]byte, 256)
	escaped := ""
	for i := range every {
		every[i] = byte(i)
		switch i {
		case '$', '#', '}', '*':
			escaped += "}" + string([]byte{byte(i) ^ 0x20})
		default:
			escaped += string([]byte{byte(i)})
		}
	}
	require.Equal(t, "OK", c.ask(fmt.Sprintf("X%x,0:", addr)), "gdb asks whether there is X")
	require.Equal(t, "OK", c.ask(fmt.Sprintf("X%x,100:%s", addr, escaped)))
	require.Equal(t, hex.EncodeToString(every), c.ask(fmt.Sprintf("m%x,100", addr)))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,3:0a0b0c", addr+1)))
	require.Equal(t, "000a0b0c04", c.ask(fmt.Sprintf("m%x,5", addr)))
	require.Equal(t, strings.Repeat("00", 0x1000), c.ask("m60000000,1000"), "sent shortened")
	require.Len(t, c.ask("m60000000,ffffffff"), 0x4000, "as much as a packet holds")

	// The console of QEMU's convention is a device: nothing can be read there, but all before it.
	require.Equal(t, "E0e", c.ask("m90000000,4"))
	require.Len(t, c.ask("m8ffffff8,10"), 16)
	require.Equal(t, "E0e", c.ask("M90000000,4:01020304"))
	for _, bad := range []string{
		"m", "m0", "m0,", "m,4", "mzz,4", "m0,zz", "m100000000,4", "m-1,4", "m+1,4", "M0,4", "M0,4:00", "M0,1:0102", "M0,1:zz", "M0,1:0", "M0:00", "X0,1:", "X0,1:}",
		"X0,2:a", "X0",
	} {
		require.Equal(t, "E01", c.ask(bad), "%s", bad)
	}
	require.Equal(t, "", c.ask("m0,0"))
}

func TestBreakpoints(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	run, inner := s.symbols["run"], s.symbols["sift.constprop.0"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", run)))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", run)), "twice is once")
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z1,%x,4", inner)))
	at := c.resume("vCont;c")
	require.Equal(t, run, at.pc(t), "PC stays at the breakpoint")
	require.Equal(t, "05", at.signal)
	require.Contains(t, at.pairs, "swbreak")
	at = c.resume("c")
	require.Equal(t, inner, at.pc(t))
	require.Contains(t, at.pairs, "hwbreak")
	blink := read32(t, at.pairs["1f"])

	// Temporary: removed, stepped over, until the return address.
	require.Equal(t, "OK", c.ask(fmt.Sprintf("z1,%x,4", inner)))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,4", blink)))
	require.Equal(t, blink, c.resume("vCont;c:p1.-1").pc(t))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("z0,%x,4", blink)))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("z0,%x,4", blink)), "nothing there")

	for ask, want := range map[string]string{
		"Z0,80,3": "E16", "Z0,81,2": "E16", "Z2,80,0": "E16", "Z5,80,2": "", "Z0": "E01", "Z": "E01", "Z0,": "E01", "Z0,80": "E01",
		"Zx,80,2": "", "Z0,zz,2": "E01", "z0,80": "E01", "Z0,80,2;X3,220027": "", "Z00,80,2": "E01",
	} {
		require.Equal(t, want, c.ask(ask), "%s", ask)
	}
	for i := range maxPoints + 1 {
		if reply := c.ask(fmt.Sprintf("Z0,%x,2", 0x1000_0000+2*i)); reply != "OK" {
			require.Equal(t, "E0c", reply)
			require.Greater(t, i, 1000)
			return
		}
	}
	t.Fatal("no bound")
}

// TestOwnBreakpoints: a client that writes brk_s and brk itself.
func TestOwnBreakpoints(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	addr := s.symbols["run"]
	for _, brk := range []string{"ff7f", "6f253f00"} {
		n := len(brk) / 2
		saved := c.ask(fmt.Sprintf("m%x,%x", addr, n))
		require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,%x:%s", addr, n, brk)))
		at := c.resume("c")
		require.Equal(t, "05", at.signal)
		require.Equal(t, addr, at.pc(t))
		require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,%x:%s", addr, n, saved)))
		require.NotEqual(t, addr, c.resume("s").pc(t))
		require.Equal(t, "OK", c.ask("P40="+hex32(s.symbols["__start"])))
	}
	require.Equal(t, "W34", c.ask("c"))
}

// TestScans: the checksum is that of gdb's documentation, which zlib and others call CRC-32/MPEG-2; a
// search finds what lies across the pieces that memory is read in.
func TestScans(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	const at = 0x80100000
	require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,9:%x", at, "123456789")))
	require.Equal(t, "C376e6e7", c.ask(fmt.Sprintf("qCRC:%x,9", at)))
	require.Equal(t, "Cffffffff", c.ask(fmt.Sprintf("qCRC:%x,0", at)))
	require.Equal(t, "E01", c.ask("qCRC:zz,1"))
	require.Equal(t, "E16", c.ask("qCRC:0,ffffffff"))
	require.Equal(t, "E16", c.ask("qCRC:ffffffff,2"))

	require.Equal(t, fmt.Sprintf("1,%x", at+3), c.ask(fmt.Sprintf("qSearch:memory:%x;9;45", at)))
	require.Equal(t, "0", c.ask(fmt.Sprintf("qSearch:memory:%x;4;45", at)))
	border := uint32(at - 0x80000 + 1<<20)
	require.Equal(t, "OK", c.ask(fmt.Sprintf("M%x,4:aabb7d23", border-2))) // } and # are sent escaped
	require.Equal(t, fmt.Sprintf("1,%x", border-2), c.ask(fmt.Sprintf("qSearch:memory:%x;%x;\xaa\xbb}\x5d}\x03", at-0x80000, 2<<20)))
	for _, bad := range []string{"qSearch:memory:1;2", "qSearch:memory:1;2;", "qSearch:memory:1;2;}", "qSearch:file:1;2;a", "qSearch:memory:x;2;a"} {
		require.Equal(t, "E01", c.ask(bad), bad)
	}
}

// TestProgramsBrk: a brk of the program stops it once; a step passes the brk alone.
func TestProgramsBrk(t *testing.T) {
	t.Parallel()
	s := serveProgram(t, "../testdata/brk.elf", Options{})
	c := s.connect(t)
	first, second := s.symbols["_start"]+4, s.symbols["_start"]+10
	require.Equal(t, first, c.resume("c").pc(t))
	require.Equal(t, second, c.resume("vCont;c").pc(t))
	require.Equal(t, second+4, c.resume("s").pc(t), "r0 is not yet 3")
	require.Equal(t, hex32(2), c.ask("p0"))
	require.Equal(t, "W03", c.ask("c"))

	c.send("R00")
	require.Equal(t, first, c.resume("c").pc(t))
	at := c.resume(fmt.Sprintf("vCont;r%x,%x", first, second))
	require.Equal(t, second, at.pc(t))
	require.Equal(t, hex32(2), c.ask("p0"))
}

func TestWatchpoints(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	addr := s.symbols["checksum"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z2,%x,4", addr)))
	at := c.resume("c")
	for c.word(addr) != checksumOfSort {
		at = c.resume("c")
	}
	require.Equal(t, fmt.Sprintf("%x", addr), at.pairs["watch"])
	// Back to before the write: the old value.
	at = c.resume("bc")
	require.Contains(t, at.pairs, "watch")
	require.NotEqual(t, uint32(checksumOfSort), c.word(addr))
	c.resume("s")
	require.Equal(t, uint32(checksumOfSort), c.word(addr))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("z2,%x,4", addr)))

	s = serve(t, Options{})
	c = s.connect(t)
	b := s.symbols["b"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z3,%x,4", b)))
	require.Equal(t, fmt.Sprintf("%x", b), c.resume("c").pairs["rwatch"])
	require.NotZero(t, c.word(b), "it was written before it was read")
	require.Equal(t, "OK", c.ask(fmt.Sprintf("z3,%x,4", b)))
	// A byte in the middle of a word.
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z4,%x,1", b+1)))
	require.Equal(t, fmt.Sprintf("%x", b+1), c.resume("c").pairs["awatch"])
}

func TestStepping(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	run := s.symbols["run"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", run)))
	c.resume("c")
	var seen []uint32
	for _, how := range []string{"s", "vCont;s", "vCont;s:1", "vCont;s:1;c", "S05", "vCont;S05:p1.1", "vCont;r0,0:1"} {
		at := c.resume(how)
		require.Equal(t, "05", at.signal)
		seen = append(seen, at.pc(t))
	}
	for i := len(seen) - 2; i >= 0; i-- {
		require.Equal(t, seen[i], c.resume("bs").pc(t))
	}
	require.Equal(t, run, c.resume("bs").pc(t))
	for _, want := range seen {
		require.Equal(t, want, c.resume("s").pc(t))
	}
	// A range ends at its end, or at a breakpoint in it.
	require.Equal(t, "OK", c.ask("P40="+hex32(run)))
	at := c.resume(fmt.Sprintf("vCont;r%x,%x:1", run, seen[3]))
	require.Equal(t, seen[3], at.pc(t))
	require.Equal(t, "OK", c.ask("P40="+hex32(run)))
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", seen[1])))
	require.Equal(t, seen[1], c.resume(fmt.Sprintf("vCont;r%x,%x", run, seen[3])).pc(t))
	// At another address.
	require.Equal(t, seen[0], c.resume(fmt.Sprintf("s%x", run)).pc(t))
	require.Equal(t, seen[1], c.resume(fmt.Sprintf("C05;%x", run)).pc(t))
	for _, bad := range []string{"vCont;", "vCont", "vCont;x", "vCont;s:7", "vCont;r", "vCont;r1", "vCont;r1,zz", "szz", "cfffffffff"} {
		require.Equal(t, "E01", c.ask(bad), "%s", bad)
	}
	require.Equal(t, "", c.ask("bx"))
}

// TestReverse: back to the start, and forward again to the very same state.
func TestReverse(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	for range 300 {
		c.resume("s")
	}
	want := c.ask("g")
	at := c.resume("bc")
	require.Equal(t, "begin", at.pairs["replaylog"])
	require.Equal(t, s.symbols["__start"], at.pc(t))
	require.Equal(t, "begin", c.resume("bs").pairs["replaylog"])
	for range 300 {
		c.resume("s")
	}
	require.Equal(t, want, c.ask("g"))
	run := s.symbols["run"]
	require.Equal(t, "OK", c.ask(fmt.Sprintf("Z0,%x,2", run)))
	require.Equal(t, run, c.resume("c").pc(t))
	require.Equal(t, "W34", c.ask("c"))
	at = c.resume("bc") // a client that wants to can go back from the end
	require.Equal(t, run, at.pc(t))
	require.Contains(t, at.pairs, "swbreak")
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	c.raw("\x03") // nothing runs
	for _, how := range []string{"c", "vCont;c", "vCont;r40000000,40000100"} {
		c.spin(how)
		time.Sleep(20 * time.Millisecond)
		c.raw("\x03")
		at := parseStop(t, c.reply())
		require.Equal(t, "02", at.signal, "%s", how)
		require.Equal(t, uint32(0x4000_0000), at.pc(t))
		// Sent at once it must not be lost.
		c.raw(frame(how) + "\x03")
		require.Equal(t, "02", parseStop(t, c.reply()).signal, "%s", how)
	}
	require.Equal(t, "02", c.resume("?").signal)
}

// TestPacketsAhead: a client that does not wait for replies gets every one of them, and packets behind a
// program that runs for ever stop it.
func TestPacketsAhead(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.connect(t)
	for i := range 4 {
		require.Equal(t, "OK", c.ask(fmt.Sprintf("P%x=%s", i, hex32(uint32(i)))))
	}
	const many = 20 * maxQueue
	var all strings.Builder
	for i := range many {
		all.WriteString(frame(fmt.Sprintf("p%x", i%4)))
	}
	c.raw(all.String())
	for i := range many {
		require.Equal(t, hex32(uint32(i%4)), c.reply())
	}

	c.spin("c")
	c.raw(all.String())
	require.Equal(t, "02", parseStop(t, c.reply()).signal)
	for i := range many {
		require.Equal(t, hex32(uint32(i%4)), c.reply())
	}
}

// TestMalformed: damaged packets are asked for again or answered with an error, and that is all.
func TestMalformed(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{})
	c := s.dial(t)
	alive := func() {
		t.Helper()
		require.Equal(t, "QC1", c.ask("qC"))
	}
	for _, bad := range []string{"$qC#00", "$qC#zz", "$#01", "$qC#b"} {
		c.raw(bad)
		if len(bad) == 5 {
			c.raw("x") // no second digit
		}
		require.Equal(t, byte('-'), c.byte(), "%s", bad)
		alive()
	}
	c.raw("$qC$qC" + frame("qC")) // cut off, and begun again
	require.Equal(t, byte('+'), c.byte())
	require.Equal(t, "QC1", c.reply())
	c.raw("junk\x00\xff#12+++")
	alive()
	// A reply that did not arrive is sent again.
	c.raw(frame("qC"))
	require.Equal(t, byte('+'), c.byte())
	for range 3 {
		c.noAck = true
		require.Equal(t, "QC1", c.reply())
		c.noAck = false
		c.raw("-")
	}
	require.Equal(t, "QC1", c.reply())
	require.Equal(t, "E.packet too long", c.ask("m"+strings.Repeat("0", 100_000)))
	alive()
	require.Equal(t, "E.packet too long", c.ask(strings.Repeat("j", maxPacket+1)))
	require.Equal(t, "", c.ask(strings.Repeat("j", maxPacket)))
	alive()

	require.Equal(t, "OK", c.ask("QStartNoAckMode"))
	c.noAck = true
	c.raw("$qC#00")
	require.Equal(t, "E.damaged packet", c.reply())
	c.raw("--") // means nothing now
	alive()
	c.raw("$m0,4") // the rest does not come
	require.Equal(t, "E.damaged packet", c.reply())
	alive()
}

func TestMonitor(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The quick brown fox *#$} \n", 2000)
	s := serve(t, Options{Monitor: func(ctx context.Context, line string, out io.Writer) error {
		switch line {
		case "long":
			_, err := io.WriteString(out, long)
			return err
		case "fail":
			return errors.New("it failed")
		case "wait":
			<-ctx.Done()
			_, err := io.WriteString(out, "interrupted")
			return err
		}
		return nil
	}})
	c := s.connect(t)
	ask := func(line string) string {
		c.send("qRcmd," + hex.EncodeToString([]byte(line)))
		text, reply := c.console()
		require.Equal(t, "OK", reply)
		return text
	}
	require.Equal(t, long, ask("long"))
	require.Equal(t, "it failed\n", ask("fail"))
	require.Empty(t, ask("nothing"))
	c.send("qRcmd," + hex.EncodeToString([]byte("wait")))
	c.raw("\x03")
	text, _ := c.console()
	require.Equal(t, "interrupted", text)
	require.Equal(t, "E01", c.ask("qRcmd,0"))
	require.Equal(t, "E01", c.ask("qRcmd,zz"))

	require.Empty(t, serve(t, Options{}).connect(t).ask("qRcmd,00"), "no monitor")
}
