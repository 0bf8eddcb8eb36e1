package regress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Asked is a call that a kernel is asked to make, and what it must give.
type Asked struct {
	Kernel *mlikernels.Kernel
	Name   string // of the case
	Job    *mlikernels.Job
	Status int      // what the function must return: 0 for success
	Model  *Failure // how the golden model differs from the stated results, nil when it does not

	stated map[string]*nn.Tensor // results that a file states; nil when the golden model states all
}

// Ask finds a call by its name: NAME is the typical case of a kernel, NAME/CASE one of its layers, a case of its grid or a
// shape as its notation writes them. Rounding is that of the kernel where none is named.
func Ask(name, rounding string) (_ *Asked, err error) {
	defer steps.Return(&err)
	c := steps.Must(mlikernels.Find(name))
	all := c.Kernel.Roundings()
	round := all[0]
	if rounding != "" {
		round = steps.Must(nn.ParseRounding(rounding))
		if !slices.Contains(all, round) {
			return nil, fmt.Errorf("%s rounds %v, not %v", c.Kernel.Name(), all, round)
		}
	}
	job := steps.Must(c.Job(round, DefaultSeed))
	return &Asked{Kernel: c.Kernel, Name: c.FullName(), Job: job}, nil
}

// Record is a case as a file has it.
type Record = golden.MLIRecord

// AskRecord makes the call of a record. Like names the kernel that is asked; when it is empty, the record says so.
func AskRecord(r *Record, like string) (*Asked, error) {
	op, err := r.Operator(golden.Operators())
	if like != "" {
		k, err := mlikernels.Lookup(like)
		if err != nil {
			return nil, err
		}
		if op == nil || !slices.Contains(k.Computes, op) {
			op = k.Computes[0]
		}
		r.Function = k.Name()
	} else if err != nil {
		return nil, err
	}
	a, err := ask(r.Case(op))
	if err != nil {
		return nil, err
	}
	a.Name = fmt.Sprintf("%s, case %d", a.Kernel.Name(), r.ID)
	return a, nil
}

// First reads the first record of a file, or the one with an id. A file that is one JSON object is one record, however its
// lines are broken.
func First(name string, id int, any bool) (_ *Record, err error) {
	defer steps.Return(&err)
	if strings.HasSuffix(name, ".json") {
		text := steps.Must(hostfile.Read(name, maxInput))
		if json.Valid(text) {
			c, err := golden.ParseMLIRecord(text)
			steps.Check(steps.In(name, err))
			if !any && c.ID != id {
				return nil, fmt.Errorf("%s has no record with id %d", name, id)
			}
			return c, nil
		}
	}
	for c, err := range osFile(name).cases() {
		steps.Check(err)
		if any || c.ID == id {
			return c, nil
		}
	}
	if any {
		return nil, fmt.Errorf("%s has no record", name)
	}
	return nil, fmt.Errorf("%s has no record with id %d", name, id)
}

// kernelFor is the kernel for a case: the kernel that the case names, else a kernel that computes its operator.
func kernelFor(c *nn.Case) (*mlikernels.Kernel, error) {
	if c.Kernel != "" {
		k, err := mlikernels.Lookup(c.Kernel)
		if err == nil && !slices.Contains(k.Computes, c.Op) {
			err = fmt.Errorf("%s does not compute %s", k.Name(), c.Op)
		}
		return k, err
	}
	if list := mlikernels.For(c.Op); len(list) == 1 {
		return list[0], nil
	}
	call := c.Detach()
	if err := call.Prepare(); err != nil {
		return nil, err
	}
	return mlikernels.Choose(call)
}

// ask makes the question of a case: the results are those that it states, else what the model computes. A call that must
// be refused has no results.
func ask(c *nn.Case) (*Asked, error) {
	k, err := kernelFor(c)
	if err != nil {
		return nil, err
	}
	call := c.Detach()
	a := &Asked{Kernel: k, Status: c.Status, stated: c.Want}
	if c.Status != 0 {
		_ = call.Prepare() // the case says what is wrong with it
		a.Job = &mlikernels.Job{Call: call}
		return a, nil
	}
	if a.Job, err = mlikernels.NewJob(call); a.Job == nil {
		return nil, err
	}
	a.Job.Strides = c.Strides
	if in := call.Input("in"); golden.MLI20GivesPlaces(c.Op) && c.Strides["in"] != nil {
		golden.MLI20WithHoles(a.Job.Want["out"].Ints, in.Shape, c.Strides["in"])
	}
	if otherBuild(c) {
		return a, nil
	}
	for role, t := range a.Job.Want {
		want := c.Want[role]
		if want == nil {
			continue // nothing is stated: the model decides
		}
		a.Job.Want[role] = want
		if f := differ(role, t, want); f != nil && a.Model == nil {
			a.Model = f
		}
	}
	return a, nil
}

// otherBuild reports whether the results are those of a build with an accumulator that the kernels do not have: the
// golden function says so when the operator knows both. The model decides then what is expected.
func otherBuild(c *nn.Case) bool {
	const attr = "full_accumulator"
	if _, ok := c.Op.Attr(attr); !ok {
		return false
	}
	same := func(full bool) bool {
		call := c.Detach()
		call.Attrs = maps.Clone(c.Attrs)
		call.Attrs[attr] = full
		ran, err := call.Expect()
		if err != nil {
			return false
		}
		for role, t := range ran.Results() {
			if want := c.Want[role]; want != nil && nn.Difference(t, want) != nil {
				return false
			}
		}
		return true
	}
	return !same(false) && same(true)
}

// Replace takes the elements of an input from a NumPy file. Results that were stated belong to other elements, so the golden
// model gives those of the call.
func (a *Asked) Replace(role, file string) error {
	if err := ReadNPY(file, a.Job.Inputs()[role]); err != nil {
		return err
	}
	fresh, err := mlikernels.NewJob(a.Job.Call)
	if fresh == nil {
		return err
	}
	a.Job.Want, a.Model = fresh.Want, nil
	if a.stated != nil {
		a.stated = map[string]*nn.Tensor{}
	}
	return nil
}

// Save writes the call as a case that First reads.
func (a *Asked) Save(w io.Writer) error {
	c := a.Job.Case(a.Kernel)
	c.Status = a.Status
	r, err := golden.MLIRecordOf(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := golden.WriteMLIRecord(&b, r); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// refused judges a call that must be refused.
func (a *Asked) refused(rep *mlikernels.Report, runErr error) *Failure {
	switch {
	case runErr != nil:
		return &Failure{Kind: KindFault, Message: runErr.Error()}
	case rep.R0 != uint32(a.Status):
		return &Failure{Kind: KindStatus, Message: fmt.Sprintf("status is %s, expected %s", rep.Status,
			a.Kernel.ABI.Status(uint32(a.Status)))}
	}
	return nil
}
