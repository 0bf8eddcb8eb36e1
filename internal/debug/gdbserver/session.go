package gdbserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/debug"
)

// ending is how a session ended.
type ending uint8

const (
	disconnected ending = iota
	detached
	killed
	exited
	cancelled
)

// session is a client with a connection.
type session struct {
	*target
	link     *link
	opt      Options
	attached bool // the program ran before this client came
	extended bool // the client may run the program again when it has ended
	over     bool // the client was told that the program has ended
	dead     bool // an extended client has killed the program
	end      *ending
	buf      []byte
	ctx      context.Context
	n        uint64 // number of the packet being handled
}

// serve talks to a client until it goes away, detaches or kills the program, or ctx is cancelled.
func (t *target) serve(ctx context.Context, conn net.Conn, attached bool, opt Options) ending {
	s := &session{target: t, link: newLink(conn), opt: opt, attached: attached, ctx: ctx}
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.link.receive()
	}()
	end := s.loop()
	_ = conn.Close() // what could not be sent is lost
	close(s.link.over)
	<-read
	t.removeAll()
	return end
}

func (s *session) loop() ending {
	for s.end == nil {
		select {
		case <-s.ctx.Done():
			return cancelled
		case p, ok := <-s.link.packets:
			if !ok {
				return s.gone()
			}
			s.packet(p)
		}
		if s.link.flush() != nil {
			return s.gone()
		}
	}
	return *s.end
}

// gone is how a session ends whose client is not there any more.
func (s *session) gone() ending {
	switch {
	case s.ctx.Err() != nil:
		return cancelled
	case s.end != nil:
		return *s.end
	case s.dead:
		return killed
	case s.over:
		return exited
	}
	return disconnected
}

// packet answers a packet.
func (s *session) packet(p packet) {
	l := s.link
	switch {
	case p.cond == repeated:
		if !l.noAck {
			l.out = append(l.out, l.sent...)
		}
		return
	case p.cond == damaged && !l.noAck:
		l.out = append(l.out, nak)
		return
	case p.cond == damaged: // nobody would send it again
		l.reply([]byte("E.damaged packet"))
		return
	}
	if !l.noAck {
		l.out = append(l.out, ack)
	}
	if p.cond == tooLong {
		l.reply([]byte("E.packet too long"))
		return
	}
	s.n = p.n
	reply, err := s.handle(p.data)
	switch number := protocolError(0); {
	case errors.Is(err, errNoReply):
	case errors.As(err, &number):
		l.reply([]byte(number.Error()))
	case err != nil:
		l.reply([]byte("E." + plain(err.Error())))
	default:
		l.reply(reply)
	}
}

// errNoReply marks a packet that gets no answer.
var errNoReply = errors.New("no reply")

// plain makes text that needs no escaping.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune("$#}*", r) {
			return ' '
		}
		return r
	}, text)
}

// done is the reply to a packet that only can succeed or fail.
func (s *session) done(err error) ([]byte, error) { return append(s.buf[:0], "OK"...), err }

func (s *session) text(text string) ([]byte, error) { return append(s.buf[:0], text...), nil }

// handle executes a packet and returns the payload of the reply. An empty one means that the packet is
// not known.
func (s *session) handle(p []byte) ([]byte, error) {
	if s.buf == nil {
		s.buf = make([]byte, 0, 2*maxPacket)
	}
	if len(p) == 0 {
		return nil, nil
	}
	if packet := packets[p[0]]; packet != nil {
		return packet(s, string(p[1:]))
	}
	return nil, nil
}

// packets are the packets by their first letter; rest is what follows it.
var packets = map[byte]func(s *session, rest string) ([]byte, error){
	'?': (*session).why,
	's': func(s *session, rest string) ([]byte, error) { return s.resumeAt(motion{kind: step}, rest) },
	'c': func(s *session, rest string) ([]byte, error) { return s.resumeAt(motion{kind: goOn}, rest) },
	'S': func(s *session, rest string) ([]byte, error) {
		return s.resumeAt(motion{kind: step}, behindSignal(rest))
	},
	'C': func(s *session, rest string) ([]byte, error) {
		return s.resumeAt(motion{kind: goOn}, behindSignal(rest))
	},
	'b': (*session).reverse,
	'g': func(s *session, _ string) ([]byte, error) { return s.readAll(s.buf[:0]) },
	'G': func(s *session, rest string) ([]byte, error) { return s.done(s.writeAll(rest)) },
	'p': func(s *session, rest string) ([]byte, error) { return s.readOne(s.buf[:0], rest) },
	'P': func(s *session, rest string) ([]byte, error) { return s.done(s.writeOne(rest)) },
	'm': func(s *session, rest string) ([]byte, error) { return s.readMemory(s.buf[:0], rest) },
	'M': func(s *session, rest string) ([]byte, error) { return s.done(s.writeMemory(rest, parseHex)) },
	'X': func(s *session, rest string) ([]byte, error) { return s.done(s.writeMemory(rest, unescape)) },
	'Z': func(s *session, rest string) ([]byte, error) { return s.setPoint(rest, s.insert) },
	'z': func(s *session, rest string) ([]byte, error) {
		return s.setPoint(rest, func(key pointKey) error { s.remove(key); return nil })
	},
	'H': (*session).chooseFor,
	'T': (*session).isAlive,
	'!': func(s *session, _ string) ([]byte, error) { s.extended = true; return s.done(nil) },
	'D': func(s *session, _ string) ([]byte, error) { s.finish(detached); return s.done(nil) },
	'k': func(s *session, _ string) ([]byte, error) { s.kill(); return nil, errNoReply },
	'R': (*session).restart,
	'v': (*session).verbose,
	'q': (*session).query,
	'Q': (*session).set,
}

