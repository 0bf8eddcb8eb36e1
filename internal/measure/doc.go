// Package measure is the wing of figures: profile collects where cycles went, timeline shows the instructions of a stretch,
// bench runs programs, kernels and networks and compares them with a baseline, and report renders tables, charts and pages.
// The first three take a machine of the face and give values; report takes values and gives text, JSON, HTML and SVG.
package measure
