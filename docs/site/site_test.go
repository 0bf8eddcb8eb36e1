package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/term/steps"
)

var (
	hrefs = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	ids   = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks builds the site and follows every link of every page: to a page, a part of one, or a file.
func TestLinks(t *testing.T) {
	out := t.TempDir()
	require.NoError(t, steps.Run(func() { build("../..", out, false) }))
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

// built is the site in a folder.
func built(t *testing.T) (out string) {
	t.Helper()
	level.NeedsLong(t, "starts a browser")
	gnutools.Chromium(t)
	out = t.TempDir()
	require.NoError(t, steps.Run(func() { build("../..", out, false) }))
	return out
}

// TestSearch types into the search of a page in a browser, clicks the first result, and is on the page of it.
func TestSearch(t *testing.T) {
	p := browser.Open(t, filepath.Join(built(t), "docs", "cli", "arcsim_cores.html"))
	p.Follow(`find.value = "snapshot checksum"; find.dispatchEvent(new Event("input")); found.querySelector("a").click();`)
	require.Equal(t, "Formats", p.Text("document.title"))
	require.Equal(t, "yes", p.Text(`document.querySelector("h2#snapshot-files") ? "yes" : "no"`))
	require.Empty(t, p.Console())
}

// TestPages reads pages of the site as people do: on any screen, light and dark.
func TestPages(t *testing.T) {
	out := built(t)
	p := browser.Open(t, filepath.Join(out, "index.html"))
	for name, file := range map[string]string{"site": "index.html", "formats": "docs/formats.html", "isa": "docs/isa.html", "regress": "docs/cli/arcsim_regress.html"} {
		p.Go(filepath.Join(out, filepath.FromSlash(file)))
		browser.Readable(t, p, name)
	}
}

// TestRunButtons: an example of the documents leads to the workbench with what it names: a kernel on a case, a network, a source.
func TestRunButtons(t *testing.T) {
	level.NeedsLong(t, "starts a browser")
	gnutools.Chromium(t)
	out := t.TempDir()
	require.NoError(t, steps.Run(func() { build("../..", out, true) }))
	// The workbench itself is not built: a page in its place has the address that it was called by.
	share, err := os.ReadFile("../../internal/debug/workbench/page/share.js")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(out, "share.js"), share, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(out, "index.html"), []byte(`<!DOCTYPE html><link rel="icon" href="data:,"><title>workbench</title>`), 0o600))
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(server.Close)
	p := browser.OpenURL(t, server.URL+"/README.html")
	p.Follow(`document.querySelector("a[href$='dot.s'] + .run").click()`)
	require.Contains(t, p.Text(`decodeURIComponent(location.hash)`), "#source=; Dot product of two vectors")
	for page, want := range map[string]string{
		"docs/cli/arcsim_kernels_show": `{"view":"kernel","state":{"kernel":"mli_krn_conv2d_hwc_fx8","case":""}}`,
		"docs/cli/arcsim_model_bench":  `{"view":"network","state":{"network":"person"}}`,
	} {
		p = browser.OpenURL(t, server.URL+"/"+page+".html")
		p.Follow(`document.querySelector("pre + .run").click()`)
		require.Equal(t, "workbench", p.Text("document.title"))
		require.Equal(t, want, p.Text(`import("./share.js").then(m => m.decode(location.hash)).then(JSON.stringify)`), page)
		require.Empty(t, p.Console())
	}
}
