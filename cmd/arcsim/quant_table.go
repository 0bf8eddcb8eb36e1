package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// tableOptions are the flags of quant table.
type tableOptions struct {
	from, to string
	profile  string
	output   string
	json     bool
}

func newQuantTableCmd(s cli.Streams) *cobra.Command {
	var o tableOptions
	cmd := pages.Command("quant_table", func(_ *cobra.Command, args []string) { writeTable(&o, args[0], s) },
		cli.Vars{"from": &o.from, "to": &o.to, "profile": &o.profile, "output": &o.output, "json": &o.json})
	for _, name := range []string{"from", "to"} {
		cobra.CheckErr(cmd.MarkFlagRequired(name))
	}
	return cmd
}

// parseNumber reads a fixed-point format or a quantized type.
func parseNumber(text string) (quant.Type, error) {
	if strings.HasPrefix(strings.ToUpper(text), "Q") {
		f, err := quant.ParseQ(text)
		if err != nil {
			return quant.Type{}, err
		}
		return f.Type()
	}
	return quant.ParseType(text)
}

func writeTable(o *tableOptions, name string, s cli.Streams) {
	from := cli.Parse("--from", o.from, parseNumber)
	to := cli.Parse("--to", o.to, parseNumber)
	p, err := quant.ParseProfile(o.profile)
	if err == nil && p.Real == nil {
		err = fmt.Errorf("%s does not say how reals become integers", p.Name)
	}
	steps.Check(cli.UsageError(steps.In("--profile", err)))
	table := cli.Valid(quant.ActivationTable(name, from, to, *p.Real))
	switch {
	case o.json:
		steps.Check(render.JSON(s.Out, map[string]any{"schema": 1, "function": name, "from": from.String(), "to": to.String(), "profile": p.Name, "table": table}))
	case filepath.Ext(o.output) == ".npy":
		element := containers[to.Storage.Bits]
		if !to.Storage.Signed {
			element = map[int]nn.Type{8: nn.U8, 16: nn.U16, 32: nn.U32}[to.Storage.Bits]
		}
		cli.Refuse(element == nn.NoType, "--to: NumPy has no elements of type %s", to.Storage)
		steps.Check(writeFile(o.output, steps.Must(nn.FormatNPY(nn.FromInts(element, []int{len(table)}, table))), s))
	default:
		steps.Check(writeFile(o.output, []byte(tableC(name, o.from, o.to, to.Storage, table)), s))
	}
}

// tableC is the table as an array of C.
func tableC(name, from, to string, s quant.Storage, table []int64) string {
	element := "int"
	if !s.Signed {
		element = "uint"
	}
	width := 8
	for width < s.Bits {
		width *= 2
	}
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s of %s as %s. */\nconst %s%d_t %s_table[%d] = {", name, from, to, element, width, name, len(table))
	for i, v := range table {
		if i%16 == 0 {
			b.WriteString("\n\t")
		} else {
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "%d,", v)
	}
	b.WriteString("\n};\n")
	return b.String()
}
