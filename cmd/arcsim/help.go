package main

import (
	"github.com/spf13/cobra"

	"arcv2dsp/internal/cli"
)

// help orders the flags of commands that have many.
func help() *cli.Help {
	return &cli.Help{
		Topics: []cli.Topic{
			{Name: "Cases", Flags: "run short list seed vectors rerun-failed failfast minimize case id"},
			{Name: "Subjects", Flags: "suite sweep vendor kernel shape"},
			{Name: "Part", Flags: "from to count skip region"},
			{Name: "Functions", Flags: "source symbol like library convention include"},
			{Name: "Product", Flags: "size type lhs rhs lhs-offset rhs-offset lhs-order rhs-order lhs-stride rhs-stride out-order out-stride stage pipeline naive parts"},
			{Name: "Network", Flags: "input as advise stats placed ram hop rounding"},
			{Name: "Tensors", Flags: "tensor npy float"},
			{Name: "Core", Flags: "core tcf props prop print-config engine"},
			{Name: "Program", Flags: "base fs stdin hostio memory set-reg"},
			{Name: "Limits", Flags: "max-inst max-cycles timeout jobs"},
			{Name: "Measuring", Flags: "stat stat-json profile folded annotate coverage"},
			{Name: "Traces", Flags: "trace trace-format chrome vcd vcd-signals"},
			{Name: "Comparing", Flags: "baseline max-regress update-baseline"},
			{Name: "Debugging", Flags: "debug gdb listen tui ex commands batch directory no-history history-memory nx color"},
			{Name: "Snapshots", Flags: "save restore"},
			{Name: "Machines", Flags: "shard balance"},
			{Name: "Output", Flags: "output format json gobench html view width junit junit-times save-elf"},
		},
		Often: map[string]string{
			"run":           "core stat max-inst timeout trace profile gdb prop",
			"debug":         "core tui ex commands batch directory prop",
			"gdb":           "core listen directory prop",
			"timeline":      "from count core kernel shape region html view",
			"regress":       "short run core jobs junit rerun-failed list",
			"bench":         "core list baseline max-regress suite sweep format",
			"kernels run":   "case core source symbol like debug profile prop",
			"model bench":   "core input json html rounding",
			"gemm run":      "size type core stage lhs rhs output",
			"quant network": "input as core advise stats",
		},
	}
}

// Groups of commands, in the order of the list that arcsim alone prints.
const (
	groupPrograms = "programs"
	groupNetworks = "networks"
	groupMeasure  = "measure"
	groupItself   = "itself"
)

// addGroup gives a root command some commands that belong together.
func addGroup(root *cobra.Command, id, title string, cmds ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range cmds {
		c.GroupID = id
	}
	root.AddCommand(cmds...)
}
