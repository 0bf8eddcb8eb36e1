// Package float writes the vectors of the floating-point instructions, testdata/isa/fs*.txt and their kin,
// from the hardware of the host: testdata/host.c computes each with the processor's own instructions in the rounding
// mode asked for, and reads its exception flags. It shares nothing with package fpunit.
//
//	go test ./internal/dev/oracle/float -update
//
// Without -update the test makes sure that the files hold the host's results. It needs gcc and an x86-64
// processor with fused multiply-add; the GNU assembler for ARC encodes the instructions.
package float
