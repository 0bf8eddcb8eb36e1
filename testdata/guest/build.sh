#!/bin/sh
# Assembles and links the guest programs; run it in this folder after changing one.
# usage: sh build.sh [OUT-DIR]
set -eu
out=${1:-elf}
mkdir -p "$out"
build() { # build NAME SOURCE AS-OPTIONS...
	name=$1 source=$2
	shift 2
	case " $* " in *" -EB "*) endian=-EB ;; *) endian=-EL ;; esac
	objects=
	for s in "$source" ${vectors:-vectors}; do
		[ "$s" = none ] && continue
		arc-linux-gnu-as "$@" -o "$out/$s.o" "$s.s"
		objects="$objects $out/$s.o"
	done
	arc-linux-gnu-ld $endian -m arcv2elf -nostdlib --build-id=none -z max-page-size=4 -T guest.ld -o "$out/$name.elf" $objects
	rm $objects
}
for f in hello cat files spin wild overflow illegal sleep ticks uart hostlink tasks; do
	build $f $f -mcpu=em4_dmips
done
vectors=none
for f in halt novectors qemu kernel dispatch threads board watchdog cache dma; do
	build $f $f -mcpu=em4_dmips
done
vectors=
build hello-hs hello -mcpu=hs38
build hello-be hello -mcpu=em4_dmips -EB
