package tflite

import (
	"math"
	"slices"

	"arcv2dsp/nn"
)

// mostDetections bounds the detections of a picture.
const mostDetections = 1 << 16

var detectionPostprocess = &nn.Operator{
	Library: nn.TFLite, Name: "TFLite_Detection_PostProcess",
	Doc:     "boxes, classes and scores of what is in a picture, of those that overlap the best",
	Inputs:  []nn.Port{{Role: "boxes"}, {Role: "scores"}, {Role: "anchors", Weights: true}},
	Outputs: []nn.Port{{Role: "detection_boxes"}, {Role: "detection_classes"}, {Role: "detection_scores"}, {Role: "count"}},
	Types:   sameTypes(7, nn.F32),
	Attrs: []nn.AttrSpec{
		{Name: "max_detections", Default: 0, Doc: "detections at most"},
		{Name: "max_classes_per_detection", Default: 1, Doc: "classes of a detection"},
		{Name: "detections_per_class", Default: 100, Doc: "detections of a class, with use_regular_nms"},
		{Name: "use_regular_nms", Default: false, Doc: "boxes of each class by themselves"},
		{Name: "nms_score_threshold", Default: 0.0, Doc: "the least score"},
		{Name: "nms_iou_threshold", Default: 0.0, Doc: "common area by whole area, above which boxes are one"},
		{Name: "num_classes", Default: 0, Doc: "classes, without the background"},
		{Name: "y_scale", Default: 0.0, Doc: "divides the row of a center"},
		{Name: "x_scale", Default: 0.0, Doc: "divides the column of a center"},
		{Name: "h_scale", Default: 0.0, Doc: "divides the logarithm of a height"},
		{Name: "w_scale", Default: 0.0, Doc: "divides the logarithm of a width"},
	},
	Check: ruled(func(c *nn.Call) {
		boxes, scores, anchors := c.In[0], c.In[1], c.In[2]
		for i, want := range []int{3, 3, 2} {
			rank(c.Op.Inputs[i].Role, c.In[i], want)
		}
		most, classes, each := c.Attrs.Int("max_detections"), c.Attrs.Int("num_classes"), c.Attrs.Int("max_classes_per_detection")
		if most < 1 || most > mostDetections || classes < 1 || each < 1 || c.Attrs.Int("detections_per_class") < 1 {
			panic(violation("detections", "%d detections of %d classes, %d of each box, %d of each class", most, classes, each, c.Attrs.Int("detections_per_class")))
		}
		if boxes.Dim(0) != 1 || boxes.Dim(2) < 4 || scores.Dim(0) != 1 || scores.Dim(1) != boxes.Dim(1) || anchors.Dim(0) != boxes.Dim(1) || anchors.Dim(1) != 4 {
			panic(violation("shape", "boxes %v, scores %v, anchors %v", boxes.Shape, scores.Shape, anchors.Shape))
		}
		if background := scores.Dim(2) - classes; background != 0 && background != 1 {
			panic(violation("shape", "%d scores of %d classes", scores.Dim(2), classes))
		}
		for i, want := range []int{4 * most, most, most, 1} {
			if n := c.Out[i].Len(); n < want {
				panic(violation("shape", "%s has %d elements, %d detections need %d", c.Op.Outputs[i].Role, n, most, want))
			}
		}
	}),
	Golden: ruled(func(c *nn.Call) {
		d := detector{Call: c, boxes: cornersOf(c), classes: c.Attrs.Int("num_classes"), most: c.Attrs.Int("max_detections"),
			least: float32(c.Attrs.Float("nms_score_threshold")), overlap: float32(c.Attrs.Float("nms_iou_threshold"))}
		for _, b := range d.boxes {
			if !(b.ymin < b.ymax) || !(b.xmin < b.xmax) {
				panic(&nn.Violation{Outcome: nn.Unpredictable, Condition: "boxes", Detail: "a box has no area"})
			}
		}
		if c.Attrs.Bool("use_regular_nms") {
			d.byClass()
			return
		}
		d.byBox()
	}),
}

// corners is a box.
type corners struct{ ymin, xmin, ymax, xmax float32 }

