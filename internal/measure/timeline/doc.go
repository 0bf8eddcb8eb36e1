// Package timeline shows how instructions go through the pipeline, cycle by cycle, with the reason for
// each lost cycle. llvm-mca predicts such a picture from a model of a processor; this one is recorded from a run.
//
// It times nothing itself. It runs the program on the reference engine, notes when each instruction
// issued and what it waited for, and draws that. The drawn pipeline has the stages fetch (F), decode
// (D), execute (e, E in its last cycle) and write-back (W). The cycle of the model in which an
// instruction issues is its first in execution.
//
// Start with Record (record.go), then Draw (draw.go); regions of a source file are in region.go, the
// printed forms in print.go and html.go.
package timeline
