// Package drawing draws the packages of the project and who imports whom, as ARCHITECTURE.md shows them: boxes are groups
// of packages, each stands above all that it imports, and a line leads to what it imports directly and through nobody else.
// Its tests are the tool: they hold the committed picture, and go generate draws it again.
package drawing

//go:generate go test -run TestFresh -update
