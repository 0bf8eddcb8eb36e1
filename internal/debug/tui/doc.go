// Package tui is the full-screen view of the debugger: panes with source, instructions, registers, the DSP and
// memory above a console with the prompt.
//
// A pane is a function from the state of the debugger and a size to cells (panes.go), a frame an arrangement of
// panes (layout.go); both are tested as text. Screen puts frames on a terminal and reads its keys; it knows no
// commands: those of the prompt call its methods.
//
// Start with Screen and pane.
package tui
