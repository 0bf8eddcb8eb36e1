 .text
 .align 4
 .global bfun
bfun: nop_s
 .section .text.m,"ax"
 .align 8
 .word 0x33
 .section .text.b,"ax"
 .word 0x44
 .section .rodata.k,"a"
 .byte 9
 .data
 .byte 1
 .section .data.y,"aw"
 .align 32
 .word 7
 .bss
 .align 16
 .space 20
 .section .init_array.00100,"aw",@init_array
 .word 0x100
 .section .init_array,"aw",@init_array
 .word bfun
 .section .noinit,"aw",@nobits
 .space 2
