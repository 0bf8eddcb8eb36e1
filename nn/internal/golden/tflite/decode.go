package tflite

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"arcv2dsp/nn"
)

// Weights that a file holds in less room. Each encoded tensor comes with a description: a header of 16 bytes, and tables.

// The header of a description, and the ways of encoding.
const (
	decodeHeader  = 16
	byTable       = 0 // numbers of a few bits pick values from a table
	byHuffman     = 1 // words of any length are values
	byPruning     = 2 // one bit says that an element is no zero point
	headerKind    = 0
	headerVersion = 1
	headerOwn     = 4 // the version of the way
	headerBits    = 5 // byTable: bits of a number; byHuffman: bits of the first table less 1, and width of tables
	headerStride  = 6 // byTable: values of the table of a channel
)

var decode = &nn.Operator{
	Library: nn.TFLite, Name: "TFLM_DECODE", Doc: "unpacks constants: tables of values, Huffman codes, pruned elements",
	Inputs:  []nn.Port{{Role: "encoded", Weights: true}, {Role: "description", Weights: true}, {Role: "more", Weights: true, Variadic: true}},
	Outputs: []nn.Port{{Role: "out"}, {Role: "outs", Variadic: true}},
	Check: ruled(func(c *nn.Call) {
		refuse(len(c.Out) == 0 || len(c.In) != 2*len(c.Out), "shape", "%d inputs for %d outputs, there must be two for each", len(c.In), len(c.Out))
		for i, t := range c.In {
			constant(fmt.Sprintf("input %d", i), t)
		}
	}),
	Golden: func(c *nn.Call) error {
		for i, out := range c.Out {
			decoded := ruled(func(c *nn.Call) { decodeTensor(elementBytes(c.In[2*i]), elementBytes(c.In[2*i+1]), out) })
			if err := decoded(c); err != nil {
				return fmt.Errorf("output %d: %w", i, err)
			}
		}
		return nil
	},
}

// elementBytes are the elements of a tensor as a file has them.
func elementBytes(t *nn.Tensor) []byte {
	var b []byte
	for _, v := range t.Ints {
		b = nn.AppendInt(b, t.Type.Bytes(), v)
	}
	for _, v := range t.Floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func decodeTensor(data, description []byte, out *nn.Tensor) {
	if len(description) < decodeHeader || description[headerVersion] != 1 || description[headerOwn] != 1 {
		panic(violation("encoding", "the description of an encoded tensor is damaged, or not of version 1"))
	}
	d := decoder{data: data, header: description[:decodeHeader], tables: description[decodeHeader:], out: out}
	switch kind := description[headerKind]; kind {
	case byTable:
		d.table()
	case byHuffman:
		d.huffman()
	case byPruning:
		d.prune()
	default:
		panic(violation("encoding", "encoding %d, there are %d to %d", kind, byTable, byPruning))
	}
}

// Entries of Huffman tables: the top bit marks a value, four bits below it count, the others are the value or the way.
const (
	huffmanWide  = 0x01 // entries of 4 bytes, else of 2
	huffmanFirst = 0xF0 // bits of the first table less 1
)

// huffmanCount is the lowest of the four bits that count, by the bytes of an entry.
var huffmanCount = map[int]int{2: 11, 4: 27}

// decoder unpacks one tensor. Bits of data are read from the top of each byte.
type decoder struct {
	data, header, tables []byte
	out                  *nn.Tensor
	at                   int // bits
}

var errEncoded = violation("encoding", "the encoded elements or their tables end too early")

// take reads a number of n bits.
func (d *decoder) take(n int) int {
	v := 0
	for range n {
		if d.at>>3 >= len(d.data) {
			panic(errEncoded)
		}
		v = v<<1 | int(d.data[d.at>>3])>>(7-d.at&7)&1
		d.at++
	}
	return v
}

// value stores element i of a table as an element of the output.
func (d *decoder) value(i, entry int) {
	size := d.out.Type.Bytes()
	if entry < 0 || (entry+1)*size > len(d.tables) {
		panic(errEncoded)
	}
	d.set(i, int64(nn.UintAt(d.tables, entry*size, size)))
}

func (d *decoder) set(i int, v int64) {
	if d.out.Type.Float() {
		d.out.Floats[i] = math.Float32frombits(uint32(v))
	} else {
		d.out.Ints[i] = d.out.Type.Wrap(v)
	}
}

// channel is the channel of element i: along the first dimension, or the last when the scales run along it.
func (d *decoder) channel(i int) int {
	n := max(1, d.out.Format.Steps())
	switch axis := d.out.Format.Axis; {
	case n == 1:
		return 0
	case axis == len(d.out.Shape)-1:
		return i % n
	case axis == 0:
		return i / (d.out.Len() / n)
	default:
		panic(violation("encoding", "scales along dimension %d, neither the first nor the last", axis))
	}
}

func (d *decoder) table() {
	width, stride := int(d.header[headerBits]&7), int(d.header[headerStride])
	refuse(width == 0, "encoding", "numbers of 0 bits")
	for i := range d.out.Len() {
		n := d.take(width)
		ch := d.channel(i)
		d.value(i, ch*stride+n)
	}
}

func (d *decoder) prune() {
	if d.out.Type != nn.I8 {
		for _, z := range d.out.Format.Zeros {
			refuse(z != 0, "zero point", "a pruned tensor of %s has zero point %d, it must be 0", d.out.Type, z)
		}
	}
	next := 0
	for i := range d.out.Len() {
		there := d.take(1)
		ch := d.channel(i)
		if there == 0 {
			if !d.out.Type.Float() {
				d.out.Ints[i] = d.out.Format.Zero(ch)
			}
			continue
		}
		d.value(i, next)
		next++
	}
}

// huffman reads words by tables that lead to further ones. An entry is a value, with the bits that it took of the table,
// or the bits of the next table less 1 and where that lies behind the entry.
func (d *decoder) huffman() {
	size := 2 // bytes of an entry
	if d.header[headerBits]&huffmanWide != 0 {
		size = 4
	}
	first := int(d.header[headerBits]&huffmanFirst)>>bits.TrailingZeros8(huffmanFirst) + 1
	refuse(d.out.Type != nn.I8 && (size == 2 || d.out.Type != nn.I16), "types", "Huffman codes of %s in entries of %d bytes", d.out.Type, size)
	found, shift := 1<<(8*size-1), huffmanCount[size]
	for i := range d.out.Len() {
		width := first
		at := d.take(width)
		for turn := 0; ; turn++ {
			if at < 0 || (at+1)*size > len(d.tables) || turn > 32 {
				panic(errEncoded)
			}
			entry := int(nn.UintAt(d.tables, at*size, size))
			count := entry >> shift & (found>>shift - 1)
			if entry&found != 0 {
				d.at -= max(0, width-count)
				d.set(i, int64(entry&(1<<shift-1)))
				break
			}
			width = count + 1
			at += entry&(1<<shift-1) + d.take(width)
		}
	}
}
