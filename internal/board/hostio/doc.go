// Package hostio serves the calls that a guest program makes to its host: console, files, time,
// arguments, exit. It has the GNU convention (swi, number in r8), MetaWare hostlink (a shared block
// found by symbols) and the console and power-off addresses of the QEMU boards.
//
// It does not know the processor: it sees registers and memory through Guest. Every effect on the
// outside goes through one place, perform, which can record question and answer. So a run that is
// taken back and repeated gets the same answers and prints nothing twice. Time is the guest's own,
// counted from its cycles, because a run must not depend on the clock of the host.
//
// Start with Host (host.go) and request (request.go); gnu.go, hostlink.go and qemu.go translate a
// convention into requests.
package hostio
