package regress

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// maxTrials bounds the calls spent on one case.
const maxTrials = 3000

// shrinker looks for a smaller case that still fails.
type shrinker struct {
	job    *mlikernels.Job
	trials int
	fails  func(*mlikernels.Job) bool
}

// minimize shrinks the first failing case of every kernel and writes it to a file.
func (s *Suite) minimize(c *control, results []Result) error {
	w := &worker{libs: s.libs, engine: s.Engine, machines: map[machineKey]*mlikernels.Machine{}}
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
	k, err := mlikernels.Lookup(r.job.Case.Kernel)
	if err != nil {
		return err
	}
	sh := &shrinker{job: r.job, fails: func(j *mlikernels.Job) bool {
		want, err := golden.Run(j.Case)
		if err != nil || len(want.Overflows) > 0 {
			return false
		}
		rep, err := s.call(w, c, r.Case, k, j, want)
		return c.ctx.Err() == nil && judge(rep, err, want) != nil
	}}
	smallest := *sh.shrink().Case
	want, err := golden.Run(&smallest)
	if err != nil {
		return nil // a record that the model refuses has no smaller version
	}
	smallest.Tensors = maps.Clone(smallest.Tensors)
	maps.Copy(smallest.Tensors, want.Outputs)
	var b bytes.Buffer
	if err := golden.WriteCase(&b, &smallest); err != nil {
		return err
	}
	r.Failure.Minimized = filepath.Join(c.opts.Minimize, k.Symbol+".json")
	return os.WriteFile(r.Failure.Minimized, b.Bytes(), 0o644)
}

// shrink returns the smallest job found.
func (sh *shrinker) shrink() *mlikernels.Job {
	if sh.job.Case.Status != 0 || !sh.fails(sh.job) {
		return sh.job
	}
	for again := true; again && sh.trials < maxTrials; {
		again = sh.params() || sh.layout()
		for _, axis := range axes(sh.job.Case) {
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
	c, copied := *j.Case, *j
	c.Tensors = map[string]*golden.Tensor{}
	for role, t := range j.Case.Tensors {
		own := *t
		own.Shape, own.Data = slices.Clone(t.Shape), slices.Clone(t.Data)
		c.Tensors[role] = &own
	}
	if j.Same != "" { // still one tensor
		k, _ := golden.Lookup(c.Lib, c.Kernel)
		c.Tensors[j.Same] = c.Tensors[k.InputNames(&c)[0]]
	}
	c.Params = golden.Params{Ints: maps.Clone(j.Case.Params.Ints), Lists: j.Case.Params.Lists}
	copied.Case = &c
	return &copied
}

// params makes numbers of the configuration 0 or 1.
func (sh *shrinker) params() (smaller bool) {
	for _, name := range slices.Sorted(maps.Keys(sh.job.Case.Params.Ints)) {
		if name == "tensors_num" || name == "axis" {
			continue
		}
		for _, v := range []int{0, 1} {
			if sh.job.Case.Params.Ints[name] <= v {
				break
			}
			j := clone(sh.job)
			j.Case.Params.Ints[name] = v
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
	if sh.job.Same != "" {
		j := clone(sh.job)
		j.Same = ""
		smaller = sh.try(j) || smaller
	}
	return smaller
}

// axis is a size that several tensors have in common: role to dimension.
type axis map[string]int

// sharedAxes are the sizes that belong together, by family.
var sharedAxes = map[string][]axis{
	"conv2d_chw":            {{"in": 0, "w": 1}, {"w": 0, "b": 0}},
	"conv2d_hwc":            {{"in": 2, "w": 3}, {"w": 0, "b": 0}},
	"conv2d_nhwc":           {{"in": 2, "w": 3}, {"w": 0, "b": 0}},
	"depthwise_conv2d_chw":  {{"in": 0, "w": 0, "b": 0}},
	"depthwise_conv2d_hwcn": {{"in": 2, "w": 3, "b": 0}},
	"fully_connected":       {{"in": 0, "w": 1}, {"w": 0, "b": 0}},
}

// axes lists the ways in which a case can become smaller. Those that do not fit the kernel are
// refused by the golden model and so cost nothing but a trial.
func axes(c *golden.Case) []axis {
	k, _ := golden.Lookup(c.Lib, c.Kernel)
	all := slices.Clone(sharedAxes[k.Family])
	inputs := k.InputNames(c)
	for d := range 4 {
		all = append(all, axis{"in1": d, "in2": d})
		joint := axis{}
		for _, role := range inputs {
			all = append(all, axis{role: d})
			joint[role] = d
		}
		all = append(all, joint)
	}
	return slices.DeleteFunc(all, func(a axis) bool {
		for role, d := range a {
			if t := c.Tensors[role]; t == nil || d >= len(t.Shape) || t.Shape[d] < 2 {
				return true
			}
		}
		return false
	})
}

// cut makes an axis shorter: 1, half, one less; the first elements or the last.
func (sh *shrinker) cut(a axis) (smaller bool) {
	for {
		size := 0
		for role, d := range a {
			t := sh.job.Case.Tensors[role]
			if d >= len(t.Shape) {
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
				for role, d := range a {
					j.Case.Tensors[role] = part(j.Case.Tensors[role], d, from, n)
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
func part(t *golden.Tensor, d, from, n int) *golden.Tensor {
	p := *t
	size := t.Shape[d]
	n = min(n, size)
	from = min(from, size-n)
	p.Shape = slices.Clone(t.Shape)
	p.Shape[d] = n
	inner := 1
	for _, e := range t.Shape[d+1:] {
		inner *= e
	}
	p.Data = nil
	for at := 0; at+size*inner <= len(t.Data); at += size * inner {
		p.Data = append(p.Data, t.Data[at+from*inner:at+(from+n)*inner]...)
	}
	if t.Dim == d {
		if len(t.Scale) == size {
			p.Scale = t.Scale[from : from+n]
		}
		if len(t.Zero) == size {
			p.Zero = t.Zero[from : from+n]
		}
	}
	return &p
}

// simplify makes the data plainer: zeros by halves, quarters and so on, then ones.
func (sh *shrinker) simplify() {
	k, _ := golden.Lookup(sh.job.Case.Lib, sh.job.Case.Kernel)
	for _, role := range k.InputNames(sh.job.Case) {
		n := len(sh.job.Case.Tensors[role].Data)
		for size := n; size > 0; size /= 2 {
			for from := 0; from < n; from += size {
				sh.set(role, from, min(n, from+size), 0)
			}
		}
		for i := range n {
			if v := sh.job.Case.Tensors[role].Data[i]; v > 1 || v < -1 {
				sh.set(role, i, i+1, 1)
			}
		}
	}
}

// set tries a value for a run of elements that do not all have it.
func (sh *shrinker) set(role string, from, to int, v int32) {
	if !slices.ContainsFunc(sh.job.Case.Tensors[role].Data[from:to], func(e int32) bool { return e != v }) {
		return
	}
	j := clone(sh.job)
	for i := from; i < to; i++ {
		j.Case.Tensors[role].Data[i] = v
	}
	sh.try(j)
}
