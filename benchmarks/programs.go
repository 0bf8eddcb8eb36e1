package benchmarks

import (
	"embed"
	"fmt"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/isa"
	"arcv2dsp/loader"
)

// Sources are the programs' sources and what they include.
//
//go:embed */*.s *.inc
var Sources embed.FS

// Program is a guest program whose cycles are counted.
type Program struct {
	Name  string // also its folder and the stem of its source
	About string
	Needs isa.Feature // options a core must have to run it, beside those of every core

	// Work is how many units of work it does between its marks, or from start to end without marks;
	// cycles are also given per unit.
	Work uint64
	Unit string

	// Output is the text that the program must print. It is not set by measuring: each is worked out
	// independently in programs_test.go or by another compiler on another processor.
	Output string

	// Window holds the cycles per unit of work on em9d. A model of the core that leaves it is wrong.
	Window Window

	compiled bool // a .c file beside the .s: linked with start.inc
}

// Window is a range of cycles per unit of work, bounds included.
type Window struct{ Lo, Hi float64 }

// Contains reports whether v is in the window.
func (w Window) Contains(v float64) bool { return w.Lo <= v && v <= w.Hi }

// Symbols between which the cycles of a program count, when it has both.
const (
	BeginSymbol = "bench_begin"
	EndSymbol   = "bench_end"
)

// Programs lists the programs by name.
func Programs() []Program {
	return []Program{
		{
			Name: "core", About: "CoreMark-like: lists, matrices, a state machine and checksums",
			Work: 10, Unit: "iteration", Window: Window{Lo: 51500, Hi: 63000}, Output: "crc 0000cc3c\n", compiled: true,
		}, {
			Name: "crc", About: "CRC-32 of 4096 bytes, by bits and by table",
			Work: 4096, Unit: "byte", Window: Window{Lo: 52, Hi: 65}, Output: "check cbf43926\nbits e7f661de\ntable e7f661de\n",
			compiled: true,
		}, {
			Name: "dhry", About: "Dhrystone-like: calls, records, strings and small arrays",
			Work: 500, Unit: "iteration", Window: Window{Lo: 375, Hi: 460}, compiled: true,
			Output: "one 00000000\ntwo 00000015\nthree 00000007\ntotal 00000005\nvalue 00000012\n" +
				"grid 000001f4\ncounts 00000008\n",
		}, {
			Name: "dspautocorr", About: "autocorrelation of a frame of 160 samples, 11 lags",
			Needs: isa.DSP | isa.AGU, Work: 11, Unit: "lag", Window: Window{Lo: 290, Hi: 360},
		}, {
			Name: "dspdot", About: "dot products of 256 elements of 16 and of 16 by 8 bits",
			Needs: isa.DSP | isa.AGU, Work: 512, Unit: "MAC", Window: Window{Lo: 5.0, Hi: 6.2},
		}, {
			Name: "dspfft", About: "complex FFT of 64 points and its power spectrum",
			Needs: isa.DSP | isa.AGU, Work: 1, Unit: "transform", Window: Window{Lo: 3450, Hi: 4220},
		}, {
			Name: "dspfir", About: "FIR filter of 32 taps, 256 outputs, twice",
			Needs: isa.DSP, Work: 2 * 256 * 32, Unit: "MAC", Window: Window{Lo: 2.2, Hi: 2.7},
		}, {
			Name: "dspiir", About: "two second-order IIR sections, 128 samples of 32 bits",
			Needs: isa.DSP, Work: 128, Unit: "sample", Window: Window{Lo: 64, Hi: 79},
		}, {
			Name: "matrix", About: "products of 32 x 32 matrices of words and of halfwords",
			Work: 2 * 32 * 32 * 32, Unit: "product", Window: Window{Lo: 4.8, Hi: 6.0},
			Output: "words 0d6e4e55\nhalfwords 2ed84e55\n", compiled: true,
		}, {
			Name: "sha256", About: "SHA-256 of 4096 bytes",
			Work: 4096, Unit: "byte", Window: Window{Lo: 53, Hi: 65}, compiled: true,
			Output: "abc ba7816bf\nabc 8f01cfea\nabc 414140de\nabc 5dae2223\n" +
				"abc b00361a3\nabc 96177a9c\nabc b410ff61\nabc f20015ad\n" +
				"data 73837e87\ndata 7be4ce1d\ndata 6dd1a902\ndata ba025b02\n" +
				"data 43d3cf6e\ndata 0f818d84\ndata 689da8cb\ndata e2e27ac9\n",
		}, {
			Name: "sort", About: "quicksort, heapsort and insertion sort of 1000 words",
			Work: 3000, Unit: "element", Window: Window{Lo: 630, Hi: 770}, compiled: true,
			Output: "quick c793ae36\nheap c793ae36\ninsertion c793ae36\n",
		},
	}
}

// Lookup finds a program by its name.
func Lookup(name string) (Program, bool) {
	for _, p := range Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return Program{}, false
}

// Memory of the compiled programs: code and constants low, data and stack where a core can have its
// closely coupled data memory.
const (
	CodeBase = 0x1000
	DataBase = 0x80000000
	DataSize = 0x100000
)

// Source is the path of the program's source within Sources.
func (p Program) Source() string { return p.Name + "/" + p.Name + ".s" }

// Build assembles and links the program.
func (p Program) Build() (*loader.Image, error) {
	files := []string{p.Source()}
	if p.compiled {
		files = []string{"start.inc", p.Source()}
	}
	var inputs []link.Input
	for _, file := range files {
		text, err := Sources.ReadFile(file)
		if err != nil {
			return nil, err
		}
		object, err := asm.Assemble(asm.Options{CPU: "em9d", Strict: true, Debug: true, FS: Sources},
			asm.Source{Name: file, Text: string(text)})
		if err != nil {
			return nil, err
		}
		data, err := object.Bytes()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		inputs = append(inputs, link.Input{Name: file, Data: data})
	}
	program, err := link.Link(p.linkOptions(), inputs)
	if err != nil {
		return nil, err
	}
	data, err := program.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return loader.Read(p.Name, data)
}

func (p Program) linkOptions() link.Options {
	o := link.Options{Entry: "_start"}
	if p.compiled {
		o.SectionStart = map[string]uint32{".text": CodeBase, ".data": DataBase, ".bss": DataBase + DataSize/2}
		o.Defines = []link.Define{{Name: "__stack_top", Expr: fmt.Sprintf("%#x", uint32(DataBase+DataSize))}}
	}
	return o
}
