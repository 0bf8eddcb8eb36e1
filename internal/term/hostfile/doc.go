// Package hostfile is the one door through which the program opens files of the host. Whatever is read has a bound, for a path may
// name a device that never ends, and whoever waits for a pipe is woken by the signals that end a run. Whatever is written is there
// completely or not at all, for a run may be killed or a disk be full. A test of internal/dev/policy holds that no other
// package opens files.
//
// Start with Read and Write.
package hostfile
