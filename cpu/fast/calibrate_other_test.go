//go:build !linux

package fast_test

import (
	"testing"
	"time"
)

var started = time.Now()

// threadTime falls back to the wall clock.
func threadTime(testing.TB) time.Duration { return time.Since(started) }
