; A function of assembly whose first instructions are like any others, and one that saves a register first. Built by
;   arc-linux-gnu-as -g -mcpu=em4_dmips --debug-prefix-map "$PWD=/src" testdata/function.s -o function.o
;   arc-linux-gnu-ld -m arcelf -Ttext 0x100 -e __start function.o -o testdata/function.elf
	.globl	__start
	.type	__start, @function
__start:
	mov	sp, 0x80010000
	bl	f
	bl	saves
	flag	1
	.size	__start, . - __start

	.globl	f
	.type	f, @function
f:
	mov	r0, 1
	mov	r1, 2
	j	[blink]
	.size	f, . - f

	.globl	saves
	.type	saves, @function
saves:
	push_s	blink
	mov	r0, 3
	pop_s	blink
	j_s	[blink]
	.size	saves, . - saves
