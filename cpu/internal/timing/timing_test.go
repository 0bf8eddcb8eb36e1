package timing

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
)

// step is an instruction of a hand-made sequence of Descs; the expected stalls are counted by hand from the pipeline of
// docs/timing.md.
type step struct {
	d      Desc
	taken  bool
	stall  uint8
	reason Reason
}

const (
	r0 = 1 << iota
	r1
	r2
)

func run(t *testing.T, m *Model, steps []step) {
	t.Helper()
	var p Pipe
	for i, s := range steps {
		stall, reason := m.Issue(&p, &s.d)
		require.Equal(t, s.stall, stall, "step %d", i)
		if stall != 0 {
			require.Equal(t, s.reason, reason, "step %d", i)
		}
		if s.taken {
			m.Taken(&p, &s.d)
		}
	}
}

func em(t *testing.T, o Options) *Model {
	t.Helper()
	m, err := New("em9d", o)
	require.NoError(t, err)
	return m
}

func load(m *Model, dst uint64) Desc {
	d := Desc{writes: dst}
	m.result(&d, unitLoad, m.LoadUse)
	return d
}

func multiply(m *Model, dst, src uint64) Desc {
	d := Desc{writes: dst, reads: src}
	m.result(&d, unitMultiply, m.costs[isa.ClassMul32].late)
	return d
}

func TestLoadUse(t *testing.T) {
	m := em(t, Options{MPY: 8})
	run(t, m, []step{
		{d: load(m, r0)},
		{d: Desc{reads: r0}, stall: 1, reason: LoadUse},
		{d: Desc{reads: r0}},
		{d: load(m, r0)},
		{d: Desc{reads: r1}},
		{d: Desc{reads: r0}},
		{d: load(m, r0)},
		{d: Desc{writes: r0}}, // overwritten: the next use is of the new value
		{d: Desc{reads: r0}},
	})
}

func TestMultiplierOptions(t *testing.T) {
	for _, tt := range []struct {
		option uint8
		use    uint8 // stall of an immediate use
		next   uint8 // stall of an independent multiply right behind
	}{
		{option: 2, use: 0},
		{option: 3, use: 1},
		{option: 4, use: 2, next: 2},
		{option: 5, use: 3},
		{option: 6, use: 8, next: 8},
		{option: 8, use: 0},
	} {
		m := em(t, Options{MPY: tt.option})
		run(t, m, []step{
			{d: multiply(m, r0, r1)},
			{d: Desc{reads: r0}, stall: tt.use, reason: Multiplier},
		})
		run(t, m, []step{
			{d: multiply(m, r0, r1)},
			{d: multiply(m, r2, r1), stall: tt.next, reason: Multiplier},
		})
		run(t, m, []step{
			{d: multiply(m, r0, r1)},
			{d: Desc{}},
			{d: Desc{reads: r0}, stall: down(tt.use, 1), reason: Multiplier},
		})
	}
}

func TestMACUse(t *testing.T) {
	m := em(t, Options{MPY: 8, MPYCycles: 2})
	mac := multiply(m, r0|1<<isa.RegAccLo|1<<isa.RegAccHi, r1)
	mac.mac = true
	run(t, m, []step{
		{d: mac},
		{d: mac}, // accumulator to accumulator
		{d: Desc{reads: r0}, stall: 1, reason: MACUse},
		{d: mac},
		{d: Desc{reads: 1 << isa.RegAccLo}, stall: 1, reason: MACUse},
	})
	require.Zero(t, em(t, Options{MPY: 8}).MACUse)
}

func TestDivideDoesNotBlock(t *testing.T) {
	m := em(t, Options{MPY: 8})
	div := Desc{writes: r0, reads: r1}
	m.result(&div, unitDivide, m.Divide-1)
	run(t, m, []step{
		{d: div},
		{d: Desc{reads: r1}},
		{d: Desc{reads: r2}},
		{d: Desc{reads: r0}, stall: 30, reason: Divide},
		{d: div},
		{d: div, stall: 32, reason: Divide},
		{d: Desc{writes: r0}, stall: 32, reason: Divide},
	})
}

