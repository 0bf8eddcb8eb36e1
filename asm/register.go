package asm

import "arcv2dsp/isa"

// register reads a register at the cursor; without one the cursor stays. Names are in lower case
// only: R0 is a symbol, as for the GNU assembler.
func (a *assembler) register() (reg uint8, ok bool) {
	s, i := a.s, a.i
	if s[i] == 'r' && isDigit(s[i+1]) {
		if reg, end := decimalRegister(s, i); end != 0 {
			if s[end] == 'r' && isDigit(s[end+1]) { // an even/odd pair: r0r1
				odd, last := decimalRegister(s, end)
				if last == 0 || reg&1 != 0 || odd != reg+1 {
					return 0, false
				}
				end = last
			}
			if !isNameChar(s[end]) {
				a.i = end
				return reg, true
			}
		}
	}
	if !isNameFirst(s[i]) {
		return 0, false
	}
	end := i
	for isNameChar(s[end]) {
		end++
	}
	name := s[i:end]
	if reg, ok = isa.RegByName(name); !ok {
		if reg, ok = namedPairs[name]; !ok {
			reg, ok = a.ext.registers[name]
		}
	}
	if ok {
		a.i = end
	}
	return reg, ok
}

// decimalRegister reads r0 to r63; end is 0 when the digits are no register number.
func decimalRegister(s string, i int) (reg uint8, end int) {
	n := s[i+1] - '0'
	end = i + 2
	if isDigit(s[end]) {
		if n == 0 {
			return 0, 0
		}
		n = n*10 + s[end] - '0'
		end++
	}
	if n > 63 || isDigit(s[end]) {
		return 0, 0
	}
	return n, end
}

// namedPairs are the pairs of which a register has a name, as disassembly prints them.
var namedPairs = map[string]uint8{"gpfp": isa.RegGP, "spilink": isa.RegSP, "r30blink": 30}
