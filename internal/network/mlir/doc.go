// Package mlir reads, checks, rewrites and prints a small intermediate representation in MLIR's textual
// form: functions of one block over tensors, the quant dialect old and new, the real-valued and integer
// operators of the historic fxpmath dialect, and the part of arith that quantization is lowered to. A function of the
// tosa dialect, in the short forms that mlir-opt 19 prints or in the generic one, becomes a graph of TOSA's operators. An
// operation of another dialect passes through in its generic form.
//
// It is no MLIR: there is no control flow beside TOSA's, no aliasing memory, no locations. Everything it prints it reads
// back, and mlir-opt reads it where a release has the dialects.
//
// Start with Parse and Module.String; the passes are rows of Passes, and TOSAGraph makes a graph.
package mlir
