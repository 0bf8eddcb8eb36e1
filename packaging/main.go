// Command packaging builds a release: archives for all platforms, Debian packages and their checksums.
//
//	DEBFULLNAME='A. Name' DEBEMAIL=name@example.org go run ./packaging -o DIR [-version 0.2.0] [-platforms linux/amd64,windows/amd64]
//
// A Debian package has a maintainer: without these two variables there are none.
// An archive has both commands, their completions and manual pages, the license and the README. The same sources give the
// same bytes: times are those of SOURCE_DATE_EPOCH, or of the last commit.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"arcv2dsp/internal/term/steps"
)

// platforms are those of a release.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

// commands are the programs of a release.
var commands = []string{"arcsim", "arcasm"}

// release holds the parts that all packages have in common.
type release struct {
	out        string
	version    string
	when       time.Time
	maintainer string // of the Debian packages, "" for none
	texts      tree   // completions, manual pages, license, README, for all platforms
}

// tree is files by their paths.
type tree map[string]file

type file struct {
	data []byte
	mode os.FileMode
}

// paths lists the files in order.
func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }

func main() {
	out := flag.String("o", "dist", "`DIR` to write to")
	version := flag.String("version", "0.2.0", "`VERSION` of the release")
	list := flag.String("platforms", platforms, "GOOS/GOARCH, separated by commas")
	flag.Parse()
	if err := steps.Run(func() { build(*out, *version, strings.Split(*list, ",")) }); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

// build writes all packages and SHA256SUMS.
func build(out, version string, list []string) {
	if version == "" || strings.ContainsFunc(version, func(r rune) bool { return !strings.ContainsRune("0123456789.~+", r) }) {
		steps.Check(fmt.Errorf("version %q: digits and dots, such as 0.2.0", version))
	}
	when := moment()
	steps.Check(os.MkdirAll(out, 0o755))
	r := &release{out: out, version: version, when: when, maintainer: maintainer()}
	if r.maintainer == "" {
		fmt.Fprintln(os.Stderr, "packaging: no Debian packages: DEBFULLNAME and DEBEMAIL name no maintainer")
	}
	r.texts = texts()
	var names []string
	for _, platform := range list {
		steps.Check(steps.In(platform, steps.Run(func() { names = append(names, r.platform(platform)...) })))
	}
	var sums strings.Builder
	for _, name := range names {
		data := steps.Must(os.ReadFile(filepath.Join(out, name)))
		sum := sha256.Sum256(data)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	}
	steps.Check(os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644))
}

// moment is the time that all files of the release have.
func moment() time.Time {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			steps.Check(fmt.Errorf("SOURCE_DATE_EPOCH is not set, and there is no commit: %w", err))
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		steps.Check(fmt.Errorf("SOURCE_DATE_EPOCH %q is no number of seconds", text))
	}
	return time.Unix(seconds, 0).UTC()
}

// compile builds a command for a platform.
func compile(command, platform, to string) {
	system, arch, ok := strings.Cut(platform, "/")
	if !ok {
		steps.Check(errors.New("a platform is GOOS/GOARCH"))
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", to, "./cmd/"+command)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		steps.Check(fmt.Errorf("%s: %w\n%s", command, err, out))
	}
}

// shells have completions, in the files they look for.
var shells = map[string]string{"bash": "completions/bash/%s", "zsh": "completions/zsh/_%s", "fish": "completions/fish/%s.fish"}

// texts are the files that are the same for all platforms. The commands of this machine write them.
func texts() tree {
	t := tree{}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data := steps.Must(os.ReadFile(name))
		t[name] = file{data: data, mode: 0o644}
	}
	dir := steps.Must(os.MkdirTemp("", "packaging"))
	defer func() { _ = os.RemoveAll(dir) }() // it is the system's to clean
	for _, command := range commands {
		exe := filepath.Join(dir, command+suffix(runtime.GOOS))
		compile(command, runtime.GOOS+"/"+runtime.GOARCH, exe)
		for shell, path := range shells {
			text, err := exec.Command(exe, "completion", shell).Output()
			if err != nil {
				steps.Check(fmt.Errorf("%s completion %s: %w", command, shell, err))
			}
			t[fmt.Sprintf(path, command)] = file{data: text, mode: 0o644}
		}
		man := filepath.Join(dir, "man")
		if out, err := exec.Command(exe, "man", "-o", man).CombinedOutput(); err != nil {
			steps.Check(fmt.Errorf("%s man: %w: %s", command, err, out))
		}
		pages := steps.Must(filepath.Glob(filepath.Join(man, "*.1")))
		for _, page := range pages {
			text := steps.Must(os.ReadFile(page))
			t["man/man1/"+filepath.Base(page)] = file{data: text, mode: 0o644}
		}
	}
	return t
}

func suffix(system string) string {
	if system == "windows" {
		return ".exe"
	}
	return ""
}

// platform writes the packages of a platform and returns their names.
func (r *release) platform(platform string) []string {
	dir := steps.Must(os.MkdirTemp("", "packaging"))
	defer func() { _ = os.RemoveAll(dir) }() // it is the system's to clean
	system, arch, _ := strings.Cut(platform, "/")
	all := maps.Clone(r.texts)
	for _, command := range commands {
		name := command + suffix(system)
		compile(command, platform, filepath.Join(dir, name))
		data := steps.Must(os.ReadFile(filepath.Join(dir, name)))
		all[name] = file{data: data, mode: 0o755}
	}
	name := fmt.Sprintf("arcv2dsp_%s_%s_%s", r.version, system, arch)
	if system == "windows" {
		r.zip(name, all)
		return []string{name + ".zip"}
	}
	r.tar(name, all)
	if system != "linux" || r.maintainer == "" {
		return []string{name + ".tar.gz"}
	}
	return []string{name + ".tar.gz", r.deb(dir, arch, all)}
}
