; Stops twice at breakpoints of its own. Built by
;   arc-linux-gnu-as -mcpu=em4_dmips brk.s -o brk.o
;   arc-linux-gnu-ld -m arcelf -Ttext 0x100 -e _start brk.o -o brk.elf
	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	r0, 1
	brk_s
	add	r0, r0, 1
	brk
	add	r0, r0, 1
	flag	1
	.size	_start, . - _start
