package dap

import (
	"archive/zip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// tool runs a command in a folder and returns what it prints.
func tool(t *testing.T, dir string, command ...string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%v: %s", command, out)
	return string(out)
}

// needsPackages skips a test that downloads packages, except where the gate runs it.
func needsPackages(t *testing.T) {
	t.Helper()
	if os.Getenv("ARCV2DSP_REQUIRE_TOOLS") == "" {
		t.Skip("downloads packages of npm; ARCV2DSP_REQUIRE_TOOLS=1 runs it")
	}
}

// TestEditorClient drives arcsim debug --dap by a client that others wrote, that of VS Code's own tests.
func TestEditorClient(t *testing.T) {
	needsPackages(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/client")))
	tool(t, ".", "go", "build", "-o", dir, "arcv2dsp/cmd/arcsim")
	tool(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
	for name, value := range map[string]string{"ARCSIM": filepath.Join(dir, "arcsim"), "PROGRAM": sortO0, "SOURCE": source, "EXTENSION": filepath.Join(extension, "extension.js")} {
		abs, err := filepath.Abs(value)
		require.NoError(t, err)
		t.Setenv(name, abs)
	}
	out := tool(t, dir, "node", "--test")
	require.Contains(t, out, "# pass 4")
	require.Contains(t, out, "# fail 0")
}

// TestExtensionPackage packs the extension as it is installed.
func TestExtensionPackage(t *testing.T) {
	needsPackages(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "vscode"), os.DirFS(extension)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true, "dependencies": {"@vscode/vsce": "3.9.2"}}`), 0o644))
	tool(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
	vsix := filepath.Join(dir, "arcsim.vsix")
	tool(t, filepath.Join(dir, "vscode"), filepath.Join(dir, "node_modules", ".bin", "vsce"), "package", "--allow-missing-repository", "-o", vsix)
	z, err := zip.OpenReader(vsix)
	require.NoError(t, err)
	defer func() { require.NoError(t, z.Close()) }()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	for _, want := range []string{"extension.vsixmanifest", "extension/package.json", "extension/extension.js"} {
		require.Contains(t, names, want, strings.Join(names, " "))
	}
}
