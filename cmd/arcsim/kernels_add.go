package main

import (
	"os"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/term/cli"
	"arcv2dsp/mlikernels"
)

// ownSources reads the values of --add: [LIBRARY:]FILE, with MLI 1.1 where no library is named. The result is by the
// name of the library.
func ownSources(names []string) (map[string][]mlikernels.Own, error) {
	all := map[string][]mlikernels.Own{}
	for _, name := range names {
		library := mlikernels.MLI11()
		if prefix, file, ok := strings.Cut(name, ":"); ok && len(prefix) > 1 { // one letter is a drive
			var err error
			if library, err = mlikernels.LookupCollection(prefix); err != nil {
				return nil, cli.UsageError(err)
			}
			name = file
		}
		if err := assemblySource(name); err != nil {
			return nil, err
		}
		all[library.Name] = append(all[library.Name], mlikernels.Own{Tree: os.DirFS(filepath.Dir(name)), File: filepath.Base(name)})
	}
	return all, nil
}