func TestTakenBranches(t *testing.T) {
	m := em(t, Options{MPY: 8})
	branch := Desc{taken: m.BranchTaken, takenReason: Branch}
	var p Pipe
	n, reason := m.Taken(&p, &branch)
	require.Equal(t, uint8(1), n)
	require.Equal(t, Branch, reason)
	run(t, m, []step{
		{d: load(m, r0)},
		{d: branch, taken: true}, // the load completes meanwhile
		{d: Desc{reads: r0}},
	})
	turbo := em(t, Options{MPY: 8, TurboBoost: true})
	require.Equal(t, m.BranchTaken+1, turbo.BranchTaken)
	require.Equal(t, m.JumpTakenDelay+1, turbo.JumpTakenDelay)
}

// A loop of ld.ab and a backward brne of the loaded register: the wait for the load hides the
// penalty of the branch, unless it is predicted not taken or not taken at all.
func TestPredictedBranchRedirectsWhileItWaits(t *testing.T) {
	m := em(t, Options{MPY: 8})
	for _, predicted := range []bool{true, false} {
		var p Pipe
		ld := load(m, r0)
		br := Desc{reads: r0, taken: m.BranchTaken, takenReason: Branch, predicted: predicted}
		m.Issue(&p, &ld)
		stall, reason := m.Issue(&p, &br)
		require.Equal(t, uint8(1), stall)
		require.Equal(t, LoadUse, reason)
		lost, _ := m.Taken(&p, &br)
		if predicted {
			require.Zero(t, lost)
		} else {
			require.Equal(t, m.BranchTaken, lost)
		}
	}
}

func TestSettledForgetsTheWaitOfABranch(t *testing.T) {
	m := em(t, Options{MPY: 8})
	var p Pipe
	ld, br := load(m, r0), Desc{reads: r0, predicted: true}
	m.Issue(&p, &ld)
	m.Issue(&p, &br)
	require.NotEqual(t, Pipe{}, p)
	require.Equal(t, Pipe{}, p.Settled())
}

func TestPorts(t *testing.T) {
	m := em(t, Options{MPY: 8, Interleaved: true})
	for _, tt := range []struct {
		name     string
		accesses []PortAccess
		want     PortStalls
	}{
		{"different banks", []PortAccess{{Bank: BankX}, {Bank: BankY}}, PortStalls{}},
		{"three banks", []PortAccess{{Bank: BankX}, {Bank: BankY}, {Bank: BankD, Write: true}}, PortStalls{}},
		{"same bank", []PortAccess{{Bank: BankX}, {Bank: BankX}}, PortStalls{Conflict: 1}},
		{"ordinary memory", []PortAccess{{}, {Bank: BankX}}, PortStalls{Miss: 1}},
		{"twice ordinary memory", []PortAccess{{}, {}}, PortStalls{Miss: 2}},
		{"store to a bank being read", []PortAccess{{Bank: BankX}, {Bank: BankX, Write: true}}, PortStalls{}},
	} {
		var w WriteBuffers
		require.Equal(t, tt.want, m.Ports(&w, 100, tt.accesses), tt.name)
	}
	plain := em(t, Options{MPY: 8})
	var w WriteBuffers
	require.Equal(t, PortStalls{Conflict: 1}, plain.Ports(&w, 0, []PortAccess{{Bank: BankX, Unaligned: true}}))
}

// A loop of one instruction that reads and writes the same bank gives its write buffer no idle
// cycle: the buffer fills and from then on every store waits for the one before it.
func TestWriteBufferFills(t *testing.T) {
	m := em(t, Options{MPY: 8, WriteBuffer: 4})
	var w WriteBuffers
	now := uint64(1000)
	var waits []uint32
	for range 7 {
		s := m.Ports(&w, now, []PortAccess{{Bank: BankX}, {Bank: BankX, Write: true}})
		waits = append(waits, s.Full)
		now += uint64(1 + s.Total())
	}
	require.Equal(t, []uint32{0, 0, 0, 0, 1, 1, 1}, waits)
	now += 4 // idle: it drains
	require.Zero(t, m.Ports(&w, now, []PortAccess{{Bank: BankX}, {Bank: BankX, Write: true}}).Full)

	w = WriteBuffers{}
	for now := range uint64(20) { // the bank is free: a store per cycle
		require.Zero(t, m.Ports(&w, now, []PortAccess{{Bank: BankY}, {Bank: BankX, Write: true}}).Full)
	}
}

