// Package report renders results: tables as text, Markdown or TSV, JSON, JUnit files, HTML pages about runs,
// measurements and networks, and the progress line of long commands. Callers fill the tables and pages; their look is
// decided here.
//
// Start with Table (table.go), Page (html.go) and Progress (progress.go).
package report
