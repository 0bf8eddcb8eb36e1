// Package gemmlowp is the golden model of gemmlowp's low-precision matrix products: matrices of bytes with
// offsets, sums of 32 bits that wrap, and a pipeline of output stages.
//
// It computes a product as its definition says, offsets inside the loop. The way in which a fast
// implementation keeps the offsets out of the loop, by sums over rows and columns, must give the same
// integers modulo 2^32; nothing of it is in here.
//
// Start with Product, then Stage.
package gemmlowp
