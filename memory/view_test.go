package memory

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// areas is a guard that lets accesses pass by areas of 64 bytes, in turns for the views there are.
type areas struct {
	now    int
	rights [][]Access
}

func (g *areas) at(addr uint32) Access {
	return g.rights[g.now][min(int(addr>>6), len(g.rights[g.now])-1)]
}

func (g *areas) Allow(addr, size uint32, a Access) bool {
	return g.at(addr)&g.at(addr+size-1)&a == a
}

func (g *areas) Rights(page uint32) Access {
	rights := Read | Write | Exec
	for off := uint32(0); off < PageSize; off += 64 {
		rights &= g.at(page<<pageShift | off)
	}
	return rights
}

func (g *areas) Part(addr uint32) (first, last uint32, rights Access) {
	return addr &^ 63, addr | 63, g.at(addr)
}

// TestViews does at random what programs, loaders and debuggers do with memory behind a guard that decides in more ways than there may be
// views with tables. Bytes and rights by themselves say what comes of it.
func TestViews(t *testing.T) {
	const pages, ways = 5, maxViews + 3
	for seed := range uint64(level.Count(20, 3, 1)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s, g := New(None, 0), &areas{rights: make([][]Access, ways)}
		require.NoError(t, s.Map(Region{Name: "ram", Base: 0, Size: pages * PageSize, Kind: DCCM}))
		for i := range g.rights {
			g.rights[i] = make([]Access, pages*PageSize/64)
			for k := range g.rights[i] {
				if g.rights[i][k] = Read | Write; k > 0 && rng.IntN(40) > 0 {
					g.rights[i][k] = g.rights[i][k-1]
				} else if rng.IntN(3) == 0 {
					g.rights[i][k] = Access(rng.IntN(4))
				}
			}
		}
		views := make([]View, ways)
		s.SetGuard(g)
		s.Use(&views[0])
		var told, tells [pages]bool
		s.OnCodeWrite(func(page uint32) { told[page] = true })
		bytes, marks := make([]byte, pages*PageSize), map[uint32]bool{}
		write := func(addr, size uint32) {
			for line := addr >> 6; line <= (addr+size-1)>>6; line++ {
				if marks[line] {
					tells[line>>6] = true
				}
			}
			for line := range marks {
				if tells[line>>6] {
					delete(marks, line)
				}
			}
		}
		var snap *Snapshot
		var kept []byte
		for range 8000 {
			size := uint32(1) << rng.IntN(4)
			addr := rng.Uint32N(pages*PageSize - 8)
			if rng.IntN(2) == 0 {
				addr = addr&^63 - size*(addr>>6&1)
			}
			if addr > pages*PageSize-8 {
				continue
			}
			told, tells = [pages]bool{}, [pages]bool{}
			switch op := rng.IntN(64); {
			case op < 12:
				g.now = rng.IntN(1 + rng.IntN(ways)) // some more often than others
				s.Use(&views[g.now])
			case op == 12:
				s.MarkCode(addr, size)
				for line := addr >> 6; line <= (addr+size-1)>>6; line++ {
					marks[line] = true
				}
			case op == 13:
				data := []byte{byte(rng.Uint32()), byte(rng.Uint32())}
				require.NoError(t, s.Poke(addr, data))
				write(addr, 2)
				copy(bytes[addr:], data)
			case op == 14 && rng.IntN(4) == 0:
				snap, kept = s.Snapshot(), append(kept[:0], bytes...)
			case op == 15 && rng.IntN(8) == 0 && snap != nil:
				s.Restore(snap)
				copy(bytes, kept)
				clear(marks)
				for page := range uint32(pages) { // of pages that have changed they are gone, of others nobody has asked
					s.invalidate(page)
				}
				continue
			case op == 16:
				s.KeepPart(uint8(rng.Uint32()))
			case op < 40:
				v, f := s.Load(addr, size)
				require.Equal(t, g.Allow(addr, size, Read), f == nil, "load of %d at %#x", size, addr)
				for i := uint32(0); f == nil && i < size; i++ {
					require.Equal(t, bytes[addr+i], byte(v>>(8*i)))
				}
			default:
				v := rng.Uint64()
				f := s.Store(addr, size, v)
				require.Equal(t, g.Allow(addr, size, Write), f == nil, "store of %d at %#x", size, addr)
				if f == nil {
					write(addr, size)
					for i := range size {
						bytes[addr+i] = byte(v >> (8 * i))
					}
				}
			}
			require.Equal(t, tells, told)
			requireServed(t, s, g, rng.Uint32N(pages))
		}
		require.NotZero(t, s.Parted)
	}
}

// requireServed holds what the tables say of a page against the rights: they serve accesses of its storage that all pass.
func requireServed(t *testing.T, s *Space, g *areas, page uint32) {
	t.Helper()
	e := s.entry(page)
	host := uintptr(unsafe.Pointer(s.data(e)))
	for _, a := range []Access{Read, Write} {
		table := s.Read
		if a == Write {
			table = s.Write
		}
		parts := []Part{*s.view.parted(page, a)}
		if table[page] != 0 {
			require.Equal(t, host, table[page])
			parts = append(parts, within(s.data(e), page<<pageShift, page<<pageShift|pageMask))
		}
		for _, p := range append(parts, s.Parts.of(a)[:]...) {
			if p.Host == 0 || p.First>>pageShift != page {
				continue
			}
			require.Equal(t, host, p.Host)
			require.False(t, a == Write && (e.code != 0 || e.shared))
			for log, n := range p.Within {
				for _, addr := range []uint32{p.First, p.First + n/2, p.First + n - 1} {
					require.True(t, n == 0 || g.Allow(addr, 1<<log, a) && (addr+1<<log-1)>>pageShift == page)
				}
			}
		}
	}
}
