package gdbserver

import (
	"fmt"
	"strings"
)

// query answers the packets that begin with q.
func (s *session) query(text string) ([]byte, error) {
	end := strings.IndexAny(text, ":,")
	if end < 0 {
		end = len(text)
	}
	name, rest := text[:end], text[min(end+1, len(text)):]
	switch name {
	case "Supported":
		return s.text(s.supported())
	case "Xfer":
		return s.transfer(rest)
	case "Rcmd":
		return s.monitor(rest)
	case "Attached":
		if s.attached {
			return s.text("1")
		}
		return s.text("0")
	case "C":
		return s.text(fmt.Sprintf("QC%x", s.running()))
	case "fThreadInfo":
		if s.dead || s.over {
			return s.text("l")
		}
		return s.text(s.threadList())
	case "sThreadInfo":
		return s.text("l")
	case "ThreadExtraInfo":
		return appendHex(s.buf[:0], []byte(s.threadText(rest))), nil
	case "Symbol":
		return s.done(nil)
	case "CRC":
		return s.checksum(s.buf[:0], rest)
	case "Search":
		return s.search(s.buf[:0], rest)
	}
	return nil, nil
}

// supported lists what the server can do beside what every server can.
func (s *session) supported() string {
	list := []string{
		fmt.Sprintf("PacketSize=%x", maxPacket),
		"QStartNoAckMode+", "qXfer:features:read+", "qXfer:memory-map:read+", "swbreak+", "hwbreak+", "vContSupported+",
	}
	if s.d.HistoryInfo().On {
		list = append(list, "ReverseStep+", "ReverseContinue+")
	}
	return strings.Join(list, ";")
}

// transfer answers with a part of a document: OBJECT:read:ANNEX:OFFSET,LENGTH.
func (s *session) transfer(text string) ([]byte, error) {
	part := strings.Split(text, ":")
	if len(part) != 4 || part[1] != "read" {
		return nil, nil
	}
	var doc string
	switch {
	case part[0] == "features" && part[2] == "target.xml":
		doc = description(s.regs)
	case part[0] == "features":
		return nil, protocolError(0) // E00: no such annex
	case part[0] == "memory-map" && part[2] == "":
		doc = s.memoryMap()
	default:
		return nil, nil
	}
	offset, n, err := parseRange(part[3])
	if err != nil {
		return nil, err
	}
	switch {
	case offset > uint32(len(doc)):
		return nil, errInvalid
	case offset == uint32(len(doc)):
		return s.text("l")
	}
	doc = doc[offset:]
	// Escaping can double what is sent.
	mark := byte('l')
	if n = min(n, maxPacket/2-1); n < uint32(len(doc)) {
		doc, mark = doc[:n], 'm'
	}
	return appendEscaped(append(s.buf[:0], mark), []byte(doc)), nil
}
