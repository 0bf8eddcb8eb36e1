package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"arcv2dsp/internal/term/steps"
)

// maintainer is who builds the packages, as Debian's own tools learn it; "" when nobody is named.
func maintainer() string {
	name, mail := os.Getenv("DEBFULLNAME"), os.Getenv("DEBEMAIL")
	if name == "" || mail == "" {
		return ""
	}
	return fmt.Sprintf("%s <%s>", name, mail)
}

// overrides are the complaints of lintian that stand, with their reason.
const overrides = `# Go programs without cgo link nothing of the system; they run on any Linux.
arcv2dsp: statically-linked-binary [usr/bin/arcasm]
arcv2dsp: statically-linked-binary [usr/bin/arcsim]
`

// places are the folders of Debian for those of an archive; files elsewhere are no part of the package, or have a place
// of their own.
var places = []struct{ from, to, ending string }{
	{from: "completions/bash/", to: "usr/share/bash-completion/completions/"},
	{from: "completions/zsh/", to: "usr/share/zsh/vendor-completions/"},
	{from: "completions/fish/", to: "usr/share/fish/vendor_completions.d/"},
	{from: "man/man1/", to: "usr/share/man/man1/", ending: ".gz"},
	{from: "LICENSE", to: "usr/share/doc/arcv2dsp/copyright"},
	{from: "README.md", to: "usr/share/doc/arcv2dsp/README.md"},
	{from: "CHANGELOG.md", to: "usr/share/doc/arcv2dsp/CHANGELOG.md", ending: ".gz"},
	{from: "arcsim", to: "usr/bin/arcsim"},
	{from: "arcasm", to: "usr/bin/arcasm"},
}

// place finds the path of a file in a Debian system.
func place(path string) (to string, packed bool) {
	for _, p := range places {
		if rest, ok := strings.CutPrefix(path, p.from); ok && (rest == "" || strings.HasSuffix(p.from, "/")) {
			return p.to + rest + p.ending, p.ending != ""
		}
	}
	return "", false
}

// deb writes a Debian package by dpkg-deb and returns its name.
func (r *release) deb(dir, arch string, t tree) string {
	root := filepath.Join(dir, "root")
	size := 0
	write := func(path string, data []byte, mode os.FileMode) {
		path = filepath.Join(root, path)
		steps.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		steps.Check(os.WriteFile(path, data, mode))
		steps.Check(os.Chmod(path, mode)) // whatever the umask is
	}
	for _, path := range t.paths() {
		f := t[path]
		to, packed := place(path)
		if to == "" {
			steps.Check(fmt.Errorf("%s has no place in a Debian package", path))
		}
		if packed {
			f.data = pack(f.data)
		}
		write(to, f.data, f.mode)
		size += (len(f.data) + 1023) / 1024
	}
	control := fmt.Sprintf(`Package: arcv2dsp
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Section: devel
Priority: optional
Description: simulator, assembler and neural kernels for ARCv2 DSP processors
 arcsim runs, debugs and measures programs for the ARC EM and EM DSP cores,
 compares neural kernels with golden models bit for bit, and measures
 quantized networks. arcasm assembles, links and disassembles.
`, r.version, arch, r.maintainer, size)
	history := pack(fmt.Appendf(nil, "arcv2dsp (%s) unstable; urgency=medium\n\n  * CHANGELOG.md.gz has the changes.\n\n -- %s  %s\n",
		r.version, r.maintainer, r.when.Format(time.RFC1123Z)))
	write("usr/share/doc/arcv2dsp/changelog.gz", history, 0o644)
	write("usr/share/lintian/overrides/arcv2dsp", []byte(overrides), 0o644)
	write("DEBIAN/control", []byte(control), 0o644)
	r.date(root)
	name := fmt.Sprintf("arcv2dsp_%s_%s.deb", r.version, arch)
	cmd := exec.Command("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, filepath.Join(r.out, name))
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.when.Unix(), 10))
	if out, err := cmd.CombinedOutput(); err != nil {
		steps.Check(fmt.Errorf("dpkg-deb: %w: %s", err, out))
	}
	return name
}

// date gives all files and folders the time and permissions of the release.
func (r *release) date(root string) {
	steps.Check(filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if err := os.Chmod(path, 0o755); err != nil {
				return err
			}
		}
		return os.Chtimes(path, r.when, r.when)
	}))
}
