package repl

import (
	"fmt"
	"strconv"

	"arcv2dsp/internal/term/steps"
)

// setPrint executes set print. Settings of gdb that are not known here do nothing.
func (s *Session) setPrint(f []string) {
	what, value := "", ""
	if len(f) > 0 {
		what = f[0]
	}
	if len(f) > 1 {
		value = f[1]
	}
	style := &s.d.Style
	switch what {
	case "pretty":
		switch value {
		case "", "on", "1", "yes", "enable":
			style.Pretty = true
		case "off", "0", "no", "disable":
			style.Pretty = false
		default:
			steps.Check(fmt.Errorf("set print pretty %s: on or off", value))
		}
	case "elements":
		if value == "" || value == "unlimited" {
			style.Elements = 0
			break
		}
		n, err := strconv.ParseUint(value, 0, 31)
		if err != nil {
			steps.Check(fmt.Errorf("set print elements %s: a number from 0 to 2147483647, or unlimited; 0 is unlimited, too", value))
		}
		style.Elements = int(n)
	}
}

// showPrint executes show print.
func (s *Session) showPrint() {
	pretty, elements := "off", "unlimited"
	if s.d.Style.Pretty {
		pretty = "on"
	}
	if n := s.d.Style.Elements; n > 0 {
		elements = strconv.Itoa(n)
	}
	s.print("pretty is %s, elements is %s.\n", pretty, elements)
}
