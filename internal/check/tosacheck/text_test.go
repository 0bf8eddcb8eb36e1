package tosacheck_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/network/mlir"
	"arcv2dsp/nn"
	vectors "arcv2dsp/testdata/tosa"

	"github.com/stretchr/testify/require"
)

var updateText = flag.Bool("update-text", false, "write the texts of testdata/mlir by mlir-opt")

// textOf writes a call in the generic form of release 19 of MLIR: attributes that are operands or have other names there
// are written so.
func textOf(c *nn.Call) string {
	element := func(typ nn.Type) string {
		switch typ {
		case nn.Bool:
			return "i1"
		case nn.U8, nn.U16:
			return "u" + typ.String()[1:]
		}
		return typ.String()
	}
	tensor := func(x *nn.Tensor) string {
		text := "tensor<"
		for _, d := range x.Shape {
			text += fmt.Sprintf("%dx", d)
		}
		return text + element(x.Type) + ">"
	}
	list := func(of string, v []int) string {
		if len(v) == 0 {
			return fmt.Sprintf("array<%s>", of)
		}
		return fmt.Sprintf("array<%s: %s>", of, strings.Trim(strings.ReplaceAll(fmt.Sprint(v), " ", ", "), "[]"))
	}
	var params, names, types, attrs, before []string
	operand := func(x *nn.Tensor) {
		name := fmt.Sprintf("%%a%d", len(params))
		params = append(params, name+": "+tensor(x))
		names, types = append(names, name), append(types, tensor(x))
	}
	constant := func(typ, elements string) {
		name := fmt.Sprintf("%%c%d", len(before))
		before = append(before, fmt.Sprintf("  %s = \"tosa.const\"() {value = dense<%s> : %s} : () -> %s\n", name, elements, typ, typ))
		names, types = append(names, name), append(types, typ)
	}
	ints := func(x *nn.Tensor) []int {
		v := make([]int, len(x.Ints))
		for i := range v {
			v[i] = int(x.Ints[i])
		}
		return v
	}
	put := func(name, value string) { attrs = append(attrs, name+" = "+value) }
	name := strings.ToLower(c.Op.Name)
	switch c.Op.Name {
	case "RESCALE":
		put("multiplier", list("i32", ints(c.In[1])))
		put("shift", list("i8", ints(c.In[2])))
	case "MUL":
		put("shift", fmt.Sprintf("%d : i8", c.In[2].Ints[0]))
	case "INTDIV":
		name = "int_div"
	}
	for _, x := range operandsInText(c) {
		operand(x)
	}
	var records []string
	for _, spec := range c.Op.Attrs {
		switch v := c.Attrs[spec.Name].(type) {
		case nil:
		case bool:
			put(spec.Name, fmt.Sprint(v))
		case string:
			put(spec.Name, `"`+map[string]string{"NEAREST": "NEAREST_NEIGHBOR"}[v]+`"`)
			if v != "NEAREST" {
				attrs[len(attrs)-1] = spec.Name + ` = "` + v + `"`
			}
		case nn.Type:
			if strings.HasPrefix(name, "avg") {
				put(spec.Name, element(v))
			}
		case []int:
			switch {
			case spec.Name == "perms":
				constant(fmt.Sprintf("tensor<%dxi32>", len(v)), strings.ReplaceAll(fmt.Sprint(v), " ", ", "))
			case spec.Name == "padding":
				constant(fmt.Sprintf("tensor<%dx2xi32>", len(v)/2), func() string {
					var rows []string
					for pair := range slices.Chunk(v, 2) {
						rows = append(rows, fmt.Sprintf("[%d, %d]", pair[0], pair[1]))
					}
					return "[" + strings.Join(rows, ", ") + "]"
				}())
			case c.Op.Name == "RESHAPE":
				put("new_shape", list("i64", v))
			default:
				put(spec.Name, list("i64", v))
			}
		case int:
			switch {
			case spec.Name == "axis":
				put("axis", fmt.Sprintf("%d : i32", v))
			case c.Op.Name == "CLAMP":
				put(strings.TrimSuffix(spec.Name, "_val")+"_int", fmt.Sprintf("%d : i64", v))
				put(strings.TrimSuffix(spec.Name, "_val")+"_fp", "0.0 : f32")
			case c.Op.Name == "RESCALE":
				put(spec.Name, fmt.Sprintf("%d : i32", v))
			case c.Op.Name == "PAD":
				constant("tensor<"+element(c.In[0].Type)+">", fmt.Sprint(v))
			default:
				records = append(records, fmt.Sprintf("%s = %d", strings.Replace(spec.Name, "input1_zp", "input_zp", 1), v))
			}
		}
	}
	if c.Op.Name == "TRANSPOSE_CONV2D" {
		put("out_shape", list("i64", c.Out[0].Shape))
	}
	if len(records) > 0 {
		kind := "conv_quant"
		switch c.Op.Name {
		case "MATMUL":
			kind = "matmul_quant"
		case "NEGATE", "AVG_POOL2D":
			kind = "unary_quant"
		}
		put("quantization_info", fmt.Sprintf("#tosa.%s<%s>", kind, strings.Join(records, ", ")))
	}
	out := tensor(c.Out[0])
	return fmt.Sprintf("func.func @main(%s) -> %s {\n%s  %%r = \"tosa.%s\"(%s) {%s} : (%s) -> %s\n  return %%r : %s\n}\n", strings.Join(params, ", "), out,
		strings.Join(before, ""), name, strings.Join(names, ", "), strings.Join(attrs, ", "), strings.Join(types, ", "), out, out)
}

