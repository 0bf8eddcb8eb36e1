package gdbserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// gate lets in one client after the other.
type gate struct {
	clients chan net.Conn
	failed  chan error    // the listener is broken
	turn    chan struct{} // full while a client is in; emptied when it has left
	waiting chan struct{} // clients at the gate
	notice  func(text string)
}

const (
	handOver   = 500 * time.Millisecond // for the client before to leave
	refuseWait = 2 * time.Second        // for a refused client
	maxWaiting = 8                      // clients at the gate; more are cut off
	acceptWait = 50 * time.Millisecond  // after an error that may pass
)

// accept takes connections until the listener is closed. Clients at the gate leave with ctx.
func (g *gate) accept(ctx context.Context, l net.Listener) {
	for {
		conn, err := l.Accept()
		switch {
		case err == nil:
		case errors.Is(err, net.ErrClosed) || ctx.Err() != nil:
			g.failed <- err
			return
		default: // such as too many open files
			select {
			case <-time.After(acceptWait):
			case <-ctx.Done():
			}
			continue
		}
		select {
		case g.waiting <- struct{}{}:
			go func() {
				g.admit(ctx, conn)
				<-g.waiting
			}()
		default:
			_ = conn.Close() // it is told nothing
		}
	}
}

// admit hands a client over when it is its turn, else refuses it. One that comes as another leaves
// may be seen before that.
func (g *gate) admit(ctx context.Context, conn net.Conn) {
	late := time.NewTimer(handOver)
	defer late.Stop()
	select {
	case g.turn <- struct{}{}:
		select {
		case g.clients <- conn:
		case <-ctx.Done():
			_ = conn.Close() // the server ends
		}
	case <-late.C:
		g.notice(fmt.Sprintf("refused a second debugger, from %v", conn.RemoteAddr()))
		refuse(conn)
	case <-ctx.Done():
		_ = conn.Close() // the server ends
	}
}

// refuse answers the first packet of a client with the reason and ends the connection. Errors end it
// as well.
func refuse(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if conn.SetDeadline(time.Now().Add(refuseWait)) != nil {
		return
	}
	in := bufio.NewReaderSize(conn, 4096)
	if _, err := in.ReadSlice(packetEnd); err != nil {
		return
	}
	if _, err := in.Discard(2); err != nil {
		return
	}
	if _, err := conn.Write(appendPacket([]byte{ack}, []byte("E.another debugger is connected"))); err != nil {
		return
	}
	// A close with input unread would take the reply away: the next packet, if any, is waited for.
	if conn.SetDeadline(time.Now().Add(handOver)) != nil {
		return
	}
	if _, err := in.ReadSlice(packetEnd); err != nil {
		return
	}
	_, _ = in.Discard(2) // the connection ends anyway
}
