package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

func load(t require.TestingT, s *Space, addr, size uint32) uint64 {
	v, f := s.Load(addr, size)
	require.Nil(t, f)
	return v
}

func TestFreshMemoryIsZeroAndUnbacked(t *testing.T) {
	s := New(RAM, 0)
	require.Zero(t, load(t, s, 0x1234_5678, 4))
	require.Zero(t, s.Backed())
	require.NotZero(t, s.Read[0x12345], "a clean page is readable on the fast path")
	require.Zero(t, s.Write[0x12345], "but not writable")
	require.Nil(t, s.Store(0x1234_5678, 4, 0xdead_beef))
	require.NotZero(t, s.Write[0x12345])
	require.EqualValues(t, 0xdead_beef, load(t, s, 0x1234_5678, 4))
	require.EqualValues(t, PageSize, s.Backed())
}

// TestAgainstMap compares random accesses with a map of bytes: around the end of a page, and around that of the address
// space, behind which it begins again.
func TestAgainstMap(t *testing.T) {
	addresses := rapid.OneOf(rapid.Uint32Range(0x1fe0, 0x2020), rapid.Uint32Range(0xfffffff0, 0xffffffff), rapid.Uint32Range(0, 16))
	rapid.Check(t, func(t *rapid.T) {
		s, bytes := New(RAM, 0), map[uint32]byte{}
		var snap *Snapshot
		var saved map[uint32]byte
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			addr := addresses.Draw(t, "addr")
			size := uint32(1) << rapid.IntRange(0, 3).Draw(t, "log size")
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				snap, saved = s.Snapshot(), map[uint32]byte{}
				for k, v := range bytes {
					saved[k] = v
				}
			case 1:
				if snap != nil {
					s.Restore(snap)
					bytes = map[uint32]byte{}
					for k, v := range saved {
						bytes[k] = v
					}
				}
			case 2:
				s.Flush()
			case 3, 4, 5:
				v := rapid.Uint64().Draw(t, "value")
				require.Nil(t, s.StoreAny(addr, size, v))
				for i := range size {
					bytes[addr+i] = byte(v >> (8 * i))
				}
			default:
				var want uint64
				for i := range size {
					want |= uint64(bytes[addr+i]) << (8 * i)
				}
				v, f := s.LoadAny(addr, size)
				require.Nil(t, f)
				require.Equal(t, want, v)
			}
		}
	})
}

// TestAcrossPages: of a number that begins in one page and ends in the next, each has its bytes. Another page lies between
// them in the memory of the host.
func TestAcrossPages(t *testing.T) {
	const value = 0x8877_6655_4433_2211
	for _, size := range []uint32{2, 4, 8} {
		for first := uint32(1); first < size; first++ { // bytes in the first page
			s, addr := New(RAM, 0), 2*PageSize-first
			for _, page := range []uint32{1, 9, 2} {
				require.Nil(t, s.Store(page*PageSize, 8, 0xeeee_eeee_eeee_eeee))
			}
			require.Nil(t, s.StoreAny(addr, size, value))
			for i := range size {
				require.EqualValues(t, 0x11*(i+1), load(t, s, addr+i, 1))
			}
			v, f := s.LoadAny(addr, size)
			require.Nil(t, f)
			require.Equal(t, uint64(value)<<(64-8*size)>>(64-8*size), v)
		}
	}
}

func TestFaults(t *testing.T) {
	s := New(None, 2*PageSize)
	require.NoError(t, s.Map(Region{Name: "ram", Kind: RAM, Base: 0x1000, Size: 0x10000}))
	require.NoError(t, s.Map(Region{Name: "rom", Kind: ICCM, Base: 0x20000, Size: 0x1000, Rights: Read | Exec}))
	require.NoError(t, s.Map(Region{Name: "hole", Kind: None, Base: 0x30000, Size: 0x1000}))
	tests := []struct {
		name  string
		do    func() *Fault
		fault Fault
	}{
		{"load of nothing", func() *Fault { _, f := s.Load(0x12000, 4); return f },
			Fault{0x12000, 4, Read, CauseUnmapped}},
		{"load across the end", func() *Fault { _, f := s.Load(0x10ffe, 4); return f },
			Fault{0x10ffe, 4, Read, CauseUnmapped}},
		{"store to rom", func() *Fault { return s.Store(0x20010, 2, 1) }, Fault{0x20010, 2, Write, CausePermission}},
		{"store to a hole", func() *Fault { return s.Store(0x30010, 2, 1) }, Fault{0x30010, 2, Write, CauseUnmapped}},
		{"fetch from nothing", func() *Fault { _, f := s.Fetch(0); return f }, Fault{0, 2, Exec, CauseUnmapped}},
		{"third page over a limit of two", func() *Fault {
			require.Nil(t, s.Store(0x1000, 1, 1))
			require.Nil(t, s.Store(0x2000, 1, 1))
			return s.Store(0x3000, 1, 1)
		}, Fault{0x3000, 1, Write, CauseLimit}},
		{"misaligned", func() *Fault { s.Aligned = true; _, f := s.Load(0x1002, 4); return f },
			Fault{0x1002, 4, Read, CauseMisaligned}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.do()
			require.NotNil(t, f)
			require.Equal(t, tt.fault, *f)
		})
	}
	_, f := s.Load(0x1004, 8)
	require.Nil(t, f, "a double word needs word alignment only")
	require.Nil(t, s.Store(0x1004, 8, 1), "a double word needs word alignment only")
	require.EqualError(t, &Fault{0x20010, 2, Write, CausePermission},
		"store of 2 bytes at 0x00020010: access not permitted")
}

