#!/bin/sh
# Builds the C parts of libgcc (libgcc2 and soft-fp) and the assembler helpers of its ARC port for one
# core, because the packaged compiler brings the library for an HS with FPU only.
#
#   libgcc.sh GCC-SOURCE CPU OUT-DIR        writes OUT-DIR/libgcc.a
set -eu
src=$1 cpu=$2 out=$3
cc="arc-linux-gnu-gcc -mcpu=$cpu"
mkdir -p "$out/obj" "$out/include"
rm -f "$out"/obj/*.o

# What configure would have made: the target description libgcc needs is in the compiler's predefined
# macros (-fbuilding-libgcc), the rest of these headers may be empty.
for h in tconfig.h auto-host.h auto-target.h bconfig.h; do : > "$out/include/$h"; done
cat > "$out/include/tsystem.h" <<'H'
#include <stddef.h>
#include <limits.h>
#define abort() __builtin_trap ()
#define NULL_PTR 0
H
cat > "$out/include/libgcc_tm.h" <<'H'
H
cat > "$out/include/tm.h" <<'H'
#define BITS_PER_UNIT 8
#define UNITS_PER_WORD 4
#define MIN_UNITS_PER_WORD 4
#define BYTES_BIG_ENDIAN 0
#define WORDS_BIG_ENDIAN 0
#define LIBGCC2_UNITS_PER_WORD 4
#define LIBGCC2_WORDS_BIG_ENDIAN 0
#define LIBGCC2_LONG_DOUBLE_TYPE_SIZE 64
#define LIBGCC2_HAS_SF_MODE 1
#define LIBGCC2_HAS_DF_MODE 1
#define LIBGCC2_HAS_XF_MODE 0
#define LIBGCC2_HAS_TF_MODE 0
H
cat > "$out/include/sfp-machine.h" <<'H'
#define _FP_W_TYPE_SIZE 32
#define _FP_W_TYPE unsigned long
#define _FP_WS_TYPE signed long
#define _FP_I_TYPE long
typedef int __gcc_CMPtype __attribute__ ((mode (__libgcc_cmp_return__)));
#define CMPtype __gcc_CMPtype
#define _FP_MUL_MEAT_S(R,X,Y) _FP_MUL_MEAT_1_wide (_FP_WFRACBITS_S, R, X, Y, umul_ppmm)
#define _FP_MUL_MEAT_D(R,X,Y) _FP_MUL_MEAT_2_wide (_FP_WFRACBITS_D, R, X, Y, umul_ppmm)
#define _FP_DIV_MEAT_S(R,X,Y) _FP_DIV_MEAT_1_loop (S, R, X, Y)
#define _FP_DIV_MEAT_D(R,X,Y) _FP_DIV_MEAT_2_udiv (D, R, X, Y)
#define _FP_NANFRAC_S ((_FP_QNANBIT_S << 1) - 1)
#define _FP_NANFRAC_D ((_FP_QNANBIT_D << 1) - 1), -1
#define _FP_NANSIGN_S 0
#define _FP_NANSIGN_D 0
#define _FP_KEEPNANFRACP 1
#define _FP_QNANNEGATEDP 0
#define _FP_CHOOSENAN(fs, wc, R, X, Y, OP) do { R##_s = X##_s; _FP_FRAC_COPY_##wc (R, X); R##_c = FP_CLS_NAN; } while (0)
#define _FP_TININESS_AFTER_ROUNDING 0
#define __LITTLE_ENDIAN 1234
#define __BIG_ENDIAN 4321
#define __BYTE_ORDER __LITTLE_ENDIAN
#define strong_alias(name, aliasname) extern __typeof (name) aliasname __attribute__ ((alias (#name)))
H
flags="-O2 -g0 -ffunction-sections -fbuilding-libgcc -fno-stack-protector -DIN_GCC -DIN_LIBGCC2 -DUSED_FOR_TARGET -Dinhibit_libc \
 -mno-sdata -isystem $out/include -I$src/libgcc -I$src/gcc -I$src/include -I$src/libgcc/soft-fp -w"

for f in _negdi2 _lshrdi3 _ashldi3 _ashrdi3 _cmpdi2 _ucmpdi2 _clear_cache _absvsi2 _absvdi2 _addvsi3 _addvdi3 \
	_subvsi3 _subvdi3 _mulvsi3 _mulvdi3 _negvsi2 _negvdi2 _ctors _ffssi2 _ffsdi2 _clz _clzsi2 _clzdi2 _ctzsi2 _ctzdi2 \
	_popcount_tab _popcountsi2 _popcountdi2 _paritysi2 _paritydi2 _powisf2 _powidf2 _mulsc3 _muldc3 _divsc3 _divdc3 \
	_bswapsi2 _bswapdi2 _clrsbsi2 _clrsbdi2 _udiv_w_sdiv _udivdi3 _divdi3 _umoddi3 _moddi3 _udivmoddi4 _divmoddi4; do
	$cc $flags -DL$f -c "$src/libgcc/libgcc2.c" -o "$out/obj/$f.o"
done
for f in "$src"/libgcc/soft-fp/*[sd]f*.c; do
	case $(basename "$f") in *tf* | *xf* | *ti* | *hf*) continue ;; esac
	$cc $flags -c "$f" -o "$out/obj/$(basename "$f" .c).o"
done
for f in udivmodsi4 udivmod divmod; do
	$cc $flags -c "$src/libgcc/$f.c" -o "$out/obj/$f.o"
done
# The port multiplies in assembly where the core has no multiplier: in C these would call themselves.
if echo | $cc -dM -E - | grep -q __ARC_MPY__; then
	$cc $flags -DL_muldi3 -c "$src/libgcc/libgcc2.c" -o "$out/obj/_muldi3.o"
	asm=
else
	asm="_mulsi3 _umulsidi3 _umulsi3_highpart _muldi3"
fi
for f in $asm _millicodethunk_st _millicodethunk_ld _millicodethunk_ret; do
	$cc -O2 -DL$f -I"$src/libgcc/config/arc" -isystem "$out/include" -c "$src/libgcc/config/arc/lib1funcs.S" -o "$out/obj/$f.o"
done
rm -f "$out/libgcc.a"
arc-linux-gnu-ar rcs "$out/libgcc.a" "$out"/obj/*.o
