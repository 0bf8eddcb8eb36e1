package ir_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/ir"
)

// TestValue holds the primitives with two operands, at 32 and 64 bits, against arithmetic without bounds.
func TestValue(t *testing.T) {
	edges := []uint64{0, 1, 2, 3, 7, 31, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
		1 << 32, math.MaxInt64, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}
	for _, width := range []uint{32, 64} {
		modulus := new(big.Int).Lsh(big.NewInt(1), width)
		unsigned := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
		signed := func(v uint64) *big.Int {
			n := unsigned(v)
			if n.Bit(int(width-1)) != 0 {
				n.Sub(n, modulus)
			}
			return n
		}
		low := func(n *big.Int) uint64 { return new(big.Int).Mod(n, modulus).Uint64() }
		fits := func(n *big.Int) bool { return signed(low(n)).Cmp(n) == 0 }
		truth := func(b bool) uint64 {
			if b {
				return 1
			}
			return 0
		}
		for _, a := range edges {
			for _, b := range edges {
				if width == 32 && (a>>32 != 0 || b>>32 != 0) {
					continue
				}
				x, y, s, r := unsigned(a), unsigned(b), signed(a), signed(b)
				z := new(big.Int)
				want := map[ir.Op]uint64{
					ir.Add: low(z.Add(x, y)), ir.Sub: low(z.Sub(x, y)), ir.Mul: low(z.Mul(x, y)),
					ir.And: low(z.And(x, y)), ir.Or: low(z.Or(x, y)), ir.Xor: low(z.Xor(x, y)),
					ir.Neg: low(z.Neg(x)), ir.Not: low(z.Not(x)),
					ir.Eq: truth(x.Cmp(y) == 0), ir.Ne: truth(x.Cmp(y) != 0),
					ir.LtU: truth(x.Cmp(y) < 0), ir.LeU: truth(x.Cmp(y) <= 0),
					ir.LtS: truth(s.Cmp(r) < 0), ir.LeS: truth(s.Cmp(r) <= 0),
					ir.DivU: 0, ir.RemU: 0, ir.DivS: 0, ir.RemS: 0,
				}
				if b < uint64(width) {
					n := uint(b)
					want[ir.Shl], want[ir.Shr], want[ir.Sar] = low(z.Lsh(x, n)), low(z.Rsh(x, n)), low(z.Rsh(s, n))
				}
				if b != 0 {
					want[ir.DivU], want[ir.RemU] = low(z.Quo(x, y)), low(z.Rem(x, y))
					if q := new(big.Int).Quo(s, r); fits(q) {
						want[ir.DivS], want[ir.RemS] = low(q), low(z.Rem(s, r))
					}
				}
				if width == 64 {
					want[ir.MulHi] = z.Rsh(z.Mul(x, y), 64).Uint64()
				}
				for op, v := range want {
					require.Equal(t, v, ir.Value(op, width == 64, a, b, 0), "%v of 0x%x and 0x%x, %d bits", op, a, b, width)
				}
			}
		}
	}
}
