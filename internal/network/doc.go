// Package network is the wing of whole networks: model reads, describes, runs and compares them, quantnet makes integers of
// floats, netc writes C, lower translates between TensorFlow Lite and TOSA, mlir reads and rewrites quantization in MLIR's
// textual form, gemm runs single matrix products, calculator shows what quantization makes of numbers. A file comes in, a
// graph goes through the wing, and results, pages or sources go out.
package network
