// Package recorded embeds what embARC MLI 1.1 computed, so that the regression needs no files. README.md
// says what they are.
package recorded

import "embed"

// Files are the recorded calls by rounding: v11_convergent and v11_up.
//
//go:embed v11_convergent v11_up
var Files embed.FS
