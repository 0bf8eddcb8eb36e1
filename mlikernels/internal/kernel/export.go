package kernel

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"arcv2dsp/internal/program/elfarc"
)

// Export is what a C program gets of a library.
type Export struct {
	AGU     AGU
	Objects bool   // those of the archives too, each a file
	Lines   bool   // line tables, and the sources that debuggers look for
	Dir     string // where the files will be, with Lines
	Own     []Own  // sources of users that become part of the library
}

// Folders of an export.
const (
	archiveFolder = "lib"
	objectFolder  = "obj"
	headerFolder  = "include"
	sourceFolder  = "src"
)

// Export makes the files of an export by their names: archives, headers, and what the options add.
func (c *Collection) Export(o Export) (map[string][]byte, error) {
	sources := sourceFolder
	if c.Qualifier != "" { // its sources may have names that others have, too
		sources = path.Join(sources, c.Name)
	}
	libs, err := c.BuildArchives(o.AGU, Lines{On: o.Lines, Dir: path.Join(o.Dir, sources)}, o.Own...)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, lib := range libs {
		var ar elfarc.Archive
		for _, obj := range lib.Objects {
			ar.Members = append(ar.Members, &elfarc.Member{Name: obj.Name, Data: obj.Data})
			if o.Objects {
				files[path.Join(objectFolder, strings.TrimSuffix(name, ".a"), obj.Name)] = obj.Data
			}
		}
		if files[path.Join(archiveFolder, name)], err = ar.Bytes(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	headers, err := c.Headers()
	if err != nil {
		return nil, err
	}
	for name, text := range headers {
		files[path.Join(headerFolder, name)] = []byte(text)
	}
	if o.Lines {
		err = c.exportSources(files, sources, o.Own)
	}
	return files, err
}

// exportSources adds the sources with their includes.
func (c *Collection) exportSources(files map[string][]byte, folder string, own []Own) error {
	includes, err := c.Includes()
	if err != nil {
		return err
	}
	all := own
	for _, name := range append(includes, c.Sources()...) {
		all = append(all, Own{Tree: c.Files(), File: name})
	}
	for _, s := range all {
		if files[path.Join(folder, s.File)], err = fs.ReadFile(s.Tree, s.File); err != nil {
			return err
		}
	}
	return nil
}
