package isa

import (
	"strconv"
	"strings"
)

// Core register numbers with a meaning of their own.
const (
	RegGP      = 26
	RegFP      = 27
	RegSP      = 28
	RegILINK   = 29
	RegBLINK   = 31
	RegPort0   = 32 // first address generation port, r32 to r55
	RegAccLo   = 58 // low accumulator word of little-endian cores
	RegAccHi   = 59 // high accumulator word
	RegLPCount = 60
	RegLimm    = 62 // long immediate as a source, no destination as a destination
	RegPCL     = 63 // address of the instruction, low two bits cleared
)

// NumPorts is the number of core registers that an address generation unit can claim.
const NumPorts = 24

var regNames = func() (names [64]string) {
	for i := range names {
		names[i] = "r" + strconv.Itoa(i)
	}
	names[RegGP], names[RegFP], names[RegSP] = "gp", "fp", "sp"
	names[RegILINK], names[RegBLINK] = "ilink", "blink"
	names[RegLPCount], names[61], names[RegLimm], names[RegPCL] = "lp_count", "reserved", "0", "pcl"
	return names
}()

// RegName returns the name that disassembly prints.
func RegName(r uint8) string { return regNames[r&63] }

// regAliases are the names that are not printed. The x and y windows are the ports of the address
// generation unit under their older names; mlo and mhi are the accumulator of older cores.
var regAliases = func() map[string]uint8 {
	m := map[string]uint8{"gp": RegGP, "fp": RegFP, "sp": RegSP, "ilink": RegILINK,
		"ilink1": RegILINK, "ilink2": 30, "blink": RegBLINK, "acc1": 56, "acc2": 57, "mlo": 57,
		"mmid": 58, "mhi": 59, "lp_count": RegLPCount, "pcl": RegPCL}
	reg := uint8(RegPort0)
	for _, bank := range []string{"x", "y"} {
		for i := range 4 {
			for _, update := range []string{"_u0", "_u1"} {
				m[bank+strconv.Itoa(i)+update] = reg
				reg++
			}
		}
	}
	for _, bank := range []string{"x", "y"} {
		for i := range 4 {
			m[bank+strconv.Itoa(i)+"_nu"] = reg
			reg++
		}
	}
	return m
}()

// RegByName finds a core register. Names are lower case only. The reserved number 61 and the two
// that stand for a long immediate and for no destination are found too; Field.FitsReg refuses them.
func RegByName(name string) (uint8, bool) {
	if r, ok := regAliases[name]; ok {
		return r, true
	}
	digits, ok := strings.CutPrefix(name, "r")
	if !ok || digits == "" || len(digits) > 2 || len(digits) == 2 && digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 8)
	if err != nil || n > 63 {
		return 0, false
	}
	return uint8(n), true
}
