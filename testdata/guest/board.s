; DesignWare devices as the drivers of embARC and Zephyr use them, all by interrupt, at the addresses of
; an EM Starter Kit: GPIO 0xf0002000 (pin 3, rising edge; pin 5, low level), timers 0xf0004000, RTC
; 0xf0006000, UART 0xf0000000 for the log. GPIO prints g and the pins, a timer t five times, the RTC r
; and ends the program with the count of timer interrupts.
	.equ	UART, 0xf0000000
	.equ	GPIO, 0xf0002000
	.equ	TIMERS, 0xf0004000
	.equ	RTC, 0xf0006000

	.section .vectors, "a"
	.word	_start
	.rept	24
	.word	unhandled
	.endr
	.word	irq_gpio		; 25
	.word	irq_timers		; 26
	.word	irq_rtc			; 27

	.text
	.globl	_start
	.type	_start, @function
_start:
	mov	sp, stack
	mov	r20, 25			; all of them of priority 1
1:	sr	r20, [0x40b]
	sr	1, [0x206]
	add	r20, r20, 1
	brlo	r20, 28, 1b
	mov	r20, UART
	mov	r21, GPIO
	mov	r22, TIMERS
	mov	r23, RTC
	mov	r24, 0			; timer interrupts
	mov	r0, 0			; GPIO: inputs
	st	r0, [r21, 4]
	mov	r0, 0x08
	st	r0, [r21, 0x38]		; pin 3 by edges
	st	r0, [r21, 0x3c]		; rising; pin 5 low
	mov	r0, 0x28
	st	r0, [r21, 0x4c]		; EOI
	mov	r0, 0
	st	r0, [r21, 0x34]		; unmasked
	mov	r0, 0x28
	st	r0, [r21, 0x30]		; enabled
	mov	r0, 5000
	st	r0, [r22, 0x14]		; timer 1: load count
	mov	r0, 3
	st	r0, [r22, 0x1c]		; user mode, on
	mov	r0, 100
	st	r0, [r23, 8]		; RTC: from 100
	mov	r0, 103
	st	r0, [r23, 4]		; to 103
	mov	r0, 5
	st	r0, [r23, 12]
	seti	0x3f
2:	sleep	0
	b	2b
	.size	_start, . - _start

	.type	unhandled, @function
unhandled:
	lr	r0, [ecr]
	flag	1
	nop
	b	unhandled
	.size	unhandled, . - unhandled

	.type	irq_gpio, @function
irq_gpio:
	mov	r0, 'g'
	st	r0, [r20]
	ld	r1, [r21, 0x40]		; INTSTATUS
	lsr	r2, r1, 3
	add	r2, r2, '0'
	st	r2, [r20]
	st	r1, [r21, 0x4c]		; EOI
	bbit0	r1, 5, 1f
	ld	r2, [r21, 0x30]		; a level asks for ever: off
	bclr	r2, r2, 5
	st	r2, [r21, 0x30]
1:	rtie
	.size	irq_gpio, . - irq_gpio

	.type	irq_timers, @function
irq_timers:
	ld	r1, [r22, 0xa0]		; status of all
	brne	r1, 2, unhandled
	ld	r1, [r22, 0x20]		; EOI
	ld	r1, [r22, 0xa8]
	brne	r1, 0, unhandled
	mov	r0, 't'
	st	r0, [r20]
	add	r24, r24, 1
	brlt	r24, 5, 1f
	mov	r0, 0
	st	r0, [r22, 0x1c]
1:	rtie
	.size	irq_timers, . - irq_timers

	.type	irq_rtc, @function
irq_rtc:
	ld	r1, [r23, 0x10]
	brne	r1, 1, unhandled
	ld	r1, [r23, 0]
	brne	r1, 103, unhandled
	ld	r1, [r23, 0x18]		; EOI
	mov	r0, 'r'
	st	r0, [r20]
	mov	r0, r24
	flag	1
	nop
	b	irq_rtc
	.size	irq_rtc, . - irq_rtc

	.bss
	.align	4
	.space	256
stack:
