// Package lsp serves assembly sources to editors: the Language Server Protocol over standard input and output.
//
// It knows nothing about instructions, registers or programs by itself. Instructions are the rows of package isa; names,
// their places and diagnostics come from the assembler, which runs on the text in the editor with an index; cycles come
// from the timing model of the core, or from a listing of a profiled run.
//
// A session reads messages in one goroutine and answers in another, one after the other. Start with Serve (server.go), then
// program.go, which assembles.
package lsp
