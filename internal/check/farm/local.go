package farm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"arcv2dsp/internal/term/hostfile"
)

// Local runs shards by processes of this machine.
type Local struct {
	Plan      *Plan
	Processes int // at a time
	// Done is told of each shard that ended, one at a time.
	Done func(shard int, err error)
}

// grace is how long a process has to end when it is told to.
const grace = 10 * time.Second

// Run runs the shards that are given, each in a process, and returns the number of those that failed. The output of a
// process is in a file beside its results.
func (l *Local) Run(ctx context.Context, shards []Missing) (failed int, err error) {
	exe, err := os.Executable()
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(l.Plan.Dir(), 0o755); err != nil {
		return 0, err
	}
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(max(1, l.Processes))
	for _, m := range shards {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			err := l.process(ctx, exe, m.Shard)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
			}
			l.Done(m.Shard, err)
			return nil
		})
	}
	return failed, errors.Join(g.Wait(), ctx.Err())
}

// process runs one shard to its end.
func (l *Local) process(ctx context.Context, exe string, shard int) error {
	log, err := hostfile.Log(l.Plan.file(shard, endLog))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, exe, "farm", "run", l.Plan.path, "--shard", strconv.Itoa(shard), "-j", "1")
	cmd.Args[0] = "arcsim"
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = grace
	cmd.Cancel = func() error {
		if runtime.GOOS == "windows" { // has no signal to ask with
			return cmd.Process.Kill()
		}
		return cmd.Process.Signal(os.Interrupt)
	}
	err = errors.Join(cmd.Run(), log.Close())
	if err == nil {
		return nil
	}
	// A process that was killed could not say so itself.
	if _, known := os.Stat(l.Plan.file(shard, endFailed)); known != nil && ctx.Err() == nil {
		err = errors.Join(err, l.Plan.fail(shard, fmt.Errorf("%w; %s is what it printed", err, log.Name())))
	}
	return err
}
