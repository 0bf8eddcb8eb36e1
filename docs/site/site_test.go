package main

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/gnutools"
)

var (
	hrefs = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks builds the site and follows every link of every page: to a page, a part of one, or a file.
func TestLinks(t *testing.T) {
	out := t.TempDir()
	require.NoError(t, build("../..", out))
	parts := map[string]map[string]bool{} // ids of each file
	var pages []string
	require.NoError(t, filepath.WalkDir(out, func(file string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(out, file)
		require.NoError(t, err)
		name = filepath.ToSlash(name)
		parts[name] = map[string]bool{}
		if path.Ext(name) != ".html" {
			return nil
		}
		pages = append(pages, name)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, id := range ids.FindAllStringSubmatch(string(text), -1) {
			parts[name][id[1]] = true
		}
		return nil
	}))
	require.Greater(t, len(pages), 60)
	links := 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(out, page))
		require.NoError(t, err)
		for _, m := range hrefs.FindAllStringSubmatch(string(text), -1) {
			links++
			u, err := url.Parse(m[1])
			require.NoError(t, err, "%s: %s", page, m[1])
			if u.Scheme != "" {
				continue
			}
			to := page
			if u.Path != "" {
				to = path.Join(path.Dir(page), u.Path)
			}
			there, ok := parts[to]
			if !ok {
				t.Errorf("%s: no file %s", page, m[1])
			} else if u.Fragment != "" && path.Ext(to) == ".html" && !there[u.Fragment] {
				t.Errorf("%s: no part %s", page, m[1])
			}
		}
	}
	require.Greater(t, links, 1000)
}

// browser opens a page in chromium and returns its document once scripts are done, and the console.
func browser(t *testing.T, address string, args ...string) (dom, console string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), gnutools.Chromium(t), append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
		"--hide-scrollbars", "--allow-file-access-from-files", "--virtual-time-budget=10000", "--user-data-dir=" + t.TempDir()}, append(args, address)...)...)
	cmd.WaitDelay = 5 * time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s", &errs)
	return out.String(), errs.String()
}

// TestSearch types into the search of a page in a browser, clicks the first result, and is on the page of it.
func TestSearch(t *testing.T) {
	gnutools.Chromium(t)
	out := t.TempDir()
	require.NoError(t, build("../..", out))
	file := filepath.Join(out, "docs", "cli", "arcsim_cores.html")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	click := `<script>find.value = "snapshot checksum"; find.dispatchEvent(new Event("input")); found.querySelector("a").click();</script></body>`
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "</body>", click, 1)), 0o644))
	dom, console := browser(t, "file://"+filepath.ToSlash(file), "--dump-dom")
	require.NotContains(t, console, "CONSOLE")
	require.Contains(t, dom, "<title>Formats</title>")
	require.Contains(t, dom, `<h2 id="snapshot-files">`)
}

// TestWidths expects no page wider than the window from a telephone to a large screen, in both colours.
func TestWidths(t *testing.T) {
	gnutools.Chromium(t)
	out := t.TempDir()
	require.NoError(t, build("../..", out))
	pages := []string{"index.html", "docs/formats.html", "docs/isa.html", "docs/cli/arcsim_regress.html"}
	// Frames have exactly the width that is wanted; a window of the browser may not be that narrow.
	var frames strings.Builder
	for _, width := range []int{360, 1280, 1920} {
		for _, p := range pages {
			fmt.Fprintf(&frames, `<iframe src="%s" width="%d" height="800" style="border:0"></iframe>`, p, width)
		}
	}
	page := `<!DOCTYPE html><title>widths</title><link rel="icon" href="data:,">` + frames.String() + `<ul id="wide"></ul><script>addEventListener("load", () => {
for (const f of document.querySelectorAll("iframe")) {
  const d = f.contentDocument.documentElement, li = document.createElement("li");
  li.textContent = f.getAttribute("src") + " " + f.width + ": " + d.scrollWidth + " " + f.contentWindow.getComputedStyle(f.contentDocument.body).backgroundColor;
  document.getElementById("wide").append(li);
}});</script>`
	file := filepath.Join(out, "widths.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
	line := regexp.MustCompile(`<li>(\S+) (\d+): (\d+) (rgb\([^)]*\))</li>`)
	for colour, flags := range map[string][]string{"rgb(255, 255, 255)": nil, "rgb(15, 23, 42)": {"--blink-settings=preferredColorScheme=0"}} {
		dom, console := browser(t, "file://"+filepath.ToSlash(file), append(flags, "--dump-dom")...)
		require.NotContains(t, console, "CONSOLE")
		found := line.FindAllStringSubmatch(dom, -1)
		require.Len(t, found, 3*len(pages), "%.2000s", dom)
		for _, m := range found {
			require.Equal(t, m[2], m[3], "%s is wider than its window", m[1])
			require.Equal(t, colour, m[4])
		}
	}
	for _, width := range []string{"360", "1280", "1920"} {
		shot := filepath.Join(t.ArtifactDir(), "site-"+width+".png")
		browser(t, "file://"+filepath.ToSlash(filepath.Join(out, "index.html")), "--window-size="+width+",1200", "--screenshot="+shot)
		require.FileExists(t, shot)
	}
}
