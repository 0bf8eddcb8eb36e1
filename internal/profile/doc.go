// Package profile writes down where a program spent its cycles: pprof and folded profiles, coverage,
// annotated listings, Chrome traces of calls, and waveforms of registers.
//
// It measures nothing itself. Profiles, coverage and listings come from what arcv2dsp.Profile has
// counted; traces and waveforms watch a run by hooks.
//
// Start with New for profiles, NewTrace and NewWave for the others.
package profile