func (s *session) why(string) ([]byte, error) {
	if s.dead {
		return s.text(fmt.Sprintf("X%02x", sigKill))
	}
	return s.stopped(s.d.Last()), nil
}

// behindSignal is the address behind a signal, which means nothing to the program.
func behindSignal(rest string) string {
	_, addr, _ := strings.Cut(rest, ";")
	return addr
}

func (s *session) reverse(rest string) ([]byte, error) {
	switch rest {
	case "s":
		return s.resume(motion{kind: stepBack})
	case "c":
		return s.resume(motion{kind: back})
	}
	return nil, nil
}

// setPoint sets or removes a breakpoint or watchpoint; of kinds that are not known the reply is empty.
func (s *session) setPoint(rest string, do func(key pointKey) error) ([]byte, error) {
	key, ok, err := parsePoint(rest)
	if err != nil || !ok {
		return nil, err
	}
	return s.done(do(key))
}

// chooseFor chooses the thread for registers and memory; whichever shall run, all do.
func (s *session) chooseFor(rest string) ([]byte, error) {
	if rest == "" {
		return nil, errMalformed
	}
	if rest[0] == 'g' {
		return s.done(s.choose(rest[1:]))
	}
	_, err := parseThread(rest[1:])
	return s.done(err)
}

func (s *session) isAlive(rest string) ([]byte, error) {
	n, err := parseThread(rest)
	if err == nil && !s.isThread(n) {
		err = errInvalid
	}
	return s.done(err)
}

func (s *session) restart(string) ([]byte, error) {
	if err := s.rerun(); err != nil {
		s.opt.Notice(err.Error())
	}
	return nil, errNoReply
}

func (s *session) set(rest string) ([]byte, error) {
	if rest != "StartNoAckMode" {
		return nil, nil
	}
	s.link.noAck = true
	return s.done(nil)
}

func (s *session) finish(e ending) { s.end = &e }

// kill ends the program for good, unless the client may run it again. One that has ended already has
// ended for itself.
func (s *session) kill() {
	switch {
	case s.extended:
		s.dead = !s.over
	case s.over:
		s.finish(exited)
	default:
		s.finish(killed)
	}
}

// verbose answers the packets that begin with v.
func (s *session) verbose(text string) ([]byte, error) {
	name, rest, _ := strings.Cut(text, ";")
	switch name {
	case "Cont?":
		return s.text("vCont;c;C;s;S;r")
	case "Cont":
		m, err := s.parseVCont(rest)
		if err != nil {
			return nil, err
		}
		return s.resume(m)
	case "Kill":
		s.kill()
		return s.done(nil)
	case "Run": // always the program the server has
		if err := s.rerun(); err != nil {
			return nil, err
		}
		return s.stopped(s.d.Last()), nil
	case "Attach":
		return s.stopped(s.d.Last()), nil
	}
	return nil, nil
}

// rerun takes the program to its start again.
func (s *session) rerun() error {
	s.over, s.dead = false, false
	_, err := s.d.GoTo(s.ctx, s.d.HistoryInfo().First.Insts)
	return err
}

// resumeAt resumes the program, at another address if there is one.
func (s *session) resumeAt(m motion, addr string) ([]byte, error) {
	if addr != "" {
		at, err := parseNumber(addr)
		if err != nil {
			return nil, err
		}
		if err := s.setValue(s.register(regPC), uint64(at)); err != nil {
			return nil, err
		}
	}
	return s.resume(m)
}

func (s *session) resume(m motion) ([]byte, error) {
	if s.dead {
		return nil, errInvalid
	}
	if s.link.flush() != nil { // the client waits for the acknowledgement
		return nil, errNoReply
	}
	ctx, done := s.link.running(s.ctx, s.n)
	stop, err := s.target.resume(ctx, m)
	done()
	if err != nil {
		return nil, err
	}
	if s.ctx.Err() != nil { // the server ends, and the program with it
		return s.text(fmt.Sprintf("X%02x", sigTerm))
	}
	if text := s.note(stop); text != "" {
		s.print(text)
	}
	return s.stopped(stop), nil
}

func (s *session) stopped(stop debug.Stop) []byte {
	s.over = stop.Reason == arcv2dsp.StopExited
	return s.appendStop(s.buf[:0], stop)
}

// print sends text for the user.
func (s *session) print(text string) {
	const part = maxPacket/2 - 1
	for len(text) > 0 {
		n := min(len(text), part)
		s.link.reply(appendHex([]byte{'O'}, []byte(text[:n])))
		text = text[n:]
	}
}

// monitor executes a command of the user.
func (s *session) monitor(text string) ([]byte, error) {
	line, err := parseHex([]byte(text))
	if err != nil {
		return nil, err
	}
	if s.opt.Monitor == nil {
		return nil, nil
	}
	if err := s.link.flush(); err != nil {
		return nil, errNoReply
	}
	ctx, done := s.link.running(s.ctx, s.n)
	defer done()
	before := s.d.Position()
	var out bytes.Buffer
	if err := s.opt.Monitor(ctx, string(line), &out); err != nil {
		fmt.Fprintf(&out, "%v\n", err)
	}
	if s.d.Position() != before {
		out.WriteString("(the program moved; gdb notices after: maintenance flush register-cache)\n")
	}
	s.print(out.String())
	return s.done(nil)
}
