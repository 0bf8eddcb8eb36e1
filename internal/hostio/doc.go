// Package hostio serves the calls a guest program makes to the machine it runs under: console,
// files, time, arguments, exit. It speaks the GNU convention (swi, number in r8), MetaWare hostlink
// (a shared block found by symbols) and the QEMU boards' console and power-off addresses.
//
// It does not know the processor: it sees registers and memory through Guest. Everything it does to
// the outside goes through one place, perform, which can record what was asked and answered; so a
// run that is taken back and repeated gets the same answers and prints nothing twice. Time is the
// guest's own, counted from its cycles, for a run must not depend on the clock of the host.
//
// Start with Host (host.go) and request (request.go); gnu.go, hostlink.go and qemu.go translate a
// convention into requests.
package hostio
