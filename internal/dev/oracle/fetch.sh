#!/bin/sh
# Fetches what the oracle tests compare with from Debian's source packages into a folder outside the
# repository. What is there already is not fetched again.
#
#   fetch.sh DIR gcc        DIR/gcc-12.2.0: execution tests, libgcc and the headers it needs
#   fetch.sh DIR newlib     DIR/newlib-4.1.0: the C library with libgloss
#   fetch.sh DIR compressors DIR/lz4, DIR/zlib, DIR/bzip2: the whole sources
#   fetch.sh DIR binutils   DIR/binutils: the assembler's ARC tests
#   fetch.sh DIR gdb        DIR/gdb: the whole debugger source
set -eu
mkdir -p "$1"
cd "$1"

# add_sources: source packages come from where the machine's binary packages come from
add_sources() {
	list=/etc/apt/sources.list.d/arcv2dsp-oracle
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -f "$f" ] && [ "$f" != $list.list ] && sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$f"
	done >$list.list || :
	for f in /etc/apt/sources.list.d/*.sources; do
		[ -f "$f" ] && [ "$f" != $list.sources ] && sed 's/^Types:.*/Types: deb-src/' "$f" && echo
	done >$list.sources || :
	apt-get update -qq
}

# download PACKAGE: the source package's files into ./download
download() {
	mkdir -p download
	(
		cd download
		ls "$1"_*.orig.tar.* >/dev/null 2>&1 && exit
		if ! apt-get source --download-only -qq "$1" >/dev/null 2>&1; then
			add_sources
			apt-get source --download-only -qq "$1" >/dev/null
		fi
	)
}

case $2 in
gcc)
	[ -d gcc-12.2.0 ] && exit
	download gcc-12
	mkdir -p unpack
	tar xOf download/gcc-12_*.orig.tar.gz --wildcards '*/gcc-12.2.0-dfsg.tar.xz' | tar xJ -C unpack --wildcards \
		'gcc-12.2.0/gcc/testsuite/gcc.c-torture/execute/*' 'gcc-12.2.0/libgcc/*' 'gcc-12.2.0/include/*' 'gcc-12.2.0/gcc/*.h'
	mv unpack/gcc-12.2.0 .
	;;
newlib)
	[ -d newlib-4.1.0 ] && exit
	download gcc-12
	mkdir -p unpack
	tar xOf download/gcc-12_*.orig.tar.gz --wildcards '*/newlib-4.1.0.tar.xz' | tar xJ -C unpack
	mv unpack/newlib-4.1.0 .
	;;
compressors)
	for p in lz4 zlib bzip2; do
		[ -d $p ] && continue
		download $p
		mkdir -p unpack
		tar xf download/${p}_*.orig.tar.* -C unpack
		mv unpack/$p-* $p
	done
	;;
binutils)
	[ -d binutils ] && exit
	download binutils
	mkdir -p unpack
	tar xf download/binutils_*.orig.tar.xz -C unpack --wildcards '*/gas/testsuite/gas/arc/*'
	mv unpack/binutils-* binutils
	;;
gdb)
	[ -d gdb ] && exit
	download gdb
	mkdir -p unpack
	tar xf download/gdb_*.orig.tar.xz -C unpack
	mv unpack/gdb-* gdb
	;;
*)
	echo "fetch.sh: unknown package $2" >&2
	exit 2
	;;
esac
