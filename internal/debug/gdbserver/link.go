package gdbserver

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

const (
	maxPacket  = 0x4000           // longest payload in either direction, told to the client
	maxQueue   = 64               // packets read ahead; a client that waits for replies needs one
	packetWait = 5 * time.Second  // for the rest of a packet that has begun
	writeWait  = 10 * time.Second // for a client that does not read
	queueWait  = time.Second      // for room in the queue while a program runs
)

// link is a connection. A goroutine of its own reads it, so that an interrupt or the end of the
// connection stops a program that runs.
type link struct {
	conn    net.Conn
	in      *bufio.Reader
	packets chan packet   // closed at the end of the connection
	over    chan struct{} // closed at the end of the session

	// Of the session.
	noAck bool
	out   []byte // to be sent
	sent  []byte // last packet, for when it did not arrive

	mu          sync.Mutex
	read        uint64             // packets read
	interrupted uint64             // read at the last interrupt
	stop        context.CancelFunc // of the run under way
	gone        bool
}

// condition is how a packet arrived.
type condition uint8

const (
	sound    condition = iota
	damaged            // checksum wrong, or cut off
	tooLong            // more than maxPacket
	repeated           // no packet: the client asks for the last reply again
)

type packet struct {
	data []byte
	cond condition
	n    uint64 // number of the packet
}

func newLink(conn net.Conn) *link {
	return &link{conn: conn, in: bufio.NewReaderSize(conn, 2*maxPacket), packets: make(chan packet, maxQueue), over: make(chan struct{})}
}

// receive reads until the connection ends.
func (l *link) receive() {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.gone = true
		if l.stop != nil {
			l.stop()
		}
		close(l.packets)
	}()
	for {
		c, err := l.in.ReadByte()
		if err != nil {
			return
		}
		switch c {
		case packetStart:
			p, err := l.body()
			if err != nil {
				return
			}
			l.queue(p)
		case nak:
			l.queue(packet{cond: repeated})
		case ctrlC:
			l.interrupt()
		}
	}
}

// queue hands a packet to the session. While the queue is full nothing more is read, so that the sender
// waits. A program that leaves the queue full is stopped: the interrupt that could do it is behind what is
// not read.
func (l *link) queue(p packet) {
	l.mu.Lock()
	l.read++
	p.n = l.read
	l.mu.Unlock()
	for {
		select {
		case l.packets <- p:
			return
		case <-l.over:
			return
		case <-time.After(queueWait):
			l.stopRun()
		}
	}
}

// stopRun ends the run under way.
func (l *link) stopRun() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stop != nil {
		l.stop()
	}
}

// body reads a packet behind its start.
func (l *link) body() (packet, error) {
	if err := l.conn.SetReadDeadline(time.Now().Add(packetWait)); err != nil {
		return packet{}, err
	}
	p, err := l.bodyUntil()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p, err = packet{cond: damaged}, nil
	}
	if err != nil {
		return packet{}, err
	}
	return p, l.conn.SetReadDeadline(time.Time{})
}

func (l *link) bodyUntil() (packet, error) {
	var p packet
	var sum byte
	for {
		c, err := l.in.ReadByte()
		if err != nil {
			return p, err
		}
		if c == packetEnd {
			break
		}
		if c == packetStart { // the packet before was cut off
			p, sum = packet{}, 0
			continue
		}
		sum += c
		if len(p.data) == maxPacket {
			p.cond = tooLong
			continue
		}
		p.data = append(p.data, c)
	}
	var sent byte
	for range 2 {
		c, err := l.in.ReadByte()
		if err != nil {
			return p, err
		}
		v, ok := hexValue(c)
		if !ok {
			p.cond = damaged
		}
		sent = sent<<4 | v
	}
	if sent != sum {
		p.cond = damaged
	}
	return p, nil
}

func hexValue(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func (l *link) interrupt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interrupted = l.read
	if l.stop != nil {
		l.stop()
	}
}

// running returns the context of a run that packet n asks for. An interrupt that arrived behind the
// packet counts, even if it is here already.
func (l *link) running(parent context.Context, n uint64) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(parent)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone || l.interrupted >= n {
		cancel()
	}
	l.stop = cancel
	return ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.stop = nil
		cancel()
	}
}

// reply puts a packet behind what is to be sent.
func (l *link) reply(payload []byte) {
	l.sent = appendPacket(l.sent[:0], payload)
	l.out = append(l.out, l.sent...)
}

// flush sends what is to be sent.
func (l *link) flush() error {
	if len(l.out) == 0 {
		return nil
	}
	if err := l.conn.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return err
	}
	_, err := l.conn.Write(l.out)
	l.out = l.out[:0]
	return err
}
