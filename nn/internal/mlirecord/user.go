package mlirecord

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
)

// The user tests of MLI 2.0 publish checksums over the memory of all tensors of a case, holes included. A line has
// the group, the description, the configuration and that memory; the record made of it has strides.

// Move is the function of cases that are moves, whose configuration a line does not have.
const Move = "mli_mov_tensor_sync"

// userLine is a line of a file of user tests.
type userLine struct {
	Group   string
	Descr   string
	Cfg     map[string]json.RawMessage
	Tensors []userTensor
	Names   []string    `json:"tensor_names"`
	Slope   *userTensor // not part of the checksum
	CellIn  *userTensor `json:"cell_in"`
}

type userTensor struct {
	tensorJSON
	Raw string
}

// UserCase is a case of the user tests: the record, and the memory that its checksum is over.
type UserCase struct {
	*Record
	Group, Descr string
	names        []string
	memory       [][]byte
}

// userKernels are the functions that groups call, without their types; elementwise ones are named in the description.
var userKernels = map[string]string{"mli_krn_conv2d": "conv2d_hwcn", "mli_krn_depthwise_conv": "depthwise_conv2d_hwcn",
	"mli_krn_group_conv2d": "group_conv2d_hwcn", "mli_krn_transpose_conv2d": "transpose_conv2d_hwcn", "mli_krn_avepool": "avepool_hwc",
	"mli_krn_maxpool": "maxpool_hwc"}

// kernel is the function of a case, by its group, its types and its description.
func (u *userLine) kernel() (string, error) {
	if u.Group == "mli_hlp_convert_tensor" {
		return u.Group, nil
	}
	if u.Group == "mli_krn_data_movement" {
		return Move, nil
	}
	name, ok := userKernels[u.Group]
	if !ok {
		name = strings.TrimPrefix(u.Group, "mli_krn_")
	}
	for _, op := range []string{"Add", "Sub", "Mul", "Max", "Min"} {
		if name == "eltwise" && strings.Contains(u.Descr, " "+op+" ") {
			name += "_" + strings.ToLower(op)
		}
	}
	types := u.Tensors[0].Type
	if i := slices.IndexFunc(u.Names, func(s string) bool { return s[0] == 'w' }); i >= 0 {
		switch w := u.Tensors[i].Type; {
		case types == "sa8":
			types = "sa8_sa8_sa32"
		case w != types:
			types += "_" + w + "_" + w
		}
	}
	if name == "fully_connected" && strings.HasSuffix(u.Descr, " Spec") {
		types += "_ext_bias"
	}
	return "mli_krn_" + name + "_" + types, nil
}

// tensor reads the elements of a tensor out of its memory.
func (u *userTensor) tensor() (_ *nn.Tensor, _ []byte, err error) {
	defer steps.Return(&err)
	raw := steps.Must(hex.DecodeString(u.Raw))
	j := u.tensorJSON
	if j.Shape == nil {
		j.Shape = []int{}
	}
	t := steps.Must(j.describe())
	steps.Check(nn.CheckShape(t.Shape))
	if len(u.Strides) != len(t.Shape) {
		return nil, nil, fmt.Errorf("%d strides for %d dimensions", len(u.Strides), len(t.Shape))
	}
	if t.Len()*t.Type.Bytes() > len(raw) {
		return nil, nil, fmt.Errorf("%d elements in %d bytes", t.Len(), len(raw))
	}
	t.Alloc()
	for i := range t.Len() {
		b := steps.Must(element(raw, i, t, u.Strides))
		var word [4]byte
		copy(word[:], b)
		v := int32(binary.LittleEndian.Uint32(word[:])) << (32 - 8*len(b)) >> (32 - 8*len(b))
		if t.Type.Float() {
			t.Floats[i] = math.Float32frombits(uint32(v))
		} else {
			t.Ints[i] = int64(v)
		}
	}
	return t, raw, t.Check()
}

