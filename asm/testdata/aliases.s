; options: cpu=em4
; Aliases have the type and size of what they stand for; thread-local symbols; differences of weak labels.
	.text
	.type impl,@function
impl: nop
	.size impl,.-impl
	.set al1,impl
	al2=impl+2
	.weak al3
	.set al3,fwd
	.equiv al4,fwd+4
	.set al5,al1
	.set al6,late
	.global al7
	.hidden al7
	.set al7,al6
	.type fwd,@object
fwd: nop
	.size fwd,4
late: nop
	.size late,8
	.type late,@function
	.set al8,late
	.type al9,@object
	.size al9,3
	.set al9,late
	.set al10, ext
	.type ext,@function
	.size ext,4
	.set al11, data1-impl
	.set al12, .
	.set al13, late2
late2: nop
	.set al14, late2
	.type late2,@function
	.size late2,7
	.comm comm1,4
	.section .tdata,"awT",@progbits
	.type tl,@object
	.size tl,4
tl: .word 1
tl2: .word 2
	.global tl3
tl3: .word 4
	.type tl3,@notype
	.set tl4,tl
	.section .tbss,"awT",@nobits
	.type tb,@object
tb: .space 4
tbf: .space 4
	.type tbf,@function
	.text
	add r0,pcl,@tlx@tlsgd
	add r0,r25,@tly@tpoff
	add r0,r25,@tl@tpoff
	add r0,r25,@tb@tpoff
	add r0,pcl,@.tbss@tlsgd
	add r0,pcl,@tlz@tlsie
	.word tl, tl2, tl3, tb, tl4
	ld r0,[pcl,@tl@tlsie]
	add r0,r0,@tb@dtpoff
data1:
	.section .text.w,"ax"
	.weak w
	nop
x: nop
w: nop
	.align 8
y:
	.word w-x
	.word w-y
	.word y-w
	.word .-w
	.word w-.
	.set d,w-y
	.word d
	.set d2,y-w
	.word d2
	.uleb128 y-w
	.byte w-x
	.hword y-w
	mov r0,y-w
	mov r0,w-x
	add_s r0,r0,y-w
	ld r0,[r1,y-w]
	.word (y-w)*2
	.word w==w, w!=y,y>w
	.size xs,y-w
	.data
	.word w-x, y-w
	.skip y-w
	.org y-w+100
	.section .t2,"ax"
	.weak q
q: nop
	.align 4
q2: .word q2-q, x-w
