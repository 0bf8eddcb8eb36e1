package cpu_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/memory"
)

// protectedRegion is a region as the test draws it.
type protectedRegion struct {
	valid       bool
	first, last uint32
	perm        uint32 // user X W R, kernel X W R from bit 0 up
}

// passes is the rule of the MPU for one byte: the first region that holds it decides.
func passes(regions []protectedRegion, otherwise uint32, addr uint32, user bool, a memory.Access) bool {
	perm := otherwise
	for _, r := range regions {
		if r.valid && addr >= r.first && addr <= r.last {
			perm = r.perm
			break
		}
	}
	if !user {
		perm >>= 3
	}
	switch a {
	case memory.Exec:
		return perm&1 != 0
	case memory.Write:
		return perm&2 != 0
	}
	return perm&4 != 0
}

// TestMPURandomRegions compares accesses of the memory, on the fast path and off it, with the rule: random regions of
// each version, overlapping ones too, widths, both privileges, addresses at the bounds of regions and pages. Regions
// and privilege change between accesses.
func TestMPURandomRegions(t *testing.T) {
	for _, version := range []uint8{2, 3, 4} {
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			cfg := em9d()
			cfg.MPUVersion, cfg.MPURegions = version, 16
			rng := rand.New(rand.NewPCG(uint64(version), 5))
			for range level.Count(10_000, 1000, 100) / 3 {
				c, err := cpu.New(cfg, memory.New(memory.RAM, 64<<20))
				require.NoError(t, err)
				regions := make([]protectedRegion, cfg.MPURegions)
				otherwise := rng.Uint32N(64)
				put := func(i int, x protectedRegion) {
					r := &regions[i]
					*r = x
					valid := uint32(0)
					if r.valid {
						valid = 1
					}
					if version == 4 {
						require.True(t, c.SetAux(0x448, uint32(i)))
						require.True(t, c.SetAux(0x449, r.first))
						require.True(t, c.SetAux(0x44a, r.last&^31))
						require.True(t, c.SetAux(0x44b, r.perm<<3|valid))
						return
					}
					log2 := max(11, uint32(bits.Len32(r.last-r.first)))
					require.True(t, c.SetAux(0x422+2*uint32(i), r.first|valid))
					require.True(t, c.SetAux(0x423+2*uint32(i), r.perm<<3|(log2-1)&3|(log2-1)>>2<<9))
				}
				set := func(i int) {
					x := protectedRegion{valid: rng.IntN(4) != 0, perm: rng.Uint32N(64)}
					base := rng.Uint32N(8)*0x1000 + rng.Uint32N(3)*0x7e0 + rng.Uint32N(2)*0x40000
					if version == 4 {
						size := 1 + rng.Uint32N(0x3000)
						x.first, x.last = base&^31, (base+size)|31
					} else {
						log2 := 11 + rng.Uint32N(4)
						x.first = base &^ (1<<log2 - 1)
						x.last = x.first + 1<<log2 - 1
					}
					put(i, x)
				}
				for i := range regions {
					if rng.IntN(3) != 0 {
						set(i)
					}
				}
				require.True(t, c.SetAux(0x409, 1<<30|otherwise<<3))
				for range 300 {
					switch rng.IntN(20) {
					case 0:
						set(rng.IntN(len(regions)))
					case 1, 2:
						c.SetStatus32(c.Status32() ^ cpu.StatusU)
					case 3: // regions that a switch of tasks gives the place of others, and back
						i, k := rng.IntN(len(regions)), rng.IntN(len(regions))
						was, other := regions[i], regions[k]
						put(i, other)
						put(i, was)
						put(rng.IntN(len(regions)), other)
					}
					size := uint32(1) << rng.IntN(4)
					edge := rng.Uint32N(10)*0x1000 + rng.Uint32N(2)*0x40000
					if r := &regions[rng.IntN(len(regions))]; rng.IntN(2) == 0 {
						edge = []uint32{r.first, r.last + 1}[rng.IntN(2)]
					}
					addr := (edge + rng.Uint32N(24) - 12) &^ (size - 1)
					access := []memory.Access{memory.Read, memory.Write, memory.Exec}[rng.IntN(3)]
					want := passes(regions, otherwise, addr, c.User(), access) && passes(regions, otherwise, addr+size-1, c.User(), access)
					var fault *memory.Fault
					switch access {
					case memory.Read:
						_, fault = c.Mem.Load(addr, size)
					case memory.Write:
						fault = c.Mem.Store(addr, size, 7)
					default:
						if ok := c.Allow(addr, size, access); ok != want {
							t.Fatalf("execution of %d bytes at %#x, user %v: allowed %v, want %v; regions %+v, else %#x", size, addr, c.User(), ok, want, regions, otherwise)
						}
						continue
					}
					if (fault == nil) != want {
						t.Fatalf("access %v of %d bytes at %#x, user %v: %v, want allowed %v; regions %+v, else %#x", access, size, addr, c.User(), fault, want, regions, otherwise)
					}
				}
			}
		})
	}
}
