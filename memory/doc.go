// Package memory is the 32-bit physical address space of one core: 4 KB pages backed when first
// written, closely coupled memories, devices behind ports, faults as values, copy-on-write
// snapshots.
//
// It knows nothing of instructions, privilege or time: the MPU hangs in as a Guard, wait states
// are counted and left to the caller, misaligned accesses fault or not as the core configures.
//
// Start with Space (space.go). Its two tables of host page addresses are the whole fast path:
// an entry of 0 sends the access to Load or Store, which know about everything else (devices,
// watched pages, pages holding decoded code, pages shared with a snapshot). A feature that nobody uses
// therefore costs nothing.
package memory
