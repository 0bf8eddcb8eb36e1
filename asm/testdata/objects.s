; options: cpu=em4
; Sections, symbols and relocations of many kinds: compared with the object of GNU as.
	.text
	.globl foo
foo:	b foo
	bl foo
	bl bar
	beq bar
	bleq bar
	breq r0,r1,foo
	lp .L9
	.globl weakf
	.weak weakf
weakf:
.L9:	b weakf
	bl weakf
	bl_s weakf
	mov r0,foo
	mov r0,.L9
	ld r0,[.L9]
	mov r0,.L9-foo
	b bar+4
	mov r0,after-.L9
	.align 8
after:	add r0,pcl,after@pcl
	add r0,pcl,bar@pcl
	add r0,pcl,bar@gotpc
	add r0,gp,bar@gotoff
	add r0,r25,tv@tpoff
	ld r0,[pcl,tv@tlsie]
	ld r0,[gp,small@sda]
	ld.as r0,[gp,small@sda]
	ldh.as r0,[gp,small@sda]
	ldb r0,[gp,small@sda]
	add r0,gp,small@sda
	ld_s r0,[gp,small@sda]
	st r0,[gp,small@sda+4]
	bl bar@plt
	b bar@plt
	beq bar@plt
	bleq bar@plt
	jli_s bar
	mov r0,loc
loc:	j loc
	bl.d after
	nop_s
	nop_s
	.align 16
	b other
	.byte 1
	.align 4
	.section .text.other,"ax",@progbits
other:	b other
	bl after
	b 1f
1:
	.data
	.word foo, .L9, loc, after, other, foo-., .L9-., loc-foo, other-.
	.word after - .L9, bar-.
foo2:	.short loc
	.byte 1, after-.L9
	.align 4
	.word later
	.uleb128 foo2-foo3
	.sleb128 -129
foo3:
	.equ later, foo3+8
	.set const, 42
	.set alias, foo2
	.globl const, alias
	.set bar2, bar
	.word bar2, const, alias
	.bss
	.comm cc,12,4
	.comm cd,100
	.lcomm lc,12
	.local ll
	.comm ll,5,8
	.section .tbss,"awT",@nobits
tv:	.zero 4
	.section .sdata,"aw"
small:	.word 1
	.hidden hid
hid:	.word 2
	.protected prot
	.globl prot
	.type prot,@object
	.size prot,4
prot:	.word 3
	.section .rodata.str1.4,"aMS",@progbits,1
	.align 4
.LC0:	.string "merged"
	.section .rodata
	.word .LC0, .LC0+3
	.section .init_array,"aw"
	.word foo
	.section .grp,"axG",@progbits,sig,comdat
sig:	nop
	.weak wundef
	.word wundef
	.ident "a compiler"
	.text
	.type fn,@function
fn:	nop
	.size fn,.-fn
