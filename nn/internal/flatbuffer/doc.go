// Package flatbuffer reads and writes FlatBuffers of any schema that is given as a table of facts: as
// objects with named fields, in binary and in flatc's JSON form.
//
// The reader trusts nothing: every offset is checked, and the amount it unpacks is bounded, so that no file
// makes it panic, hang or use much more memory than the file has bytes.
//
// Start with Schema (schema.go) and Object (object.go), or with Reader (reader.go) for a file that is read table by
// table without a schema.
package flatbuffer
