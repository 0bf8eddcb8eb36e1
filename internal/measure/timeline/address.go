package timeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
	"arcv2dsp/internal/term/spelling"
)

// Address reads a symbol of a program or a number. A function that exists only where it was inlined, or under a name that the
// compiler made of it, has its name in the debug information.
func Address(m *arcv2dsp.Machine, text string) (uint32, error) {
	if addr, ok := m.Symbol(text); ok {
		return addr, nil
	}
	if n, err := strconv.ParseUint(text, 0, 32); err == nil {
		return uint32(n), nil
	}
	if im := m.Image(); im != nil {
		debug, err := dwarf.Open(im.Name, im.ELF)
		if err != nil {
			return 0, err
		}
		vars, err := debug.Variables()
		if err != nil {
			return 0, err
		}
		own, inlined := vars.Entries(text)
		all := append(own, inlined...)
		if len(all) == 1 {
			return all[0], nil
		}
		slices.Sort(all)
		var places []string
		for _, a := range all {
			places = append(places, m.Locate(a))
		}
		if len(all) > 1 {
			return 0, fmt.Errorf("%s is inlined at several places, choose one by its address: %s", text, strings.Join(places, ", "))
		}
	}
	var names []string
	for _, sym := range m.Symbols().All() {
		names = append(names, sym.Name)
	}
	return 0, fmt.Errorf("no symbol %q%s", text, spelling.Hint(text, names))
}