// operandsInText are the operands of a call that are none of its attributes in the text.
func operandsInText(c *nn.Call) []*nn.Tensor {
	switch c.Op.Name {
	case "RESCALE":
		return c.In[:1]
	case "MUL":
		return c.In[:2]
	}
	return c.In
}

// textCases are recorded calls, by the name of their file: two of each operator that has as many.
func textCases(t *testing.T) map[string]*tosacheck.Case {
	t.Helper()
	all := map[string]*tosacheck.Case{}
	n := map[string]int{}
	cases, err := tosacheck.AllVectors(vectors.Files)
	require.NoError(t, err)
	for _, c := range cases {
		if len(c.Graph.Nodes) != 1 || c.Expect != nn.Valid || c.Graph.Nodes[0].Op.Control != nil {
			continue
		}
		op := c.Graph.Nodes[0].Op.Name
		if op == "CONST" || n[op+c.Purpose] > 0 || n[op] == 2 {
			continue
		}
		n[op]++
		n[op+c.Purpose]++
		all[c.Name] = c
	}
	return all
}

// TestTextOfMLIR: graphs in the short form that mlir-opt 19 prints give the recorded results, and print in a form that reads back.
func TestTextOfMLIR(t *testing.T) {
	read := 0
	for name, c := range textCases(t) {
		file := filepath.Join("testdata", "mlir", name+".mlir")
		call := &nn.Call{Op: c.Graph.Nodes[0].Op, Attrs: c.Graph.Nodes[0].Attrs, In: c.Inputs, Out: c.Want}
		if *updateText {
			var faults bytes.Buffer
			cmd := exec.Command("mlir-opt-19")
			cmd.Stdin, cmd.Stderr = strings.NewReader(textOf(call)), &faults
			text, err := cmd.Output()
			if err != nil {
				t.Logf("%s is left out: %s", name, strings.SplitN(faults.String(), "\n", 2)[0])
				continue
			}
			require.NoError(t, os.WriteFile(file, text, 0o644))
		}
		text, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue // release 19 refuses the call
		}
		require.NoError(t, err)
		m, err := mlir.Parse(file, string(text))
		require.NoError(t, err, name)
		again, err := mlir.Parse("again.mlir", m.String())
		require.NoError(t, err, m.String())
		require.Equal(t, m.String(), again.String())
		for _, f := range []*mlir.Func{m.Funcs[0], again.Funcs[0]} {
			g, err := mlir.TOSAGraph(f)
			require.NoError(t, err, name)
			own := tosacheck.Case{Target: c.Target, Graph: g, Inputs: operandsInText(call), Want: c.Want}
			require.NoError(t, own.Judge(own.Run(t.Context(), nn.GoldenExecutor{})), name)
		}
		read++
	}
	require.GreaterOrEqual(t, read, 60)
}
