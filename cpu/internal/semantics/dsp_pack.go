package semantics

import "arcv2dsp/dspunit"

// Packing, unpacking and replication of lanes. Pack2 takes lane 0 first.

// VREP2HL: both lanes y.h0.
func VREP2HL(y uint32) (z uint32) { return dspunit.Pack2(h0(y), h0(y)) }

// VREP2HM: both lanes y.h1.
func VREP2HM(y uint32) (z uint32) { return dspunit.Pack2(h1(y), h1(y)) }

// VPACK2HL: h1 = x.h0, h0 = y.h0.
func VPACK2HL(x, y uint32) (z uint32) { return dspunit.Pack2(h0(y), h0(x)) }

// VPACK2HM: h1 = x.h1, h0 = y.h1.
func VPACK2HM(x, y uint32) (z uint32) { return dspunit.Pack2(h1(y), h1(x)) }

// VEXT2BHL: lanes y.b0 and y.b1, zero-extended.
func VEXT2BHL(y uint32) (z uint32) { return y&0xff | y<<8&0xff0000 }

// VEXT2BHM: lanes y.b2 and y.b3, zero-extended.
func VEXT2BHM(y uint32) (z uint32) { return y>>16&0xff | y>>8&0xff0000 }

// VEXT2BHLF: lanes y.b0 and y.b1 in their upper bytes.
func VEXT2BHLF(y uint32) (z uint32) { return y<<8&0xff00 | y<<16&0xff000000 }

// VEXT2BHMF: lanes y.b2 and y.b3 in their upper bytes.
func VEXT2BHMF(y uint32) (z uint32) { return y>>8&0xff00 | y&0xff000000 }

// VSEXT2BHL: lanes y.b0 and y.b1, sign-extended.
func VSEXT2BHL(y uint32) (z uint32) { return dspunit.Pack2(b0(y), b1(y)) }

// VSEXT2BHM: lanes y.b2 and y.b3, sign-extended.
func VSEXT2BHM(y uint32) (z uint32) { return dspunit.Pack2(b2(y), b3(y)) }

// VPACK2HBL: low bytes of both lanes into the lower half. DEVIATION(23): the other half is zero,
// here and in the next three.
func VPACK2HBL(y uint32) (z uint32) { return y&0xff | y>>8&0xff00 }

// VPACK2HBM: low bytes of both lanes into the upper half.
func VPACK2HBM(y uint32) (z uint32) { return y<<16&0xff0000 | y<<8&0xff000000 }

// VPACK2HBLF: high bytes of both lanes into the lower half.
func VPACK2HBLF(y uint32) (z uint32) { return y>>8&0xff | y>>16&0xff00 }

// VPACK2HBMF: high bytes of both lanes into the upper half.
func VPACK2HBMF(y uint32) (z uint32) { return y<<8&0xff0000 | y&0xff000000 }

// DEVIATION(24): vperm has no function; no open source describes its control word.
