// Package config holds the configuration of a simulated core: templates, boards, the properties
// that change them under the names nSIM gives them, and where each value came from.
//
// It builds nothing and simulates nothing: internal/board/machine turns a Core into memory, processor
// and devices.
//
// Start with Config (config.go), then the tables: templates.go, boards.go and properties.go, where a property is
// one row, and
// parsing, range checks, suggestions and the printed configuration follow from it. settings.go and tcf.go read
// files.
package config
