package config

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/term/spelling"
)

// Config is a core and the run options nSIM keeps in the same place, with the origin of each value.
type Config struct {
	Core Core
	Run  Run

	*table
	base  string           // origin of what no property has set
	given map[string]given // what was set, by property name
	order []string         // names of unmodelled properties, in the order first given
}

// table is the property table. All configurations share it.
type table struct {
	rows  []property
	index map[string]int // row by name and by short name
}

var theTable = sync.OnceValue(func() *table {
	t := &table{rows: properties(), index: map[string]int{}}
	for i, p := range t.rows {
		for _, name := range p.names() {
			t.index[name] = i
		}
	}
	return t
})

// Run holds the properties that are about a run and not about the core.
type Run struct {
	Trace             bool   // nsim_trace
	TraceOutput       string // nsim_trace-output
	Stats             bool   // nsim_print_stats_on_exit
	InstructionErrors bool   // invalid_instruction_interrupt: take the exception
	MemoryErrors      bool   // memory_exception_interrupt: take the exception
}

type given struct {
	origin string
	text   string
}

// New returns the configuration of a core template or a board. The origin says who asked for it, for
// Effective.
func New(name, origin string) (*Config, error) {
	c := empty("core " + name + " (" + origin + ")")
	if fill(&c.Core, name) {
		return c, nil
	}
	if b := boardNamed(name); b != nil {
		c.base = "absent in board " + b.Name
		c.Core = bareCore(b.family)
		c.Core.Template = b.Name
		return c, errors.Join(c.Apply(b.settings())...)
	}
	names := coreNames()
	return nil, &UnknownError{What: "core", Name: name, Nearest: spelling.Nearest(name, names), Known: names}
}

// NewComplete returns the configuration of a core that a file describes completely: options that the file does not
// name are absent.
func NewComplete(f Family, file string) *Config {
	c := empty("absent in " + file)
	c.Core = bareCore(f)
	c.Core.Template = string(f)
	return c
}

func empty(base string) *Config {
	return &Config{
		table: theTable(),
		given: map[string]given{},
		base:  base,
		Run:   Run{InstructionErrors: true, MemoryErrors: true},
	}
}

// bareCore is a core that has no option. Sizes and addresses of options hold for the case that the option
// is switched on without them.
func bareCore(f Family) Core {
	c := Core{
		Config: cpu.Config{
			Banks: 1, BankRegs: 32, Ports: 1, PCSize: 32, LPCSize: 32, AddrSize: 32, XYSize: 64 << 10,
			DMA: cpu.DMA{Channels: 2, FIFO: 2},
		},
		Family: f, CoreVersion: 3, Clock: nominalClock, Regs: 32,
		MACCycles: byVersion,
		AGUKind:   "none", RAM: "auto",
		FPXSingle: "none", FPXDouble: "none",
		XYLayout: "dccm_x_y", XBase: 0xc0000000, YBase: 0xe0000000,
	}
	return c
}

// UnknownError says that a core or a property does not exist, and which one is spelled most like it.
type UnknownError struct {
	What    string
	Name    string
	Nearest string   // "" when nothing is close
	Known   []string // all names, when there are few
}

func (e *UnknownError) Error() string {
	s := fmt.Sprintf("unknown %s %q", e.What, e.Name)
	if e.Nearest != "" {
		s += fmt.Sprintf(", did you mean %q?", e.Nearest)
	} else if len(e.Known) > 0 {
		s += ", there is " + strings.Join(e.Known, ", ")
	}
	return s
}

// Set gives a property a value. The prefix nsim_isa_ may be left out of the name. The origin says
// where the setting stands, such as "-p" or "board.props:12".
func (c *Config) Set(name, value, origin string) error {
	i, ok := c.index[name]
	if !ok {
		var names []string
		for n := range c.index {
			names = append(names, n)
		}
		return &UnknownError{What: "property", Name: name, Nearest: spelling.Nearest(name, names)}
	}
	p := c.rows[i]
	if p.Bind == nil {
		if _, again := c.given[p.Name]; !again {
			c.order = append(c.order, p.Name)
		}
		c.given[p.Name] = given{origin: origin, text: value}
		return nil
	}
	if err := p.Bind(c).set(value); err != nil {
		return fmt.Errorf("property %s: %w", p.Name, err)
	}
	c.given[p.Name] = given{origin: origin}
	return nil
}

// SetText is Set for "name=value".
func (c *Config) SetText(setting, origin string) error {
	name, value, ok := strings.Cut(setting, "=")
	if !ok {
		return fmt.Errorf("property %q has no value: write name=value", setting)
	}
	return c.Set(strings.TrimSpace(name), strings.TrimSpace(value), origin)
}

// Apply sets properties in their order. It returns an error for every bad one, each with its place.
func (c *Config) Apply(list Settings) (errs []error) {
	for _, s := range list {
		if err := c.SetText(s.text, s.place); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.place, err))
		}
	}
	return errs
}

// NotModelled lists the properties that were given a value other than 0 but have no effect, each
// with the reason, in the order given.
func (c *Config) NotModelled() []string {
	var list []string
	for _, name := range c.order {
		g := c.given[name]
		if n, err := parseUint(g.text); g.text != "" && (err != nil || n != 0) {
			list = append(list, fmt.Sprintf("%s: %s", name, c.rows[c.index[name]].Lacks))
		}
	}
	return list
}

// Setting is one line of the effective configuration.
type Setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
	Help   string `json:"help"`
}

// Effective lists every modelled property with its value and where the value came from.
func (c *Config) Effective() []Setting {
	var list []Setting
	for _, p := range c.rows {
		if p.Bind == nil {
			continue
		}
		origin := c.base
		if g, ok := c.given[p.Name]; ok {
			origin = g.origin
		}
		list = append(list, Setting{Name: p.Name, Value: p.Bind(c).String(), Origin: origin, Help: p.Help})
	}
	return list
}

// Property describes a property for documentation.
type Property struct {
	Name  string
	Help  string
	Lacks string // why it has no effect, "" for a modelled one
}

// Properties lists all known properties.
func Properties() []Property {
	var list []Property
	for _, p := range theTable().rows {
		list = append(list, Property{Name: p.Name, Help: p.Help, Lacks: p.Lacks})
	}
	return list
}
