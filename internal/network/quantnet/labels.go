package quantnet

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/nn"
)

// maxLabel bounds the number of a class: far above any classifier, and small enough that all of them count.
const maxLabel = 1 << 20

// ReadLabels reads the classes of inputs: a NumPy array of whole numbers, or text with one number per line. Lines that
// are empty or begin with # do not count.
func ReadLabels(data []byte) ([]int, error) {
	if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
		shape, values, err := nn.ParseNPYReals(data)
		if err != nil {
			return nil, err
		}
		if len(shape) != 1 && (len(shape) != 2 || shape[1] != 1) {
			return nil, fmt.Errorf("labels of shape %v, they must be a list", shape)
		}
		labels := make([]int, len(values))
		for i, v := range values {
			if !(v >= 0 && v <= maxLabel && v == math.Trunc(v)) {
				return nil, fmt.Errorf("label %d is %g, it must be a whole number from 0 to %d", i, v, maxLabel)
			}
			labels[i] = int(v)
		}
		return labels, nil
	}
	var labels []int
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := strconv.Atoi(line)
		if err != nil || v < 0 || v > maxLabel {
			return nil, fmt.Errorf("line %d: %.40q is no class from 0 to %d", i+1, line, maxLabel)
		}
		labels = append(labels, v)
	}
	if len(labels) == 0 {
		return nil, fmt.Errorf("no labels")
	}
	return labels, nil
}
