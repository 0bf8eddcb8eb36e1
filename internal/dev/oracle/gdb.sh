#!/bin/sh
# Builds a debugger for the ARC target from Debian's gdb source (about eight minutes on two processors).
#
#   gdb.sh GDB-SOURCE OUT-DIR        writes OUT-DIR/bin/arc-elf32-gdb
set -eu
src=$(cd "$1" && pwd)
mkdir -p "$2/build"
out=$(cd "$2" && pwd)
cd "$out/build"
"$src/configure" --target=arc-elf32 --prefix="$out" --disable-sim --disable-gdbserver --disable-nls --disable-binutils \
	--disable-ld --disable-gas --disable-gprof --disable-gold --disable-werror --without-python --without-guile --disable-tui \
	--without-babeltrace --without-debuginfod --with-expat=yes --disable-source-highlight CFLAGS="-O1 -w" CXXFLAGS="-O1 -w" \
	MAKEINFO=true >configure.log 2>&1
make -j"${JOBS:-2}" MAKEINFO=true all-gdb >make.log 2>&1
make MAKEINFO=true install-gdb >install.log 2>&1
