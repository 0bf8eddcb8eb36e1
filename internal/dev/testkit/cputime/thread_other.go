//go:build !linux

package cputime

import (
	"testing"
	"time"
)

var started = time.Now()

// thread falls back to the wall clock.
func thread(testing.TB) time.Duration { return time.Since(started) }
