package config

import (
	"errors"
	"os"
	"strings"
	"testing"

	"arcv2dsp/cpu"

	"github.com/stretchr/testify/require"
)

func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		name     string
		family   Family
		multiply uint32
		dsp      uint32
		agu      string
		xy       bool
		cache    uint32
	}{
		{name: "em4", family: EM, multiply: 2, agu: "none"},
		{name: "em6", family: EM, multiply: 2, agu: "none", cache: 16 << 10},
		{name: "em5d", family: EM, multiply: 8, dsp: 2, agu: "none"},
		{name: "em7d", family: EM, multiply: 8, dsp: 2, agu: "none", cache: 16 << 10},
		{name: "em9d", family: EM, multiply: 8, dsp: 2, agu: "large", xy: true},
		{name: "em11d", family: EM, multiply: 8, dsp: 2, agu: "large", xy: true, cache: 16 << 10},
		{name: "hs38", family: HS, multiply: 9, agu: "none"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := New(tt.name, "test")
			require.NoError(t, err)
			require.NoError(t, c.Check())
			k := c.Core
			require.Equal(t, tt.family, k.Family)
			require.EqualValues(t, tt.multiply, k.MPYOption)
			require.Equal(t, tt.dsp, k.DSP)
			require.Equal(t, tt.agu, k.AGUKind)
			require.Equal(t, tt.xy, k.XY)
			require.Equal(t, tt.cache, k.ICache.Size)
			require.Equal(t, tt.cache, k.DCache.Size)
			require.True(t, k.RAMEverywhere(), "a template leaves the whole address space to RAM")
			require.Equal(t, tt.name, k.TimingCore())
			require.Equal(t, tt.name, k.Template)
		})
	}
	require.Len(t, Templates(), 7)
}

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		set  string
		want string // value read back, or a part of the error
		err  bool
	}{
		{set: "nsim_isa_mpy_option=7", want: "7"},
		{set: "mpy_option=0", want: "0"},
		{set: " nsim_isa_mpy_option = 2 ", want: "2"},
		{set: "nsim_isa_mpy_option=10", want: `property nsim_isa_mpy_option: 10 is more than 9`, err: true},
		{set: "nsim_isa_mpy_option=dmpy", want: `"dmpy" is not a 32-bit number`, err: true},
		{set: "nsim_isa_xy=on", want: "1"},
		{set: "nsim_isa_xy=2", want: `"2" is neither 0 nor 1`, err: true},
		{set: "nsim_isa_rgf_num_regs=24", want: "24 is not one of 16, 32", err: true},
		{set: "nsim_isa_xy_size=8K", want: "0x2000"},
		{set: "nsim_isa_xy_size=0x8000", want: "0x8000"},
		{set: "nsim_isa_xy_size=2K", want: "2K is not a power of two of 4 KB or more", err: true},
		{set: "nsim_isa_xy_size=3K", want: "3K is not a power of two", err: true},
		{set: "nsim_isa_xy_size=4G", want: "is not a size", err: true},
		{set: "nsim_isa_xy_x_base=0x90000000", want: "0x90000000"},
		{set: "nsim_isa_agu_size=medium", want: "medium"},
		{set: "agu_size=huge", want: `"huge" is not one of none, small, medium, large`, err: true},
		{set: "icache=8K,64,4,a", want: "8192,64,4,a"},
		{set: "icache=0", want: "0"},
		{set: "icache=8192", want: `"8192" is not size,line,ways,policy`, err: true},
		{set: "dcache=100,32,2,a", want: "is no cache", err: true},
		{set: "icache=1K,8,2,a", want: "1024,8,2,a"},
		{set: "dcache=1K,8,2,a", want: "a line of 16 to 256 bytes", err: true},
		{set: "dcache=16384,0,2,a", want: "is no cache", err: true},
		{set: "nsim_isa_family=av3hs", want: `family "av3hs" is not simulated, av2em and av2hs are`, err: true},
		{set: "nsim_isa_family=av2hs", want: "av2hs contradicts the core, which is of family av2em", err: true},
		{set: "nsim_isa_dsp_optoin=2", want: `unknown property "nsim_isa_dsp_optoin", did you mean "nsim_isa_dsp_option"?`, err: true},
		{set: "dsp_opton=2", want: `did you mean "dsp_option"?`, err: true},
		{set: "quite_something_else_entirely=1", want: `unknown property "quite_something_else_entirely"`, err: true},
		{set: "nsim_isa_dsp_option", want: "has no value: write name=value", err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24", want: "uart0,kind=dwuart,base=0xf0000000,irq=24"},
		{set: "nsim_mem-dev=uart0,kind=lcd,base=0xf0000000", want: `device kind "lcd" is not simulated`, err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,base=3", want: "not a multiple of 4", err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,speed=3", want: `a device has no "speed", there is kind, base, irq, space, line (dwuart), pins (dwgpio), hz (dwrtc), size (bank), reads (bank)`, err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,base=0,hz=3", want: "hz is a setting of a dwrtc, uart0 is a dwuart", err: true},
		{set: "nsim_mem-dev=pll,kind=bank,base=0,size=6", want: "bank pll has 6 bytes: a multiple of 4 up to 1048576", err: true},
		{set: "nsim_mem-dev=pll,kind=bank,base=0,size=8,reads=2:1", want: "offset 0x2 in reads=2:1 is not a multiple of 4", err: true},
		{set: "nsim_mem-dev=pll,kind=bank,base=0,size=8,reads=4", want: `"4" in reads=4 is not OFFSET:VALUE`, err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,base=0,line=pty", want: `"pty" is not one of console, none`, err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,base=0,space=io", want: `"io" is not one of memory, aux`, err: true},
		{set: "nsim_mem-dev=kind=dwuart", want: "does not start with the name of a device", err: true},
		{set: "nsim_mem-dev=uart0", want: "is not key=value", err: true},
		{set: "nsim_mem-dev=uart0,kind=dwuart,irq=3", want: "irq 3 of uart0 is not 16 to 255", err: true},
	} {
		t.Run(tt.set, func(t *testing.T) {
			c, err := New("em9d", "test")
			require.NoError(t, err)
			err = c.SetText(tt.set, "-p")
			if tt.err {
				require.ErrorContains(t, err, tt.want)
				return
			}
			require.NoError(t, err)
			name, _, _ := strings.Cut(tt.set, "=")
			for _, s := range c.Effective() {
				if s.Name == strings.TrimSpace(name) || s.Name == prefix+strings.TrimSpace(name) {
					require.Equal(t, tt.want, s.Value)
					require.Equal(t, "-p", s.Origin)
				}
			}
		})
	}
}

func TestUnknownCore(t *testing.T) {
	_, err := New("em9", "test")
	require.EqualError(t, err, `unknown core "em9", did you mean "em9d"?`)
	_, err = New("em11", "test")
	require.EqualError(t, err, `unknown core "em11", did you mean "em11d"?`)
	_, err = New("cortex-m55", "test")
	require.ErrorContains(t, err, "unknown core \"cortex-m55\", there is em4, em6, em5d, em7d, em9d, em11d, hs38, emsk11-em4, ")
	for _, b := range Boards() {
		require.ErrorContains(t, err, ", "+b.Name)
	}
}

func TestPropertyFile(t *testing.T) {
	const file = "testdata/board_em.props"
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	list, err := ParseProps(data, file)
	require.NoError(t, err)
	require.Equal(t, EM, list.Family())
	c := NewComplete(list.Family(), file)
	require.Empty(t, c.Apply(list))
	require.NoError(t, c.Check())

	k := c.Core
	require.Equal(t, uint32(2), k.DSP)
	require.Equal(t, "large", k.AGUKind)
	require.Equal(t, uint32(64<<10), k.XYSize)
	require.Equal(t, cpu.CCM{Base: 0x80000000, Size: 1 << 20}, k.DCCM)
	require.Equal(t, cpu.CacheGeometry{Size: 16384, Line: 32, Ways: 2}, k.ICache)
	require.Equal(t, "a", k.ICachePolicy)
	require.Equal(t, []Device{{Name: "uart0", Kind: "dwuart", Base: 0xf0000000, IRQ: 24}}, k.Devices)
	require.False(t, k.FastIRQ)
	require.True(t, k.Turbo)
	require.False(t, k.RAMEverywhere())
	require.Equal(t, "em11d", k.TimingCore())

	// The core lacks the options that the file does not name.
	for name, has := range map[string]bool{
		"swap": k.Swap, "bitscan": k.Bitscan, "bitstream": k.Bitstream, "unaligned accesses": k.Unaligned,
		"stack checking": k.StackCheck, "timer 0": k.Timer0, "rtc": k.RTC, "ll64": k.LL64, "dsp_wide": k.DSPWide,
	} {
		require.False(t, has, name)
	}
	require.Zero(t, k.ActionPoints)

	require.Empty(t, c.NotModelled())

	origins := map[string]string{}
	for _, s := range c.Effective() {
		origins[s.Name] = s.Origin
	}
	require.Equal(t, file+":15", origins["nsim_isa_dsp_option"])
	require.Equal(t, "absent in testdata/board_em.props", origins["nsim_isa_swap_option"])
}

func TestPropertyFileErrorsComeTogether(t *testing.T) {
	c, err := New("em9d", "test")
	require.NoError(t, err)
	list, err := ParseProps([]byte("nsim_isa_family=av2em\n\n# comment\nxy=maybe\nnsim_isa_swap\nswop_option=1\n"), "b.props")
	require.NoError(t, err)
	err = errors.Join(c.Apply(list)...)
	require.ErrorContains(t, err, `b.props:4: property nsim_isa_xy: "maybe" is neither 0 nor 1`)
	require.ErrorContains(t, err, `b.props:5: property "nsim_isa_swap" has no value`)
	require.ErrorContains(t, err, `b.props:6: unknown property "swop_option", did you mean "swap_option"?`)
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  []string
		want string
	}{
		{name: "aligned", set: []string{"dccm_base=0x80001000", "dccm_size=64K"}, want: "dccm at 0x80001000 is not aligned to its size 0x10000"},
		{name: "overlap", set: []string{"dccm_base=0xc0000000", "dccm_size=1M"}, want: "dccm at 0xc0000000 and X memory at 0xc0000000 overlap"},
		{name: "irq", set: []string{"nsim_mem-dev=u,kind=dwuart,base=0xf0000000,irq=99"}, want: "irq 99 of u is beyond the 20 interrupts of the core"},
		{name: "twice", set: []string{"nsim_mem-dev=u,kind=dwuart,base=0xf0000000", "nsim_mem-dev=v,kind=dwuart,base=0xf0000000"}, want: "devices u and v are both at 0xf0000000"},
		{name: "agu", set: []string{"dsp_option=0"}, want: "nsim_isa_agu_size=large needs nsim_isa_dsp_option"},
		{name: "multiplier", set: []string{"mpy_option=6"}, want: "nsim_isa_dsp_option=2 needs nsim_isa_mpy_option=8"},
		{name: "quad", set: []string{"mpy_option=9"}, want: "nsim_isa_mpy_option=9 is for av2hs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := New("em9d", "test")
			require.NoError(t, err)
			for _, s := range tt.set {
				require.NoError(t, c.SetText(s, "-p"))
			}
			require.ErrorContains(t, c.Check(), tt.want)
		})
	}
}