func TestCache(t *testing.T) {
	m := em(t, Options{MPY: 8})
	const fill = 2 + 32/4                                         // a burst of 8 words
	c := m.NewCache(CacheGeometry{Size: 1024, Line: 32, Ways: 2}) // 32 lines, 16 sets
	require.EqualValues(t, fill, c.Access(0, 4, false))
	require.Zero(t, c.Access(28, 4, false))
	require.EqualValues(t, fill, c.Access(30, 4, false), "second line of an access across lines")
	require.EqualValues(t, fill, c.Access(512, 4, false), "second way of set 0")
	require.Zero(t, c.Access(0, 4, false))
	require.EqualValues(t, fill, c.Access(1024, 4, false), "replaces the least recently used line, 512")
	require.Zero(t, c.Access(0, 4, false))
	require.EqualValues(t, fill, c.Access(512, 4, false))
	c.Invalidate()
	require.EqualValues(t, fill, c.Access(0, 4, false))
}

// TestCacheWritesBack: a line that was written costs a burst when it is replaced or cleaned, once; a line that was read does
// not, and what is dropped is lost.
func TestCacheWritesBack(t *testing.T) {
	m := em(t, Options{MPY: 8})
	const burst = 2 + 32/4
	c := m.NewCache(CacheGeometry{Size: 1024, Line: 32, Ways: 2}) // 32 lines, 16 sets
	require.EqualValues(t, burst, c.Access(0, 4, true))
	require.EqualValues(t, burst, c.Access(512, 4, false))
	require.EqualValues(t, 2*burst, c.Access(1024, 4, false), "the dirty line 0 goes")
	require.EqualValues(t, burst, c.Access(0, 4, false), "line 512 goes, which is clean")
	require.Zero(t, c.Access(4, 4, true), "a store to a line in front")
	require.Zero(t, c.Access(1024, 4, false))
	require.EqualValues(t, 2*burst, c.Access(512, 4, false), "line 0 is dirty again")

	require.EqualValues(t, burst, c.Access(32, 8, true))
	require.EqualValues(t, burst, c.Clean(63))
	require.Zero(t, c.Clean(32), "it is clean now")
	require.Zero(t, c.Access(32, 4, true))
	saved := c.State()
	require.EqualValues(t, burst, c.Drop(32, true))
	require.EqualValues(t, burst, c.Access(32, 4, true), "it is no longer there")
	require.Zero(t, c.Drop(32, false))
	require.Zero(t, c.CleanAll())
	require.True(t, c.SetState(saved))
	require.EqualValues(t, burst, c.CleanAll())
	saved[len(saved)/2] = 77
	require.False(t, c.SetState(saved), "a dirty line that is not there")

	c.Behind(func(addr uint32) uint32 { return 66 * (addr >> 31) }, 66)
	require.EqualValues(t, burst+66, c.Access(1<<31, 4, false), "slow memory")
	require.EqualValues(t, burst, c.Access(96, 4, false))
	require.EqualValues(t, 2*burst+66, c.Worst())
}

// The same six reads miss as often as size, line and ways say, and each miss fills one line.
func TestCacheGeometry(t *testing.T) {
	m := em(t, Options{MPY: 8})
	for _, tt := range []struct {
		name   string
		g      CacheGeometry
		misses uint32
	}{
		{name: "two ways hold both", g: CacheGeometry{Size: 1024, Line: 32, Ways: 2}, misses: 3},
		{name: "direct mapped", g: CacheGeometry{Size: 1024, Line: 32, Ways: 1}, misses: 6},
		{name: "longer lines", g: CacheGeometry{Size: 1024, Line: 64, Ways: 2}, misses: 2},
		{name: "twice the size", g: CacheGeometry{Size: 2048, Line: 32, Ways: 1}, misses: 3},
		{name: "one set", g: CacheGeometry{Size: 64, Line: 32, Ways: 2}, misses: 3},
		{name: "one line", g: CacheGeometry{Size: 64, Line: 64, Ways: 1}, misses: 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := m.NewCache(tt.g)
			var stall uint32
			for _, addr := range []uint32{0, 1024, 0, 1024, 0, 1024 + 32} {
				stall += c.Access(addr, 4, false)
			}
			require.Equal(t, tt.misses*(2+tt.g.Line/4), stall)
		})
	}
	require.Nil(t, m.NewCache(CacheGeometry{}))
	for _, g := range []CacheGeometry{
		{Size: 1000, Line: 32, Ways: 2}, {Size: 1024, Line: 0, Ways: 2}, {Size: 1024, Line: 32, Ways: 3},
		{Size: 64, Line: 64, Ways: 2}, {Size: 1024, Line: 2, Ways: 2}, {Size: 1 << 31, Line: 1 << 31, Ways: 1 << 31},
	} {
		require.ErrorContains(t, g.Check(), "no cache has")
	}
}

