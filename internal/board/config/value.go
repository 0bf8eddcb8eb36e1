package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/term/quantity"
)

// value is a place a property is stored in, with the rule for reading it from text.
type value interface {
	set(text string) error
	String() string
}

// flagValue is a yes/no option: 0 or 1, also on/off, true/false, yes/no.
type flagValue struct{ p *bool }

func (v flagValue) set(text string) error {
	switch strings.ToLower(text) {
	case "1", "on", "true", "yes":
		*v.p = true
	case "0", "off", "false", "no":
		*v.p = false
	default:
		return fmt.Errorf("%q is neither 0 nor 1", text)
	}
	return nil
}

func (v flagValue) String() string {
	if *v.p {
		return "1"
	}
	return "0"
}

// number is an unsigned integer: one of a list of values, or any of 0..max.
type number[T uint8 | uint16 | uint32] struct {
	p   *T
	of  []uint32 // allowed values; nil: 0..max
	max uint32
	hex bool // printed in hexadecimal
}

func (v number[T]) set(text string) error {
	n, err := parseUint(text)
	if err != nil {
		return err
	}
	if v.of != nil && !slices.Contains(v.of, n) {
		return fmt.Errorf("%d is not one of %s", n, joinUints(v.of))
	}
	if v.of == nil && n > v.max {
		return fmt.Errorf("%d is more than %d", n, v.max)
	}
	*v.p = T(n)
	return nil
}

func (v number[T]) String() string {
	if v.hex {
		return fmt.Sprintf("%#x", *v.p)
	}
	return strconv.FormatUint(uint64(*v.p), 10)
}

// cyclesByVersion is a number of 0..3, or auto where ARCVer decides.
type cyclesByVersion struct{ p *uint32 }

func (v cyclesByVersion) set(text string) error {
	if text == "auto" {
		*v.p = byVersion
		return nil
	}
	return upTo(v.p, 3).set(text)
}

func (v cyclesByVersion) String() string {
	if *v.p == byVersion {
		return "auto"
	}
	return upTo(v.p, 3).String()
}

// volatileNumber is a bound of the volatile region, in units of 256 MB. Giving one says that the core has
// such a region.
type volatileNumber struct {
	region *cpu.Volatile
	p      *uint32
}

func (v volatileNumber) set(text string) error {
	if err := upTo(v.p, 15).set(text); err != nil {
		return err
	}
	v.region.Present = true
	return nil
}

func (v volatileNumber) String() string { return upTo(v.p, 15).String() }

// address is any 32-bit number, printed in hexadecimal.
func address(p *uint32) value { return number[uint32]{p: p, max: 0xffffffff, hex: true} }

// upTo is a number of 0..limit.
func upTo[T uint8 | uint16 | uint32](p *T, limit uint32) value { return number[T]{p: p, max: limit} }

// oneOf is a number out of a list.
func oneOf[T uint8 | uint16 | uint32](p *T, allowed ...uint32) value {
	return number[T]{p: p, of: allowed}
}

// size is a number of bytes, with K, M and G as factors of 1024: zero or a power of two of at least
// one page.
type size struct{ p *uint32 }

func (v size) set(text string) error {
	n, err := parseSize(text)
	if err != nil {
		return err
	}
	if n != 0 && (n < 4096 || n&(n-1) != 0) {
		return fmt.Errorf("%s is not a power of two of 4 KB or more", text)
	}
	*v.p = n
	return nil
}

func (v size) String() string { return fmt.Sprintf("%#x", *v.p) }

// word is one of a list of words.
type word struct {
	p  *string
	of []string
}

func (v word) set(text string) error {
	if !slices.Contains(v.of, text) {
		return fmt.Errorf("%q is not one of %s", text, strings.Join(v.of, ", "))
	}
	*v.p = text
	return nil
}

func (v word) String() string { return *v.p }

// choice is one of a list of words, kept as its place in the list.
type choice[T ~uint8] struct {
	p  *T
	of []string
}

func (v choice[T]) set(text string) error {
	w := v.String()
	if err := (word{&w, v.of}).set(text); err != nil {
		return err
	}
	*v.p = T(slices.Index(v.of, w))
	return nil
}

func (v choice[T]) String() string { return v.of[*v.p] }

// text is any text.
type text struct{ p *string }

func (v text) set(s string) error { *v.p = s; return nil }
func (v text) String() string     { return *v.p }

// family is a processor family that is simulated. Nothing changes it: who asks for a core or names the
// family first decides, for options mean different things in the other family.
type family struct{ p *Family }

func (v family) set(text string) error {
	switch f := Family(text); f {
	case EM, HS:
		if f != *v.p {
			return fmt.Errorf("%s contradicts the core, which is of family %s", f, *v.p)
		}
		return nil
	}
	return fmt.Errorf("family %q is not simulated, %s and %s are", text, EM, HS)
}

func (v family) String() string { return string(*v.p) }

// cacheSpec is "size,line,ways,policy", or 0 for no cache.
type cacheSpec struct {
	p      *cpu.CacheGeometry
	policy *string
	line   uint32 // shortest line, bytes
}

func (v cacheSpec) set(text string) error {
	if text == "0" {
		*v.p, *v.policy = cpu.CacheGeometry{}, ""
		return nil
	}
	part := strings.Split(text, ",")
	if len(part) < 3 || len(part) > 4 {
		return fmt.Errorf("%q is not size,line,ways,policy", text)
	}
	var n [3]uint32
	for i := range n {
		var err error
		if n[i], err = parseSize(part[i]); err != nil {
			return err
		}
	}
	c := cpu.CacheGeometry{Size: n[0], Line: n[1], Ways: n[2]}
	powers := c.Size&(c.Size-1) == 0 && c.Line&(c.Line-1) == 0 && c.Ways&(c.Ways-1) == 0
	if !powers || c.Line < v.line || c.Line > 256 || c.Ways < 1 || c.Ways > 16 ||
		c.Size < c.Line*c.Ways || c.Size > 1<<20 {
		return fmt.Errorf("%q is no cache: powers of two, a line of %d to 256 bytes, up to 16 ways"+
			" and 1 MB", text, v.line)
	}
	*v.p, *v.policy = c, strings.Join(part[3:], "")
	return nil
}

func (v cacheSpec) String() string {
	if v.p.Size == 0 {
		return "0"
	}
	return fmt.Sprintf("%d,%d,%d,%s", v.p.Size, v.p.Line, v.p.Ways, *v.policy)
}

func parseUint(text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 0, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is not a 32-bit number", text)
	}
	return uint32(n), nil
}

func parseSize(text string) (uint32, error) {
	n, ok := quantity.Parse(text, quantity.Bytes)
	if !ok || n > math.MaxUint32 {
		return 0, fmt.Errorf("%q is not a size of less than 4 GB", text)
	}
	return uint32(n), nil
}

func joinUints(list []uint32) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatUint(uint64(n), 10))
	}
	return b.String()
}
