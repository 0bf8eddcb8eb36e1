// Package torture compiles the execution tests of the GNU C compiler for ARC cores, freestanding with
// the small runtime in runtime/, and gives them to whoever runs them. The tests themselves are not part
// of this project: they come from a compiler source tree outside it.
//
// Start with Suite. The test in this package runs the suite on the simulator.
package torture
