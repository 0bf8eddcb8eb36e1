package tflite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// readTensor reads a tensor. One of type RESOURCE stands for a variable and has no elements of its own.
func (m *model) readTensor(t flatbuffer.View) (nn.Value, error) {
	v := nn.Value{Name: readable(t.Text(tensorName)), Variable: t.Bool(tensorVariable), Tensor: &nn.Tensor{}}
	x := v.Tensor
	code := int(t.Byte(tensorType, 0))
	if code == resourceType {
		return v, nil
	}
	var err error
	if x.Type, err = typeOf(code); err != nil {
		return v, err
	}
	if t.Has(tensorSparsity) {
		return v, errors.New("a sparse tensor")
	}
	if t.Uint(tensorExternal) != 0 {
		return v, errors.New("the contents are in another file")
	}
	x.Shape = t.Vector(tensorShape, 4).Ints()
	if m.Err() != nil {
		return v, m.Err()
	}
	if err := nn.CheckShape(x.Shape); err != nil {
		return v, err
	}
	if m.elements += x.Len(); m.elements > m.most {
		return v, &ElementsError{Most: m.most}
	}
	if q, ok := t.Table(tensorQuantization); ok {
		if err := m.readFormat(q, x); err != nil {
			return v, err
		}
	}
	if err := m.readElements(t.Uint(tensorBuffer), x); err != nil {
		return v, err
	}
	if v.Variable && !x.Filled() && x.Type != nn.I8 {
		x.Alloc() // variables begin with zero bytes, those of int8 with their zero point
	}
	return v, nil
}

// readFormat reads scales and zero points. Tensors of floats have none that count.
func (m *model) readFormat(q flatbuffer.View, x *nn.Tensor) error {
	if q.Byte(quantDetailsType, 0) != 0 {
		return errors.New("a quantization other than by scale and zero point")
	}
	scales, zeros := q.Vector(quantScale, 4).Floats(), q.Vector(quantZeroPoint, 8).Longs()
	if len(scales) == 0 || x.Type.Float() || m.Err() != nil {
		return m.Err()
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: scales, Zeros: zeros, Axis: q.Int(quantDimension, 0)}
	if len(x.Shape) == 1 {
		x.Format.Axis = 0 // some biases state the dimension of their weights
	}
	if len(zeros) > 1 && len(zeros) != len(scales) {
		return fmt.Errorf("%d zero points for %d scales", len(zeros), len(scales))
	}
	for _, z := range zeros {
		if !nn.I32.Holds(z) {
			return fmt.Errorf("zero point %d has more than 32 bits", z)
		}
	}
	return nil
}

// readElements gives a tensor the contents of its buffer, if it has any. Buffer 0 is empty by
// convention.
func (m *model) readElements(buffer int, x *nn.Tensor) error {
	if buffer >= m.buffers.Len() {
		return fmt.Errorf("there is no buffer %d", buffer)
	}
	t := m.buffers.Table(buffer)
	if t.Long(bufferOffset) > 1 {
		return errors.New("the contents are outside the table of its buffer")
	}
	data := t.Vector(bufferData, 1)
	if m.Err() != nil || buffer == 0 || data.Len() == 0 {
		return m.Err()
	}
	want := (x.Len()*fileBits(x.Type) + 7) / 8
	if data.Len() != want {
		return fmt.Errorf("the buffer has %d bytes, %s%v needs %d", data.Len(), x.Type, x.Shape, want)
	}
	// Contents may be shared between tensors; overlapping ones could make much of little.
	if m.decoded += want; m.decoded > maxCopies*m.size {
		return errors.New("the constants share their contents too often")
	}
	return decodeElements(data.Bytes(), x)
}

// fileBits is the room an element takes in a file.
func fileBits(t nn.Type) int {
	if t == nn.I4 {
		return 4
	}
	return 8 * t.Bytes()
}

// decodeElements unpacks little-endian elements; two elements of four bits are in one byte, the first
// in its low half.
func decodeElements(b []byte, x *nn.Tensor) error {
	x.Alloc()
	for i := range x.Floats {
		x.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	for i := range x.Ints {
		v := int64(nn.UintAt(b, i*fileBits(x.Type)/8, x.Type.Bytes()))
		if x.Type == nn.I4 {
			v >>= 4 * (i % 2)
		}
		x.Ints[i] = x.Type.Wrap(v)
		if x.Type == nn.U64 && v < 0 {
			return fmt.Errorf("element %d has 64 bits", i)
		}
	}
	return nil
}
