package config

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A tool configuration is XML of depth 3: a list of <configuration name filename> elements, each with one
// <string> that holds a file for one tool.
const (
	maxTCFDepth = 8
	maxTCFItems = 100_000 // elements, texts and comments

	tcfProps     = "nsim.props"
	tcfRegisters = "bcr_contents.txt"
	tcfDefines   = "core_config.s"
)

// ParseTCF reads a tool configuration file: the properties of its nsim.props, facts that only its list of build
// configuration registers has, and the clock.
func ParseTCF(data []byte, file string) (Settings, error) {
	sections, err := readTCF(data, file)
	if err != nil {
		return nil, err
	}
	props, ok := sections[tcfProps]
	if !ok {
		return nil, fmt.Errorf("%s: there is no %s in it, this is no tool configuration file", file, tcfProps)
	}
	list, err := readProps(props.text, file, props.line)
	if err != nil {
		return nil, err
	}
	if list.value("nsim_isa_family") == "" {
		return nil, fmt.Errorf("%s: its %s does not say nsim_isa_family", file, tcfProps)
	}
	told, err := registerSettings(sections[tcfRegisters], file)
	return slices.Concat(list, told, clockSetting(sections[tcfDefines], file)), err
}

// section is one file inside a tool configuration, and the line on which its text starts.
type section struct {
	text []byte
	line int
}

// readTCF takes the sections out of the XML. Nothing that XML can refer to or define is followed.
func readTCF(data []byte, file string) (map[string]section, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("encoding %q, only UTF-8 is read", charset)
	}
	fail := func(format string, args ...any) (map[string]section, error) {
		line, _ := d.InputPos()
		return nil, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
	}
	sections := map[string]section{}
	var open []string // names of the elements that are open
	name := ""        // file name of the configuration that is open
	for items := 0; ; items++ {
		line, _ := d.InputPos()
		tok, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fail("this is no tool configuration file: %s", syntaxError(err))
		}
		if items >= maxTCFItems {
			return fail("more than %d elements and texts", maxTCFItems)
		}
		switch t := tok.(type) {
		case xml.Directive:
			return fail("document types and entities are not read")
		case xml.StartElement:
			if len(open) == 0 && t.Name.Local != "config_list" {
				return fail("<%s> is no <config_list>, this is no tool configuration file", t.Name.Local)
			}
			if open = append(open, t.Name.Local); len(open) > maxTCFDepth {
				return fail("elements %d deep, a tool configuration has 3", len(open))
			}
			if t.Name.Local == "configuration" {
				name = attribute(t, "filename")
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1] != t.Name.Local {
				return fail("</%s> ends what does not start", t.Name.Local)
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) < 3 || open[len(open)-1] != "string" || name == "" || len(bytes.TrimSpace(t)) == 0 {
				continue
			}
			if _, again := sections[name]; again {
				return fail("%s is there twice", name)
			}
			sections[name] = section{text: bytes.Clone(t), line: line}
		}
	}
	if len(open) > 0 {
		return fail("<%s> does not end", open[len(open)-1])
	}
	return sections, nil
}

// syntaxError describes a mistake in the XML, on one line of letters that a terminal can show.
func syntaxError(err error) string {
	text := err.Error()
	if syntax := (*xml.SyntaxError)(nil); errors.As(err, &syntax) {
		text = syntax.Msg
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, text)
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// clockSetting is the clock, which some tool configurations define for the assembler.
func clockSetting(s section, file string) Settings {
	for n, text := range strings.Split(string(s.text), "\n") {
		_, mhz, ok := strings.Cut(text, "core_config_clock_speed,")
		if ok {
			return OneSetting("clock="+strings.TrimSpace(mhz), fmt.Sprintf("%s:%d", file, s.line+n))
		}
	}
	return nil
}

// registerSettings are the options that only the registers tell: the fields of IDENTITY, for nsim.props
// leaves out the number of the core, and MULTIPLY_BUILD.CYC.
func registerSettings(s section, file string) (Settings, error) {
	var list Settings
	for n, text := range strings.Split(string(s.text), "\n") {
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		place := fmt.Sprintf("%s:%d", file, s.line+n)
		addr, err := parseUint(fields[0])
		if err == nil && len(fields) < 2 {
			err = errors.New("a register has an address, a value and a name")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		v, err := parseUint(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
		add := func(name string, v uint32) {
			list = append(list, setting{text: name + "=" + strconv.FormatUint(uint64(v), 10), place: place})
		}
		switch addr {
		case 0x04:
			add("arcver", v&0xff)
			add("cpunum", v>>8&0xff)
			add("chipid", v>>16)
		case 0x7b:
			add("mac_cycles", v>>10&3)
		}
	}
	return list, nil
}
