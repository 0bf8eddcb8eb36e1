package mli20

import (
	_ "embed"
	"strings"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/internal/program/mlistructs"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
)

// headerDir is the folder of the headers: those of MLI 1.1 have the same names.
const headerDir = "mli2"

// headers are the C headers by name. They follow from the structures and the rows.
func headers() (map[string]string, error) {
	return map[string]string{
		headerDir + "/mli_config.h": mli.Guarded("MLI_CONFIG_H", configHeader),
		headerDir + "/mli_types.h":  mli.Guarded("MLI_TYPES_H", typesHeader()),
		headerDir + "/mli_api.h":    mli.Guarded("MLI_API_H", apiHeader()),
	}, nil
}

// The texts of two headers: one whole, one with apiMark where the functions of the rows are declared.
var (
	//go:embed include/mli_config.h
	configHeader string
	//go:embed include/mli_api.h.in
	apiText string
)

const apiMark = "@functions@\n"

// enums are the enumerations of the interface.
func enums() []*cstruct.Enum {
	return []*cstruct.Enum{
		mli.StatusEnum(mli.StatusMisalignment),
		{Name: "mli_element_type", Large: "MLI_EL_LARGE_ENUM", Members: []cstruct.Member{
			{Name: "MLI_EL_FX_4", Value: 0x4}, {Name: "MLI_EL_FX_8", Value: 0x8}, {Name: "MLI_EL_FX_16", Value: 0x10},
			{Name: "MLI_EL_SA_8", Value: 0x108}, {Name: "MLI_EL_SA_32", Value: 0x120},
			{Name: "MLI_EL_FP_16", Value: 0x210}, {Name: "MLI_EL_FP_32", Value: 0x220},
		}},
		{Name: "mli_element_param_type", Large: "MLI_EL_PARAM_LARGE_ENUM", Members: cstruct.Numbered("MLI_EL_PARAM_SC16_ZP16")},
		mlistructs.ReLUTypes,
		{Name: "mli_rnn_direction", Large: "RNN_DIR_LARGE_ENUM", Members: cstruct.Numbered("RNN_DIR_FORWARD", "RNN_DIR_BACKWARD")},
		{Name: "mli_rnn_results", Large: "RNN_OUT_LARGE_ENUM", Members: cstruct.Numbered("RNN_OUT_LAST", "RNN_OUT_ALL")},
		mlistructs.Activations,
		mlistructs.MoveStates,
	}
}

func typesHeader() string {
	return mli.TypesHeader("Tensors, configurations, tables and statuses of the MLI 2.0 interface.", enums(), structs.All()) +
		mli.Indices(mli.IndexNames{Prefix: "FMAP", Letters: "HWC", Order: "HWC"}, mli.IndexNames{Prefix: "KRNL", Letters: "CHWD", Order: "HWC"},
			mli.IndexNames{Prefix: "KRNL", Letters: "HWDC", Order: "HWCN"}, mli.IndexNames{Prefix: "KRNL_DW", Letters: "HWDN", Order: "HW1N"})
}

// prototypes declares the functions of the rows, and those that make their tables.
func prototypes() []string {
	var all []string
	for _, name := range []string{"sigm", "tanh", "softmax", "l2_normalize"} {
		all = append(all, "int32_t mli_krn_"+name+"_get_lut_size(void)", "mli_status mli_krn_"+name+"_create_lut(mli_lut *lut)")
	}
	for _, f := range functions() {
		for _, name := range append([]string{f.Name}, f.kernel.Aliases...) {
			all = append(all, "mli_status "+name+"("+strings.Join(mli.Parameters(f.args, f.config), ", ")+")")
		}
	}
	return all
}

func apiHeader() string {
	return strings.Replace(apiText, apiMark, strings.Join(prototypes(), ";\n")+";\n", 1)
}
