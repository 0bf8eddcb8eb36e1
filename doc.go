// Package arcv2dsp simulates ARCv2 DSP processors: the ARC EM cores EM5D, EM7D, EM9D and EM11D, the
// EM4 and EM6 without DSP, HS38, and public boards with one of them. A Machine is one core with its
// memory, devices and host I/O; it loads a program, runs it on one of its engines, which agree to
// the cycle, and tells why it stopped.
//
// This package is all that an embedder needs. It holds no command line and no
// debugger: cmd/arcsim and internal/debug are built on it. Instructions are described in package
// isa, executed in cpu; the machine behind these types is internal/board/machine.
//
// Programs may rely on this package, on asm, asm/link, loader, nn, quant, the readers below nn, and networks
// on a core in mlikernels: their names change only with a line in CHANGELOG.md. The other names of mlikernels, and those
// of cpu, dspunit, isa, memory, benchmarks and the packages below them, are exported for this module's own packages;
// they may change in any release, except for those that signatures here name.
//
// Start with New, Machine.LoadFile and Machine.Run. The examples show registers, observers (Machine.Observe),
// snapshots, and a board with devices and memory of the embedder's own (Config.Devices, Config.Regions).
package arcv2dsp
