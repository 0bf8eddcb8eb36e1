package regress

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// maxTrials bounds the calls spent on one case.
const maxTrials = 3000

// shrinker looks for a smaller case that still fails.
type shrinker struct {
	kernel *mlikernels.Kernel
	job    *mlikernels.Job
	trials int
	fails  func(*mlikernels.Job) bool
}

// minimize shrinks the first failing case of every kernel and writes it to a file.
func (s *Suite) minimize(c *control, results []Result) error {
	w := &worker{suite: s, machines: map[machineKey]*mlikernels.Machine{}}
	done := map[string]bool{}
	for i := range results {
		r := &results[i]
		if r.Failure == nil || r.job == nil || done[r.Group] {
			continue
		}
		done[r.Group] = true
		if err := s.minimizeOne(w, c, r); err != nil {
			return errors.Join(err, w.close())
		}
	}
	return w.close()
}

// minimizeOne writes the smallest version found of a failing call to KERNEL.json.
func (s *Suite) minimizeOne(w *worker, c *control, r *Result) error {
	k := r.kernel
	sh := &shrinker{kernel: k, job: r.job, fails: func(j *mlikernels.Job) bool {
		fresh, err := mlikernels.NewJob(j.Call)
		if err != nil {
			return false
		}
		j.Want = fresh.Want
		rep, err := s.call(w, c, r.Case, k, j)
		return c.ctx.Err() == nil && judge(rep, err, j.Want) != nil
	}}
	smallest := sh.shrink()
	ran, err := smallest.Expect()
	if err != nil {
		return nil // a record that the model refuses has no smaller version
	}
	smallest.Want = ran.Results()
	var b bytes.Buffer
	if err := (&Asked{Kernel: k, Job: smallest}).Save(&b); err != nil {
		return err
	}
	r.Failure.Minimized = filepath.Join(c.opts.Minimize, k.Name()+".json")
	return hostfile.Write(r.Failure.Minimized, b.Bytes())
}

// shrink returns the smallest job found.
func (sh *shrinker) shrink() *mlikernels.Job {
	if !sh.fails(sh.job) {
		return sh.job
	}
	for again := true; again && sh.trials < maxTrials; {
		again = sh.params() || sh.layout()
		for _, axis := range sh.axes() {
			again = sh.cut(axis) || again
		}
	}
	sh.simplify()
	return sh.job
}

// try takes a smaller job when it fails as well.
func (sh *shrinker) try(j *mlikernels.Job) bool {
	sh.trials++
	if sh.trials > maxTrials || !sh.fails(j) {
		return false
	}
	sh.job = j
	return true
}

// clone copies a job so far that it can be changed.
func clone(j *mlikernels.Job) *mlikernels.Job {
	copied := *j
	copied.Call = j.Call.Clone()
	return &copied
}

// params makes numbers among the attributes 0 or 1.
func (sh *shrinker) params() (smaller bool) {
	for _, name := range slices.Sorted(maps.Keys(sh.job.Attrs)) {
		now, ok := sh.job.Attrs[name].(int)
		if !ok {
			continue
		}
		for _, v := range []int{0, 1} {
			if now <= v {
				break
			}
			j := clone(sh.job)
			j.Attrs[name] = v
			if sh.try(j) {
				smaller = true
				break
			}
		}
	}
	return smaller
}

// layout puts the buffers where they are simplest.
func (sh *shrinker) layout() (smaller bool) {
	if sh.job.Offset != 0 {
		j := clone(sh.job)
		j.Offset = 0
		smaller = sh.try(j)
	}
	if sh.job.InPlace != "" {
		j := clone(sh.job)
		j.InPlace = ""
		smaller = sh.try(j) || smaller
	}
	for i, t := range sh.job.In {
		for k := range i {
			if t != nil && t == sh.job.In[k] { // one tensor for two inputs
				j := clone(sh.job)
				j.In[i] = j.In[i].Clone()
				smaller = sh.try(j) || smaller
			}
		}
	}
	return smaller
}

// axis is a size that several inputs have in common: name to dimension.
type axis map[string]int

// maxDims is the rank up to which dimensions are looked at.
const maxDims = 5

