package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
)

// slurm is a cluster of this machine alone, in a folder of its own.
type slurm struct {
	t   *testing.T
	dir string
	env []string
}

// startSlurm starts munge, the controller and the daemon of one node on loopback; they end with the test.
func startSlurm(t *testing.T) *slurm {
	munged, controller, node := gnutools.Slurm(t)
	if os.Getuid() != 0 {
		t.Skip("slurmd needs root")
	}
	// Sockets have short names only, and munge wants a folder that only its owner can change.
	dir, err := os.MkdirTemp("", "slurm")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) }) // daemons may write until their end
	require.NoError(t, os.Chmod(dir, 0o755))
	for _, sub := range []string{"state", "spool", "munge"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	host, err := os.Hostname()
	require.NoError(t, err)
	host, _, _ = strings.Cut(host, ".")
	key := filepath.Join(dir, "munge.key")
	require.NoError(t, os.WriteFile(key, bytes.Repeat([]byte("only for this test"), 8), 0o600))
	socket := filepath.Join(dir, "munge", "socket")
	ports := 20000 + 2*(os.Getpid()%6000) // below those that systems give to connections
	conf := fmt.Sprintf(`ClusterName=farm
SlurmctldHost=%[1]s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/slurmctld.pid
SlurmdPidFile=%[5]s/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[6]d State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, host, socket, ports, ports+1, dir, runtime.NumCPU())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(conf), 0o644))
	s := &slurm{t: t, dir: dir, env: append(os.Environ(), "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))}
	s.daemon(munged, "--foreground", "--force", "--socket="+socket, "--key-file="+key, "--log-file="+filepath.Join(dir, "munge", "log"),
		"--pid-file="+filepath.Join(dir, "munge", "pid"), "--seed-file="+filepath.Join(dir, "munge", "seed"))
	s.until("munge listens", func() bool { _, err := os.Stat(socket); return err == nil })
	s.daemon(controller, "-D", "-c")
	s.daemon(node, "-D", "-N", host)
	s.until("the node is idle", func() bool {
		out, err := s.command("sinfo", "--noheader", "--format=%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	return s
}

// daemon starts a program that ends with the test.
func (s *slurm) daemon(program string, args ...string) {
	log, err := os.Create(filepath.Join(s.dir, filepath.Base(program)+".log"))
	require.NoError(s.t, err)
	cmd := s.command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	require.NoError(s.t, cmd.Start())
	s.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
		ended := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // ended by a signal
		ended.Stop()
		_ = log.Close()
		if text, err := os.ReadFile(log.Name()); err == nil && s.t.Failed() {
			s.t.Logf("%s:\n%s", filepath.Base(program), text)
		}
	})
}

func (s *slurm) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = s.env
	return cmd
}

// until waits for something that takes minutes at most.
func (s *slurm) until(what string, done func() bool) {
	s.t.Helper()
	require.Eventually(s.t, done, 25*time.Minute, 50*time.Millisecond, what)
}

// ended waits until a job has left the queue.
func (s *slurm) ended(job string) {
	s.until("job "+job+" ends", func() bool {
		out, err := s.command("squeue", "--noheader", "--jobs", job).Output()
		return err != nil || len(bytes.TrimSpace(out)) == 0 // a job of long ago is an error
	})
}

// TestSlurm submits a regression to a real Slurm, kills a shard in the middle, submits again, and expects the JUnit
// file of an undivided run, byte for byte: the short regression, with ARCV2DSP_SOAK set the whole one.
func TestSlurm(t *testing.T) {
	level.NeedsLong(t, "a regression, twice, takes minutes")
	s := startSlurm(t)
	work := t.TempDir()
	arcsim := filepath.Join(work, "arcsim")
	out, err := exec.Command("go", "build", "-o", arcsim, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	what := []string{"regress", "--junit-times", "core"}
	if os.Getenv("ARCV2DSP_SOAK") == "" {
		what = append(what, "--short")
	}
	run := func(status int, args ...string) string {
		cmd := s.command(arcsim, args...)
		cmd.Dir = work
		out, err := cmd.CombinedOutput()
		require.Equal(t, status, cmd.ProcessState.ExitCode(), "arcsim %v: %v: %s", args, err, out)
		return string(out)
	}
	run(0, append(what, "--junit", "one.xml")...)
	run(0, append([]string{"farm", "plan", "-o", "night.json", "--shards", "8"}, append(what, "--junit", "all.xml")...)...)

	const killed = 3
	array, merge := jobs(t, run(0, "farm", "submit", "night.json"))
	require.Contains(t, run(3, "farm", "submit", "night.json"), "job "+array+" still has shards in the queue")
	results := filepath.Join(work, "night.results")
	s.until("shard 3 runs", func() bool {
		pid, found := processOf(filepath.Join(work, "night.json"), killed)
		if found {
			time.Sleep(200 * time.Millisecond) // into its work
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		}
		return found
	})
	s.ended(array)
	s.ended(merge)
	log, err := os.ReadFile(filepath.Join(results, "merge.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "shard 3 has no results: it runs, or was killed")
	require.Contains(t, string(log), "1 of 8 shards are missing, nothing is merged")
	require.NoFileExists(t, filepath.Join(work, "all.xml"))

	before, err := os.Stat(filepath.Join(results, "shard-1.json"))
	require.NoError(t, err)
	array, merge = jobs(t, run(0, "farm", "submit", "night.json"))
	script, err := os.ReadFile(filepath.Join(results, "shards.sbatch"))
	require.NoError(t, err)
	require.Contains(t, string(script), "#SBATCH --array=3\n")
	s.ended(array)
	s.ended(merge)
	log, err = os.ReadFile(filepath.Join(results, "merge.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "Summary Status: PASSED")
	after, err := os.Stat(filepath.Join(results, "shard-1.json"))
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "a shard that was done was not done again")

	one, err := os.ReadFile(filepath.Join(work, "one.xml"))
	require.NoError(t, err)
	all, err := os.ReadFile(filepath.Join(work, "all.xml"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(one, all), "the JUnit files differ")
	t.Logf("%d cases in 8 shards, one of them killed and submitted again: the same %d bytes", bytes.Count(one, []byte("<testcase ")), len(one))
	require.Contains(t, run(0, "farm", "submit", "night.json"), "all shards have results")
}

// jobs reads the numbers of the jobs that farm submit prints.
func jobs(t *testing.T, text string) (array, merge string) {
	var shards int
	_, err := fmt.Sscanf(text, "job %s runs %d shards, job %s merges them", &array, &shards, &merge)
	require.NoError(t, err, text)
	return array, merge
}

// processOf finds the process that runs a shard of a plan.
func processOf(plan string, shard int) (pid int, found bool) {
	want := fmt.Sprintf("farm\x00run\x00%s\x00--shard\x00%d\x00", plan, shard)
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, false
	}
	for _, file := range entries {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(want)) {
			continue // it has ended, or is another
		}
		if pid, err = strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			return pid, true
		}
	}
	return 0, false
}
