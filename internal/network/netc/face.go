package netc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// The face of the library: its header, and the functions that the header declares.

// cTypes are the elements of tensors in C. A boolean is a byte.
var cTypes = map[nn.Type]string{nn.Bool: "uint8_t", nn.I4: "int8_t", nn.I8: "int8_t", nn.I16: "int16_t", nn.I32: "int32_t", nn.I48: "int64_t", nn.I64: "int64_t",
	nn.U8: "uint8_t", nn.U16: "uint16_t", nn.U32: "uint32_t", nn.U64: "uint64_t", nn.F32: "float"}

// end is an input or output of the network, as C code names it.
type end struct {
	name   string // in0, out1
	value  int
	caller bool // it lies in the room of the caller alone
}

func (c *compiler) ends(of string, values []int) (list []end) {
	for i, v := range values {
		list = append(list, end{name: fmt.Sprintf("%s%d", of, i), value: v, caller: c.atEnd(v)})
	}
	return list
}

func (c *compiler) inputs() []end  { return c.ends("in", c.graph.Inputs) }
func (c *compiler) outputs() []end { return c.ends("out", c.graph.Outputs) }

func (c *compiler) tensor(e end) *nn.Tensor { return c.graph.Values[e.value].Tensor }

// header declares what a program sees of the network.
func (c *compiler) header() string {
	var b strings.Builder
	upper := strings.ToUpper(c.name)
	fmt.Fprintf(&b, `/* %[1]s as a C library: %[1]s_init once, then %[1]s_run for every input. */
#ifndef %[2]s_H
#define %[2]s_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define %[2]s_LAYERS %[3]d
#define %[2]s_INPUTS %[4]d
#define %[2]s_OUTPUTS %[5]d
#define %[2]s_ARENA_BYTES %[6]d /* activations and scratch; at least %[7]d live at one time */
#define %[2]s_STATE_BYTES %[8]d /* what lives from run to run */
#define %[2]s_CONSTANT_BYTES %[9]d /* weights, tables and parameter blocks */

`, c.name, upper, len(c.nodes), len(c.graph.Inputs), len(c.graph.Outputs), c.arena, c.bound(), c.state, c.constantBytes)
	for _, e := range append(c.inputs(), c.outputs()...) {
		t := c.tensor(e)
		fmt.Fprintf(&b, "/* %s: %s, %s%v */\n", e.name, comment(c.graph.Values[e.value].Name), t.Type, t.Shape)
		define := func(what, value string) {
			fmt.Fprintf(&b, "#define %s_%s_%s %s\n", upper, strings.ToUpper(e.name), what, value)
		}
		define("ELEMENTS", fmt.Sprint(t.Len()))
		define("BYTES", fmt.Sprint(t.Bytes()))
		if t.Format.Kind == nn.Scaled && !t.Type.Float() && t.Format.Steps() == 1 { // real = scale * (element - zero)
			define("SCALE", cFloat(t.Format.Scale(0)))
			define("ZERO", fmt.Sprint(t.Format.Zero(0)))
		}
		if t.Format.Kind == nn.Fixed { // real = element / 2^bits
			define("FRACTION_BITS", fmt.Sprint(t.Format.Frac))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, `/* Elements of the inputs. An input of integers that is null is where %[1]s_inN() says already. */
struct %[1]s_in {
%[2]s};

/* Room for the outputs. An output of integers that is null stays where %[1]s_outN() says until the next run. */
struct %[1]s_out {
%[3]s};

/* Gives the state its beginning. */
void %[1]s_init(void);

/* Runs the network; 0, or the status of the kernel that refused. */
int %[1]s_run(const struct %[1]s_in *in, const struct %[1]s_out *out);

/* The same in steps: begin takes the inputs, then layers 0 to %[4]s_LAYERS - 1 run in this order, end gives the outputs. */
void %[1]s_begin(const struct %[1]s_in *in, const struct %[1]s_out *out);
int %[1]s_layer(int layer);
void %[1]s_end(void);

`, c.name, c.members(c.inputs(), "const "), c.members(c.outputs(), ""), upper)
	if c.state > 0 {
		fmt.Fprintf(&b, "/* The state, %[2]s_STATE_BYTES: as it is now, and as it was once. */\nvoid %[1]s_get_state(void *to);\nvoid %[1]s_set_state(const void *from);\n\n", c.name, upper)
	}
	b.WriteString("/* Where inputs and outputs of integers lie. Layers use the room of inputs again. */\n")
	for _, e := range append(c.inputs(), c.outputs()...) {
		if !e.caller {
			fmt.Fprintf(&b, "%s *%s_%s(void);\n", cTypes[c.tensor(e).Type], c.name, e.name)
		}
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// members are the members of the structure of the inputs or outputs; C has no structure without any.
func (c *compiler) members(list []end, qualifier string) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "    %s%s *%s;\n", qualifier, cTypes[c.tensor(e).Type], e.name)
	}
	if len(list) == 0 {
		return "    char none;\n"
	}
	return b.String()
}

