// Package cpu is one ARCv2 core: its architectural state, the reference engine that executes it
// one instruction at a time, exceptions and interrupts, timers, auxiliary registers, zero-overhead
// loops and delay slots.
//
// It knows no files, symbols, consoles or devices: programs come from a loader, devices sit behind
// the memory, host calls behind the Host interface. The results of an instruction are in cpu/internal/semantics, its cycles
// in cpu/internal/timing; the block engine cpu/fast runs the same state through the Engine seam.
//
// Start with CPU (state.go) and Run (run.go), then Ref.step (ref.go). Instructions that touch more
// than registers are the exec methods in exec_*.go.
package cpu
