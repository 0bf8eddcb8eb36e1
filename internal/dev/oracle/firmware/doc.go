// Package firmware runs ready programs of users, such as suites of an operating system, on every engine. The programs
// are no part of this project: the test takes ELF files by path, and programs of the project's own without them.
//
//	go test -v ./internal/dev/oracle/firmware -args -elf FILE,FILE -core CORE -p KEY=VALUE,KEY=VALUE -cycles N
package firmware
