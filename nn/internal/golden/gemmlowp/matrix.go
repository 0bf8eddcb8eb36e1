package gemmlowp

import (
	"fmt"

	"arcv2dsp/nn"
)

// Order says which neighbours of a matrix lie side by side in memory.
type Order uint8

const (
	RowMajor Order = iota
	ColMajor
)

// ParseOrder reads "row" or "col".
func ParseOrder(s string) (Order, error) {
	switch s {
	case "row":
		return RowMajor, nil
	case "col":
		return ColMajor, nil
	}
	return 0, fmt.Errorf("order %q is neither row nor col", s)
}

func (o Order) String() string {
	if o == ColMajor {
		return "col"
	}
	return "row"
}

// Matrix is a window on stored elements. Stride is the distance of two rows (row-major) or two columns;
// elements between the window's end and the stride belong to somebody else.
type Matrix struct {
	Rows, Cols int
	Order      Order
	Stride     int
	Data       []int64
}

// Dense is a row-major matrix without gaps.
func Dense(rows, cols int, data []int64) Matrix {
	return Matrix{Rows: rows, Cols: cols, Stride: cols, Data: data}
}

// Index is the place of the element in row r and column c.
func (m Matrix) Index(r, c int) int {
	if m.Order == ColMajor {
		return c*m.Stride + r
	}
	return r*m.Stride + c
}

// At is the element in row r and column c.
func (m Matrix) At(r, c int) int64 { return m.Data[m.Index(r, c)] }

// Extent is the number of stored elements the window spans.
func (m Matrix) Extent() int { return m.Index(m.Rows-1, m.Cols-1) + 1 }

// Check fails for a window that is empty, overlaps itself or exceeds the elements. A window without
// elements is one to be computed.
func (m Matrix) Check(name string) error {
	width, lines := m.Cols, "columns"
	if m.Order == ColMajor {
		width, lines = m.Rows, "rows"
	}
	switch {
	case nn.CheckShape([]int{m.Rows, m.Cols}) != nil:
		return fmt.Errorf("%s: %d x %d is no size of a matrix", name, m.Rows, m.Cols)
	case m.Order > ColMajor:
		return fmt.Errorf("%s: order %d", name, m.Order)
	case m.Stride < width:
		return fmt.Errorf("%s: stride %d is below its %d %s", name, m.Stride, width, lines)
	case m.Stride > nn.MaxElements || m.Extent() > nn.MaxElements:
		return fmt.Errorf("%s: stride %d spreads it over more than %d elements", name, m.Stride, nn.MaxElements)
	case len(m.Data) < m.Extent():
		return fmt.Errorf("%s: %d elements, %d are needed", name, len(m.Data), m.Extent())
	}
	return nil
}
