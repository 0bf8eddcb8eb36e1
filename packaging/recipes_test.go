package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDockerfile checks the recipe of the image, which needs a container tool to be built: its instructions, that
// each path it copies is there, that it names the Go of go.mod, and that the image does not run as root.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	joined := strings.ReplaceAll(string(text), "\\\n", " ")
	var last map[string]string
	for n, line := range strings.Split(strings.TrimSpace(joined), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		require.Contains(t, []string{"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD"}, word, "line %d", n+1)
		switch word {
		case "FROM":
			last = map[string]string{}
			require.Regexp(t, `^\S+:\S+( AS \w+)?$`, rest, "an image has a version")
		case "COPY":
			paths := strings.Fields(rest)
			for _, p := range paths[:len(paths)-1] {
				if !strings.HasPrefix(paths[0], "--from=") {
					require.FileExists(t, filepath.Join("..", p, map[bool]string{true: "go.mod"}[p == "."]))
				}
			}
		case "ENTRYPOINT", "CMD":
			require.NoError(t, json.Unmarshal([]byte(rest), new([]string)), "line %d: the form without a shell", n+1)
		}
		last[word] = rest
	}
	require.NotEmpty(t, last["USER"])
	require.NotEqual(t, "root", last["USER"])
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	require.Contains(t, joined, "golang:"+string(version[1])+"-")

	container, err := os.ReadFile("../.devcontainer/devcontainer.json")
	require.NoError(t, err)
	var c struct {
		Image             string
		OnCreateCommand   string
		PostCreateCommand string
	}
	require.NoError(t, json.Unmarshal(container, &c))
	require.Contains(t, c.Image, "/go:"+string(version[1])+"-")
	require.Contains(t, c.OnCreateCommand, "gcc-arc-linux-gnu")
	require.NotEmpty(t, c.PostCreateCommand)
}
