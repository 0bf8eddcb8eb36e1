package workbench

import (
	"embed"
	"io/fs"
	"strings"

	"arcv2dsp/internal/measure/report"
)

// static has the page, and in page/vendor the modules made of packages from npm, where those were made before the build.
//
//go:embed page
var static embed.FS

// Files returns the files of the page by their paths. The style sheet of reports is among them, so that both look alike.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{"report.css": []byte(report.Style())}
	err := fs.WalkDir(static, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := static.ReadFile(name)
		files[strings.TrimPrefix(name, "page/")] = data
		return err
	})
	return files, err
}
