// Package recorded embeds what embARC MLI 2.0 computed, so that the regression needs no files. README.md says
// what they are.
package recorded

import "embed"

// Files are the recorded calls, in calls. Those of both roundings stand side by side: they share data.
//
//go:embed calls
var Files embed.FS
