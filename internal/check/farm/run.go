package farm

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"arcv2dsp/internal/measure/report"
)

// Run does one shard and writes its results. A shard that has them already is left alone: done is false then.
func (p *Plan) Run(ctx context.Context, w Work, shard, jobs int, progress *report.Progress) (done bool, err error) {
	if _, err := p.Shard(shard); err != nil {
		return false, err
	}
	if err := p.Check(); err != nil {
		return false, err
	}
	parts, err := p.assign(w.Pieces(Recorded()))
	if err != nil {
		return false, err
	}
	part := parts[shard-1]
	if _, err := p.read(shard, len(part)); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := os.MkdirAll(p.Dir(), 0o755); err != nil {
		return false, err
	}
	start := time.Now()
	results, err := w.Run(ctx, part, jobs, progress)
	if err != nil {
		return false, errors.Join(err, p.fail(shard, err))
	}
	r := &shardResult{Schema: resultSchema, Plan: p.id, Shard: shard, Build: p.Build, Seconds: time.Since(start).Seconds(), Results: results}
	if r.Build, err = ThisBuild(); err != nil {
		return false, err
	}
	if err := p.write(r); err != nil {
		return false, errors.Join(err, p.fail(shard, err))
	}
	if err := os.Remove(p.file(shard, endFailed)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, nil
}
