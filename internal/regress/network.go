package regress

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/mli11"
	"arcv2dsp/testdata/mli"
)

// The CIFAR-10 example network of MLI 1.1, in two sizes and three combinations of types. Recorded of
// it are the outputs of every layer for one image, and how many of 20 images it classifies right.

// networks are the variants and what is known of them.
var networks = []struct {
	size    string
	correct int  // of the 20 images
	short   bool // part of short runs
}{
	{size: "small", correct: 19, short: true},
	{size: "big", correct: 20},
}

// networkTypes are the combinations of types: names of files and suffixes of functions.
var networkTypes = []struct{ file, data, mac string }{
	{file: "fx8", data: "fx8", mac: "fx8"},
	{file: "fx16", data: "fx16", mac: "fx16"},
	{file: "fx816", data: "fx16", mac: "fx8w16d"},
}

// layer is one call of the network.
type layer struct {
	kernel  *kernel.Kernel
	weights string // "L1", "" for a layer without
	output  string // name of the recorded output
	attrs   nn.Attrs
}

// network is a variant with its weights and recorded layers.
type network struct {
	Weights map[string]*tensorRecord `json:"weights"`
	Oracle  map[string]*tensorRecord `json:"oracle_layers"`

	layers []layer
}

// tensorRecord is a fixed-point tensor as the files have it.
type tensorRecord struct {
	Type  string  `json:"type"`
	Frac  int     `json:"frac"`
	Shape []int   `json:"shape"`
	Data  []int64 `json:"data"`
}

func (r *tensorRecord) tensor() (*nn.Tensor, error) {
	if r == nil {
		return nil, fmt.Errorf("missing")
	}
	typ, err := mli11.ParseType(r.Type)
	if err != nil {
		return nil, err
	}
	t := &nn.Tensor{Type: typ.Element(), Shape: r.Shape, Ints: r.Data, Format: nn.Format{Kind: nn.Fixed, Frac: r.Frac}}
	return t, t.Check()
}

// images are labelled pictures: 32 x 32 x 3 bytes each.
type images struct {
	Pixels []int `json:"tests_u8_hwc"`
	Labels []int `json:"labels"`
}

// readFile decodes an embedded file of JSON.
func readFile(name string, v any) error {
	f, err := mli.Files.Open("cifar10/" + name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := json.NewDecoder(z).Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// newNetwork describes a variant of the network.
func newNetwork(size, data, mac string) (*network, error) {
	n := &network{}
	var err error
	add := func(name, weights, output string, attrs nn.Attrs) {
		k, e := mlikernels.Lookup(name)
		if e != nil {
			err = e
			return
		}
		n.layers = append(n.layers, layer{kernel: k, weights: weights, output: output, attrs: attrs})
	}
	conv := func(i string) {
		add("conv2d_chw_"+mac, "L"+i, "ir_conv"+i, nn.Attrs{"stride_w": 1, "stride_h": 1, "pad_l": 2, "pad_r": 2, "pad_t": 2,
			"pad_b": 2, "relu": 1})
	}
	pool := func(i, kind string) {
		add(kind+"pool_chw_"+data, "", "ir_pool"+i, nn.Attrs{"kernel_w": 3, "kernel_h": 3, "stride_w": 2, "stride_h": 2,
			"pad_r": 1, "pad_b": 1})
	}
	add("permute_"+data, "", "RGB_2_CHW", nn.Attrs{"perm": []int{2, 0, 1}})
	conv("1")
	pool("1", "max")
	conv("2")
	pool("2", "ave")
	conv("3")
	pool("3", "ave")
	add("fully_connected_"+mac, "L4", "ir_ip1", nil)
	if size == "big" {
		add("fully_connected_"+mac, "L5", "ir_ip2", nil)
	}
	add("softmax_"+data, "", "ir_prob", nil)
	return n, err
}

// kernels lists the functions the network calls.
func (n *network) kernels() []*kernel.Kernel {
	var list []*kernel.Kernel
	for _, l := range n.layers {
		list = append(list, l.kernel)
	}
	return list
}

// planNetworks plans all variants: the layers of the recorded image, then the 20 images.
func (s *Suite) planNetworks() error {
	for _, size := range networks {
		if s.Short && !size.short {
			continue
		}
		for _, types := range networkTypes {
			n, err := newNetwork(size.size, types.data, types.mac)
			if err != nil {
				return err
			}
			group := fmt.Sprintf("cifar10_%s_%s", size.size, types.mac)
			file := fmt.Sprintf("cifar10_%s_%s.json.gz", size.size, types.file)
			for _, core := range s.Cores {
				planned := func(what string) []Case {
					return []Case{{Name: fmt.Sprintf("%s/%s/%v/%s", group, what, nn.Convergent, core), Group: group,
						Core: core, Round: nn.Convergent, Recorded: true}}
				}
				s.add(unit{cases: planned("layers"), run: func(w *worker, c *control, cases []Case) []Result {
					return s.runNetwork(w, c, cases[0], n, file, (*network).checkLayers)
				}}, n.kernels()...)
				if s.Short {
					continue
				}
				s.add(unit{cases: planned("images"), run: func(w *worker, c *control, cases []Case) []Result {
					return s.runNetwork(w, c, cases[0], n, file, func(n *network, r *inference) *Failure {
						return n.checkImages(r, size.correct)
					})
				}}, n.kernels()...)
			}
		}
	}
	return nil
}

// inference runs a network on one core.
type inference struct {
	s      *Suite
	w      *worker
	c      *control
	result *Result
}

// runNetwork loads a variant and lets check run it.
func (s *Suite) runNetwork(w *worker, c *control, cs Case, n *network, file string, check func(*network, *inference) *Failure) []Result {
	r := Result{Case: cs, Stalls: map[string]uint64{}}
	start := time.Now()
	loaded := network{layers: n.layers}
	if err := readFile(file, &loaded); err != nil {
		return failAll([]Case{cs}, Failure{Kind: KindInput, Message: err.Error()})
	}
	r.Failure = check(&loaded, &inference{s: s, w: w, c: c, result: &r})
	r.Elapsed = time.Since(start)
	if c.ctx.Err() != nil {
		return notRun([]Case{cs})
	}
	return []Result{r}
}

// call is the call of one layer; in is its input.
func (n *network) call(l layer, in *nn.Tensor) (*kernel.Job, error) {
	op := l.kernel.Computes[0]
	c := &nn.Call{Op: op, Attrs: l.attrs, In: []*nn.Tensor{in}}
	want, err := n.Oracle[l.output].tensor()
	if err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.output, err)
	}
	c.Out = []*nn.Tensor{{Type: want.Type, Format: want.Format}}
	if l.weights != "" {
		for _, role := range []string{"w", "b"} {
			name := l.weights + "_" + role
			t, err := n.Weights[name].tensor()
			if err != nil {
				return nil, fmt.Errorf("weights %s: %w", name, err)
			}
			c.In = append(c.In, t)
		}
	}
	if err := c.Prepare(); err != nil {
		return nil, fmt.Errorf("layer %s: %w", l.output, err)
	}
	return &kernel.Job{Call: c, Want: map[string]*nn.Tensor{"out": want}}, nil
}

