// Package term is the wing of the terminal: cli has the flags, streams and statuses of both commands, steps work that ends at
// the first step that fails, spelling the nearest name to a misspelt one, quantity numbers with units, hostfile files of the
// host, read up to a bound and written as a whole, watch work that is done again when they change.
// It knows nothing of simulators.
package term