// cornersOf are the boxes, which come as a center relative to an anchor and the logarithms of their sides. Centers and
// half sides are rounded to single precision, and so are sums.
func cornersOf(c *nn.Call) []corners {
	in, anchors := c.In[0], c.In[2]
	list := make([]corners, in.Dim(1))
	for i := range list {
		code := func(k int) float64 { return float64(in.Floats[i*in.Dim(2)+k]) }
		anchor := func(k int) float64 { return float64(anchors.Floats[4*i+k]) }
		attr := func(name string) float64 { return float64(float32(c.Attrs.Float(name))) }
		y := float32(code(0)/attr("y_scale")*anchor(2) + anchor(0))
		x := float32(code(1)/attr("x_scale")*anchor(3) + anchor(1))
		h := float32(0.5 * math.Exp(code(2)/attr("h_scale")) * anchor(2))
		w := float32(0.5 * math.Exp(code(3)/attr("w_scale")) * anchor(3))
		list[i] = corners{ymin: y - h, xmin: x - w, ymax: y + h, xmax: x + w}
	}
	return list
}

// shared is the common area of two boxes by that of both together.
func (b corners) shared(o corners) float32 {
	area := func(b corners) float32 { return float32((b.ymax - b.ymin) * (b.xmax - b.xmin)) }
	if area(b) <= 0 || area(o) <= 0 {
		return 0
	}
	h := max(min(b.ymax, o.ymax)-max(b.ymin, o.ymin), 0)
	w := max(min(b.xmax, o.xmax)-max(b.xmin, o.xmin), 0)
	common := float32(h * w)
	return common / float32(float32(area(b)+area(o))-common)
}

// detector chooses boxes.
type detector struct {
	*nn.Call
	boxes          []corners
	classes, most  int
	least, overlap float32
}

// score is that of a class for a box.
func (d *detector) score(box, class int) float32 {
	n := d.In[1].Dim(2)
	return d.In[1].Floats[box*n+n-d.classes+class]
}

// choose picks boxes by their scores, the best first, and none that shares much with one that it picked.
func (d *detector) choose(score func(box int) float32, most int) []int {
	var left []int
	for i := range d.boxes {
		if score(i) >= d.least {
			left = append(left, i)
		}
	}
	slices.SortStableFunc(left, func(a, b int) int { return descending(score(a), score(b)) })
	var chosen []int
	for _, i := range left {
		if len(chosen) == min(most, d.most) {
			break
		}
		if !slices.ContainsFunc(chosen, func(j int) bool { return d.boxes[j].shared(d.boxes[i]) > d.overlap }) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func descending(a, b float32) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// put writes a detection.
func (d *detector) put(at, box, class int) {
	b := d.boxes[box]
	copy(d.Out[0].Floats[4*at:], []float32{b.ymin, b.xmin, b.ymax, b.xmax})
	d.Out[1].Floats[at], d.Out[2].Floats[at] = float32(class), d.score(box, class)
}

// byBox lets each box stand for its best classes.
func (d *detector) byBox() {
	each := min(d.Attrs.Int("max_classes_per_detection"), d.classes)
	ranked := func(box int) []int {
		list := make([]int, d.classes)
		for i := range list {
			list[i] = i
		}
		slices.SortStableFunc(list, func(a, b int) int { return descending(d.score(box, a), d.score(box, b)) })
		return list[:each]
	}
	found := 0
	for _, box := range d.choose(func(box int) float32 { return d.score(box, ranked(box)[0]) }, d.most) {
		for k, class := range ranked(box) {
			at := each*found + k
			if at >= d.Out[1].Len() || 4*at+3 >= d.Out[0].Len() || at >= d.Out[2].Len() {
				panic(&nn.Violation{Outcome: nn.Unpredictable, Condition: "detections", Detail: "classes of boxes go beyond the outputs"})
			}
			d.put(at, box, class)
			found++
		}
	}
	d.Out[3].Floats[0] = float32(found)
}

// byClass chooses boxes for each class, and the best of all.
func (d *detector) byClass() {
	type detection struct{ box, class int }
	var best []detection
	for class := range d.classes {
		for _, box := range d.choose(func(box int) float32 { return d.score(box, class) }, d.Attrs.Int("detections_per_class")) {
			best = append(best, detection{box, class})
		}
		slices.SortStableFunc(best, func(a, b detection) int { return descending(d.score(a.box, a.class), d.score(b.box, b.class)) })
		best = best[:min(len(best), d.most)]
	}
	for i, b := range best {
		d.put(i, b.box, b.class)
	}
	d.Out[3].Floats[0] = float32(len(best))
}
