package quant

// The scales in the text of a type: one, a list, or braces in braces.

import "math"

func (p *typeParser) params() (Params, error) {
	p.skip()
	start := p.at
	scale, err := p.real()
	one := Params{Scale: scale}
	if err != nil {
		return one, err
	}
	if err := one.Check(); err != nil {
		return one, p.fail(start, "%v", err)
	}
	if p.take(":") {
		one.ZeroPoint, err = p.integer()
	}
	return one, err
}

func (p *typeParser) axis() (int, error) {
	p.skip()
	start := p.at
	n, err := p.integer()
	if err == nil && (n < math.MinInt32 || n > math.MaxInt32) {
		err = p.fail(start, "axis %d does not fit 32 bits", n)
	}
	return int(n), err
}

// blocks reads axis:size pairs up to the brace.
func (p *typeParser) blocks(t *Type) error {
	if p.take("}") {
		return nil
	}
	for {
		axis, err := p.axis()
		if err != nil {
			return err
		}
		if err = p.want(":"); err != nil {
			return err
		}
		size, err := p.axis()
		if err != nil {
			return err
		}
		t.Blocks = append(t.Blocks, Block{Axis: axis, Size: size})
		if len(t.Blocks) > maxNesting {
			return p.fail(p.at, "blocks along more than %d axes", maxNesting)
		}
		if p.take("}") {
			return nil
		}
		if err = p.want(","); err != nil {
			return err
		}
	}
}

// list reads relations up to the brace.
func (p *typeParser) list(t *Type) error {
	for {
		one, err := p.params()
		if err != nil {
			return err
		}
		t.Params = append(t.Params, one)
		if p.take("}") {
			return nil
		}
		if err = p.want(","); err != nil {
			return err
		}
	}
}

// nested reads braces in braces, all lists of one depth equally long.
func (p *typeParser) nested(t *Type, depth int) error {
	p.skip()
	start := p.at
	if err := p.want("{"); err != nil {
		return err
	}
	if depth >= maxNesting {
		return p.fail(start, "braces more than %d deep", maxNesting)
	}
	p.skip()
	length, leaf := 0, p.at >= len(p.text) || p.text[p.at] != '{'
	if leaf {
		before := len(t.Params)
		if err := p.list(t); err != nil {
			return err
		}
		length = len(t.Params) - before
	} else {
		for {
			if err := p.nested(t, depth+1); err != nil {
				return err
			}
			length++
			if p.take("}") {
				break
			}
			if err := p.want(","); err != nil {
				return err
			}
		}
	}
	// Inner lists close first, so the grid is filled from its end; -1 stands for not known yet.
	for len(t.Grid) <= depth {
		t.Grid = append(t.Grid, -1)
	}
	switch {
	case leaf && p.leaf != depth+1 && p.leaf != 0:
		return p.fail(start, "braces of different depth")
	case t.Grid[depth] >= 0 && t.Grid[depth] != length:
		return p.fail(start, "a list of %d among lists of %d", length, t.Grid[depth])
	}
	if leaf {
		p.leaf = depth + 1
	}
	t.Grid[depth] = length
	return nil
}