func TestStoreAcrossAFaultWritesNothing(t *testing.T) {
	s := New(None, 0)
	require.NoError(t, s.Map(Region{Name: "ram", Kind: RAM, Base: 0, Size: 0x1000}))
	require.NotNil(t, s.Store(0xffe, 4, 0x11223344))
	require.Zero(t, load(t, s, 0xffe, 2))
}

func TestMapRejects(t *testing.T) {
	s := New(RAM, 0)
	require.NoError(t, s.Map(Region{Name: "dccm", Kind: DCCM, Base: 0x8000_0000, Size: 0x2000}))
	for name, r := range map[string]Region{
		"overlap":     {Name: "x", Kind: XCCM, Base: 0x8000_1000, Size: 0x1000},
		"empty":       {Name: "x", Kind: XCCM, Base: 0x1000},
		"past 4 GiB":  {Name: "x", Kind: XCCM, Base: 0xffff_f000, Size: 0x2000},
		"half a page": {Name: "x", Kind: XCCM, Base: 0x800, Size: 0x1000},
		"no port":     {Name: "x", Kind: Device, Base: 0x1000, Size: 4},
	} {
		require.Error(t, s.Map(r), name)
	}
}

func TestWaitStates(t *testing.T) {
	s := New(RAM, 0)
	require.NoError(t, s.Map(Region{Name: "flash", Kind: RAM, Base: 0, Size: 0x1000, Wait: 3}))
	load(t, s, 0, 4)
	load(t, s, 4, 4)
	require.Nil(t, s.Store(8, 4, 1))
	load(t, s, 0x1000, 4)
	require.EqualValues(t, 9, s.Stall)
}

func TestRebaseCarriesContents(t *testing.T) {
	s := New(RAM, 0)
	require.NoError(t, s.Map(Region{Name: "y", Kind: YCCM, Base: 0xe000_0000, Size: 0x2000}))
	require.Nil(t, s.Store(0xe000_1000, 4, 42))
	require.NoError(t, s.Rebase("y", 0xe000_1000))
	require.EqualValues(t, 42, load(t, s, 0xe000_2000, 4))
	require.Zero(t, load(t, s, 0xe000_1000, 4))
	require.Equal(t, RAM, s.Kinds[0xe0000])
	require.Equal(t, YCCM, s.Kinds[0xe0002])
	require.Nil(t, s.Store(0xe000_2000, 4, 43))
	require.EqualValues(t, 43, load(t, s, 0xe000_2000, 4))
	require.Error(t, s.Rebase("y", 0x10))
}

// TestArrange: regions change places with their contents; if one cannot move, none does.
func TestArrange(t *testing.T) {
	s := New(None, 0)
	require.NoError(t, s.Map(Region{Name: "x", Kind: XCCM, Base: 0x10000, Size: 0x2000}))
	require.NoError(t, s.Map(Region{Name: "y", Kind: YCCM, Base: 0x20000, Size: 0x2000}))
	require.Nil(t, s.Store(0x10004, 4, 1))
	require.Nil(t, s.Store(0x21004, 4, 2))
	require.NoError(t, s.Arrange(map[string]uint32{"x": 0x20000, "y": 0x10000}))
	require.EqualValues(t, 1, load(t, s, 0x20004, 4))
	require.EqualValues(t, 2, load(t, s, 0x11004, 4))
	require.Zero(t, load(t, s, 0x10004, 4))
	require.Equal(t, "y", s.Regions()[0].Name)
	require.Equal(t, YCCM, s.Kinds[0x11])
	require.Equal(t, XCCM, s.Kinds[0x20])

	require.ErrorContains(t, s.Arrange(map[string]uint32{"x": 0x40000, "y": 0x41000}), "region x: 0x00040000 overlaps y")
	require.ErrorContains(t, s.Arrange(map[string]uint32{"x": 0x30000, "y": 0x10010}), "region y: cannot move to 0x00010010")
	require.ErrorContains(t, s.Arrange(map[string]uint32{"x": 0x30000, "z": 0}), "region z: not mapped")
	require.EqualValues(t, 1, load(t, s, 0x20004, 4), "x is where it was")
	require.EqualValues(t, 2, load(t, s, 0x11004, 4))
}

