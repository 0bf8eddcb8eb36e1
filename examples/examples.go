// Package examples holds programs to begin with. arcsim new writes one of them into a folder.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed first
var files embed.FS

// First is a C program that prints, calls assembly and a kernel, and takes interrupts, with all that builds it.
func First() fs.FS {
	sub, err := fs.Sub(files, "first")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}
