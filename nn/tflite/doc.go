// Package tflite reads and writes networks in TensorFlow Lite's file format.
//
// A file is a FlatBuffer: tables of optional fields that refer to each other by offsets. The reader
// goes by hand from field to field and checks every access, so a damaged or hostile file gives an error
// with its place and nothing else. Features of the format that this code lacks (several subgraphs,
// sparse tensors, data outside the file) are refused by name before anything runs.
//
// Start with Read (read.go). nn/internal/flatbuffer reads, builder.go writes; flexbuffer.go is the encoding of custom
// operators' options, schema.go has the numbers of the format's enumerations, options.go the fields of the operators'
// option tables, which the writer (write.go) shares.
package tflite
