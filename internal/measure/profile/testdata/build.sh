#!/bin/sh
# Compiles and links the program of the tests; run it in this folder after changing a source.
# usage: sh build.sh [OUT-DIR]
set -eu
out=${1:-.}
arc-linux-gnu-gcc -mcpu=em4_dmips -O2 -g -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident \
	-fdebug-prefix-map="$PWD"=. -c -o "$out/calls.o" calls.c
arc-linux-gnu-as -mcpu=em4_dmips -g --debug-prefix-map "$PWD"=. -o "$out/start.o" start.s
arc-linux-gnu-ld -EL -m arcv2elf -nostdlib --build-id=none -z max-page-size=4 -T ../../../testdata/guest/guest.ld \
	-o "$out/calls.elf" "$out/start.o" "$out/calls.o"
rm "$out/start.o" "$out/calls.o"
