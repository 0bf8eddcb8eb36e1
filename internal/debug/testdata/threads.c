/*
 * A kernel with the public data of Zephyr: threads in a list of _kernel, a table of offsets (TABLE), a switch that keeps what
 * a callee keeps and says why a thread was left. main waits after a call, ticker was interrupted, worker runs at at_work.
 * Without LIST there is no list, and the threads are known by their symbols.
 */
struct base { unsigned queue[2]; unsigned char options, thread_state; signed char prio; };
struct k_thread {
	struct base base;
	struct { unsigned sp; } callee_saved;
	struct { void (*pEntry)(void); void *p1; } entry;
#ifdef LIST
	struct k_thread *next_thread;
	char name[32];
#endif
	void *switch_handle;
	struct { int relinquish_cause; } arch;
};
struct z_kernel {
	struct { unsigned nested; char *irq_stack; struct k_thread *current; } cpus[1];
#ifdef LIST
	struct k_thread *threads;
#endif
};
struct z_kernel _kernel;
struct k_thread z_main_thread, _k_thread_obj_ticker, _k_thread_obj_worker;
static unsigned stacks[2][256];
int noted;
void z_arc_switch(void *to, void **from);

#define at(member) __builtin_offsetof(struct k_thread, member)
#ifdef TABLE
const unsigned _kernel_thread_info_offsets[] = {
	1, __builtin_offsetof(struct z_kernel, cpus[0].current), __builtin_offsetof(struct z_kernel, threads), at(entry), at(next_thread),
	__builtin_offsetof(struct base, thread_state), __builtin_offsetof(struct base, options), __builtin_offsetof(struct base, prio),
	at(callee_saved.sp), at(name), at(arch), 0xffffffff, 0xffffffff,
};
#endif

/* A function that the switch calls, as for memory protection. */
__attribute__((noinline)) void note_thread(void) { noted++; }

__asm__(
	"	.equ	SP, 12\n"
	"	.macro	keep op\n"
	"	\\op	r13, [sp, 0]\n	\\op	r14, [sp, 4]\n	\\op	r15, [sp, 8]\n	\\op	r16, [sp, 12]\n"
	"	\\op	r17, [sp, 16]\n	\\op	r18, [sp, 20]\n	\\op	r26, [sp, 24]\n	\\op	fp, [sp, 28]\n"
	"	.endm\n"
	"	.global	z_arc_switch\n	.type	z_arc_switch, @function\n"
	"z_arc_switch:\n"
	"	ld	r2, [r1]\n"
	"	breq	r2, 0, _switch_to_target_thread\n"
	"	st	1, [r2, CAUSE]\n"
	"	lr	r3, [0x0a]\n"
	"	push	r3\n"
	"	push	blink\n"
	"	sub	sp, sp, 32\n"
	"	keep	st\n"
	"	st	sp, [r2, SP]\n"
	"_switch_to_target_thread:\n"
	"	mov	r2, r0\n"
	"	ld	sp, [r2, SP]\n"
	"	keep	ld\n"
	"	add	sp, sp, 32\n"
	"	push	r2\n"
	"	bl	note_thread\n"
	"	pop	r2\n"
	"	ld	r3, [r2, CAUSE]\n"
	"	breq	r3, 2, 1f\n"
	"	pop	blink\n"
	"	pop	r3\n"
	"	kflag	r3\n"
	"	j	[blink]\n"
	"1:	lr	r3, [0x43]\n"
	"	or	r3, r3, 2\n"
	"	sr	r3, [0x43]\n"
	"	rtie\n"
	"	.size	z_arc_switch, . - z_arc_switch\n"
	"	.global	interrupt\n	.type	interrupt, @function\n"
	"interrupt:\n"
	"	sr	0, [0x201]\n"
	"	ld	r2, [_kernel + 8]\n"
	"	sub	sp, sp, 32\n"
	"	keep	st\n"
	"	st	sp, [r2, SP]\n"
	"	st	2, [r2, CAUSE]\n"
	"	mov	r0, _k_thread_obj_worker\n"
	"	st	r0, [_kernel + 8]\n"
	"	sr	0, [0x43]\n"
	"	b	_switch_to_target_thread\n"
	"	.size	interrupt, . - interrupt\n"
	"	.section .vectors, \"ax\"\n	.align 1024\n	.global vectors\n"
	"vectors:	.rept 20\n	.word _start\n	.endr\n	.word interrupt\n	.text\n");

__attribute__((noinline)) void at_work(void) { noted++; }

static void worker(void)
{
	at_work();
	_kernel.cpus[0].current = &_k_thread_obj_ticker;
	z_arc_switch(&_k_thread_obj_ticker, &_k_thread_obj_worker.switch_handle);
}

static void ticker(void)
{
	register int kept __asm__("r13") = 0x1234;
	register int count __asm__("r14") = 41;
	__asm__ volatile ("sr 20, [0x201]\n	nop\n	.global interrupted\ninterrupted:	nop\n	nop" : "+r"(kept), "+r"(count));
	_kernel.cpus[0].current = &z_main_thread;
	noted += kept == 0x1234 && count == 41 ? 100 : 0;
	z_arc_switch(&z_main_thread, &_k_thread_obj_ticker.switch_handle);
}

static void create(struct k_thread *t, unsigned *stack, void (*entry)(void), int prio, const char *name)
{
	unsigned *top = stack + 256 - 10;

	top[8] = (unsigned)entry;
	top[9] = 0x80000000 | 0xf << 1;
	t->callee_saved.sp = (unsigned)top;
	t->entry.pEntry = entry;
	t->base.prio = prio;
	t->switch_handle = t;
#ifdef LIST
	t->next_thread = _kernel.threads;
	_kernel.threads = t;
	for (int i = 0; name[i]; i++)
		t->name[i] = name[i];
#endif
}

__attribute__((noinline)) void pause_main(void)
{
	z_main_thread.base.thread_state = 2;
	_kernel.cpus[0].current = &_k_thread_obj_ticker;
	z_arc_switch(&_k_thread_obj_ticker, &z_main_thread.switch_handle);
}

__attribute__((noreturn)) void run(void)
{
	__builtin_arc_sr((unsigned)0, 0x43);
	__asm__ volatile ("sr vectors, [0x25]");
	__builtin_arc_sr(7 | 1 << 9, 0xe);
	__builtin_arc_sr(20, 0x40b);
	__builtin_arc_sr(1, 0x206);
	create(&z_main_thread, stacks[1], run, 0, "main"); /* which runs, on a stack of its own */
	create(&_k_thread_obj_worker, stacks[0], worker, -1, "worker");
	create(&_k_thread_obj_ticker, stacks[1], ticker, 5, "");
	_kernel.cpus[0].current = &z_main_thread;
	pause_main();
	register int status __asm__("r0") = noted;
	__asm__ volatile ("flag 1\n	nop\n	nop" : : "r"(status));
	for (;;)
		;
}

void _start(void)
{
	__asm__ volatile ("mov sp, 0x80018000\n	b run");
}
