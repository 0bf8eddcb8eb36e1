// Package devices holds the devices that lie at addresses of memory: the DesignWare devices of the
// boards of Synopsys (UART, GPIO, timers, watchdog, real-time clock), the console and power switch
// of the QEMU boards, and the doorbell of MetaWare hostlink.
//
// Devices have no time of their own and no threads. The machine that owns them calls them when the
// guest's clock has moved, so their behaviour depends only on the guest's cycles. Bytes to and from
// the outside go through a Console, which records them.
//
// Start with UART (uart.go) and Clocked (clocked.go).
package devices
