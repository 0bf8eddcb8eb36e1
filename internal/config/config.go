package config

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Config is a core and the run options nSIM keeps in the same place, with the origin of each value.
type Config struct {
	Core Core
	Run  Run

	base  string           // origin of what no property has set
	rows  []property       // the property table
	index map[string]int   // row by name and by short name
	given map[string]given // what was set, by property name
	order []string         // names of unmodelled properties, in the order first given
}

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

// New returns the configuration of a core template. The origin says who asked for the template, for
// WriteTo.
func New(name, origin string) (*Config, error) {
	c := &Config{
		rows:  properties(),
		index: map[string]int{},
		given: map[string]given{},
		base:  "core " + name + " (" + origin + ")",
		Run:   Run{InstructionErrors: true, MemoryErrors: true},
	}
	for i, p := range c.rows {
		c.index[p.Name] = i
		c.index[p.short()] = i
	}
	if !fill(&c.Core, name) {
		var names []string
		for _, t := range templates() {
			names = append(names, t.Name)
		}
		return nil, &UnknownError{What: "core", Name: name, Nearest: Nearest(name, names), Known: names}
	}
	return c, nil
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
		return &UnknownError{What: "property", Name: name, Nearest: Nearest(name, names)}
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

// Load sets the properties of a .props file: a name=value per line, blank lines and lines that
// start with # left out. It returns an error for every bad line, each with its place.
func (c *Config) Load(r io.Reader, file string) (errs []error) {
	settings, err := readProps(r, file)
	if err != nil {
		errs = append(errs, err)
	}
	for _, s := range settings {
		if err := c.SetText(s.text, s.place); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.place, err))
		}
	}
	return errs
}

type setting struct{ text, place string }

// maxPropsLines bounds what is read, so that a wrong file is refused early.
const maxPropsLines = 10000

func readProps(r io.Reader, file string) ([]setting, error) {
	var list []setting
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line != "" && line[0] != '#' {
			list = append(list, setting{text: line, place: fmt.Sprintf("%s:%d", file, n)})
		}
		if n > maxPropsLines {
			return nil, fmt.Errorf("%s: more than %d lines, this is no property file", file, maxPropsLines)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("%s: this is no property file: %w", file, err)
	}
	return list, nil
}

// TemplateOf names the template a property file builds on when none is asked for: the plain core of
// the nsim_isa_family it states, for such a file lists all that the core has beyond that. It is ""
// when the file states no family.
func TemplateOf(r io.Reader) string {
	settings, err := readProps(r, "")
	if err != nil {
		return ""
	}
	name := ""
	for _, s := range settings {
		key, val, _ := strings.Cut(s.text, "=")
		if strings.TrimPrefix(strings.TrimSpace(key), prefix) != "family" {
			continue
		}
		switch Family(strings.TrimSpace(val)) {
		case EM:
			name = "em4"
		case HS:
			name = "hs38"
		}
	}
	return name
}

// NotModelled lists the properties that were given a value other than 0 but have no effect, each
// with the reason, in the order given.
func (c *Config) NotModelled() []string {
	var list []string
	for _, name := range c.order {
		if g := c.given[name]; g.text != "0" && g.text != "" {
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
	for _, p := range properties() {
		list = append(list, Property{Name: p.Name, Help: p.Help, Lacks: p.Lacks})
	}
	return list
}