func TestCodePages(t *testing.T) {
	s := New(RAM, 0)
	var hit []uint32
	s.OnCodeWrite(func(page uint32) { hit = append(hit, page) })
	require.Nil(t, s.Store(0x5000, 4, 1))
	s.MarkCode(0x5ffe, 4)
	require.Zero(t, s.Write[5])
	require.Nil(t, s.Store(0x5f00, 4, 1))
	require.Empty(t, hit, "another line of the page")
	require.Zero(t, s.Write[5], "the page stays watched")
	require.Nil(t, s.Store(0x5fc0, 1, 1))
	require.Equal(t, []uint32{5}, hit)
	require.Nil(t, s.Store(0x5fc0, 1, 1))
	require.Equal(t, []uint32{5}, hit, "the marks are gone")
	require.NotZero(t, s.Write[5])
	require.NoError(t, s.Poke(0x6000, []byte{1}))
	require.Equal(t, []uint32{5, 6}, hit)
}

func TestWatch(t *testing.T) {
	s := New(RAM, 0)
	var seen []Event
	s.OnWatch(func(e Event) { seen = append(seen, e) })
	require.Nil(t, s.Store(0x1000, 4, 7))
	s.SetWatches([]Watch{{Addr: 0x1002, Size: 1, Access: Write}})
	load(t, s, 0x1000, 4)
	require.NotZero(t, s.Read[1], "loads of a store watch stay fast")
	require.Zero(t, s.Write[1])
	require.Nil(t, s.Store(0x1003, 1, 1))
	require.Empty(t, seen)
	require.Nil(t, s.Store(0x1000, 4, 9))
	require.Equal(t, []Event{{Addr: 0x1000, Size: 4, Access: Write, Value: 9, Old: 0x01000007}}, seen)
	s.SetWatches(nil)
	require.Nil(t, s.Store(0x1000, 4, 9))
	require.NotZero(t, s.Write[1])
	require.Len(t, seen, 1)
}

func TestAccessHookSeesEverything(t *testing.T) {
	s := New(RAM, 0)
	require.Nil(t, s.Store(0x1000, 4, 7))
	var n int
	s.OnAccess(func(Event) { n++ })
	load(t, s, 0x1000, 4)
	load(t, s, 0x1000, 4)
	require.Nil(t, s.Store(0x1000, 4, 7))
	s.OnAccess(nil)
	load(t, s, 0x1000, 4)
	require.Equal(t, 3, n)
}

type register struct{ value, reads uint32 }

func (r *register) ReadPort(off, size uint32) (uint32, bool) {
	r.reads++
	return r.value + off, off < 8
}

func (r *register) WritePort(off, size, v uint32) bool {
	r.value = v
	return off < 8
}

func TestDevice(t *testing.T) {
	s, dev := New(RAM, 0), &register{}
	require.Nil(t, s.Store(0xf000_0100, 4, 5))
	require.NoError(t, s.Map(Region{Name: "uart", Kind: Device, Base: 0xf000_0000, Size: 0x20, Port: dev}))
	require.Nil(t, s.Store(0xf000_0004, 1, 0x1ff))
	require.EqualValues(t, 0xff, dev.value, "only the bytes of the access arrive")
	require.EqualValues(t, 0xff, load(t, s, 0xf000_0000, 4))
	require.EqualValues(t, 5, load(t, s, 0xf000_0100, 4), "the rest of the page is memory")
	_, f := s.Load(0xf000_0008, 4)
	require.Equal(t, CauseDevice, f.Cause)
	_, f = s.Load(0xf000_001e, 4)
	require.Equal(t, CauseDevice, f.Cause, "an access past the end of the device")
	require.NoError(t, s.Map(Region{Name: "x", Kind: XCCM, Base: 0xf100_0000, Size: 0x1000}))
	s.Unmap("uart")
	require.Zero(t, load(t, s, 0xf000_0000, 4))
}

