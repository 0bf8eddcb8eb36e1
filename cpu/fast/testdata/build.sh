#!/bin/sh
# Assembles the kernels and loops with the GNU tools. Run it after changing a source.
set -e
cd "$(dirname "$0")"
object=$(mktemp)
trap 'rm -f "$object"' EXIT
for s in kernels/*.s loops/*.s; do
	arc-linux-gnu-as -mcpu=em4_dmips -o "$object" "$s"
	arc-linux-gnu-ld -N -m arcv2elf --no-warn-rwx-segments -Ttext 0x1000 -e _start -o "${s%.s}.elf" "$object"
done
