 .text
 .global __start
__start: mov r0, foo
 bl bfun
 bl lfun
 .word comm1
 .section .text.z,"ax"
 .align 4
 .word 0x11
 .section .text.a,"ax"
 .align 4
 .word 0x22
 .section .rodata,"a"
 .align 8
 .word 1,2,3
 .data
 .global foo
 .align 4
foo: .word 4,5
 .section .data.x,"aw"
 .align 16
 .word 6
 .bss
 .space 5
 .section .init_array,"aw",@init_array
 .word __start
 .section .init_array.00200,"aw",@init_array
 .word 0x200
 .section .init_array.00010,"aw",@init_array
 .word 0x10
 .section .ctors.65435,"aw"
 .word 0x100
 .section .noinit,"aw",@nobits
 .space 8
 .section .sdata,"aw"
sd: .word 9
 .section .weird,"a"
 .byte 1,2,3
 .comm comm1,16,8
