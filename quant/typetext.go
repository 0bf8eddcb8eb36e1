package quant

import (
	"fmt"
	"strings"
)

// String is the canonical text of a type, as MLIR prints it.
func (t Type) String() string {
	var b strings.Builder
	switch t.Form {
	case AnyType:
		fmt.Fprintf(&b, "!quant.any<%s", t.storageText())
		if t.Expressed != NoFloat {
			fmt.Fprintf(&b, ":%s", t.Expressed)
		}
	case PerLayer:
		fmt.Fprintf(&b, "!quant.uniform<%s:%s, %s", t.storageText(), t.Expressed, t.Params[0].text())
	case PerAxis:
		fmt.Fprintf(&b, "!quant.uniform<%s:%s:%d, {%s}", t.storageText(), t.Expressed, t.Axis, joined(t.Params, ","))
	case SubChannel:
		blocks := make([]string, len(t.Blocks))
		for i, k := range t.Blocks {
			blocks[i] = fmt.Sprintf("%d:%d", k.Axis, k.Size)
		}
		fmt.Fprintf(&b, "!quant.uniform<%s:%s:{%s}, %s", t.storageText(), t.Expressed,
			strings.Join(blocks, ", "), nested(t.Grid, t.Params))
	case Calibrated:
		fmt.Fprintf(&b, "!quant.calibrated<%s<%s:%s>", t.Expressed, FormatReal(t.Lo), FormatReal(t.Hi))
	case Quantile:
		b.WriteString(strings.TrimSuffix(t.Table.String(), ">"))
	}
	b.WriteByte('>')
	return b.String()
}

func (t Type) storageText() string {
	if t.Table != nil {
		return t.Table.String()
	}
	return t.Storage.String()
}

func (tb Table) String() string {
	values := make([]string, len(tb.Values))
	for i, v := range tb.Values {
		values[i] = FormatReal(v)
	}
	text := fmt.Sprintf("!quant.quantile<%s:%s, {%s}", tb.Storage.Whole(), tb.Of, strings.Join(values, ","))
	if tb.Narrowed {
		text += fmt.Sprintf(", <%d:%d>", tb.Storage.Min, tb.Storage.Max)
	}
	return text + ">"
}

func (p Params) text() string {
	if p.ZeroPoint == 0 {
		return FormatReal(p.Scale)
	}
	return fmt.Sprintf("%s:%d", FormatReal(p.Scale), p.ZeroPoint)
}

func joined(list []Params, separator string) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.text()
	}
	return strings.Join(texts, separator)
}

// nested prints the scales of blocks with a brace for each dimension.
func nested(grid []int, list []Params) string {
	if len(grid) <= 1 {
		return "{" + joined(list, ", ") + "}"
	}
	parts := make([]string, grid[0])
	step := len(list) / grid[0]
	for i := range parts {
		parts[i] = nested(grid[1:], list[i*step:(i+1)*step])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
