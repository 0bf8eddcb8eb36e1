package arcv2dsp

import (
	"fmt"
	"io"
	"strings"

	"arcv2dsp/internal/board/config"
	"arcv2dsp/internal/board/machine"
)

// Config describes the simulated core and the parts of the host that the program may see. The zero
// value is an EM9D without input and files, whose output is discarded.
type Config struct {
	// Core is a core template, such as em9d, or a board, such as emsk23-em9d. Empty leaves the choice to
	// a file of the settings that names the family of the core, which describes the core completely, and
	// else to the program: em9d for EM, hs38 for HS.
	Core string
	// Settings change options of the core, in this order.
	Settings []Setting
	// Lenient makes unknown properties a warning instead of an error.
	Lenient bool

	Engine EngineKind
	HostIO HostIO

	Stdin          io.Reader
	Stdout, Stderr io.Writer
	UART           io.ReadWriter // the other end of the UARTs and consoles of the board; nil: Stdin and Stdout
	FileRoot       string        // directory the program sees as "/"; empty: no file access
	Args           []string      // argv; empty: the program's name
	Until          []Until       // texts in the output that end a run

	// Devices and Regions are the embedder's additions to the board.
	Devices []Peripheral
	Regions []Region

	// Memory is how many bytes the program may write to; 0 is memory.DefaultLimit.
	Memory uint64
	// Wait has the extra cycles per access of memories of the core, by their names: iccm, dccm, xccm, yccm.
	Wait map[string]uint8
	// Notice gets messages for the user about conditions that do not end a run. Nil drops them.
	Notice func(text string)
}

// Until is a text in the output of a program that ends a run with StopOutput and a status. Text is a regular expression
// that a line has; an unfinished line counts as it stands, unless the expression asks what is behind the text.
type Until struct {
	Text   string
	Status uint32
}

// Setting changes options of the core. It is one property or a file of properties.
type Setting struct {
	Property string // name=value, names as nSIM has them, the prefix nsim_isa_ optional
	File     string // a .props file
	TCF      string // a tool configuration file
	Origin   string // where the setting stands, for messages; empty: "-p"
}

// EngineKind chooses what executes instructions.
type EngineKind uint8

const (
	EngineAuto      EngineKind = machine.Auto      // as EngineJIT after a warm-up, where the host can, else as EngineFast
	EngineFast      EngineKind = machine.Fast      // decoded blocks
	EngineReference EngineKind = machine.Reference // one instruction at a time; chosen anyway while hooks are set
	EngineJIT       EngineKind = machine.JIT       // decoded blocks, and machine code of the host for those executed often
)

func (k EngineKind) String() string { return machine.Engine(k).String() }

// ParseEngine returns the engine of a name: auto, fast, ref or jit.
func ParseEngine(name string) (EngineKind, error) {
	e, err := machine.ParseEngine(name)
	return EngineKind(e), err
}

// HostIO chooses the convention by which a program asks its host for something.
type HostIO uint8

const (
	HostAuto     HostIO = iota // whatever the program turns out to use
	HostGNU                    // swi with the number of a call in r8
	HostMetaWare               // hostlink, found by symbols
	HostQEMU                   // console and power-off addresses
	HostNone                   // none: a swi is an exception
)

var hostIONames = [...]string{HostAuto: "auto", HostGNU: "gnu", HostMetaWare: "metaware", HostQEMU: "qemu", HostNone: "none"}

func (h HostIO) String() string {
	if int(h) < len(hostIONames) {
		return hostIONames[h]
	}
	return fmt.Sprintf("hostio(%d)", uint8(h))
}

// ParseHostIO is the inverse of HostIO.String.
func ParseHostIO(name string) (HostIO, error) {
	for i, n := range hostIONames {
		if n == name {
			return HostIO(i), nil
		}
	}
	return 0, fmt.Errorf("unknown host I/O %q, there is %s", name, strings.Join(hostIONames[:], ", "))
}

// calls are the conventions that h lets a program use.
func (h HostIO) calls() machine.Calls {
	auto := h == HostAuto
	return machine.Calls{
		GNU: auto || h == HostGNU, LongSWI: auto, Hostlink: auto || h == HostMetaWare, QEMU: auto || h == HostQEMU,
	}
}

// Preset is a core or a board that Config.Core can name.
type Preset struct {
	Name, Summary string
	DSP           bool     // has the DSP instructions, which kernels need
	Also          []string // names that Zephyr has for it, which Config.Core takes too
}

// Cores lists the core templates.
func Cores() []Preset { return presets(config.Templates()) }

// Boards lists the public boards.
func Boards() []Preset { return presets(config.Boards()) }

func presets(rows []config.TemplateInfo) []Preset {
	list := make([]Preset, len(rows))
	for i, r := range rows {
		list[i] = Preset(r)
	}
	return list
}

// Option is one option of the core as it is in effect.
type Option struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"` // who chose the value
	Help   string `json:"help"`
}

// RunOptions are the properties of a settings file that concern a run and not the core.
type RunOptions struct {
	Trace             bool   // nsim_trace
	TraceOutput       string // nsim_trace-output
	Stats             bool   // nsim_print_stats_on_exit
	InstructionErrors bool   // invalid_instruction_interrupt: take the exception
	MemoryErrors      bool   // memory_exception_interrupt: take the exception
}
