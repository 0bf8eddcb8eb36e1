// Package mlirecord reads and writes recorded calls of MLI functions: files with one JSON object
// per line, each a call with its inputs and the results of the library. docs/formats.md describes
// them.
//
// A Record is the content of a line. Record.Call turns it into a call of an operator, Of a call
// into a Record.
package mlirecord
