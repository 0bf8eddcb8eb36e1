// Package report renders results: tables as text, Markdown or TSV, JSON, JUnit files, and the
// progress line of long commands. Callers fill the tables; their look is decided here.
//
// Start with Table (table.go) and Progress (progress.go).
package report
