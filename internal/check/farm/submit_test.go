package farm

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// pretend puts commands of Slurm before the path, which answer as they are told to.
func pretend(t *testing.T, scripts map[string]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are shell scripts")
	}
	dir := t.TempDir()
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("FARM_DIR", dir)
}

// TestSubmit submits what is missing and remembers the jobs.
func TestSubmit(t *testing.T) {
	p := planned(t)
	run(t, p, 2)
	missing, err := p.Open(numbers{n: 10})
	require.NoError(t, err)
	s := &Slurm{Plan: p, Jobs: 2, Flags: []string{"--partition=night"}}

	pretend(t, map[string]string{"sbatch": `echo "$@" >>$FARM_DIR/calls; wc -l <$FARM_DIR/calls | tr -d ' \n'; echo ';cluster'`, "squeue": "exit 1"})
	array, merge, err := s.Submit(t.Context(), missing)
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2"}, []string{array, merge})
	calls, err := os.ReadFile(filepath.Join(os.Getenv("FARM_DIR"), "calls"))
	require.NoError(t, err)
	dir := p.Dir()
	require.Equal(t, "--parsable --partition=night "+dir+"/shards.sbatch\n--parsable --partition=night --dependency=afterany:1 "+dir+"/merge.sbatch\n", string(calls))
	script, err := os.ReadFile(filepath.Join(dir, "shards.sbatch"))
	require.NoError(t, err)
	require.Contains(t, string(script), "#SBATCH --array=1,3\n#SBATCH --cpus-per-task=2\n")

	pretend(t, map[string]string{"squeue": `[ "$*" = "--noheader --array --format=%i %T --jobs 1" ] && echo "1_3 RUNNING"`})
	_, _, err = s.Submit(t.Context(), missing)
	require.ErrorContains(t, err, "job 1 still has shards in the queue: 1_3 RUNNING; scancel 1 ends it")

	pretend(t, map[string]string{"squeue": "true", "sbatch": "echo 'invalid partition' >&2; exit 1"})
	_, _, err = s.Submit(t.Context(), missing)
	require.ErrorContains(t, err, "exit status 1: invalid partition")
	pretend(t, map[string]string{"squeue": "true", "sbatch": "echo Submitted batch job 7"})
	_, _, err = s.Submit(t.Context(), missing)
	require.ErrorContains(t, err, "printed no number of a job")

	p.path = filepath.Join(t.TempDir(), "100%.json")
	_, _, err = s.Scripts(missing)
	require.ErrorContains(t, err, "has a character that a batch script cannot have")
}
