 .text
 .align 4
 .global lfun
lfun: nop_s
 .section .text.l,"ax"
 .word 0x55
 .data
 .word 0x66