// layer runs one layer on the simulator and returns its output.
func (r *inference) layer(n *network, l layer, in *nn.Tensor) (*kernel.Job, *nn.Tensor, *Failure) {
	job, err := n.call(l, in)
	if err != nil {
		return nil, nil, &Failure{Kind: KindInput, Message: err.Error()}
	}
	rep, err := r.s.call(r.w, r.c, r.result.Case, l.kernel, job)
	if err != nil {
		return nil, nil, &Failure{Kind: KindFault, Message: fmt.Sprintf("layer %s: %v", l.output, err)}
	}
	if !rep.OK() {
		return nil, nil, &Failure{Kind: KindStatus, Message: fmt.Sprintf("layer %s: status is %s", l.output, rep.Status)}
	}
	r.result.Cycles += rep.Cycles
	r.result.Insts += rep.Insts
	for name, n := range rep.Stalls {
		r.result.Stalls[name] += n
	}
	if l.kernel.Unit == kernel.MAC {
		r.result.Work += l.kernel.Amount(job.Call)
	}
	return job, rep.Results["out"], nil
}

// checkLayers runs the recorded image and compares every layer, computed from the simulator's own
// output of the layer before, with the record; so must the golden model.
func (n *network) checkLayers(r *inference) *Failure {
	in, err := n.Oracle["input"].tensor()
	if err != nil {
		return &Failure{Kind: KindInput, Message: fmt.Sprintf("input: %v", err)}
	}
	for _, l := range n.layers {
		job, out, f := r.layer(n, l, in)
		if f != nil {
			return f
		}
		want := job.Want["out"]
		if f := differ("layer "+l.output, out, want); f != nil {
			return f
		}
		model, err := kernel.NewJob(job.Call)
		if err != nil {
			return &Failure{Kind: KindGolden, Message: fmt.Sprintf("layer %s: %v", l.output, err)}
		}
		if f := differ("layer "+l.output, model.Want["out"], want); f != nil {
			f.Kind, f.Message = KindGolden, "the golden model differs from the record: "+f.Message
			return f
		}
		in = out
	}
	return nil
}

// checkImages classifies the labelled images.
func (n *network) checkImages(r *inference, correct int) *Failure {
	var set images
	if err := readFile("small_test_base.json.gz", &set); err != nil {
		return &Failure{Kind: KindInput, Message: err.Error()}
	}
	first, err := n.Oracle["input"].tensor()
	if err != nil {
		return &Failure{Kind: KindInput, Message: fmt.Sprintf("input: %v", err)}
	}
	size, right := first.Len(), 0
	var wrong []string
	for i, label := range set.Labels {
		if len(set.Pixels) < (i+1)*size {
			return &Failure{Kind: KindInput, Message: fmt.Sprintf("image %d is missing", i)}
		}
		in := *first
		in.Ints = make([]int64, size)
		for j, v := range set.Pixels[i*size:][:size] {
			in.Ints[j] = int64(v) - 128 // pixels are -1..1 with seven fractional bits
		}
		out := &in
		for _, l := range n.layers {
			var f *Failure
			if _, out, f = r.layer(n, l, out); f != nil {
				f.Message = fmt.Sprintf("image %d: %s", i, f.Message)
				return f
			}
		}
		if got := largest(out.Ints); got == label {
			right++
		} else {
			wrong = append(wrong, fmt.Sprintf("image %d as %d, is %d", i, got, label))
		}
	}
	if right != correct {
		return &Failure{Kind: KindAccuracy, Message: fmt.Sprintf("%d of %d images classified right, expected %d; %s",
			right, len(set.Labels), correct, strings.Join(wrong, "; "))}
	}
	return nil
}

// largest is the index of the largest element, the first of equals.
func largest(data []int64) int {
	best := 0
	for i, v := range data {
		if v > data[best] {
			best = i
		}
	}
	return best
}