// element is the memory of element i of a tensor.
func element(raw []byte, i int, t *nn.Tensor, strides []int) ([]byte, error) {
	at := 0
	for d, x := range nn.Coordinates(i, t.Shape) {
		at += x * strides[d]
	}
	size := t.Type.Bytes()
	if at < 0 || (at+1)*size > len(raw) {
		return nil, fmt.Errorf("element %d is beyond the %d bytes", i, len(raw))
	}
	return raw[at*size : (at+1)*size], nil
}

// ParseUser reads a line of a file of user tests.
func ParseUser(line []byte) (_ *UserCase, err error) {
	defer steps.Return(&err)
	var u userLine
	steps.Check(json.Unmarshal(line, &u))
	if len(u.Tensors) == 0 || len(u.Names) != len(u.Tensors) {
		return nil, errors.New("no tensors, or not as many names")
	}
	name, err := u.kernel()
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", u.Group, u.Descr, err)
	}
	c := &UserCase{Group: u.Group, Descr: u.Descr, names: u.Names, Record: &Record{Lib: "2.0", Kernel: name, Round: nn.Convergent,
		Attrs: nn.Attrs{}, Tensors: map[string]*nn.Tensor{}, Strides: map[string][]int{}, Engine: "user tests"}}
	for key, raw := range u.Cfg {
		c.Attrs[key] = steps.Must(parseAttr(key, raw))
	}
	add := func(role string, x *userTensor) error {
		t, raw, err := x.tensor()
		if err != nil {
			return fmt.Errorf("tensor %q: %w", role, err)
		}
		c.Tensors[role] = t
		c.memory = append(c.memory, raw)
		if len(t.Shape) > 0 {
			c.Strides[strings.TrimSuffix(strings.TrimSuffix(role, after), before)] = x.Strides
		}
		return nil
	}
	for i := range u.Tensors {
		steps.Check(add(u.Names[i], &u.Tensors[i]))
	}
	for role, x := range map[string]*userTensor{"slope": u.Slope, "cell_in": u.CellIn} {
		if x == nil {
			continue
		}
		steps.Check(add(role, x))
		c.memory = c.memory[:len(u.Tensors)]
	}
	return c, nil
}

// Checksum is the published checksum with results in the place of those recorded.
func (c *UserCase) Checksum(results map[string]*nn.Tensor) (uint32, error) {
	sum := uint32(0)
	for i, name := range c.names {
		raw := slices.Clone(c.memory[i])
		t := results[strings.TrimSuffix(name, after)]
		if c.InPlace() && name == "in" {
			t = results["out"]
		}
		if recorded := c.Tensors[name]; t != nil && !strings.HasSuffix(name, before) {
			if t.Len() != recorded.Len() {
				return 0, fmt.Errorf("%s has %d elements, %d are recorded", name, t.Len(), recorded.Len())
			}
			strides := c.Strides[strings.TrimSuffix(name, after)]
			for k := range t.Len() {
				b, err := element(raw, k, recorded, strides)
				if err != nil {
					return 0, err
				}
				var word [4]byte
				v := uint32(0)
				if t.Type.Float() {
					v = math.Float32bits(t.Floats[k])
				} else {
					v = uint32(t.Ints[k])
				}
				binary.LittleEndian.PutUint32(word[:], v)
				copy(b, word[:])
			}
		}
		sum = crc32.Update(sum, crc32.IEEETable, raw)
	}
	return sum, nil
}

// Memory is the memory of a tensor as it was after the call, holes included; nil when it is not part of the checksum.
func (c *UserCase) Memory(role string) []byte {
	if i := slices.Index(c.names, role); i >= 0 {
		return slices.Clone(c.memory[i])
	}
	return nil
}

// InPlace reports whether the case wrote its output over the input: the recorded input is then the output.
func (c *UserCase) InPlace() bool {
	return strings.HasSuffix(c.Descr, "IPC") && bytes.Equal(c.Memory("in"), c.Memory("out"))
}
