package calculator

import (
	"fmt"
	"strings"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Number reads a fixed-point format or a quantized type.
func Number(text string) (quant.Type, error) {
	if strings.HasPrefix(strings.ToUpper(text), "Q") {
		f, err := quant.ParseQ(text)
		if err != nil {
			return quant.Type{}, err
		}
		return f.Type()
	}
	return quant.ParseType(text)
}

// Table is the table of an activation function over all values of a type.
type Table struct {
	Name     string
	From, To string // as they were written
	Storage  quant.Storage
	Values   []int64
}

// Tensor is the table as an array of NumPy's.
func (t Table) Tensor() (*nn.Tensor, error) {
	element := containers[t.Storage.Bits]
	if !t.Storage.Signed {
		element = map[int]nn.Type{8: nn.U8, 16: nn.U16, 32: nn.U32}[t.Storage.Bits]
	}
	if element == nn.NoType {
		return nil, fmt.Errorf("NumPy has no elements of type %s", t.Storage)
	}
	return nn.FromInts(element, []int{len(t.Values)}, t.Values), nil
}

// C is the table as an array of C.
func (t Table) C() string {
	element := "int"
	if !t.Storage.Signed {
		element = "uint"
	}
	width := 8
	for width < t.Storage.Bits {
		width *= 2
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s of %s as %s. */\nconst %s%d_t %s_table[%d] = {", t.Name, t.From, t.To, element, width, t.Name, len(t.Values))
	for i, v := range t.Values {
		if i%16 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%d,", v)
	}
	b.WriteString("\n};\n")
	return b.String()
}
