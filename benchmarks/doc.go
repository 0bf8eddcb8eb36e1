// Package benchmarks holds the guest programs whose cycles are counted, the suites that are measured together
// (suites.toml) and the recorded results (baselines/).
//
// It runs nothing: internal/measure/bench does, by the descriptions given here. Programs are assembled and
// linked when they are needed. Those with a .c file beside the .s were written in C; build.sh
// compiles them, so a compiler is needed only to change one.
//
// Start with Programs (programs.go).
package benchmarks
