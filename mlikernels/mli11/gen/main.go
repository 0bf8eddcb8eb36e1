// Command gen writes the activation tables of the assembly kernels. Run it by go generate in
// mlikernels/mli11; a test fails when the files are not what it would write.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	golden "arcv2dsp/nn/golden/mli11"
)

func main() {
	for name, text := range golden.TableSources() {
		if err := os.WriteFile(filepath.Join("shared", name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
