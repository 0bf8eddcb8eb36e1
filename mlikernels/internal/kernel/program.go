package kernel

import (
	"errors"
	"fmt"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/term/steps"
)

// The program of a call begins in a section that the linker places before the code of the library: constants of the library
// stand behind its code.
const (
	startSection = ".init"
	startAt      = 0x200
)

// Names of the program of a call: where it starts and where the function has returned.
const (
	startSymbol    = "__start"
	returnedSymbol = "__returned"
)

// Program is a call as an executable.
type Program struct {
	ELF   []byte
	Names []string // of what the arguments point to
}

// Program links a call into an executable: the library, the buffers with their contents and names, and a start that sets
// the registers, calls the function and halts with its status in r0. A tensor structure has the name of its tensor,
// elements have NAME_data.
func (k *Machine) Program(symbol string, kernel *Kernel, job *Job) (_ *Program, err error) {
	defer steps.Return(&err)
	lib := k.opts.Library
	if lib.inputs == nil {
		return nil, errors.New("a linked program cannot be linked once more: give objects or archives")
	}
	l := steps.Must(k.LayOut(kernel, job))
	text, names := k.callSource(symbol, l)
	o := steps.Must(asm.Assemble(asm.Options{CPU: assembleFor}, asm.Source{Name: "call.s", Text: text}))
	data := steps.Must(o.Bytes())
	options := lib.options
	options.Entry = startSymbol
	options.SectionStart = map[string]uint32{startSection: startAt}
	for name, at := range lib.options.SectionStart {
		options.SectionStart[name] = at
	}
	for m, a := range l.arenas {
		if len(a.image) > 0 {
			options.SectionStart[sectionOf(Memory(m).String())] = a.base
		}
	}
	im := steps.Must(link.Link(options, append(lib.inputs[:len(lib.inputs):len(lib.inputs)], link.Input{Name: "call.o", Data: data})))
	data, err = im.Bytes()
	return &Program{ELF: data, Names: names}, err
}

func sectionOf(name string) string { return ".call_" + name }

// callSource is the source of what a program has besides the library, and the names of its structures.
func (k *Machine) callSource(symbol string, l *Layout) (text string, names []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "\t.section %s,\"ax\"\n\t.align 4\n\t.global %s\n\t.type %[2]s,@function\n%[2]s:\n", startSection, startSymbol)
	state, conventions := k.caller(l), k.opts.Library.conventions()
	fmt.Fprintf(&b, "\tmov r8,%#x\n\tsr r8,[%#x]\n", state.dspCtrl, dspCtrl)
	if conventions.Unaligned {
		fmt.Fprintf(&b, "\tlr r8,[10]\n\tor r8,r8,%#x\n\tkflag r8\n", statusUnaligned)
	}
	fmt.Fprintf(&b, "\tmov sp,%#x\n", uint32(stackTop))
	for i, a := range l.args {
		fmt.Fprintf(&b, "\tmov r%d,%#x\n", i, a)
	}
	fmt.Fprintf(&b, "\tbl %s\n\t.global %s\n%[2]s:\n\tflag 1\n\tnop\n\tnop\n\tnop\n\t.size %s,.-%[3]s\n", symbol, returnedSymbol, startSymbol)
	used := map[string]int{symbol: 1}
	for m, a := range l.arenas {
		if len(a.image) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t.section %s,\"aw\"\n", sectionOf(Memory(m).String()))
		at := 0
		emit := func(end int) {
			for at < end {
				n := min(16, end-at)
				b.WriteString("\t.byte ")
				for i, v := range a.image[at : at+n] {
					if i > 0 {
						b.WriteByte(',')
					}
					fmt.Fprint(&b, v)
				}
				b.WriteByte('\n')
				at += n
			}
		}
		for _, buf := range a.buffers {
			start := int(buf.addr - a.base)
			emit(start)
			name := pieceName(Memory(m), buf.name)
			if used[name]++; used[name] > 1 {
				name = fmt.Sprintf("%s_%d", name, used[name])
			}
			if Memory(m) == Structs {
				names = append(names, name)
			}
			fmt.Fprintf(&b, "\t.global %s\n\t.type %[1]s,@object\n\t.size %[1]s,%d\n%[1]s:\n", name, buf.size)
			emit(start + buf.size)
		}
		emit(len(a.image))
	}
	return b.String(), names
}

// pieceName is the symbol of a buffer.
func pieceName(m Memory, name string) string {
	if m == Structs {
		name = strings.TrimPrefix(name, "tensor ")
	} else {
		name += "_data"
	}
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}
