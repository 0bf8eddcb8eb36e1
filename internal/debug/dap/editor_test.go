package dap

import (
	"archive/zip"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/npm"
)

const extension = "../../../editors/vscode"

// TestExtensionSettings: the extension of VS Code offers exactly the settings that a launch request takes, and
// docs/editors.md describes them. Those that VS Code handles itself are not among them.
func TestExtensionSettings(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(extension, "package.json"))
	require.NoError(t, err)
	var p struct {
		Contributes struct {
			Debuggers []struct {
				Attributes struct {
					Launch struct {
						Properties map[string]any `json:"properties"`
					} `json:"launch"`
				} `json:"configurationAttributes"`
			} `json:"debuggers"`
		} `json:"contributes"`
	}
	require.NoError(t, json.Unmarshal(data, &p))
	offered := p.Contributes.Debuggers[0].Attributes.Launch.Properties
	page, err := os.ReadFile("../../../docs/editors.md")
	require.NoError(t, err)
	taken := reflect.TypeFor[Arguments]()
	for i := range taken.NumField() {
		name := taken.Field(i).Tag.Get("json")
		require.Contains(t, string(page), "`"+name+"`")
		if name == "noDebug" { // by the command Run Without Debugging
			continue
		}
		require.Contains(t, offered, name)
		delete(offered, name)
	}
	require.Empty(t, offered)
}

// TestEditorClient drives arcsim debug --dap by a client that others wrote, that of VS Code's own tests.
func TestEditorClient(t *testing.T) {
	out := npm.Run(t, "testdata/client", map[string]string{"PROGRAM": sortO0, "SOURCE": source, "EXTENSION": filepath.Join(extension, "extension.js")})
	require.Contains(t, out, "# pass 4")
	require.Contains(t, out, "# fail 0")
}

// TestExtensionPackage packs the extension as it is installed.
func TestExtensionPackage(t *testing.T) {
	npm.Needed(t)
	dir := t.TempDir()
	folder := filepath.Join(dir, "vscode")
	require.NoError(t, os.CopyFS(folder, os.DirFS(extension)))
	npm.Install(t, folder)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true, "dependencies": {"@vscode/vsce": "3.9.2"}}`), 0o644))
	npm.Install(t, dir)
	vsix := filepath.Join(dir, "arcsim.vsix")
	npm.Tool(t, folder, filepath.Join(dir, "node_modules", ".bin", "vsce"), "package", "--allow-missing-repository", "-o", vsix)
	z, err := zip.OpenReader(vsix)
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	for _, want := range []string{"extension.vsixmanifest", "extension/package.json", "extension/extension.js", "extension/language-configuration.json",
		"extension/syntaxes/arcasm.tmLanguage.json", "extension/node_modules/vscode-languageclient/node.js"} {
		require.Contains(t, names, want, strings.Join(names, " "))
	}
}
