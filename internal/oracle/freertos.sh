#!/bin/sh
# Builds the test suites of FreeRTOS's demos with its kernel and its port to ARC for one core, from a user's
# own copies; none of them is part of this project. Run by hand, or by the test in internal/oracle/freertos.
#
#   freertos.sh KERNEL EMBARC DEMO CPU OUT-DIR        writes OUT-DIR/freertos.elf
#
# KERNEL is the folder of tasks.c, EMBARC the one of embARC's headers (arc/arc.h), DEMO the folder Common of
# FreeRTOS's demos. CPU is em4_dmips or hs38_linux. LIBGCC names the runtime library of the compiler where the
# packaged one is for another core, see libgcc.sh. ROUNDS is how often the suites are asked, 3 where it is not
# set. A suite whose source DEMO does not have is left out.
set -eu
fail() {
	echo "freertos.sh: $*" >&2
	exit 2
}
[ $# = 5 ] || fail "usage: freertos.sh KERNEL EMBARC DEMO CPU OUT-DIR"
kernel=$1 embarc=$2 demo=$3 cpu=$4 out=$5
here=$(cd "$(dirname "$0")" && pwd)
port=$kernel/portable/ThirdParty/GCC/ARC_EM_HS
need() { # need WHAT DIR FILE...
	what=$1 dir=$2
	shift 2
	[ -d "$dir" ] || fail "$what: no folder $dir"
	for f; do
		[ -f "$dir/$f" ] || fail "$what: no file $f in $dir"
	done
}
need "the kernel" "$kernel" tasks.c queue.c list.c timers.c event_groups.c stream_buffer.c include/FreeRTOS.h \
	portable/MemMang/heap_4.c portable/ThirdParty/GCC/ARC_EM_HS/port.c portable/ThirdParty/GCC/ARC_EM_HS/arc_support.s
need "the headers of embARC" "$embarc" arc/arc.h arc/arc_asm_common.h arc/arc_exception.h arc/arc_timer.h embARC_toolchain.h
need "the demos" "$demo" include/BlockQ.h Minimal/BlockQ.c
case $cpu in
em4_dmips) features="-DARC_FEATURE_ARC_FAMILY=4" libgcc=${LIBGCC:-} ;;
hs38_linux) features="-DARC_FEATURE_ARC_FAMILY=5 -DARC_FEATURE_MPU_OPTION_NUM=9" libgcc=${LIBGCC:--lgcc} ;;
*) fail "unknown core $cpu: em4_dmips or hs38_linux" ;;
esac
[ -n "$libgcc" ] || fail "$cpu needs LIBGCC, the compiler's runtime library for it: see libgcc.sh"
[ "$libgcc" = -lgcc ] || [ -f "$libgcc" ] || fail "LIBGCC: no file $libgcc"
case ${ROUNDS:-3} in '' | *[!0-9]* | 0*) fail "ROUNDS is a number from 1 on, not \"$ROUNDS\"" ;; esac

# The core as the templates em9d and hs38 have it: fast interrupts with a bank of registers, two priorities.
features="$features -DARC_FEATURE_STACK_CHECK=1 -DARC_FEATURE_CODE_DENSITY=1 -DARC_FEATURE_FIRQ=1 -DARC_FEATURE_RGF_NUM_BANKS=2
 -DARC_FEATURE_RGF_BANKED_REGS=32 -DNUM_EXC_INT=16 -DINT_PRI_MIN=-2"
grep -q INT_HANDLER_T "$embarc/arc/arc_exception.h" || features="$features -DINT_HANDLER_T=INT_HANDLER"

mkdir -p "$out"
rm -f "$out"/*.o
run() {
	"$@" 2>"$out/messages" || fail "$1: $(grep -m1 -E 'error|undefined' "$out/messages" || head -1 "$out/messages")"
}
runtime=$here/torture/runtime
cc="arc-linux-gnu-gcc -mcpu=$cpu -O2 -g -w -D__GNU__ -std=gnu99 -ffreestanding -fno-pic -fno-pie -fno-stack-protector -mno-millicode
 -mno-sdata -mtp-regno=none -ffunction-sections -fno-tree-loop-distribute-patterns $features -isystem $runtime/include
 -I$here/freertos/runtime -I$kernel/include -I$port -I$embarc -I$demo/include"
# The suites that there are, in the order of the list.
: >"$out/suites.h"
: >"$out/headers.h"
for name in $(sed -n 's/^SUITE(\([A-Za-z]*\),.*/\1/p' "$here/freertos/runtime/suites.list"); do
	[ -f "$demo/Minimal/$name.c" ] || continue
	run $cc -c "$demo/Minimal/$name.c" -o "$out/suite_$name.o"
	grep "^SUITE($name," "$here/freertos/runtime/suites.list" >>"$out/suites.h"
	echo "#include \"$name.h\"" >>"$out/headers.h"
done
for f in tasks queue list timers event_groups stream_buffer portable/MemMang/heap_4; do
	run $cc -c "$kernel/$f.c" -o "$out/kernel_$(basename "$f").o"
done
run $cc -c "$port/port.c" -o "$out/port.o"
run $cc -x assembler-with-cpp -c "$port/arc_support.s" -o "$out/arc_support.o"
run $cc -c "$here/freertos/runtime/board.c" -o "$out/board.o"
run $cc -c "$here/freertos/runtime/start.S" -o "$out/start.o"
run $cc -I"$out" -DROUNDS="${ROUNDS:-3}" -c "$here/freertos/runtime/main.c" -o "$out/main.o"
run $cc -fno-builtin -c "$runtime/libc.c" -o "$out/libc.o"
run arc-linux-gnu-gcc -mcpu="$cpu" -static -nostdlib -no-pie -Wl,--gc-sections -Wl,--build-id=none -Wl,-z,max-page-size=0x2000 \
	-T "$here/freertos/runtime/link.ld" -o "$out/freertos.elf" "$out"/*.o $libgcc
