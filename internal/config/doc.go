// Package config holds the configuration of a simulated core: the core templates, the properties
// that change them under the names nSIM gives them, and where each value came from.
//
// It builds nothing and simulates nothing: the root package turns a Core into memory, processor
// and devices.
//
// Start with Config (config.go), then the table in properties.go: a property is one row there, and
// parsing, range checks, suggestions and the printed configuration follow from it.
package config
