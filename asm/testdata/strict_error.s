; options: cpu=em5d
; Our own core names enforce what the core has.
	mac r0,r1,r2
	vmac2h r0,r2,r4
	macd r0,r2,r4
	dmpyhf r0,r1,r2
	divf r0,r1,r2
	modif 5				; ERROR "core em5d has no modif: it needs the address generation unit \\(agu_size\\)"
	qmach r0,r2,r4			; ERROR "core em5d has no qmach: it needs"
	fsadd r0,r1,r2			; ERROR "core em5d has no fsadd: it needs the single-precision FPU"
	fadd r0,r1,r2			; ERROR "single-precision FPX"
	sjli 5				; ERROR "secure shield"
	fmp_cos r0,r1			; ERROR "fast-math"