func TestEveryCoreHasAModel(t *testing.T) {
	for _, core := range Cores() {
		m, err := New(core, Options{MPY: 8})
		require.NoError(t, err)
		require.Equal(t, core, m.Core)
		require.Equal(t, core == "hs38", m.Provisional)
	}
	require.ElementsMatch(t, []string{"em4", "em6", "em5d", "em7d", "em9d", "em11d", "hs38"}, Cores())
}

func TestNewRejects(t *testing.T) {
	_, err := New("em99", Options{})
	require.ErrorContains(t, err, `no timing table for core "em99"`)
	_, err = New("em", Options{})
	require.Error(t, err, "the family is no core")
	_, err = New("em4", Options{MPY: 10})
	require.ErrorContains(t, err, "no entry for option value 10")
}

// Every number says where it comes from.
func TestNumbersHaveSources(t *testing.T) {
	for _, core := range Cores() {
		table, err := ReadTable(core)
		require.NoError(t, err)
		for name, n := range table.Numbers {
			require.NotEmpty(t, n.Source, "%s %s", core, name)
			require.Contains(t, []string{"documented", "compiler", "assumed"}, n.Confidence, "%s %s", core, name)
		}
	}
}

func TestReasonNames(t *testing.T) {
	require.Equal(t, "load-use", LoadUse.String())
	require.Equal(t, "sleep", Sleep.String())
	require.Equal(t, "reason(99)", Reason(99).String())
	var s Stalls
	s.Add(Branch, 3)
	s.Add(Fetch, 4)
	require.Equal(t, uint64(7), s.Total())
}

// TestUnalignedPorts: interleaving is a property of a memory, not of all of them.
func TestUnalignedPorts(t *testing.T) {
	for _, tt := range []struct {
		name    string
		options Options
		x, d    uint32
	}{
		{name: "neither", x: 1, d: 1},
		{name: "X and Y", options: Options{Interleaved: true}, d: 1},
		{name: "DCCM", options: Options{DCCMInterleaved: true}, x: 1},
		{name: "all", options: Options{Interleaved: true, DCCMInterleaved: true}},
	} {
		tt.options.MPY = 8
		m := em(t, tt.options)
		var w WriteBuffers
		require.Equal(t, tt.x, m.Ports(&w, 10, []PortAccess{{Bank: BankX, Unaligned: true}}).Conflict, tt.name)
		require.Equal(t, tt.d, m.Ports(&w, 10, []PortAccess{{Bank: BankD, Unaligned: true}}).Conflict, tt.name)
		require.Zero(t, m.Ports(&w, 10, []PortAccess{{Bank: BankD}}).Conflict, tt.name)
	}
}

// TestSettles: each field of a pipeline counts but the last, which settling makes zero.
func TestSettles(t *testing.T) {
	var zero Pipe
	require.True(t, zero.Settles(&zero))
	fields := reflect.TypeFor[Pipe]()
	for i := range fields.NumField() {
		p := zero
		*(*bool)(unsafe.Add(unsafe.Pointer(&p), fields.Field(i).Offset)) = true // the lowest byte of it
		require.Equal(t, p.Settled() == zero, p.Settles(&zero), fields.Field(i).Name)
		require.Equal(t, zero.Settled() == p, zero.Settles(&p), fields.Field(i).Name)
		require.Equal(t, p.Settled() == p, p.Settles(&p), fields.Field(i).Name)
	}
}
