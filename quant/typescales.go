package quant

// The scales in the text of a type: one, a list, or braces in braces.

import "math"

func (p *typeParser) params() Params {
	p.skip()
	start := p.at
	one := Params{Scale: p.real()}
	if err := one.Check(); err != nil {
		panic(p.fail(start, "%v", err))
	}
	if p.take(":") {
		one.ZeroPoint = p.integer()
	}
	return one
}

func (p *typeParser) axis() int {
	p.skip()
	start := p.at
	n := p.integer()
	p.refuse(n < math.MinInt32 || n > math.MaxInt32, start, "axis %d does not fit 32 bits", n)
	return int(n)
}

// blocks reads axis:size pairs up to the brace.
func (p *typeParser) blocks(t *Type) {
	if p.take("}") {
		return
	}
	p.some(func() {
		b := Block{Axis: p.axis()}
		p.want(":")
		b.Size = p.axis()
		if t.Blocks = append(t.Blocks, b); len(t.Blocks) > maxNesting {
			panic(p.fail(p.at, "blocks along more than %d axes", maxNesting))
		}
	})
}

// list reads relations up to the brace.
func (p *typeParser) list(t *Type) {
	p.some(func() { t.Params = append(t.Params, p.params()) })
}

// nested reads braces in braces, all lists of one depth equally long.
func (p *typeParser) nested(t *Type, depth int) {
	p.skip()
	start := p.at
	p.want("{")
	p.refuse(depth >= maxNesting, start, "braces more than %d deep", maxNesting)
	p.skip()
	length, leaf := 0, p.at >= len(p.text) || p.text[p.at] != '{'
	if leaf {
		before := len(t.Params)
		p.list(t)
		length = len(t.Params) - before
	} else {
		p.some(func() {
			p.nested(t, depth+1)
			length++
		})
	}
	// Inner lists close first, so the grid is filled from its end; -1 stands for not known yet.
	for len(t.Grid) <= depth {
		t.Grid = append(t.Grid, -1)
	}
	switch {
	case leaf && p.leaf != depth+1 && p.leaf != 0:
		panic(p.fail(start, "braces of different depth"))
	case t.Grid[depth] >= 0 && t.Grid[depth] != length:
		panic(p.fail(start, "a list of %d among lists of %d", length, t.Grid[depth]))
	}
	if leaf {
		p.leaf = depth + 1
	}
	t.Grid[depth] = length
}
