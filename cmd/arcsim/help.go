package main

import (
	"arcv2dsp/internal/term/cli"
)

// help orders the flags of commands that have many.
func help() *cli.Help {
	return &cli.Help{
		Topics: []cli.Topic{
			{Name: "Cases", Flags: "run short list seed vectors rerun-failed failfast minimize case id round save-case op end-to-end grid"},
			{Name: "Subjects", Flags: "suite sweep vendor kernel"},
			{Name: "Part", Flags: "from to count skip region"},
			{Name: "Functions", Flags: "source symbol like library convention include"},
			{Name: "Network", Flags: "input calibrate eval labels hop as advise equalize correct-bias stats placed rounding elements level extensions fuse record"},
			{Name: "Tensors", Flags: "tensor npy"},
			{Name: "Core", Flags: "core tcf props prop ram timing print-config engine"},
			{Name: "Program", Flags: "nsim base fs stdin devices uart hostio memory set-reg"},
			{Name: "Limits", Flags: "max-inst max-cycles timeout until fail jobs"},
			{Name: "Measuring", Flags: "stat pj-per-cycle part profile folded annotate coverage"},
			{Name: "Traces", Flags: "trace trace-format dprintf chrome vcd vcd-signals"},
			{Name: "Comparing", Flags: "baseline max-regress update-baseline"},
			{Name: "Debugging", Flags: "debug gdb dap tui ex commands batch directory no-history history-memory nx color"},
			{Name: "Snapshots", Flags: "save restore"},
			{Name: "Machines", Flags: "shard balance"},
			{Name: "Output", Flags: "output html watch json format title view width junit junit-times save-elf"},
		},
		Often: map[string]string{
			"run":             "core stat max-inst timeout until trace profile prop",
			"debug":           "core tui gdb dap ex commands directory prop",
			"report":          "html core run baseline prop",
			"report timeline": "from count core kernel region html view",
			"regress":         "short run core jobs junit rerun-failed list",
			"bench":           "run core list baseline suite sweep format",
			"kernels run":     "case core source symbol like debug profile prop",
			"model run":       "input core output json record",
			"model check":     "case core end-to-end html grid",
			"model bench":     "core input json html rounding",
			"model quantize":  "calibrate eval labels output as core advise",
		},
	}
}
