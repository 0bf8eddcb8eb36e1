// Package nofiles keeps property tests that fail from writing their inputs into the tree: the report has the
// seed, and -rapid.nofailfile=false brings the files back. Test files that import rapid import it, too.
package nofiles

import (
	"flag"

	_ "pgregory.net/rapid" // has the flag
)

func init() {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
}