// functions are those of the header.
func (c *compiler) functions() error {
	w := func(format string, args ...any) {
		fmt.Fprintf(&c.text, strings.ReplaceAll(format, nameMark, c.name), args...)
	}
	w("static int (*const layers[%d])(void) = {\n", len(c.nodes))
	for i := range c.nodes {
		w("    layer%d, /* %s */\n", i, comment(c.graph.Nodes[i].Op.Name))
	}
	w("};\n\nint NETWORK_NAME_layer(int layer)\n{\n    return layers[layer]();\n}\n\n")
	var load, store strings.Builder
	move := func(to *strings.Builder, e end, format string) error {
		t := c.tensor(e)
		at, err := c.address(e.value, 0)
		switch {
		case errors.Is(err, errNoPlace): // an input that nothing reads
			w("%s *NETWORK_NAME_%s(void)\n{\n    return 0;\n}\n\n", cTypes[t.Type], e.name)
			return nil
		case err != nil:
			return err
		}
		fmt.Fprintf(to, format, e.name, at, t.Bytes())
		w("%s *NETWORK_NAME_%s(void)\n{\n    return %s;\n}\n\n", cTypes[t.Type], e.name, at)
		return nil
	}
	for _, e := range c.inputs() {
		if !e.caller {
			if err := move(&load, e, "    if (in->%[1]s)\n        copy(%[2]s, in->%[1]s, %[3]d);\n"); err != nil {
				return err
			}
		}
	}
	for _, e := range c.outputs() {
		if !e.caller {
			if err := move(&store, e, "    if (given_out.%[1]s)\n        copy(given_out.%[1]s, %[2]s, %[3]d);\n"); err != nil {
				return err
			}
		}
	}
	w("void NETWORK_NAME_begin(const struct NETWORK_NAME_in *in, const struct NETWORK_NAME_out *out)\n{\n    given_in = *in;\n    given_out = *out;\n%s}\n\n", load.String())
	w("void NETWORK_NAME_end(void)\n{\n%s}\n\n", store.String())
	w(`int NETWORK_NAME_run(const struct NETWORK_NAME_in *in, const struct NETWORK_NAME_out *out)
{
    NETWORK_NAME_begin(in, out);
    for (int i = 0; i < %d; i++) {
        int status = layers[i]();
        if (status)
            return status;
    }
    NETWORK_NAME_end();
    return 0;
}

`, len(c.nodes))
	if c.state == 0 {
		w("void NETWORK_NAME_init(void)\n{\n}\n")
		return nil
	}
	pieces := c.states()
	var init, get, set strings.Builder
	at := 0
	for _, p := range pieces {
		if strings.Trim(string(p.initial), "\x00") == "" {
			fmt.Fprintf(&init, "    for (uint32_t i = 0; i < %d; i++)\n        ((word *)%s)[i] = 0;\n", len(p.initial)/wordBytes, p.at)
		} else {
			fmt.Fprintf(&init, "    copy(%s, %s, %d);\n", p.at, c.constant("initial", p.initial, nil), len(p.initial))
		}
		fmt.Fprintf(&get, "    copy((char *)to + %d, %s, %d);\n", at, p.at, len(p.initial))
		fmt.Fprintf(&set, "    copy(%s, (const char *)from + %d, %d);\n", p.at, at, len(p.initial))
		at += len(p.initial)
	}
	w("void NETWORK_NAME_init(void)\n{\n%s}\n\nvoid NETWORK_NAME_get_state(void *to)\n{\n%s}\n\nvoid NETWORK_NAME_set_state(const void *from)\n{\n%s}\n", init.String(), get.String(), set.String())
	return nil
}

