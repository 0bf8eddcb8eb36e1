package basemodel_test

import "fmt"

const controlAbout = "expected values from the rules for status and auxiliary registers, in internal/dev/testkit/basemodel."

// STATUS32 bits.
const (
	statusAE = 1 << 5
	statusDE = 1 << 6
	statusU  = 1 << 7
	flagZ    = 1 << 11
	statusL  = 1 << 12
	statusDZ = 1 << 13
	statusSC = 1 << 14
	statusES = 1 << 15
	statusUS = 1 << 20
	statusIE = 1 << 31
)

func status(v int64) string { return fmt.Sprintf("status32=0x%x", uint32(v)) }

func controlFiles() (all []*file) {
	make := func(name string, vectors ...vector) {
		f := newFile(name, controlAbout)
		for _, v := range vectors {
			f.add(v)
		}
		all = append(all, f)
	}
	const flagBits = 0xf00
	user := func(code string, more ...string) vector {
		return vector{code: []string{code}, in: append([]string{status(statusU)}, more...), out: []string{"trap=0x070000"}}
	}
	// flag writes E, DZ and US beside Z N C V; kflag also AE and IE; in user mode both write Z N C V
	flagLike := func(name string, mask int64) []vector {
		old := int64(statusDZ | 0x5<<1)
		return []vector{
			{code: []string{name + " r3"}, in: []string{"r3=0xa00", status(0)}, out: []string{"f=Z-C-"}},
			{code: []string{name + " r3"}, in: []string{"r3=0xfffffffe", status(0)}, out: []string{status(mask | flagBits)}},
			{code: []string{name + " r3"}, in: []string{"r3=0", status(old | flagBits | statusL)}, out: []string{status(statusL)}},
			{code: []string{name + " r3"}, in: []string{"r3=0xfffffffe", status(statusU)}, out: []string{status(statusU | flagBits)}},
			{code: []string{name + " 0x500"}, in: []string{status(0)}, out: []string{"f=-N-V"}},
			{code: []string{name + ".eq r3"}, in: []string{"r3=0x500", status(0)}, out: []string{"f=----"}},
			{code: []string{name + ".ne r3"}, in: []string{"r3=0x500", status(0)}, out: []string{"f=-N-V"}},
			{code: []string{name + " 6"}, in: []string{status(0)}, out: []string{status(6)}},
			{code: []string{name + " 1"}, in: []string{status(0)}, out: []string{status(1), "stop=halt"}},
			{code: []string{name + " r3"}, in: []string{"r3=1", status(statusU)}, out: []string{"f=----"}},
		}
	}
	make("flag", flagLike("flag", 0x1e|statusDZ|statusUS)...)
	make("kflag", flagLike("kflag", 0x1e|statusDZ|statusUS|statusAE|statusIE)...)

	make("lr",
		vector{code: []string{"lr r3,[0x2]"}, in: []string{"lp_start=0x1234"}, out: []string{"r3=0x1234"}},
		vector{code: []string{"lr r3,[r4]"}, in: []string{"r4=3", "lp_end=0x5678"}, out: []string{"r3=0x5678"}},
		vector{code: []string{"lr r3,[0xa]"}, in: []string{status(statusL | 0xa00)}, out: []string{reg("r3", statusL|0xa00)}},
		vector{code: []string{"lr r3,[0xa]"}, in: []string{status(statusU | statusL | 0xa00)}, out: []string{"r3=0xa00"}},
		vector{code: []string{"lr r3,[0x400]"}, in: []string{"eret=0x4444"}, out: []string{"r3=0x4444"}},
		vector{code: []string{"lr r3,[0x6]"}, out: []string{reg("r3", here)}},
		vector{code: []string{"lr r3,[0x67]"}, out: []string{"r3=0"}},
		vector{code: []string{"lr r3,[0x7ff]"}, out: []string{"trap=0x020000"}},
		user("lr r3,[0x400]"), user("lr r3,[0xd]"))
	make("sr",
		vector{code: []string{"sr r3,[0x2]"}, in: []string{"r3=0x1235"}, out: []string{"lp_start=0x1234"}},
		vector{code: []string{"sr r3,[r4]"}, in: []string{"r3=0x8888", "r4=0x412"}, out: []string{"bta=0x8888"}},
		vector{code: []string{"sr 0x12345678,[0xd]"}, out: []string{"aux_user_sp=0x12345678"}},
		vector{code: []string{"sr r3,[0x290]"}, in: []string{"r3=0x1234"}, out: []string{"jli_base=0x1234"}},
		vector{code: []string{"sr r3,[0x75]"}, out: []string{"trap=0x020000"}},
		vector{code: []string{"sr r3,[0x4]"}, out: []string{"trap=0x020000"}},
		vector{code: []string{"sr r3,[0x7ff]"}, out: []string{"trap=0x020000"}},
		user("sr r3,[0x400]"), user("sr r3,[0x25]"))
	make("aex",
		vector{code: []string{"aex r3,[0x2]"}, in: []string{"r3=0x1234", "lp_start=0x5678"}, out: []string{"r3=0x5678", "lp_start=0x1234"}},
		vector{code: []string{"aex r3,[r4]"}, in: []string{"r3=0x1234", "r4=0x404", "efa=0x99"}, out: []string{"r3=0x99", "efa=0x1234"}},
		vector{code: []string{"aex.eq r3,[r4]"}, in: []string{"r3=1", "r4=0x404", "efa=0x99", "f=----"}, out: []string{"r3=1"}},
		user("aex r3,[0x400]"))
	make("clri",
		vector{code: []string{"clri r3"}, in: []string{status(statusIE | 0x3<<1)}, out: []string{"r3=0x33", status(0x3 << 1)}},
		vector{code: []string{"clri r3"}, in: []string{status(0xf << 1)}, out: []string{"r3=0x2f"}},
		vector{code: []string{"clri"}, in: []string{status(statusIE)}, out: []string{status(0)}},
		user("clri r3"))
	make("seti",
		vector{code: []string{"seti r3"}, in: []string{"r3=0x33", status(0)}, out: []string{status(statusIE | 0x3<<1)}},
		vector{code: []string{"seti r3"}, in: []string{"r3=0x2f", status(statusIE)}, out: []string{status(0xf << 1)}},
		vector{code: []string{"seti 0x12"}, in: []string{status(0x5 << 1)}, out: []string{status(statusIE | 0x2<<1)}},
		vector{code: []string{"seti 0"}, in: []string{status(0x5 << 1)}, out: []string{status(statusIE | 0x5<<1)}},
		user("seti r3"))
	asleep := func(code string, in, out []string) vector {
		return vector{code: []string{code}, in: in, out: append(out, "stop=sleep")}
	}
	make("sleep", user("sleep r3"), user("sleep 16"),
		asleep("sleep", []string{status(statusIE)}, nil),
		asleep("sleep 0", []string{status(0x5 << 1)}, nil),
		asleep("sleep r3", []string{"r3=0xf", status(0x5 << 1)}, nil), // without bit 4 nothing changes
		asleep("sleep r3", []string{"r3=0x12", status(0x5 << 1)}, []string{status(statusIE | 0x2<<1)}),
		asleep("sleep 0x1f", []string{status(0)}, []string{status(statusIE | 0xf<<1)}),
		asleep("sleep r3", []string{"r3=0x1f", status(statusU | statusUS)}, nil)) // allowed, and no more
	nothing := func(core string, code ...string) (vs []vector) {
		for _, c := range code {
			vs = append(vs, vector{core: core, code: []string{c}, in: []string{"f=Z-CV"}, out: []string{"f=Z-CV"}})
		}
		return vs
	}
	make("nop", nothing("em4", "nop")...)
	make("nop_s", nothing("em4", "nop_s")...)
	make("sync", nothing("em4", "sync")...)
	make("dsync", nothing("em4", "dsync")...)
	make("dmb", nothing("em4", "dmb", "dmb 3")...)
	make("wevt", nothing("em4", "wevt r3", "wevt 3")...)
	make("wlfc", nothing("hs38", "wlfc r3", "wlfc 3")...)
	make("swi", vector{code: []string{"swi"}, out: []string{"trap=0x080000"}})
	make("swi_s", vector{code: []string{"swi_s"}, out: []string{"trap=0x080000"}},
		vector{code: []string{"swi_s 5"}, out: []string{"trap=0x080005"}})
	make("trap_s", vector{code: []string{"trap_s 0"}, out: []string{"trap=0x090000"}},
		vector{code: []string{"trap_s 63"}, out: []string{"trap=0x09003f"}})
	make("unimp_s", vector{code: []string{"unimp_s"}, out: []string{"trap=0x020000"}})
	stopped := func(code string) vector {
		return vector{code: []string{code}, out: append(cost(0, 0), pc(here), "stop=breakpoint")}
	}
	make("brk", user("brk"), stopped("brk"))
	make("brk_s", user("brk_s"), stopped("brk_s"))
	shield := func(code string, in, out []string) vector {
		return vector{core: "em4 has_secure=1", code: []string{code}, in: in, out: out}
	}
	make("sflag",
		shield("sflag r3", []string{"r3=0x3b"}, []string{"sec_stat=0x3b"}),
		shield("sflag 0x20", nil, []string{"sec_stat=0x20"}),
		shield("sflag r3", []string{"r3=0xffffffff"}, []string{"sec_stat=0x3f"}),
		vector{code: []string{"sflag r3"}, in: []string{"r3=1"}, out: []string{"trap=0x020000"}}) // no SecureShield
	make("sjli",
		shield("sjli 3", []string{"nsc_table_base=0x2000", "nsc_table_top=0x2010", "mem[0x200c]=00 04 01 00"},
			append(cost(1, lostJump+lostTable), pc(0x10400), reg("r31", here+4))),
		vector{code: []string{"sjli 3"}, out: []string{"trap=0x020000"}}) // no SecureShield
	make("rtie",
		vector{code: []string{"rtie"}, in: []string{status(statusAE | statusL), "eret=0x10400", "erstatus=0x80000a06", "erbta=0x10800"},
			out: []string{pc(0x10400), "status32=0x80000a06", "bta=0x10800"}},
		vector{code: []string{"rtie"}, in: []string{status(statusAE), "eret=0x10400", "erstatus=0x80", "erbta=0", "r28=0x1000", "aux_user_sp=0x2000"},
			out: []string{pc(0x10400), "status32=0x80", "bta=0", "r28=0x2000", "aux_user_sp=0x1000"}},
		user("rtie"))
	return all
}

// unmodelledFiles are the instructions that decode and raise Instruction Error when they run, on a
// core that has their unit as well as on one that lacks it.
func unmodelledFiles() (all []*file) {
	add := func(name, core, code string) {
		f := newFile(name, "not modelled: Instruction Error.")
		f.add(vector{core: core, code: []string{code}, in: []string{"r0=1", "r2=2"}, out: []string{"trap=0x020000"}})
		all = append(all, f)
	}
	for _, name := range []string{"dsp_fp_div", "dsp_fp_cmp", "fmp_adds", "fmp_divf", "fmp_divf15"} {
		add(name, "em4", name+" r4,r0,r2")
	}
	for _, name := range []string{"dsp_fp_flt2i", "dsp_fp_i2flt", "dsp_fp_sqrt", "fmp_atan",
		"fmp_atan15", "fmp_cos", "fmp_cos15", "fmp_exp2", "fmp_exp215", "fmp_log2", "fmp_log215", "fmp_recip", "fmp_recip15",
		"fmp_rndh", "fmp_sath", "fmp_sin", "fmp_sin15", "fmp_sqrtf", "fmp_sqrtf15"} {
		add(name, "em4", name+" r4,r2")
	}
	add("nexttask", "em4", "nexttask r2")
	return all
}
