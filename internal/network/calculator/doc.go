// Package calculator makes the documents of arcsim quant: what package quant computes, each for people and for programs.
package calculator
