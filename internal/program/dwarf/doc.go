// Package dwarf maps addresses to source positions and back, from the DWARF information (versions
// 2 to 5) of C compilers and assemblers, and writes the DWARF sections of assembler sources.
//
// Reading goes through debug/dwarf behind checks (check.go) that bound what a damaged file can cost. It
// knows lines, functions and inlined calls (Read), variables, types and their places (ReadVariables), and
// how to find the caller of each instruction (ReadFrames).
//
// Start with Read and Info for reading, LineTable and Unit for writing.
package dwarf
