package listing

import (
	"fmt"
	"strings"

	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/isa"
)

// extensions are the names that objdump -M takes, with what they add. Floating point shares
// opcodes with the DSP instructions; naming one of the two older extensions takes those away.
var extensions = map[string]struct{ add, remove isa.Feature }{
	"dsp":        {add: isa.DSP | isa.DSPComplex | isa.DSPDivSqrt},
	"spfp":       {add: isa.FPXSingle, remove: isa.DSP},
	"dpfp":       {add: isa.FPXDouble, remove: isa.DSP},
	"fpus":       {add: isa.AllFPUSingle},
	"fpud":       {add: isa.AllFPUDouble},
	"fpuda":      {add: isa.AllFPUSingle | isa.FPUDoubleAssist},
	"quarkse_em": {add: isa.QuarkSE, remove: isa.FastMath},
}

// configured maps the names in the ISA_config attribute of a file to options of objdump -M.
var configured = map[string]string{"SPFP": "spfp", "DPFP": "dpfp", "FPUS": "fpus", "FPUD": "fpud",
	"FPUDA": "fpuda"}

// hsFloat is the floating-point unit of HS cores, which objdump decodes without being asked.
const hsFloat = isa.AllFPUSingle | isa.AllFPUDouble

// coreFeatures returns the options that objdump decodes with for -M cpu=NAME.
func coreFeatures(name string) (isa.Feature, bool) {
	lower := strings.ToLower(name)
	switch {
	case lower == "quarkse_em":
		return isa.GNUEM&^(isa.DSP|isa.FastMath) | isa.FPXSingle | isa.FPXDouble | isa.QuarkSE, true
	case strings.HasPrefix(lower, "hs"), lower == "archs":
		return isa.GNUHS&^isa.DSP | hsFloat, true
	case strings.HasPrefix(lower, "em"), lower == "arcem":
		return isa.GNUEM, true
	}
	return 0, false
}

// decoders decode as objdump does: options decide between the meanings of the major opcodes 6 and 7, which DSP and
// floating point share; the DSP instructions of the other opcodes are decoded for every core.
type decoders struct {
	features    isa.Feature
	chosen, dsp *isa.Decoder // dsp is made when first needed
}

func (d *decoders) decode(code []byte, bigEndian bool) (isa.Inst, error) {
	in, err := d.chosen.DecodeBytes(code, bigEndian)
	if major := in.Word >> 27; err != nil || in.Op != isa.Invalid || in.Len != 4 || major == 6 || major == 7 || d.features.Has(isa.DSP) {
		return in, err
	}
	if d.dsp == nil {
		d.dsp = isa.NewDecoder(d.features | isa.DSP)
	}
	return d.dsp.DecodeBytes(code, bigEndian)
}

// FileFeatures returns the options to decode a file with when nothing else is known: everything of
// its family, and the floating point that its attributes name.
func FileFeatures(f *elfarc.File) isa.Feature {
	features := isa.GNUEM
	if f.Flags&elfarc.FlagCPUMask == elfarc.FlagCPUHS {
		features = isa.GNUHS | hsFloat
	}
	var add, remove isa.Feature
	for _, s := range f.Sections {
		if s.Type != elfarc.SectionTypeAttributes {
			continue
		}
		attrs, err := elfarc.DecodeAttrs(s.Data, f.BigEndian)
		if err != nil {
			continue // attributes are a hint
		}
		for name := range strings.SplitSeq(attrs.Get(elfarc.TagISAConfig).Str, ",") {
			e := extensions[configured[name]]
			add, remove = add|e.add, remove|e.remove
		}
	}
	return features&^remove | add
}

// ParseOption applies one -M option, a comma-separated list as objdump takes it: cpu=NAME, dsp,
// spfp, dpfp, fpus, fpud, fpuda, quarkse_em, hex.
func (l *Listing) ParseOption(list string) error {
	var add, remove isa.Feature
	for option := range strings.SplitSeq(list, ",") {
		if name, ok := strings.CutPrefix(option, "cpu="); ok {
			f, known := coreFeatures(name)
			if !known {
				return fmt.Errorf("unknown core %q", name)
			}
			l.Features = f
			continue
		}
		if option == "hex" {
			l.Hex = true
			continue
		}
		e, ok := extensions[option]
		if !ok {
			return fmt.Errorf("unknown disassembler option %q (known: cpu=NAME, dpfp, dsp, fpud, fpuda, "+
				"fpus, hex, quarkse_em, spfp)", option)
		}
		add, remove = add|e.add, remove|e.remove
	}
	l.Features = l.Features&^remove | add
	return nil
}
