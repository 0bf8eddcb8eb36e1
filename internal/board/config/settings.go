package config

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
)

// Settings are the lines of a property file, in their order.
type Settings []setting

// setting is one "name=value" and where it stands.
type setting struct{ text, place string }

// maxPropsLines bounds what is read, so that a wrong file is refused early.
const maxPropsLines = 10000

// ParseProps reads a .props file: a name=value per line, blank lines and lines that start with # left
// out.
func ParseProps(data []byte, file string) (Settings, error) { return readProps(data, file, 1) }

// OneSetting is a single "name=value"; origin says where it stands.
func OneSetting(text, origin string) Settings { return Settings{{text: text, place: origin}} }

// readProps is ParseProps for text that starts at a line of a file.
func readProps(data []byte, file string, first int) (Settings, error) {
	var list Settings
	sc := bufio.NewScanner(bytes.NewReader(data))
	for n := 0; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line != "" && line[0] != '#' {
			list = append(list, setting{text: line, place: fmt.Sprintf("%s:%d", file, first+n)})
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

// Family is the family that the settings name, "" when they name none that is simulated. A file that
// names the family describes the whole core.
func (list Settings) Family() Family {
	switch f := Family(list.value("nsim_isa_family")); f {
	case EM, HS:
		return f
	}
	return ""
}

// value is the final value of a property, "" when they do not have it.
func (list Settings) value(name string) string {
	v := ""
	for _, s := range list {
		key, text, _ := strings.Cut(s.text, "=")
		if key = strings.TrimSpace(key); key == name || prefix+key == name {
			v = strings.TrimSpace(text)
		}
	}
	return v
}
