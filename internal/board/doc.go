// Package board is the wing of the machine behind the face. config reads properties, tool configuration files and boards,
// and checks them; machine wires a processor with memories, devices and host conventions by what config resolved; devices has the blocks of a board and
// hostio the calls to the host; trace writes the instructions of a run. Settings come in from above, stops and
// counters go back up. The wing stands on cpu, memory, loader and the program wing; only the face, and the command for lists,
// look into it.
package board
