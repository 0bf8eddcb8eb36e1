#!/bin/sh
# Compiles the guest programs that are written in C to the assembly sources that are built from; run
# it in this folder after changing one.
# usage: sh build.sh [OUT-DIR]
set -eu
out=${1:-.}
for p in core crc dhry matrix sha256 sort; do
	mkdir -p "$out/$p"
	arc-linux-gnu-gcc -mcpu=em4_dmips -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-pic \
		-fno-asynchronous-unwind-tables -fno-ident -fno-tree-loop-distribute-patterns -I. \
		-S -o "$out/$p/$p.s" "$p/$p.c"
done
