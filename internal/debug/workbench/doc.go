// Package workbench holds the page that shows the simulator in a browser: an editor for assembly, the debugger, timelines,
// kernels and networks.
//
// The page computes nothing of its own. It runs the command, in a worker of the browser or by a server, and shows what
// that prints: JSON, messages of the debug adapter and of the language server, and pages of package report. Start with
// page/app.js; page/backend.js is the seam between page and command.
package workbench

//go:generate go test -run TestExamplesAreFresh -update
