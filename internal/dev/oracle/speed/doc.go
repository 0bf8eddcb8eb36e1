// Package speed holds programs like those of users, and tests that run them on all engines: compressors of Debian's source packages,
// whose sources are not part of this project (see internal/dev/oracle/fetch.sh), and programs of our own. Each prints what its build
// for the host prints, all engines count the same, and none is slower than its promise beside the others.
package speed