// state is a piece of memory that lives from run to run.
type state struct {
	at      string // as C writes it
	initial []byte // whole words
}

// states are the pieces of the state: one array, or variables where a placement has them.
func (c *compiler) states() []state {
	if c.placement == nil {
		return []state{{at: "state", initial: c.initial()}}
	}
	var list []state
	variables := nn.Initial(c.graph)
	for v, spot := range c.placement.Values {
		if c.graph.Values[v].Variable && spot.Memory != "" {
			b := mlikernels.Elements(variables[v])
			list = append(list, state{at: fmt.Sprintf("(void *)%#x", spot.At), initial: append(b, make([]byte, words(len(b))-len(b))...)})
		}
	}
	return list
}

// program is what main runs on the simulator: the elements of the inputs, step after step, room for the outputs.
func (c *compiler) program(steps [][]*nn.Tensor) (string, error) {
	g := c.graph
	if len(steps) != len(g.Inputs) {
		return "", fmt.Errorf("%d inputs, the network has %d", len(steps), len(g.Inputs))
	}
	var arrays, in, out, list strings.Builder
	count := 1
	for i, e := range c.inputs() {
		if i == 0 {
			count = len(steps[0])
		}
		if len(steps[i]) != count {
			return "", fmt.Errorf("input %d has %d steps, input 0 has %d", i, len(steps[i]), count)
		}
		want := c.tensor(e)
		var b []byte
		for step, t := range steps[i] {
			if t.Type != want.Type || t.Len() != want.Len() {
				return "", fmt.Errorf("input %d in step %d is %s%v, the network takes %s%v", i, step, t.Type, t.Shape, want.Type, want.Shape)
			}
			b = append(b, mlikernels.Elements(t)...)
		}
		fmt.Fprintf(&arrays, "static const uint32_t %s[%d] = {%s};\n\n", e.name, max(1, words(len(b))/wordBytes), wordList(b, nil))
		fmt.Fprintf(&in, "        .%[1]s = (const void *)((const char *)%[1]s + step * %[2]d),\n", e.name, want.Bytes())
	}
	for _, e := range c.outputs() {
		fmt.Fprintf(&arrays, "static uint32_t %s[%d];\n\n", e.name, max(1, words(c.tensor(e).Bytes())/wordBytes))
		fmt.Fprintf(&out, "        .%[1]s = (void *)%[1]s,\n", e.name)
		fmt.Fprintf(&list, "    {%s, %d},\n", e.name, c.tensor(e).Bytes())
	}
	if len(g.Inputs) == 0 {
		in.WriteString("        .none = 0 * step,\n")
	}
	var layers strings.Builder
	for i := range g.Nodes {
		fmt.Fprintf(&layers, "    %s,\n", quoted(g.Nodes[i].Op.Name))
	}
	return strings.ReplaceAll(fmt.Sprintf(`/* What main runs: inputs, step after step, and room for outputs. */
#include "NETWORK_NAME.h"
#include "program.h"

%sconst int program_steps = %d;
const int program_layers = %d;
const int program_outputs = %d;

const char *const program_names[] = {
%s};

const struct program_output program_out[] = {
%s};

void program_init(void)
{
    NETWORK_NAME_init();
}

void program_begin(int step)
{
    const struct NETWORK_NAME_in in = {
%s    };
    const struct NETWORK_NAME_out out = {
%s    };
    NETWORK_NAME_begin(&in, &out);
}

int program_layer(int layer)
{
    return NETWORK_NAME_layer(layer);
}

void program_end(void)
{
    NETWORK_NAME_end();
}
`, arrays.String(), count, len(g.Nodes), len(g.Outputs), layers.String(), list.String(), in.String(), out.String()), nameMark, c.name), nil
}

// cFloat writes a number of single precision for C.
func cFloat(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 32)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text + "f"
}

// comment is a name from a file inside a comment.
func comment(name string) string {
	return strings.ReplaceAll(strings.Trim(quoted(name), `"`), "*/", "* /")
}
