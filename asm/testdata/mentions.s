; options: cpu=hs38
; Symbols that are mentioned, but neither defined nor referred to: they are in the symbol table, so that
; linkers look for them.
	.global	wanted
	.type	routine, @function
	.hidden	secret
	.size	table, 8
	.local	elsewhere
	.set	alias, origin+4
	.set	alias, 5
	.equiv	once, target
	.weak	idle
	.weak	weakly
	.weakref wr1, wt1
	.weakref wr2, wt2
	.hidden	.Lhidden
	.global	.Lglobal
	.ifdef	unknown
	.endif
	.section .text.f, "axG", @progbits, group1, comdat
	nop
	.global	group2
	.section .text.g, "axG", @progbits, group2, comdat
	nop
	.text
	.word	same-same
	.word	weakly-weakly
	.word	wr2
	lr	r0, [status32]
	sr	r0, [identity]
