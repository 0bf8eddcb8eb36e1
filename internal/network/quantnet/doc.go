// Package quantnet takes a network of floats to the core. Statistics over representative inputs
// become formats, formats make a network of integers, the network runs on a simulated core, and a
// report shows error and cycles layer by layer.
//
// A network of floats is a graph of the operators of nn/internal/golden/floats. Start with Calibrate, which
// gives every value a range. Quantize makes the network of integers in one of the Ways, Measure
// runs it, Advise mixes two ways where that pays.
package quantnet
