// Package report renders results: tables as text, Markdown or TSV, JSON, JUnit files, and the
// progress line of long commands. What is in a table its callers know; how it looks is decided here.
//
// Start with Table (table.go) and Progress (progress.go).
package report
