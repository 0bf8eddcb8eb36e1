package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/term/hostfile"
)

// Slurm submits shards as a job array, and a job that merges when all of them have ended.
type Slurm struct {
	Plan  *Plan
	Jobs  int      // processors of a shard
	Flags []string // more flags of sbatch, for both jobs
}

// Script is a batch script with the words before it.
type Script struct {
	Path string
	Text string
}

// Scripts are those of the shards and of the merge.
func (s *Slurm) Scripts(shards []Missing) (array, merge Script, err error) {
	exe, err := os.Executable()
	if err != nil {
		return Script{}, Script{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return Script{}, Script{}, err
	}
	plan, err := filepath.Abs(s.Plan.path)
	if err != nil {
		return Script{}, Script{}, err
	}
	dir := strings.TrimSuffix(plan, ".json") + ".results"
	for _, path := range []string{exe, here, plan} {
		// Slurm takes these characters for its own in the names of files, or ends a line.
		if strings.ContainsAny(path, "%\\\n\"") {
			return Script{}, Script{}, fmt.Errorf("%q has a character that a batch script cannot have in a path", path)
		}
	}
	var numbers []string
	for _, m := range shards {
		numbers = append(numbers, strconv.Itoa(m.Shard))
	}
	name := strings.TrimSuffix(filepath.Base(plan), ".json")
	script := func(job, log, flags string) string {
		return fmt.Sprintf("#!/bin/sh\n#SBATCH --job-name=\"%s\"\n#SBATCH --chdir=\"%s\"\n#SBATCH --output=\"%s\"\n%s", job, here, filepath.Join(dir, log), flags)
	}
	array = Script{Path: filepath.Join(dir, "shards.sbatch"), Text: script(name, "shard-%a.log",
		fmt.Sprintf("#SBATCH --array=%s\n#SBATCH --cpus-per-task=%d\n#SBATCH --open-mode=truncate\n", strings.Join(numbers, ","), s.Jobs)) +
		fmt.Sprintf("exec %s farm run %s --shard \"$SLURM_ARRAY_TASK_ID\" -j %d\n", quote(exe), quote(plan), s.Jobs)}
	merge = Script{Path: filepath.Join(dir, "merge.sbatch"), Text: script(name+" merge", "merge.log", "#SBATCH --open-mode=truncate\n") +
		fmt.Sprintf("exec %s farm merge %s\n", quote(exe), quote(plan))}
	return array, merge, nil
}

// quote makes one word of a text for a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// submitted remembers the jobs of a plan.
type submitted struct {
	Array string `json:"array"`
	Merge string `json:"merge"`
}

func (s *Slurm) memory() string { return filepath.Join(s.Plan.Dir(), "slurm.json") }

// Submit writes the scripts and submits them: the array, then the merge, which starts when all shards have ended,
// in whatever way; it names those without results. It returns the numbers of both jobs.
func (s *Slurm) Submit(ctx context.Context, shards []Missing) (array, merge string, err error) {
	if err := s.idle(ctx); err != nil {
		return "", "", err
	}
	first, second, err := s.Scripts(shards)
	if err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(s.Plan.Dir(), 0o755); err != nil {
		return "", "", err
	}
	for _, script := range []Script{first, second} {
		if err := hostfile.Write(script.Path, []byte(script.Text)); err != nil {
			return "", "", err
		}
	}
	if array, err = s.sbatch(ctx, first.Path); err != nil {
		return "", "", err
	}
	if merge, err = s.sbatch(ctx, second.Path, "--dependency=afterany:"+array); err != nil {
		return array, "", fmt.Errorf("job %s was submitted, the merge was not: %w", array, err)
	}
	text, err := json.Marshal(submitted{Array: array, Merge: merge})
	if err != nil {
		return array, merge, err
	}
	return array, merge, hostfile.Write(s.memory(), append(text, '\n'))
}

// idle fails while jobs submitted before still have shards to run.
func (s *Slurm) idle(ctx context.Context) error {
	data, err := hostfile.Read(s.memory(), maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var before submitted
	if err == nil {
		err = json.Unmarshal(data, &before)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.memory(), err)
	}
	// A job that Slurm has forgotten is an error of squeue, and not in the queue.
	out, err := exec.CommandContext(ctx, "squeue", "--noheader", "--array", "--format=%i %T", "--jobs", before.Array).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if waiting := strings.Fields(strings.ReplaceAll(strings.TrimSpace(string(out)), "\n", " ")); len(waiting) > 0 {
		return fmt.Errorf("job %s still has shards in the queue: %s; scancel %s ends it", before.Array, strings.Join(waiting, " "), before.Array)
	}
	return nil
}

// sbatch submits a script and returns the number of its job.
func (s *Slurm) sbatch(ctx context.Context, script string, flags ...string) (string, error) {
	words := slices.Concat([]string{"--parsable"}, s.Flags, flags, []string{script})
	cmd := exec.CommandContext(ctx, "sbatch", words...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return "", fmt.Errorf("sbatch %s: %w", script, err)
	}
	job, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";") // ";cluster" follows where there are several
	if _, err := strconv.ParseUint(job, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch printed no number of a job: %q", out)
	}
	return job, nil
}
