// Package mli embeds the recorded vectors of embARC MLI 1.1 and its CIFAR-10 example network, so
// that the regression needs no files. README.md says what they are.
package mli

import "embed"

// Files are the vectors (v11_convergent, v11_up) and the network (cifar10).
//
//go:embed v11_convergent v11_up cifar10
var Files embed.FS
