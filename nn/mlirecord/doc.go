// Package mlirecord reads and writes recorded calls of MLI functions: files with one JSON object per
// line, each a call with its inputs and what the library gave for it. docs/formats.md describes them.
//
// A Record is the content of a line; Record.Call makes a call of an operator of it, Of the other way round.
package mlirecord
