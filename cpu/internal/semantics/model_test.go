package semantics_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/semantics"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/dspmodel"
)

// modelled are the functions that the independent model of package dspmodel defines too.
var modelled = map[string]any{
	"ABSSH":      semantics.ABSSH,
	"ASLACC":     semantics.ASLACC,
	"ASLSACC":    semantics.ASLSACC,
	"ASRSR":      semantics.ASRSR,
	"CMACCHFR":   semantics.CMACCHFR,
	"CMACCHNFR":  semantics.CMACCHNFR,
	"CMACHFR":    semantics.CMACHFR,
	"CMACHNFR":   semantics.CMACHNFR,
	"CMPYCHFR":   semantics.CMPYCHFR,
	"CMPYCHNFR":  semantics.CMPYCHNFR,
	"CMPYHFMR":   semantics.CMPYHFMR,
	"CMPYHFR":    semantics.CMPYHFR,
	"CMPYHNFR":   semantics.CMPYHNFR,
	"DIVF":       semantics.DIVF,
	"DMACH":      semantics.DMACH,
	"DMACHBL":    semantics.DMACHBL,
	"DMACHBM":    semantics.DMACHBM,
	"DMACHF":     semantics.DMACHF,
	"DMACHFR":    semantics.DMACHFR,
	"DMACHU":     semantics.DMACHU,
	"DMACWH":     semantics.DMACWH,
	"DMACWHF":    semantics.DMACWHF,
	"DMACWHU":    semantics.DMACWHU,
	"DMPYH":      semantics.DMPYH,
	"DMPYHBL":    semantics.DMPYHBL,
	"DMPYHBM":    semantics.DMPYHBM,
	"DMPYHF":     semantics.DMPYHF,
	"DMPYHFR":    semantics.DMPYHFR,
	"DMPYHU":     semantics.DMPYHU,
	"DMPYHWF":    semantics.DMPYHWF,
	"DMPYWH":     semantics.DMPYWH,
	"DMPYWHF":    semantics.DMPYWHF,
	"DMPYWHU":    semantics.DMPYWHU,
	"FLAGACC":    semantics.FLAGACC,
	"GETACC":     semantics.GETACC,
	"MAC":        semantics.MAC,
	"MACD":       semantics.MACD,
	"MACDF":      semantics.MACDF,
	"MACDU":      semantics.MACDU,
	"MACF":       semantics.MACF,
	"MACFR":      semantics.MACFR,
	"MACU":       semantics.MACU,
	"MACWHFL":    semantics.MACWHFL,
	"MACWHFLR":   semantics.MACWHFLR,
	"MACWHFM":    semantics.MACWHFM,
	"MACWHFMR":   semantics.MACWHFMR,
	"MACWHKL":    semantics.MACWHKL,
	"MACWHKUL":   semantics.MACWHKUL,
	"MACWHL":     semantics.MACWHL,
	"MACWHUL":    semantics.MACWHUL,
	"MPY":        semantics.MPY,
	"MPYD":       semantics.MPYD,
	"MPYDF":      semantics.MPYDF,
	"MPYDU":      semantics.MPYDU,
	"MPYF":       semantics.MPYF,
	"MPYFR":      semantics.MPYFR,
	"MPYM":       semantics.MPYM,
	"MPYMU":      semantics.MPYMU,
	"MPYU":       semantics.MPYU,
	"MPYUW":      semantics.MPYUW,
	"MPYW":       semantics.MPYW,
	"MPYWHFL":    semantics.MPYWHFL,
	"MPYWHFLR":   semantics.MPYWHFLR,
	"MPYWHFM":    semantics.MPYWHFM,
	"MPYWHFMR":   semantics.MPYWHFMR,
	"MPYWHKL":    semantics.MPYWHKL,
	"MPYWHKUL":   semantics.MPYWHKUL,
	"MPYWHL":     semantics.MPYWHL,
	"MPYWHUL":    semantics.MPYWHUL,
	"MSUBDF":     semantics.MSUBDF,
	"MSUBF":      semantics.MSUBF,
	"MSUBFR":     semantics.MSUBFR,
	"MSUBWHFL":   semantics.MSUBWHFL,
	"MSUBWHFLR":  semantics.MSUBWHFLR,
	"MSUBWHFM":   semantics.MSUBWHFM,
	"MSUBWHFMR":  semantics.MSUBWHFMR,
	"NEGSH":      semantics.NEGSH,
	"NORMACC":    semantics.NORMACC,
	"QMACH":      semantics.QMACH,
	"QMACHF":     semantics.QMACHF,
	"QMACHU":     semantics.QMACHU,
	"QMPYH":      semantics.QMPYH,
	"QMPYHF":     semantics.QMPYHF,
	"QMPYHU":     semantics.QMPYHU,
	"RNDH":       semantics.RNDH,
	"SATF":       semantics.SATF,
	"SATH":       semantics.SATH,
	"SETACC":     semantics.SETACC,
	"SQRT":       semantics.SQRT,
	"SQRTF":      semantics.SQRTF,
	"VABS2H":     semantics.VABS2H,
	"VABSS2H":    semantics.VABSS2H,
	"VADD2":      semantics.VADD2,
	"VADD2H":     semantics.VADD2H,
	"VADD4B":     semantics.VADD4B,
	"VADD4H":     semantics.VADD4H,
	"VADDS2":     semantics.VADDS2,
	"VADDS2H":    semantics.VADDS2H,
	"VADDS4H":    semantics.VADDS4H,
	"VADDSUB":    semantics.VADDSUB,
	"VADDSUB2H":  semantics.VADDSUB2H,
	"VADDSUB4H":  semantics.VADDSUB4H,
	"VADDSUBS":   semantics.VADDSUBS,
	"VADDSUBS2H": semantics.VADDSUBS2H,
	"VADDSUBS4H": semantics.VADDSUBS4H,
	"VALGN2H":    semantics.VALGN2H,
	"VASL2H":     semantics.VASL2H,
	"VASLS2H":    semantics.VASLS2H,
	"VASR2H":     semantics.VASR2H,
	"VASRS2H":    semantics.VASRS2H,
	"VASRSR2H":   semantics.VASRSR2H,
	"VEXT2BHL":   semantics.VEXT2BHL,
	"VEXT2BHLF":  semantics.VEXT2BHLF,
	"VEXT2BHM":   semantics.VEXT2BHM,
	"VEXT2BHMF":  semantics.VEXT2BHMF,
	"VLSR2H":     semantics.VLSR2H,
	"VMAC2H":     semantics.VMAC2H,
	"VMAC2HF":    semantics.VMAC2HF,
	"VMAC2HFR":   semantics.VMAC2HFR,
	"VMAC2HNFR":  semantics.VMAC2HNFR,
	"VMAC2HU":    semantics.VMAC2HU,
	"VMAX2H":     semantics.VMAX2H,
	"VMIN2H":     semantics.VMIN2H,
	"VMPY2H":     semantics.VMPY2H,
	"VMPY2HF":    semantics.VMPY2HF,
	"VMPY2HFR":   semantics.VMPY2HFR,
	"VMPY2HU":    semantics.VMPY2HU,
	"VMPY2HWF":   semantics.VMPY2HWF,
	"VMSUB2HF":   semantics.VMSUB2HF,
	"VMSUB2HFR":  semantics.VMSUB2HFR,
	"VMSUB2HNFR": semantics.VMSUB2HNFR,
	"VNEG2H":     semantics.VNEG2H,
	"VNEGS2H":    semantics.VNEGS2H,
	"VNORM2H":    semantics.VNORM2H,
	"VPACK2HBL":  semantics.VPACK2HBL,
	"VPACK2HBLF": semantics.VPACK2HBLF,
	"VPACK2HBM":  semantics.VPACK2HBM,
	"VPACK2HBMF": semantics.VPACK2HBMF,
	"VPACK2HL":   semantics.VPACK2HL,
	"VPACK2HM":   semantics.VPACK2HM,
	"VREP2HL":    semantics.VREP2HL,
	"VREP2HM":    semantics.VREP2HM,
	"VSEXT2BHL":  semantics.VSEXT2BHL,
	"VSEXT2BHM":  semantics.VSEXT2BHM,
	"VSUB2":      semantics.VSUB2,
	"VSUB2H":     semantics.VSUB2H,
	"VSUB4B":     semantics.VSUB4B,
	"VSUB4H":     semantics.VSUB4H,
	"VSUBADD":    semantics.VSUBADD,
	"VSUBADD2H":  semantics.VSUBADD2H,
	"VSUBADD4H":  semantics.VSUBADD4H,
	"VSUBADDS":   semantics.VSUBADDS,
	"VSUBADDS2H": semantics.VSUBADDS2H,
	"VSUBADDS4H": semantics.VSUBADDS4H,
	"VSUBS2":     semantics.VSUBS2,
	"VSUBS2H":    semantics.VSUBS2H,
	"VSUBS4H":    semantics.VSUBS4H,
}

