// Package profile shows where a program spent its cycles: pprof and folded profiles, coverage,
// annotated listings, Chrome traces of calls, and waveforms of registers.
//
// It measures nothing itself. Profiles, coverage and listings come from the counts of
// arcv2dsp.Profile; traces and waveforms observe a run.
//
// Start with New for profiles, NewTrace and NewWave for the others.
package profile
