package isa

// Format is an encoding family. It expands by rule to the operand forms of a row.
type Format interface {
	expand() []spec
}

// spec is one form before its pattern is read.
type spec struct {
	bits    string // pattern, most significant bit first
	text    string // operands
	gnu     uint32 // bits that GNU as sets wrongly (exclusive or)
	needs   Feature
	exec    Op
	fix     Mods
	implied []Operand
}
