#!/bin/sh
# Builds newlib and libgloss' nSIM layer for one core with the packaged compiler.
#
#   newlib.sh NEWLIB-SOURCE CPU OUT-DIR        writes OUT-DIR/lib/{libc,libm,libnsim,crt0...} and OUT-DIR/include
set -eu
src=$(cd "$1" && pwd) cpu=$2
mkdir -p "$3/build"
out=$(cd "$3" && pwd)
# The packaged compiler is one for Linux; newlib asks for the operating system by these macros.
cc="arc-linux-gnu-gcc -mcpu=$cpu -U__linux__ -U__linux -Ulinux -U__unix__ -U__unix -Uunix -U__gnu_linux__ \
 -fno-pic -fno-pie -fno-stack-protector -msdata -mtp-regno=none -mno-millicode -nostdlib"
cd "$out/build"
"$src/configure" --target=arc-elf32 --prefix="$out" --disable-multilib --disable-shared --disable-nls \
	--disable-newlib-supplied-syscalls --enable-newlib-io-long-long --enable-newlib-io-c99-formats \
	CC_FOR_TARGET="$cc" AS_FOR_TARGET=arc-linux-gnu-as LD_FOR_TARGET=arc-linux-gnu-ld AR_FOR_TARGET=arc-linux-gnu-ar \
	RANLIB_FOR_TARGET=arc-linux-gnu-ranlib NM_FOR_TARGET=arc-linux-gnu-nm OBJDUMP_FOR_TARGET=arc-linux-gnu-objdump \
	STRIP_FOR_TARGET=arc-linux-gnu-strip CFLAGS_FOR_TARGET="-O2 -g0 -w" >configure.log 2>&1
make -j"${JOBS:-2}" all-target-newlib all-target-libgloss >make.log 2>&1
make install-target-newlib install-target-libgloss >install.log 2>&1
