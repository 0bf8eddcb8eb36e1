// Package recorded embeds what embARC MLI 2.0 computed, so that the regression needs no files. README.md says
// what they are.
package recorded

import "embed"

// Files are the recorded calls by rounding: v20_convergent and v20_up.
//
//go:embed v20_convergent v20_up
var Files embed.FS