func TestEveryPropertyReadsBack(t *testing.T) {
	c, err := New("em11d", "test")
	require.NoError(t, err)
	seen := map[string]bool{}
	for i, p := range properties() {
		require.False(t, seen[p.Name], "%s is listed twice", p.Name)
		seen[p.Name] = true
		require.True(t, (p.Bind == nil) == (p.Lacks != ""), p.Name)
		for _, name := range p.names() {
			require.Equal(t, i, c.index[name], "%s means two properties", name)
		}
		if p.Bind == nil || p.Name == "nsim_mem-dev" {
			continue
		}
		require.NotEmpty(t, p.Help, p.Name)
		v := p.Bind(c)
		require.NoError(t, v.set(v.String()), "%s does not read what it prints", p.Name)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("nsim_isa_family=av2em\nnsim_mem-dev=uart0,kind=dwuart,base=0xf0000000,irq=24\n")
	f.Add("icache=16384,32,2,a\n#\n=\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseProps([]byte(text), "f")
		if err != nil {
			return
		}
		c, err := New(Default, "test")
		require.NoError(t, err)
		if f := list.Family(); f != "" {
			c = NewComplete(f, "f")
		}
		if len(c.Apply(list)) == 0 {
			for _, s := range c.Effective() {
				require.NotEmpty(t, s.Name)
			}
			_ = c.Check()
		}
	})
}
