package regress

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
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
	kernel  string
	weights string // "L1", "" for a layer without
	output  string // name of the recorded output
	params  map[string]int
	perm    []int
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
	Data  []int32 `json:"data"`
}

func (r *tensorRecord) tensor() (*golden.Tensor, error) {
	if r == nil {
		return nil, fmt.Errorf("missing")
	}
	typ, err := golden.ParseType(r.Type)
	if err != nil {
		return nil, err
	}
	t := &golden.Tensor{Type: typ, Frac: r.Frac, Shape: r.Shape, Data: r.Data, Dim: -1}
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
func newNetwork(size, data, mac string) *network {
	n := &network{}
	conv := func(i string) layer {
		return layer{kernel: "conv2d_chw_" + mac, weights: "L" + i, output: "ir_conv" + i,
			params: map[string]int{"stride_w": 1, "stride_h": 1, "pad_l": 2, "pad_r": 2, "pad_t": 2, "pad_b": 2, "relu": 1}}
	}
	pool := func(i, kind string) layer {
		return layer{kernel: kind + "pool_chw_" + data, output: "ir_pool" + i, params: map[string]int{
			"kernel_w": 3, "kernel_h": 3, "stride_w": 2, "stride_h": 2, "pad_r": 1, "pad_b": 1}}
	}
	dense := func(weights, output string) layer {
		return layer{kernel: "fully_connected_" + mac, weights: weights, output: output}
	}
	n.layers = []layer{
		{kernel: "permute_" + data, output: "RGB_2_CHW", perm: []int{2, 0, 1}},
		conv("1"), pool("1", "max"), conv("2"), pool("2", "ave"), conv("3"), pool("3", "ave"),
		dense("L4", "ir_ip1"),
	}
	if size == "big" {
		n.layers = append(n.layers, dense("L5", "ir_ip2"))
	}
	n.layers = append(n.layers, layer{kernel: "softmax_" + data, output: "ir_prob"})
	for i := range n.layers {
		n.layers[i].kernel = "mli_krn_" + n.layers[i].kernel
	}
	return n
}

// kernels lists the functions the network calls.
func (n *network) kernels() []string {
	var names []string
	for _, l := range n.layers {
		names = append(names, l.kernel)
	}
	return names
}

// planNetworks plans all variants: the layers of the recorded image, then the 20 images.
func (s *Suite) planNetworks() error {
	for _, size := range networks {
		if s.Short && !size.short {
			continue
		}
		for _, types := range networkTypes {
			n := newNetwork(size.size, types.data, types.mac)
			group := fmt.Sprintf("cifar10_%s_%s", size.size, types.mac)
			file := fmt.Sprintf("cifar10_%s_%s.json.gz", size.size, types.file)
			for _, core := range s.Cores {
				planned := func(what string) []Case {
					return []Case{{Name: fmt.Sprintf("%s/%s/%v/%s", group, what, golden.Convergent, core), Group: group,
						Core: core, Round: golden.Convergent, Recorded: true}}
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

// call is the case of one layer; in is its input.
func (n *network) call(l layer, in *golden.Tensor) (*golden.Case, golden.Result, error) {
	c := &golden.Case{Lib: golden.MLI11, Kernel: l.kernel, Round: golden.Convergent,
		Tensors: map[string]*golden.Tensor{"in": in},
		Params:  golden.Params{Ints: l.params, Lists: map[string][]int{"perm": l.perm}}}
	want, err := n.Oracle[l.output].tensor()
	if err != nil {
		return nil, golden.Result{}, fmt.Errorf("layer %s: %w", l.output, err)
	}
	c.Tensors["out"] = want
	if l.weights != "" {
		for role, name := range map[string]string{"w": l.weights + "_w", "b": l.weights + "_b"} {
			if c.Tensors[role], err = n.Weights[name].tensor(); err != nil {
				return nil, golden.Result{}, fmt.Errorf("weights %s: %w", name, err)
			}
		}
	}
	return c, golden.Result{Outputs: map[string]*golden.Tensor{"out": want}}, nil
}

// layer runs one layer on the simulator and returns its output.
func (r *inference) layer(n *network, l layer, in *golden.Tensor) (*golden.Case, *golden.Tensor, *Failure) {
	c, want, err := n.call(l, in)
	if err != nil {
		return nil, nil, &Failure{Kind: KindInput, Message: err.Error()}
	}
	k, err := mlikernels.Lookup(l.kernel)
	if err != nil {
		return nil, nil, &Failure{Kind: KindInput, Message: err.Error()}
	}
	rep, err := r.s.call(r.w, r.c, r.result.Case, k, &mlikernels.Job{Case: c}, want)
	if err != nil {
		return nil, nil, &Failure{Kind: KindFault, Message: fmt.Sprintf("layer %s: %v", l.output, err)}
	}
	if rep.Status != mlikernels.StatusOK {
		return nil, nil, &Failure{Kind: KindStatus, Message: fmt.Sprintf("layer %s: status is %v", l.output, rep.Status)}
	}
	r.result.Cycles += rep.Cycles
	r.result.Insts += rep.Insts
	for name, n := range rep.Stalls {
		r.result.Stalls[name] += n
	}
	if work, macs := k.Work(c, want); macs {
		r.result.Work += work
	}
	return c, rep.Outputs["out"], nil
}

// checkLayers runs the recorded image and compares every layer, computed from the simulator's own
// output of the layer before, with the record; so must the golden model.
func (n *network) checkLayers(r *inference) *Failure {
	in, err := n.Oracle["input"].tensor()
	if err != nil {
		return &Failure{Kind: KindInput, Message: fmt.Sprintf("input: %v", err)}
	}
	for _, l := range n.layers {
		c, out, f := r.layer(n, l, in)
		if f != nil {
			return f
		}
		want := c.Tensors["out"]
		if f := differ("layer "+l.output, out, want); f != nil {
			return f
		}
		model, err := golden.Run(c)
		if err != nil {
			return &Failure{Kind: KindGolden, Message: fmt.Sprintf("layer %s: %v", l.output, err)}
		}
		if f := differ("layer "+l.output, model.Outputs["out"], want); f != nil {
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
		in.Data = make([]int32, size)
		for j, v := range set.Pixels[i*size:][:size] {
			in.Data[j] = int32(v) - 128 // pixels are -1..1 with seven fractional bits
		}
		out := &in
		for _, l := range n.layers {
			var f *Failure
			if _, out, f = r.layer(n, l, out); f != nil {
				f.Message = fmt.Sprintf("image %d: %s", i, f.Message)
				return f
			}
		}
		if got := largest(out.Data); got == label {
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
func largest(data []int32) int {
	best := 0
	for i, v := range data {
		if v > data[best] {
			best = i
		}
	}
	return best
}
