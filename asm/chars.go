package asm

// Character classes of assembler text.
const (
	chName  = 1 << iota // may stand inside a name
	chFirst             // may begin a name
	chDigit
	chBlank
	chEnd // ends a statement: newline, comment or separator
)

var charClass = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = chName | chFirst
		t[c-'a'+'A'] = chName | chFirst
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = chName | chDigit
	}
	for c := 0x80; c < 0x100; c++ {
		t[c] = chName | chFirst
	}
	for _, c := range "_.$" {
		t[c] = chName | chFirst
	}
	for _, c := range " \t\r\f\v\x00" {
		t[c] = chBlank
	}
	for _, c := range "\n;#`" {
		t[c] = chEnd
	}
	return t
}()

func isNameChar(c byte) bool  { return charClass[c]&chName != 0 }
func isNameFirst(c byte) bool { return charClass[c]&chFirst != 0 }
func isDigit(c byte) bool     { return charClass[c]&chDigit != 0 }
func isBlank(c byte) bool     { return charClass[c]&chBlank != 0 }
func isEnd(c byte) bool       { return charClass[c]&chEnd != 0 }

// toLower is ASCII only: mnemonics and directives have no other letters.
func toLower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