// fifo is a device with a register whose reading has an effect.
type fifo struct{ left uint32 }

func (f *fifo) ReadPort(_, _ uint32) (uint32, bool) { f.left--; return f.left, true }
func (f *fifo) WritePort(_, _, _ uint32) bool       { return true }

func TestRefusedDeviceAccessHasNoEffect(t *testing.T) {
	s, dev := New(RAM, 0), &fifo{left: 5}
	require.NoError(t, s.Map(Region{Name: "fifo", Kind: Device, Base: 0xf000_0000, Size: 4, Port: dev}))
	for _, size := range []uint32{4, 8} {
		_, f := s.Load(0xf000_0004-size/2, size)
		require.Equal(t, CauseDevice, f.Cause, "an access past the end of the device")
	}
	require.EqualValues(t, 5, dev.left)
}

type halfGuard struct{}

func (halfGuard) Allow(addr, size uint32, a Access) bool { return a == Read || addr < 0x800 }

func (halfGuard) Part(addr uint32) (first, last uint32, rights Access) {
	if addr < 0x800 {
		return 0, 0x7ff, Read | Write | Exec
	}
	return 0x800, 1<<32 - 1, Read
}

func (halfGuard) Rights(uint32) Access { return Read }

func TestGuard(t *testing.T) {
	s := New(RAM, 0)
	require.Nil(t, s.Store(0x900, 4, 7))
	s.SetGuard(halfGuard{})
	s.Use(new(View))
	require.EqualValues(t, 7, load(t, s, 0x900, 4))
	require.Equal(t, CauseGuard, s.Store(0x900, 4, 8).Cause)
	require.Nil(t, s.Store(0x700, 4, 8))
	s.SetGuard(nil)
	s.Use(nil)
	require.Nil(t, s.Store(0x900, 4, 8))
}

func TestSnapshotInvalidatesCodeThatChanges(t *testing.T) {
	s := New(RAM, 0)
	var hit []uint32
	s.OnCodeWrite(func(page uint32) { hit = append(hit, page) })
	require.Nil(t, s.Store(0x1000, 4, 1))
	require.Nil(t, s.Store(0x2000, 4, 1))
	snap := s.Snapshot()
	s.MarkCode(0x1000, 4)
	s.MarkCode(0x2000, 4)
	require.Nil(t, s.Store(0x2004, 4, 1))
	require.Equal(t, []uint32{2}, hit)
	s.MarkCode(0x2000, 4)
	s.Restore(snap)
	require.Equal(t, []uint32{2, 2}, hit, "page 1 did not change")
	require.Zero(t, load(t, s, 0x2004, 4))
	require.Len(t, snap.Addrs(), 2)
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	s := New(RAM, 0)
	require.Nil(t, s.Store(0x1000, 4, 1))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = s.Load(0x1000, 4)
		_ = s.Store(0x1ffe, 2, 5)
		_, _ = s.Fetch(0x1000)
	}))
}

// TestWords: the words of a page are there for whom nobody watches, and are the memory itself.
func TestWords(t *testing.T) {
	s := New(None, 1<<20)
	require.NoError(t, s.Map(Region{Name: "ram", Kind: RAM, Base: 0, Size: 0x3000}))
	require.NoError(t, s.Map(Region{Name: "slow", Kind: RAM, Base: 0x4000, Size: 0x1000, Wait: 2}))
	for _, addr := range []uint32{0x1000, 0x2000, 0x4000} {
		require.Nil(t, s.Words(addr, 1, Write), "0x%x: nothing has touched the page", addr)
		require.Nil(t, s.Store(addr, 4, 7))
	}
	w := s.Words(0x1ff0, 4, Write)
	require.Len(t, w, 4)
	w[3] = 0x12345678
	v, f := s.Load(0x1ffc, 4)
	require.Nil(t, f)
	require.EqualValues(t, 0x12345678, v)
	require.Equal(t, w, s.Words(0x1ff0, 4, Read))
	require.Nil(t, s.Words(0x1ff0, 5, Read), "two pages")
	require.Nil(t, s.Words(0x1ff2, 1, Read), "misaligned")
	require.Nil(t, s.Words(0x4000, 1, Read), "wait states")
	require.Nil(t, s.Words(0x5000, 1, Read), "no memory")
	s.MarkCode(0x1000, 4)
	require.Nil(t, s.Words(0x1ff0, 4, Write), "code")
	require.NotNil(t, s.Words(0x1ff0, 4, Read))
}
