// Package memory is the 32-bit physical address space of one core: pages of 4 KB that get storage
// when they are first written, closely coupled memories, devices behind ports, faults as values,
// copy-on-write snapshots.
//
// It has no instructions, privilege or time. The MPU is a Guard that the owner sets, wait
// states are counted and left to the caller, and misaligned accesses fault when the core forbids them.
//
// Start with Space (space.go). Its two tables of host page addresses are the whole fast path. An
// entry of 0 sends the access to Load or Store, which handle everything else: devices, watched
// pages, pages with decoded code, pages shared with a snapshot. A feature that nothing uses
// therefore costs nothing.
package memory
