package gdbserver

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Characters with a meaning between and in packets.
const (
	packetStart = '$'
	packetEnd   = '#'
	escape      = '}'
	repeat      = '*'
	escapeXor   = 0x20
	ack         = '+'
	nak         = '-'
	ctrlC       = 0x03
)

const hexDigits = "0123456789abcdef"

func checksum(data []byte) (sum byte) {
	for _, c := range data {
		sum += c
	}
	return sum
}

// appendPacket appends a packet with a payload whose special characters are escaped (appendEscaped)
// or that has none. Runs of a character are sent shortened.
func appendPacket(dst, payload []byte) []byte {
	dst = append(dst, packetStart)
	first := len(dst)
	for i := 0; i < len(payload); {
		c := payload[i]
		n := 1
		for i+n < len(payload) && payload[i+n] == c && n <= maxRepeats {
			n++
		}
		dst = append(dst, c)
		if more := repeats(n - 1); more > 0 {
			dst = append(dst, repeat, byte(more+repeatBias))
			i += more
		}
		i++
	}
	sum := checksum(dst[first:])
	return append(dst, packetEnd, hexDigits[sum>>4], hexDigits[sum&15])
}

// A count of repetitions is sent as a printable character.
const (
	repeatBias = 29
	minRepeats = 3
	maxRepeats = '~' - repeatBias
)

// repeats returns how many of n repetitions of a character a count can stand for; the count must not
// look like a character with a meaning.
func repeats(n int) int {
	n = min(n, maxRepeats)
	if n < minRepeats {
		return 0
	}
	for {
		switch n + repeatBias {
		case packetStart, packetEnd, ack, nak:
			n--
		default:
			return n
		}
	}
}

// appendEscaped appends binary data for a payload.
func appendEscaped(dst, data []byte) []byte {
	for _, c := range data {
		switch c {
		case packetStart, packetEnd, escape, repeat:
			dst = append(dst, escape, c^escapeXor)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// unescape reads binary data of a payload.
func unescape(data []byte) ([]byte, error) {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c == escape {
			if i++; i == len(data) {
				return nil, errMalformed
			}
			c = data[i] ^ escapeXor
		}
		out = append(out, c)
	}
	return out, nil
}

// protocolError is an error that has a number for the client.
type protocolError uint8

// The numbers are those of errno, by custom.
const (
	errMalformed protocolError = 1  // EPERM: the packet makes no sense
	errNoMemory  protocolError = 12 // ENOMEM: too many breakpoints
	errFault     protocolError = 14 // EFAULT: no memory there
	errInvalid   protocolError = 22 // EINVAL: understood, but not possible
)

func (e protocolError) Error() string { return fmt.Sprintf("E%02x", uint8(e)) }

func appendHex(dst, data []byte) []byte { return hex.AppendEncode(dst, data) }

func parseHex(text []byte) ([]byte, error) {
	out := make([]byte, hex.DecodedLen(len(text)))
	if _, err := hex.Decode(out, text); err != nil {
		return nil, errMalformed
	}
	return out, nil
}

// parseNumber reads a hexadecimal number of at most 32 bits.
func parseNumber(text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || text[0] == '+' {
		return 0, errMalformed
	}
	return uint32(n), nil
}

// parseRange reads ADDR,LENGTH.
func parseRange(text string) (addr, n uint32, err error) {
	a, b, ok := strings.Cut(text, ",")
	if !ok {
		return 0, 0, errMalformed
	}
	if addr, err = parseNumber(a); err != nil {
		return 0, 0, err
	}
	n, err = parseNumber(b)
	return addr, n, err
}
