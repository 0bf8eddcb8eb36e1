package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/npm"
)

const editors = "../../../editors"

// TestEditorClient drives arcsim lsp by the libraries that VS Code's clients are made of, fifty requests and more, and the extension
// with a stand-in for the editor.
func TestEditorClient(t *testing.T) {
	out := npm.Run(t, "testdata/client", map[string]string{"EXTENSION": filepath.Join(editors, "vscode", "extension.js")})
	require.Contains(t, out, "# pass 7")
	require.Contains(t, out, "# fail 0")
}

// TestNeovim drives arcsim lsp by neovim with the three lines of configuration that docs/editors.md has: fifty requests and more.
func TestNeovim(t *testing.T) {
	nvim := gnutools.Neovim(t)
	dir := t.TempDir()
	npm.Command(t, dir)
	write(t, dir, sample)
	lines, err := filepath.Abs(filepath.Join(editors, "neovim", "arcsim.lua"))
	require.NoError(t, err)
	script, err := filepath.Abs("testdata/neovim/session.lua")
	require.NoError(t, err)
	c := exec.Command(nvim, "--headless", "--clean", "-i", "NONE", "-c", "luafile "+lines, "-c", "edit main.s", "-c", "luafile "+script)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+dir)
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Regexp(t, `passed with 5\d requests`, string(out))
	page := readText(t, "../../../docs/editors.md")
	for line := range strings.Lines(readText(t, lines)) {
		require.Contains(t, page, line)
	}
}

// TestExtensionSettings: the extension of VS Code offers what the server takes, and docs/editors.md describes it.
func TestExtensionSettings(t *testing.T) {
	var p struct {
		Contributes struct {
			Configuration struct {
				Properties map[string]any `json:"properties"`
			} `json:"configuration"`
		} `json:"contributes"`
	}
	require.NoError(t, json.Unmarshal([]byte(readText(t, filepath.Join(editors, "vscode", "package.json"))), &p))
	offered := p.Contributes.Configuration.Properties
	page := readText(t, "../../../docs/editors.md")
	taken := reflect.TypeFor[settings]()
	for i := range taken.NumField() {
		name := "arcsim." + taken.Field(i).Tag.Get("json")
		require.Contains(t, offered, name)
		require.Contains(t, page, "`"+name+"`")
	}
	require.Len(t, offered, taken.NumField()+1) // and the path of the command
}