// axes lists the ways in which a call can become smaller: dimensions of inputs that have the same size,
// two of them or all at once, and each by itself. Those that do not fit the operator are refused by the
// golden model and so cost nothing but a trial.
func (sh *shrinker) axes() []axis {
	inputs := sh.job.Inputs()
	names := slices.Sorted(maps.Keys(inputs))
	bySize := map[int][]axis{} // single dimensions
	for _, name := range names {
		for d, n := range inputs[name].Shape {
			if n > 1 && d < maxDims {
				bySize[n] = append(bySize[n], axis{name: d})
			}
		}
	}
	var all []axis
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(bySize))) {
		list := bySize[n]
		joint := axis{}
		for i, a := range list {
			for _, b := range list[i+1:] {
				if pair := (axis{}); merge(pair, a) && merge(pair, b) {
					all = append(all, pair)
				}
			}
			merge(joint, a)
		}
		if len(joint) > 2 {
			all = append(all, joint)
		}
		all = append(all, list...)
	}
	return all
}

// merge adds the dimension of one input to an axis, unless the axis has one of that input.
func merge(to, from axis) bool {
	for name, d := range from {
		if _, twice := to[name]; twice {
			return false
		}
		to[name] = d
	}
	return true
}

// input is the position of an input by its name.
func input(c *nn.Call, name string) int {
	return slices.Index(nn.Names(c.Op.Inputs, len(c.In)), name)
}

// cut makes an axis shorter: 1, half, one less; the first elements or the last.
func (sh *shrinker) cut(a axis) (smaller bool) {
	for {
		size := 0
		for name, d := range a {
			t := sh.job.In[input(sh.job.Call, name)]
			if d >= len(t.Shape) || size != 0 && t.Shape[d] != size {
				return smaller
			}
			size = t.Shape[d]
		}
		found := false
		for _, n := range []int{1, size / 2, size - 1} {
			if n < 1 || n >= size || found {
				continue
			}
			for _, from := range []int{0, size - n} {
				j := clone(sh.job)
				for name, d := range a {
					i := input(j.Call, name)
					j.In[i] = part(j.In[i], d, from, n)
				}
				if sh.try(j) {
					found = true
					break
				}
			}
		}
		if !found {
			return smaller
		}
		smaller = true
	}
}

// part keeps n positions of a dimension, with their scales.
func part(t *nn.Tensor, d, from, n int) *nn.Tensor {
	p := *t
	size := t.Shape[d]
	p.Shape = slices.Clone(t.Shape)
	p.Shape[d] = n
	inner := nn.Count(t.Shape[d+1:])
	p.Ints = nil
	for at := 0; at+size*inner <= len(t.Ints); at += size * inner {
		p.Ints = append(p.Ints, t.Ints[at+from*inner:at+(from+n)*inner]...)
	}
	if f := t.Format; f.Axis == d {
		if len(f.Mantissas) == size {
			p.Format.Mantissas = f.Mantissas[from : from+n]
		}
		if len(f.Scales) == size {
			p.Format.Scales = f.Scales[from : from+n]
		}
		if len(f.Zeros) == size {
			p.Format.Zeros = f.Zeros[from : from+n]
		}
	}
	return &p
}

// simplify makes the data plainer: zeros by halves, quarters and so on, then ones.
func (sh *shrinker) simplify() {
	for i, t := range sh.job.In {
		if t == nil {
			continue
		}
		n := len(t.Ints)
		for size := n; size > 0; size /= 2 {
			for from := 0; from < n; from += size {
				sh.set(i, from, min(n, from+size), 0)
			}
		}
		for at := range n {
			if v := sh.job.In[i].Ints[at]; v > 1 || v < -1 {
				sh.set(i, at, at+1, 1)
			}
		}
	}
}

// set tries a value for a run of elements of input i that do not all have it.
func (sh *shrinker) set(i, from, to int, v int64) {
	if !slices.ContainsFunc(sh.job.In[i].Ints[from:to], func(e int64) bool { return e != v }) {
		return
	}
	j := clone(sh.job)
	for at := from; at < to; at++ {
		j.In[i].Ints[at] = v
	}
	sh.try(j)
}