// signature is a function with the names of its parameters and results, which are its contract.
type signature struct {
	params, results []string
}

// sources are the parsed files of the package, tests left out.
var sources = sync.OnceValue(func() map[string]*ast.File {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		panic(err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		files[path] = file
	}
	return files
})

// signatures reads the names from the source: reflection does not have them.
var signatures = sync.OnceValue(func() map[string]signature {
	all := map[string]signature{}
	names := func(list *ast.FieldList) (out []string) {
		for _, field := range list.List {
			for _, id := range field.Names {
				out = append(out, id.Name)
			}
		}
		return out
	}
	for _, file := range sources() {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.IsExported() && f.Type.Results != nil {
				all[f.Name.Name] = signature{params: names(f.Type.Params), results: names(f.Type.Results)}
			}
		}
	}
	return all
})

// call runs a semantics function on the inputs of the model, bound by name as the engines bind it.
func call(f any, sig signature, in dspmodel.In) dspmodel.Out {
	ctrl := uint32(in.RM) | uint32(in.GE)<<2 | uint32(in.PA)<<3
	mode := reflect.ValueOf(dspunit.DecodeMode(ctrl))
	wide, guard := dspunit.WideOf(in.Lo, in.Hi)
	operands := map[string]any{
		"x": uint32(in.X), "y": uint32(in.Y), "x64": in.X, "y64": in.Y, "fl": in.Flags,
		"lo": in.Lo, "hi": in.Hi, "wide": wide, "guard": guard, "sticky": in.Sticky,
	}
	var args []reflect.Value
	for _, name := range sig.params {
		if v, ok := operands[name]; ok {
			args = append(args, reflect.ValueOf(v))
			continue
		}
		args = append(args, mode.FieldByName(strings.ToUpper(name[:1])+name[1:]))
	}
	out := dspmodel.Out{Lo: in.Lo, Hi: in.Hi, NoDest: true, Flags: in.Flags}
	setWide := false
	for i, v := range reflect.ValueOf(f).Call(args) {
		switch sig.results[i] {
		case "z":
			out.Z, out.NoDest = v.Uint(), false
		case "z64":
			out.Z, out.NoDest, out.Pair = v.Uint(), false, true
		case "f":
			out.Flags, out.HasF = uint32(v.Uint()), true
		case "q":
			out.Events = uint32(v.Uint())
		case "lo2":
			out.Lo = v.Int()
		case "hi2":
			out.Hi = v.Int()
		case "wide2":
			wide, setWide = v.Uint(), true
		case "guard2":
			guard = int32(v.Int())
		}
	}
	if setWide {
		out.Lo, out.Hi = dspunit.SetWide(in.Lo, wide, guard)
	}
	return out
}

// pairSources are the functions that take register pairs.
func pairSources(sig signature) bool {
	return strings.Contains(strings.Join(sig.params, " "), "64")
}

// Every function agrees with the model in result, flags, events and both accumulator lanes.
func TestModel(t *testing.T) {
	for name, f := range modelled {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sig := signatures()[name]
			mnemonic := strings.ToLower(name)
			draw := dspmodel.NewOperands(uint64(len(name)))
			rounds := 2000
			if testing.Short() {
				rounds = 500
			}
			for range rounds {
				in := draw.In(mnemonic, pairSources(sig))
				want, ok := dspmodel.Eval(mnemonic, in)
				require.True(t, ok)
				want.Always, want.UsesAcc = false, false
				got := call(f, sig, in)
				require.Equal(t, want, got, fmt.Sprintf("%s %+v", mnemonic, in))
			}
		})
	}
}
